"""The content of declarative shadow roots stands where a browser shows it."""

from __future__ import annotations

from pathlib import Path

import pytest

from wikicrawler.content import convert
from wikicrawler.content.clean import drop
from wikicrawler.content.deferred.shadow_roots import MAX_DEPTH
from wikicrawler.content.deferred.tree import parse_in_place

URL = "https://river.example/tales"
LIT = Path(__file__).with_name("pages") / "lit.html"
SENTENCE = "The river rises in the hills behind the village, and reaches the sea after nine days. "


def shown(html: str) -> str:
    root = parse_in_place(html.encode())
    assert root is not None
    drop([*root.iter("template", "style"), *root.xpath("//*[@hidden]")])
    return " ".join(root.text_content().split())


def host(shadow: str, light: str = "", mode: str = "open") -> str:
    return f'<x-host><template shadowrootmode="{mode}">{shadow}</template>{light}</x-host>'


@pytest.mark.parametrize(
    ("html", "text"),
    [
        (host("shadow"), "shadow"),
        (host("shadow", mode="closed"), "shadow"),
        (host("a <slot></slot> b", "light <i>text</i>."), "a light text. b"),
        (host("<slot>nothing</slot>", " "), "nothing"),
        (host("<slot>nothing</slot>", "something"), "something"),
        (
            host(
                '<slot name="b"></slot>-<slot></slot>-<slot name="a"></slot>',
                '1<u slot="a">A</u>2<u slot="b">B</u>3',
            ),
            "B-123-A",
        ),
        (host("shadow", "light <i>is</i> not shown"), "shadow"),
        (host('<slot name="a"></slot>', 'x<u slot="a">A</u><u slot="z">Z</u>'), "A"),
        # Nothing to show: a script fills it
        (host("<style>p{}</style><div></div>", "light"), "light"),
        # In each other, and a slot handed on
        (host(host("in <slot></slot>", "own <slot></slot>"), "light"), "in own light"),
        (
            host(
                host('[<slot name="y"></slot>]', '<slot name="x" slot="y"></slot>'),
                '<u slot="x">X</u>',
            ),
            "[X]",
        ),
        (host("a <slot></slot>", host("b <slot></slot>", "light")), "a b light"),
        # Only the first one counts, and none in a template
        (host("one", '<template shadowrootmode="open">two</template>'), "one"),
        (f"<template>{host('shadow')}</template>", ""),
        ('<p><template shadowrootmode="none">x</template>light</p>', "light"),
    ],
)
def test_a_host_shows_its_shadow_root_and_what_is_in_its_slots(html: str, text: str) -> None:
    assert shown(html) == text


def test_a_page_of_lit_is_shown_as_in_a_browser() -> None:
    river = (
        "The river rises in the hills behind the village, and reaches the sea after nine days by "
        "boat. "
    )
    assert shown(LIT.read_text()) == (
        f"Tales of the riverTales of the riverThe sourceIn short: nine days.{river * 5}"
        "The mouthNothing yet.From the shadowA paragraph that only the shadow root has, about the "
        "ford below the mill and the stones that mark it."
    )


def test_a_page_in_a_shadow_root_is_its_content() -> None:
    page = host(f"<main><h1>River</h1><p>{SENTENCE * 4}</p><slot></slot></main>", "<p>By boat.</p>")
    content = convert(f"<title>River</title>{page}", URL)
    assert content.markdown == f"# River\n\n{(SENTENCE * 4).strip()}\n\nBy boat."


def test_links_that_no_slot_shows_are_links_of_the_page_all_the_same() -> None:
    page = host(f"<main><p>{SENTENCE * 4}</p></main>", '<a href="/hidden">hidden</a>')
    content = convert(page, URL)
    assert "hidden" not in content.markdown
    assert content.elsewhere == ("https://river.example/hidden",)


def test_slots_in_slots_do_not_nest_deeper_than_the_limit() -> None:
    levels = 30
    slot = "<div>" * 100 + "<slot></slot>" + "</div>" * 100
    html = f'<div><template shadowrootmode="open">{slot}</template>' * levels + "x"
    root = parse_in_place(html.encode())
    assert root is not None
    depth = max(sum(1 for _ in el.iterancestors()) for el in root.iter("div"))
    assert MAX_DEPTH / 2 < depth <= MAX_DEPTH + 200
