"""Strings that break programs: as title, text of a link and cell they survive to the feed."""

from __future__ import annotations

import json
import re
from html import escape
from io import BytesIO
from unicodedata import category

import pytest

from tests.content.rendering import render
from tests.suites.data import suite
from wikicrawler.content import convert
from wikicrawler.feeds.line_feeds import LineExporter
from wikicrawler.items import CrawlResult
from wikicrawler.text.safe import one_line

STRINGS = [text for text in suite("naughty_strings") if text.strip()]


def words(text: str) -> str:
    """What of *text* is not left to a writer's taste: no white space, no controls."""
    return "".join(c for c in text if not c.isspace() and category(c) not in {"Cc", "Cn", "Cf"})


def page(text: str) -> str:
    shown = escape(text)
    return (
        f"<!doctype html><meta charset=utf-8><title>{shown}</title><h1>{shown}</h1>"
        f'<p>Before <a href="/a">{shown}</a> it.<table><tr><th>n<th>m<tr><td>{shown}<td>c</table>'
    )


@pytest.mark.parametrize("text", STRINGS, ids=lambda text: one_line(text, 30))
def test_a_string_stays_what_it_is(text: str) -> None:
    content = convert(page(text), "https://page.test/")
    assert words(content.title) == words(text)
    shown = render(content.markdown)
    assert words(shown.xpath("string(.//h1)")) == words(text)
    if words(text):
        links = shown.xpath(".//a[@href='https://page.test/a']")
        assert "".join(words(a.text_content()) for a in links) == words(text)
    assert words(shown.xpath("string(.//td[1])")) == words(text)
    assert shown.xpath("string(.//td[2])") == "c"
    assert not shown.xpath(".//script|.//img|.//iframe|.//svg")


def test_each_is_one_line_of_a_feed() -> None:
    file = BytesIO()
    exporter = LineExporter(file)
    for text in STRINGS:
        exporter.export_item(CrawlResult(url="https://page.test/", title=text, content=text))
    lines = file.getvalue().decode().split("\n")
    assert [json.loads(line)["title"] for line in lines[:-1]] == STRINGS
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f]", "".join(lines))
