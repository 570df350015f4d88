"""Links get another target, and nothing else changes."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from tests.growth import LIMIT, growth
from wikicrawler.feeds.markdown.links import as_path, as_target, as_text, with_links

KNOWN = "https://wiki.test/Bee"


def led(text: str) -> str:
    return with_links(text, lambda target: "Bee.md" if target == KNOWN else None)


@pytest.mark.parametrize(
    ("text", "result"),
    [
        (f"A [bee]({KNOWN}).", "A [bee](Bee.md)."),
        (f'A [bee]({KNOWN} "title").', 'A [bee](Bee.md "title").'),
        (f"| [bee]({KNOWN}) | [b]({KNOWN}) |", "| [bee](Bee.md) | [b](Bee.md) |"),
        (f"## [bee]({KNOWN})\n\n- [b]({KNOWN})", "## [bee](Bee.md)\n\n- [b](Bee.md)"),
        (f"[![i](x.png)]({KNOWN})", "[![i](x.png)](Bee.md)"),
        (f"<{KNOWN}>", f"[{KNOWN}](Bee.md)"),
        (f"[bee](<{KNOWN}>)", "[bee](Bee.md)"),
        (f"[`[`]({KNOWN})", "[`[`](Bee.md)"),
        (f"`` ` `` [bee]({KNOWN})", "`` ` `` [bee](Bee.md)"),
        (f"a lone ` and [bee]({KNOWN})", "a lone ` and [bee](Bee.md)"),
        (f"[bee][1]\n\n[1]: {KNOWN}\n[2]: x", "[bee][1]\n\n[1]: Bee.md\n[2]: x"),
        (
            "[b](https://w.test/a_(b)) [bee](" + KNOWN + ")",
            "[b](https://w.test/a_(b)) [bee](Bee.md)",
        ),
    ],
)
def test_a_link_is_led_to_the_file(text: str, result: str) -> None:
    assert led(text) == result


@pytest.mark.parametrize(
    "text",
    [
        f"`[bee]({KNOWN})`",
        f"``a ` [bee]({KNOWN}) b``",
        f"```\n[bee]({KNOWN})\n```",
        f"~~~md\n<{KNOWN}>\n~~~",
        f"```\n[1]: {KNOWN}\n```",
        f"See [1]: {KNOWN}",
        f"[bee\\]({KNOWN})",
        f"\\<{KNOWN}>",
        f"[bee]({KNOWN}/2)",
        "[bee](https://wiki.test/Wasp)",
        KNOWN,
    ],
)
def test_code_and_other_text_stay(text: str) -> None:
    assert led(text) == text


def test_a_target_with_brackets_and_escapes_is_understood() -> None:
    asked: list[str] = []

    def target_of(target: str) -> None:
        asked.append(target)

    with_links(
        "[a](https://w.test/A_(b)) [c](https://w.test/C\\)) [d](https://w.test/%28)", target_of
    )
    assert asked == ["https://w.test/A_(b)", "https://w.test/C)", "https://w.test/%28"]


@given(st.text(st.sampled_from("ab []()`\\*_|!"), max_size=15), st.text("a[]`\\*_&<", max_size=9))
def test_what_a_reader_sees_stays_and_its_links_lead_to_the_file(around: str, words: str) -> None:
    text = f"{around} [{as_text(words)}]({KNOWN}) {around}"
    before = MarkdownIt("commonmark").render(text)
    after = MarkdownIt("commonmark").render(led(text))
    assert after == before.replace(f'<a href="{KNOWN}">', '<a href="Bee.md">')


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=30))
def test_any_path_is_a_target(path: str) -> None:
    target = as_target(path)
    assert as_path(target) == path
    html = MarkdownIt("commonmark").render(f"[a]({target})")
    assert re.fullmatch(r'<p><a href="[^"]*">a</a></p>\n', html)


@pytest.mark.parametrize(
    "piece",
    [
        "[a](",
        "](https://a.test/",
        "`",
        "` ``",
        "<https://",
        "\\",
        "](\\",
        "](((",
        "[",
        "```\n",
        "](a(b)",
        "[1]: a\n",
        "[1]: ",
    ],
)
def test_hostile_text_takes_linear_time(piece: str) -> None:
    def text(length: int) -> str:
        return (piece * (length // len(piece) + 1))[:length]

    assert growth(led, text, 20_000) < LIMIT
