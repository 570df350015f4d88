"""Streamed segments of React stand where a browser shows them.

The pages `react-*` and `next-*` were streamed by React 18 and 19 and by Next.js 16; the functions
that React defines in the page were cut.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from wikicrawler.content import convert
from wikicrawler.content.deferred.segments import MAX_DEPTH
from wikicrawler.content.deferred.tree import parse_in_place

PAGES = Path(__file__).with_name("pages")
URL = "https://harbour.example/boats"
SENTENCE = (
    "The harbour master keeps a book of every boat that comes in, and reads it out on the first "
    "day of the year. "
)
TEXT = SENTENCE * 3


def markdown_of(name: str) -> str:
    return convert((PAGES / f"{name}.html").read_bytes(), URL).markdown


def text_of(html: str) -> str:
    root = parse_in_place(html.encode())
    assert root is not None
    for script in list(root.iter("script")):
        script.text = None
    return " ".join(root.text_content().split())


@pytest.mark.parametrize("version", ["18", "19"])
def test_boundaries_in_boundaries_in_tables_and_in_lines_are_filled(version: str) -> None:
    assert markdown_of(f"react-{version}-nested") == "\n\n".join(
        [
            "# Outer",
            f"First: {TEXT.strip()}",
            "## Inner",
            f"Inner: {TEXT.strip()}",
            "| Boat | Length |\n| --- | --- |\n"
            "| Boat 1 | 7 m |\n| Boat 2 | 14 m |\n| Boat 3 | 21 m |",
            f"Last words: **come again** soon. {SENTENCE.strip()}",
        ]
    )


@pytest.mark.parametrize("version", ["18", "19"])
def test_a_boundary_that_comes_in_several_segments_is_put_together(version: str) -> None:
    names = ("Quick", "Mid", "Slow", "End")
    paragraphs = [f"{name}: {TEXT.strip()}" for name in names]
    assert markdown_of(f"react-{version}-segments") == "\n\n".join(["# Segments", *paragraphs])


@pytest.mark.parametrize("version", ["18", "19"])
def test_a_boundary_that_failed_keeps_its_fallback(version: str) -> None:
    markdown = markdown_of(f"react-{version}-failed")
    assert "Bad is loading" in markdown
    assert "Good is loading" not in markdown
    assert markdown.index("Good: ") < markdown.index("Shown: ")


def test_a_page_of_next_with_a_loading_file_is_its_article() -> None:
    content = convert((PAGES / "next-story.html").read_bytes(), URL)
    assert content.title == "The book of boats"
    assert content.markdown == "\n\n".join(
        [
            "# The book of boats",
            TEXT.strip(),
            "| Tide | Time |\n| --- | --- |\n| High | 09:10 |\n| Low | 15:32 |",
            f"Last. {(SENTENCE * 2).strip()}",
        ]
    )


PENDING = '<!--$?--><template id="B:0"></template>fallback <b>of</b> it<!--/$-->'


@pytest.mark.parametrize(
    "completed",
    [
        '<div hidden id="S:0">segment</div><script>$RC("B:0","S:0")</script>',
        '<script>$RC("B:0","S:0")</script><div hidden id="S:0">segment</div>',
        '<div hidden id="S:0">segment</div><script>x();$RR("B:0","S:0",[["/a.css","a"]])</script>',
        '<div hidden id="S:0">segment</div><template data-rci="" data-bid="B:0" data-sid="S:0">'
        "</template>",
        '<div hidden id="S:0"><template id="P:1"></template></div>'
        '<div hidden id="S:1">segment</div>'
        '<template data-rsi="" data-sid="S:1" data-pid="P:1"></template>'
        '<template data-rri="" data-bid="B:0" data-sid="S:0" data-sty="[]"></template>',
    ],
)
def test_all_instructions_of_react_are_followed(completed: str) -> None:
    assert text_of(f"<p>before {PENDING} behind</p>{completed}<p>end") == "before segment behindend"


def test_text_around_the_parts_stays_in_its_place() -> None:
    html = (
        f'<p>1 {PENDING}2 </p><div hidden id="S:0">A<i>B</i>C </div>3 '
        '<script>$RC("B:0","S:0")</script>4'
    )
    assert text_of(html) == "1 ABC 2 3 4"


@pytest.mark.parametrize(
    ("html", "text"),
    [
        (f"{PENDING} end", "fallback of it end"),
        (f'{PENDING} end<script>$RC("B:0","S:0")</script>', "fallback of it end"),
        # In a comment's place, but no boundary
        (f'a <!--$--> b <!--/$--> {PENDING}<script>$RX("B:0")</script>', "a b fallback of it"),
        # A segment in itself, and two places for a segment
        (
            '<!--$?--><!--/$--><div id="S:0">x<template id="B:0"></template></div>'
            '<script>$RC("B:0","S:0")</script>',
            "x",
        ),
        (
            '<!--$?--><template id="B:0"></template><!--/$-->-'
            '<!--$?--><template id="B:1"></template><!--/$-->'
            '<div id="S:0">x</div><script>$RC("B:0","S:0");$RC("B:1","S:0")</script>',
            "x-",
        ),
        # The end of the boundary is missing
        (
            '<p><!--$?--><template id="B:0"></template>old</p>new <b id="S:0">x</b>'
            '<script>$RC("B:0","S:0")</script>',
            "xnew",
        ),
    ],
)
def test_odd_instructions_lose_no_text_that_is_shown(html: str, text: str) -> None:
    assert text_of(html) == text


def test_a_fallback_with_boundaries_goes_with_them() -> None:
    html = (
        '<!--$?--><template id="B:0"></template>a<!--$?--><template id="B:1"></template>b<!--/$-->c'
        '<!--/$-->d<div hidden id="S:1">late</div><script>$RC("B:1","S:1")</script>'
        '<div hidden id="S:0">segment</div><script>$RC("B:0","S:0")</script>'
    )
    root = parse_in_place(html.encode())
    assert root is not None
    assert [el.text for el in root.iter("div")] == ["late"]  # hidden, as no browser shows it
    assert text_of(html) == "segmentdlate"


def test_segments_in_segments_do_not_nest_deeper_than_the_limit() -> None:
    count = MAX_DEPTH
    html = '<!--$?--><template id="B:0"></template>x<!--/$-->' + "".join(
        f'<div id="S:{n}"><div><div><template id="B:{n + 1}"></template>{n}</div></div></div>'
        f'<script>$RC("B:{n}","S:{n}")</script>'
        for n in range(count)
    )
    root = parse_in_place(html.encode())
    assert root is not None
    depth = max(sum(1 for _ in el.iterancestors()) for el in root.iter("template"))
    assert MAX_DEPTH / 2 < depth <= MAX_DEPTH
