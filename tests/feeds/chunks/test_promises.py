"""What a feed of chunks promises of each chunk, over generated Markdown and over saved pages."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from wikicrawler.content import convert
from wikicrawler.content.chunks import MAX_WORD, estimate_tokens
from wikicrawler.feeds.chunks.spans import ChunkSize, chunk_spans

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wikicrawler.items import ChunkSpan

TESTS = Path(__file__).parents[2]
PAGES = sorted(
    [
        *(TESTS / "content" / "golden").glob("*.html"),
        *(TESTS / "content" / "fidelity" / "pages").glob("*.html"),
        *(TESTS.parent / "wikicrawler" / "demo").rglob("*.html"),
    ]
)
URL = "https://wiki.example.org/wiki/Page"
PARSER = MarkdownIt("commonmark").enable("table")


class Whole(NamedTuple):
    """``text[start:end]``, in which no chunk ends."""

    start: int
    end: int
    tokens: int = 0
    """With which it fits, with the blank lines around it; 0: it is never split."""


# Generated Markdown

WORDS = st.text("abc dé|`*#.!\\漢字😀", min_size=1, max_size=60).map(
    lambda text: " ".join(text.split()) or "x"
)
CELLS = WORDS.map(lambda text: re.sub(r"[|`\\]", "", text) or "x")
ROWS = st.lists(st.lists(CELLS, min_size=2, max_size=2), min_size=1, max_size=12)
CODE = st.lists(
    st.sampled_from(["x = 1", "", "# no heading", "| no | row |", "    deep", "word " * 12]),
    max_size=14,
)


@st.composite
def documents(draw: st.DrawFn) -> tuple[str, list[Whole]]:
    """A Markdown document, and what in it is not to be split."""
    text, wholes = "", []
    for kind in draw(st.lists(st.sampled_from("hplltcc"), min_size=1, max_size=12)):
        start = len(text)
        if kind == "h":
            text += "#" * draw(st.integers(1, 4)) + " Heading " + draw(CELLS) + "\n\n"
        elif kind == "p":
            text += "A paragraph. " + " ".join(draw(st.lists(WORDS, max_size=12))) + "\n\n"
        elif kind == "l":
            text += "".join(f"- {item}\n" for item in draw(st.lists(CELLS, max_size=6))) + "\n"
        elif kind == "t":
            for row in (["Name", "Value"], ["---", "---"], *draw(ROWS)):
                line = "| " + " | ".join(row) + " |"
                wholes.append(Whole(len(text), len(text) + len(line)))
                text += line + "\n"
            text += "\n"
        else:
            mark = draw(st.sampled_from(["```", "~~~~"]))
            text += f"{mark}\n" + "".join(f"{line}\n" for line in draw(CODE)) + f"{mark}\n\n"
            wholes.append(Whole(start, len(text) - 2, 1))
    return text, [fenced(text, whole) if whole.tokens else whole for whole in wholes]


def fenced(text: str, code: Whole) -> Whole:
    """*code* with its tokens."""
    before = len(text[: code.start].rstrip("\n"))
    behind = len(text) - len(text[code.end :].lstrip("\n"))
    return code._replace(tokens=estimate_tokens(text[before:behind]))


SIZES = st.integers(20, 400).flatmap(
    lambda tokens: st.builds(ChunkSize, st.just(tokens), st.integers(0, tokens // 2))
)


@settings(max_examples=400, deadline=None)
@given(document=documents(), size=SIZES)
def test_a_chunk_of_any_document_keeps_the_promises(
    document: tuple[str, list[Whole]], size: ChunkSize
) -> None:
    text, wholes = document
    keeps_promises(text, wholes, size)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_chunk_of_a_saved_page_keeps_the_promises(page: Path) -> None:
    text = convert(page.read_bytes(), URL).markdown
    wholes = list(found_by_a_parser(text))
    for size in (ChunkSize(40, 0), ChunkSize(120, 40), ChunkSize(1000, 0), ChunkSize(1000, 200)):
        keeps_promises(text, wholes, size)


def test_the_saved_pages_have_tables_and_code() -> None:
    texts = [convert(page.read_bytes(), URL).markdown for page in PAGES]
    wholes = [whole for text in texts for whole in found_by_a_parser(text)]
    assert sum(not whole.tokens for whole in wholes) > 50
    assert sum(whole.tokens > 0 for whole in wholes) > 5


def found_by_a_parser(text: str) -> Iterator[Whole]:
    """The rows of tables and the fenced code of *text*, as another program reads them."""
    lines = text.splitlines(keepends=True)
    offsets = [0]
    for line in lines:
        offsets.append(offsets[-1] + len(line))
    for token in PARSER.parse(text):
        if token.map is None or token.level:
            continue
        first, last = token.map
        start, end = offsets[first], offsets[last]
        if token.type == "table_open":
            for number in range(first, last):
                if lines[number].strip():
                    yield Whole(offsets[number], offsets[number] + len(lines[number].rstrip()))
        elif token.type == "fence":
            yield fenced(text, Whole(start, start + len(text[start:end].rstrip())))


def keeps_promises(text: str, wholes: list[Whole], size: ChunkSize) -> None:
    spans = chunk_spans(text, URL, size)
    covered = 0
    for span in spans:
        assert text[covered : span["start"]].isspace() or span["start"] <= covered
        covered = max(covered, span["end"])
        assert size_holds(text, span, size), text[span["start"] : span["end"]]
        for border in (span["start"], span["end"]):
            for whole in wholes:
                splits = whole.start < border < whole.end
                assert not splits or whole.tokens > size.tokens, text[whole.start : whole.end]
    assert not text[covered:].strip()
    assert len({span["id"] for span in spans}) == len(spans)
    starts = [span["start"] for span in spans]
    assert starts == sorted(starts)


def size_holds(text: str, span: ChunkSpan, size: ChunkSize) -> bool:
    own = text[span["start"] : span["end"]]
    assert span["tokens"] == estimate_tokens(span["prefix"]) + estimate_tokens(own)
    if span["tokens"] <= size.tokens:
        return True
    lines = own.strip().split("\n")
    is_row = len(lines) == 1 and lines[0].lstrip().startswith("|")
    is_header = len(lines) == 2 and set(lines[1]) <= set("|:- ")
    is_word = len(own.split()) == 1 and len(own.strip()) <= MAX_WORD
    return is_row or is_header or is_word
