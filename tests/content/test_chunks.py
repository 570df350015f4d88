"""Chunks cover the document, fit the limit, and end where a person would end them."""

# ruff: noqa: E501 - tables of examples

from __future__ import annotations

import re
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.growth import LIMIT, growth
from wikicrawler.content.chunks import (
    MAX_WORD,
    Chunk,
    estimate_tokens,
    split_markdown,
    split_smaller,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

PARAGRAPHS = "".join(f"Paragraph {n} has words. It has two sentences.\n\n" for n in range(20))
TABLE = "| Name | Price |\n| --- | --- |\n" + "".join(f"| Item {n} | {n} |\n" for n in range(40))
CODE = "```python\n" + "".join(f"x{n} = {n}\n\n" for n in range(10)) + "```\n"
HEADER = "| Name | Price |\n| --- | --- |\n"


def assert_covered(text: str, chunks: Sequence[Chunk]) -> None:
    """The chunks are spans of *text* in order, without a gap."""
    behind = 0
    for chunk in chunks:
        assert chunk.text == text[chunk.start : chunk.end]
        assert chunk.start <= behind < chunk.end
        assert chunk.tokens == estimate_tokens(chunk.prefix) + estimate_tokens(chunk.text)
        behind = chunk.end
    assert behind == len(text)


LINKED = "".join(f"Bee {n} [lives][{n}] in a [hive][1].\n\n" for n in range(1, 31))
DEFINITIONS = "".join(f"[{n}]: https://w.test/{n}\n" for n in range(1, 31)).rstrip("\n")


@pytest.mark.parametrize(
    "text", [LINKED, f"{LINKED}| a | b |\n| --- | --- |\n" + "| [x][2] | [y][3] |\n" * 30 + "\n"]
)
def test_each_chunk_has_the_definitions_of_its_links_and_no_others(text: str) -> None:
    chunks = split_markdown(text + DEFINITIONS, max_tokens=150)
    assert len(chunks) > 5
    assert "".join(chunk.text for chunk in chunks) == text
    for chunk in chunks:
        defined = re.findall(r"(?m)^\[(\d+)\]: https://w\.test/(\d+)$", chunk.prefix)
        used = set(re.findall(r"\]\[(\d+)\]", chunk.text))
        assert defined == [(number, number) for number in sorted(used, key=int)]
        assert estimate_tokens(chunk.prefix + chunk.text) <= chunk.tokens <= 150
        assert "Bee" not in chunk.prefix
    headers = [chunk.prefix for chunk in chunks if chunk.text.startswith("| [x]")]
    assert all(prefix.endswith("\n\n| a | b |\n| --- | --- |\n") for prefix in headers)


def test_a_chunk_that_is_split_again_keeps_the_definitions_it_needs() -> None:
    chunk = split_markdown(LINKED + DEFINITIONS, max_tokens=500)[1]
    smaller = split_smaller(chunk, max_tokens=150)
    assert len(smaller) > 2
    assert "".join(one.text for one in smaller) == chunk.text
    assert (smaller[0].start, smaller[-1].end) == (chunk.start, chunk.end)
    for one in smaller:
        used = set(re.findall(r"\]\[(\d+)\]", one.text))
        assert set(re.findall(r"(?m)^\[(\d+)\]: ", one.prefix)) == used
        assert one.tokens <= 150


@pytest.mark.parametrize(
    "text",
    [
        "[a][1]\n\n[1]: https://w.test/1\n[2]: https://w.test/2",
        "[a][1]\n[1]: https://w.test/1",
        "[1]: https://w.test/1",
        "[a][1]\n\n[1]: not a URL",
    ],
    ids=["one is not used", "in a paragraph", "nothing else", "no definition"],
)
def test_lines_that_are_no_definitions_of_links_are_text(text: str) -> None:
    chunks = split_markdown(text, max_tokens=1000)
    assert_covered(text, chunks)
    assert not any(chunk.prefix for chunk in chunks)


def test_an_image_with_a_numbered_link_or_parentheses_is_one_word() -> None:
    for image in (
        "[![a picture](https://w.test/p_(1).png)][12]",
        "![a b](https://w.test/p_(1).png)",
    ):
        text = f"{'word ' * 30}{image}{' word' * 30}"
        chunks = split_markdown(text, max_tokens=40)
        assert sum(image in chunk.text for chunk in chunks) == 1


def test_a_text_that_fits_is_one_chunk() -> None:
    text = f"# A\n\nSome text.\n\n{TABLE}"
    assert [chunk.text for chunk in split_markdown(text, max_tokens=10_000)] == [text]
    assert split_markdown("", max_tokens=10) == []


def test_a_chunk_ends_before_a_heading() -> None:
    one, two, three = (f"## {name}\n\n{PARAGRAPHS[:300]}\n" for name in ("One", "Two", "Three"))
    text = f"# Top\n\n{one}{two}{three}"
    limit = estimate_tokens(one + two) + 40
    chunks = split_markdown(text, max_tokens=limit)
    assert_covered(text, chunks)
    assert [chunk.text for chunk in chunks] == [f"# Top\n\n{one}{two}", three]
    assert [chunk.headings for chunk in chunks] == [(), ("Top",)]


def test_the_headings_above_a_chunk_are_those_that_are_open_where_it_begins() -> None:
    text = f"# A\n\n## B ##\n\n{PARAGRAPHS}\nC\n===\n\n### D\n\n{PARAGRAPHS}"
    chunks = split_markdown(text, max_tokens=100)
    assert_covered(text, chunks)
    paths = [chunk.headings for chunk in chunks]
    assert list(dict.fromkeys(paths)) == [(), ("A", "B"), ("C", "D")]


def test_a_heading_is_not_left_alone_behind_its_text() -> None:
    text = "# A\n\n" + "Sentence number one. " * 20
    (first, *_) = split_markdown(text, max_tokens=60)
    assert first.text.startswith("# A\n\nSentence number one. ")
    (first, *_) = split_markdown(f"# A\n\n## B\n\n{TABLE}", max_tokens=60)
    assert first.text.startswith("# A\n\n## B\n\n| Name | Price |\n| --- | --- |\n| Item 0 | 0 |\n")


def test_a_split_table_repeats_its_header() -> None:
    text = f"Some text.\n\n{TABLE}\nMore text.\n"
    first, *others = chunks = split_markdown(text, max_tokens=150)
    assert_covered(text, chunks)
    assert len(others) > 3
    assert (first.prefix, first.text[:28]) == ("", "Some text.\n\n| Name | Price |")
    assert {chunk.prefix for chunk in others} == {HEADER}
    assert all(chunk.text.startswith("| Item ") for chunk in others)
    assert all(chunk.tokens <= 150 for chunk in chunks)


def test_a_row_is_never_split() -> None:
    rows = "".join(f"| {'word ' * 50}| {n} |\n" for n in range(4))
    chunks = split_markdown(HEADER + rows, max_tokens=50)
    assert_covered(HEADER + rows, chunks)
    assert [chunk.text for chunk in chunks] == [HEADER, *rows.splitlines(keepends=True)]


def test_a_header_that_is_most_of_a_chunk_is_not_repeated() -> None:
    text = "| " + "column | " * 100 + "\n|" + "---|" * 100 + "\n" + "| 1 |\n" * 1000
    chunks = split_markdown(text, max_tokens=200)
    assert_covered(text, chunks)
    assert {chunk.prefix for chunk in chunks} == {""}


@pytest.mark.parametrize("mark", ["```", "~~~~"])
def test_code_is_split_at_lines_and_only_if_it_exceeds_the_limit(mark: str) -> None:
    code = CODE.replace("```", mark).replace("x3", "# x3").replace("x5", "``x")
    text = f"{PARAGRAPHS}{code}{PARAGRAPHS}"
    whole = split_markdown(text, max_tokens=estimate_tokens(code))
    assert_covered(text, whole)
    assert any(code in chunk.text for chunk in whole)
    assert {chunk.headings for chunk in whole} == {()}, "a comment is no heading"
    parts = split_markdown(code, max_tokens=20)
    assert_covered(code, parts)
    assert len(parts) > 3
    assert all(chunk.text.endswith("\n") for chunk in parts)


def test_items_of_a_list_are_blocks() -> None:
    text = "".join(f"- Item {n} goes on\n  in a second line\n" for n in range(20))
    chunks = split_markdown(text, max_tokens=60)
    assert_covered(text, chunks)
    assert all(chunk.text.startswith("- Item") for chunk in chunks)


def test_sentences_and_then_words_are_split_where_a_paragraph_is_too_long() -> None:
    sentences = "He paid 12.50 EUR for it. Was it much? It was! " * 20
    chunks = split_markdown(sentences, max_tokens=40)
    assert_covered(sentences, chunks)
    assert all(chunk.text.rstrip()[-1] in ".?!" for chunk in chunks)
    words = "incomprehensibilities " * 100
    chunks = split_markdown(words, max_tokens=40)
    assert_covered(words, chunks)
    assert all(chunk.text.replace("incomprehensibilities ", "") == "" for chunk in chunks)


@pytest.mark.parametrize("form", ["{}", "[{}](https://wiki.example/wiki/A)"])
def test_an_image_is_a_word_that_is_never_split(form: str) -> None:
    image = form.format(
        f"![The old lamp. It is \\[lit\\]! By night](https://wiki.example/{'x' * 1500}.png)"
    )
    text = f"Some words before it and{image}, then " * 20
    for size in (1, 10, 60):
        chunks = split_markdown(text, max_tokens=size)
        assert_covered(text, chunks)
        assert sum(image in chunk.text for chunk in chunks) == 20
        assert len(chunks) >= 40


def test_what_only_begins_like_an_image_is_split() -> None:
    text = "![no image here " * 50
    assert len(split_markdown(text, max_tokens=20)) > 20


def test_chinese_is_split_at_sentences_and_between_characters() -> None:
    text = "博物馆于1902年开放，位于老城中心。" * 20
    chunks = split_markdown(text, max_tokens=60)
    assert_covered(text, chunks)
    assert all(chunk.text.endswith("。") for chunk in chunks)
    unpunctuated = "博物馆开放" * 200
    assert max(chunk.tokens for chunk in split_markdown(unpunctuated, max_tokens=60)) <= 60


def test_a_chunk_repeats_whole_blocks_of_the_one_before() -> None:
    chunks = split_markdown(PARAGRAPHS, max_tokens=200, overlap=60)
    assert_covered(PARAGRAPHS, chunks)
    for before, after in pairwise(chunks):
        common = PARAGRAPHS[after.start : before.end]
        assert common.startswith("Paragraph")
        assert 0 < estimate_tokens(common) <= 60
    short = split_markdown(PARAGRAPHS, max_tokens=200, overlap=20)
    commons = {PARAGRAPHS[b.start : a.end].strip() for a, b in pairwise(short)}
    assert commons == {"It has two sentences."}


def test_a_chunk_that_begins_at_a_heading_repeats_nothing() -> None:
    text = f"# A\n\n{PARAGRAPHS[:400]}\n# B\n\n{PARAGRAPHS[:400]}"
    first, second = split_markdown(text, max_tokens=350, overlap=50)
    assert (first.end, second.text[:3]) == (second.start, "# B")


def test_tables_repeat_rows_behind_the_header() -> None:
    chunks = split_markdown(TABLE, max_tokens=150, overlap=30)
    assert_covered(TABLE, chunks)
    for before, after in pairwise(chunks):
        assert after.prefix == HEADER
        assert TABLE[after.start : before.end].count("\n") == 2


@pytest.mark.parametrize(("limit", "overlap"), [(0, 0), (10, -1), (10, 6)])
def test_limits_that_cannot_be_kept_are_refused(limit: int, overlap: int) -> None:
    with pytest.raises(ValueError, match=r"not between|not 1 or more"):
        split_markdown("text", max_tokens=limit, overlap=overlap)


def test_a_chunk_is_split_again() -> None:
    text = f"# A\n\n{PARAGRAPHS}\n## B\n\n{TABLE}"
    for chunk in split_markdown(text, max_tokens=300):
        smaller = split_smaller(chunk, max_tokens=100)
        assert len(smaller) > 1
        assert smaller[0].start == chunk.start
        assert smaller[-1].end == chunk.end
        for one, behind in zip(smaller, [*smaller[1:], None], strict=True):
            assert text[one.start : one.end] == one.text
            assert behind is None or behind.start == one.end
            assert one.tokens <= 100
            assert one.headings[: len(chunk.headings)] == chunk.headings
            assert bool(one.prefix) == one.text.startswith("| Item")
    (word,) = split_markdown("incomprehensibilities", max_tokens=5)
    assert split_smaller(word, max_tokens=2) == [word]


MARKDOWN = st.lists(
    st.sampled_from(
        [
            *("# A\n", "## B\n", "B\n---\n", "Some words. More words!\n", "\n", "\n\n", "- item\n"),
            *(
                "| a | b |\n",
                "|---|---|\n",
                "```\n",
                "~~~\n",
                "  1. x\n",
                "x" * 50,
                "词语。",
                "\r\n",
            ),
            *(" ", "a | b\n--- | ---\n1 | 2\n", "***\n", "> quote\n", "\u2028", "\t", "ไทย"),
        ]
    )
    | st.text(max_size=20),
    max_size=60,
).map("".join)


@settings(max_examples=300, deadline=None)
@given(text=MARKDOWN, limit=st.integers(1, 80), overlap=st.integers(0, 40))
def test_chunks_cover_any_text_within_the_limit(text: str, limit: int, overlap: int) -> None:
    chunks = split_markdown(text, max_tokens=limit, overlap=min(overlap, limit // 2))
    assert_covered(text, chunks)
    for chunk in chunks:
        assert chunk.tokens <= limit or is_one_unit(chunk), chunk


def is_one_unit(chunk: Chunk) -> bool:
    """Whether *chunk* is a word, a row, or the two rows of a header."""
    rows = chunk.text.split("\n")
    while len(rows) > 1 and not rows[-1].strip():
        rows.pop()
    rows = [row for row in rows if row.strip()]
    return len(chunk.text.split()) <= 1 or (len(rows) <= 2 and any("|" in row for row in rows))


HUGE = {
    "no newline": "word " * 200_000,
    "headings": "# A\n" * 100_000,
    "unclosed fence": "```\n" + "x = 1\n" * 100_000,
    "columns": "|a" * 10_000 + "\n" + "|-" * 10_000 + "\n" + ("|1" * 10_000 + "\n") * 20,
    "large header": "|a" * 100_000 + "\n" + "|-" * 100_000 + "\n" + "| 1 |\n" * 50_000,
}


@pytest.mark.parametrize("text", HUGE.values(), ids=HUGE)
def test_huge_texts_are_split(text: str) -> None:
    chunks = split_markdown(text, max_tokens=2000, overlap=500)
    assert_covered(text, chunks)
    assert sum(len(chunk.prefix) + len(chunk.text) for chunk in chunks) < 4 * len(text)


PIECES = [
    *("word ", "x", "\n", " ", "\n\n", "# A\n", "```\n", "```\n~~~\n", "|a", "|a\n", "|-", "|", "- a\n"),
    *("`", "#", "-", "=", "a\n---\n", "词", "。", ". ", "a. ", "a|b\n-|-\n", "a|b\n\n-|-\n", "* * ", "a|b\n-|-"),
    *("> ", "1. ", "\t", "\r", "\u2028", ".'", "ไ "),
    *("![", "[![", "![a](", "![a](b", "![a](b)", "[![a](b)](", "[![a](b)](c) ", "!", "![\\["),
]  # fmt: skip


@pytest.mark.parametrize("start", ["", HEADER])
@pytest.mark.parametrize("piece", PIECES)
def test_texts_are_split_in_linear_time(start: str, piece: str) -> None:
    split = partial(split_markdown, max_tokens=100, overlap=50)
    assert growth(split, lambda size: start + piece * (size // len(piece)), 5_000) < LIMIT


@pytest.mark.parametrize(
    "line", ["[a][{0}] b\n\n|[{0}]: https://w.test/{0}\n", "[a][1]\n\n|[1]: https://w.test/\n"]
)
def test_texts_with_definitions_are_split_in_linear_time(line: str) -> None:
    def text(size: int) -> str:
        body, definition = line.split("|")
        numbers = range(1, size // len(line) + 1)
        return "".join(map(body.format, numbers)) + "".join(map(definition.format, numbers))

    assert growth(partial(split_markdown, max_tokens=100, overlap=50), text, 5_000) < LIMIT


def test_three_backticks_within_a_line_are_no_fence() -> None:
    text = f"```x``` is code\n\n# A\n\n{PARAGRAPHS}"
    assert split_markdown(text, max_tokens=100)[-1].headings == ("A",)


def test_a_run_without_spaces_is_cut() -> None:
    chunks = split_markdown("x" * 10 * MAX_WORD, max_tokens=10)
    assert {len(chunk.text) for chunk in chunks} == {MAX_WORD}
