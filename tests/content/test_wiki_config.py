"""Facts from the inline scripts of MediaWiki's skins."""

from __future__ import annotations

import json
import time

import pytest

from wikicrawler.content import convert

URL = "https://wiki.example/wiki/Amber"
TEXT = "<p>Amber is fossilised tree resin.</p>"


def page(script: str, more: str = "") -> str:
    return (
        f"<!DOCTYPE html><html><head><title>Amber</title><script>{script}</script></head>"
        f'<body class="mediawiki skin-minerva"><h1 id="firstHeading">Amber</h1>'
        f'<div id="mw-content-text"><div class="mw-parser-output">{TEXT}</div></div>{more}</body>'
    )


def categories(script: str, more: str = "") -> tuple[str, ...]:
    return convert(page(script, more), URL).categories


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        (
            'RLCONF={"wgBreakFrames":!1,"wgCategories":["Gems","Tree resins"]};',
            ("Gems", "Tree resins"),
        ),
        ('mw.config.set({"wgCategories":["Gems"]});', ("Gems",)),
        ('var wgCategories = ["Gems"];', ("Gems",)),
        ('(window.RLQ=[]).push(function(){mw.config.set({"wgCategories":["A"]});});', ("A",)),
        (
            'RLCONF={"wgCategories":["R\\u00f6sser","Caf\u00e9s","AT\\x26T"]};',
            ("Rösser", "Cafés", "AT&T"),
        ),
        ('RLCONF={"wgCategories":["Gems","Gems","Old_gems",""]};', ("Gems", "Old gems")),
        ('RLCONF={"wgCategories":["a\\nb\\u0000c"]};', ("a b c",)),
        ('RLCONF={"wgCategories":[]};', ()),
        ('RLCONF={"wgCategories":[1,null,{"a":["x"]},["Gems"],"Jet"]};', ("Jet",)),
        ('RLCONF={"wgCategories":["never ends', ()),
        ('RLCONF={"wgCategories":"Gems"};', ()),
        ('RLCONF={"wgCategories":' + "[" * 50_000, ()),
        ('RLCONF={"wgCategories":[' + '"x",' * 50_000 + '"y"]};', ()),  # too long to be read
        (f'RLCONF={{"wgCategories":["{"x" * 300}","Gems"]}};', ("Gems",)),
        ('RLCONF={"xwgCategories":["Gems"]};', ()),
    ],
)
def test_categories_of_a_skin_that_does_not_show_them(
    script: str, expected: tuple[str, ...]
) -> None:
    assert categories(script) == expected


def test_the_categories_that_a_skin_shows_count() -> None:
    script = 'RLCONF={"wgCategories":["Gems","Hidden"]};'
    shown = '<div id="mw-normal-catlinks"><ul><li><a href="/x">Gems</a></li></ul></div>'
    assert categories(script, f'<div id="catlinks">{shown}</div>') == ("Gems",)
    assert categories(script, '<div id="catlinks" class="catlinks-allhidden"></div>') == ()


@pytest.mark.parametrize(
    "piece",
    [
        '"wgCategories":[',
        '"wgPageName":"',
        '"wgCategories"' + " " * 20,
        '"wgRedirectedFrom":"a\\',
        "wgRevisionId=",
    ],
)
def test_hostile_scripts_are_read_in_linear_time(piece: str) -> None:
    def seconds(length: int) -> float:
        script = ("wgPageName " + piece * (length // len(piece)))[:length]
        begun = time.thread_time()
        convert(page(script), URL)
        return time.thread_time() - begun

    seconds(1000)
    assert seconds(250_000) < 20 * seconds(25_000) + 0.5


@pytest.mark.parametrize("name", ["AT&T", 'Say "x"', "Rösser", "a/b", "C++"])
def test_the_page_name(name: str) -> None:
    script = "RLCONF=" + json.dumps({"wgPageName": name})
    assert convert(page(script), URL).metadata["page_name"] == name
