"""The most expensive pages convert within the limits of a page, with all their text.

`bench/worst_cases.py` shows how the time grows with the size of a page.
"""

from __future__ import annotations

import asyncio
from collections import Counter

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f
from scrapy.utils.test import get_crawler

from tests.content.worst_cases import CASES, URL
from wikicrawler.content.parse import LONG_TAG, MAX_ATTRIBUTES, parse
from wikicrawler.content.workers.pool import ConversionPool

# The CPU and memory limits are the defaults. Elapsed time on a busy machine says nothing of a page.
UNHURRIED = {"WIKICRAWLER_PAGE_WALL_SECONDS": 600}
# The Markdown of these differs from the text of their elements.
REWRITTEN = {"rubies", "formulas", "contents", "numbers of lines", "disclosures"}


@deferred_f_from_coro_f
async def test_expensive_pages_convert_within_the_limits_with_all_their_text():
    pool = ConversionPool.from_crawler(get_crawler(settings_dict=UNHURRIED))
    try:
        pages = {name: make(1) for name, make in CASES.items()}
        contents = await asyncio.gather(*(pool.convert(p, URL, wiki=True) for p in pages.values()))
    finally:
        await pool.close()
    lost = {
        name: missing
        for (name, html), content in zip(pages.items(), contents, strict=True)
        if name not in REWRITTEN
        and (missing := characters(text(html)) - characters(content.markdown))
    }
    assert not lost


@deferred_f_from_coro_f
async def test_articles_are_extracted_from_expensive_pages_within_the_limits():
    names = ("nested div", "nested tables", "flat ul", "cells", "unclosed a", "headings")
    names += ("lines of code", "nested numbers", "listings and labels", "panels", "radio buttons")
    names += ("links of tabs", "disclosures")
    pool = ConversionPool.from_crawler(get_crawler(settings_dict=UNHURRIED))
    try:
        pages = [CASES[name](1) for name in names]
        contents = await asyncio.gather(*(pool.convert(p, URL, wiki=False) for p in pages))
    finally:
        await pool.close()
    assert all(content.markdown for content in contents)


def text(html: str) -> str:
    root = parse(html.encode())
    assert root is not None
    return root.text_content()


def characters(text: str) -> Counter[str]:
    return Counter("".join(text.split()))


@pytest.mark.parametrize("value", ["", "=x", "='x y'", '="/"', " = x"])
def test_a_tag_with_too_many_attributes_keeps_the_first_ones(value):
    first = 'href="/wiki/A" title="a b"'
    others = " ".join(f"a{number}{value}" for number in range(LONG_TAG // 4))
    root = parse(f"<p>x<a {first} {others}>y</a> z".encode())
    assert root is not None
    anchor = root.find(".//a")
    assert anchor.get("href") == "/wiki/A"
    assert anchor.get("title") == "a b"
    assert len(anchor.attrib) == MAX_ATTRIBUTES
    assert root.text_content() == "xy z"


def test_a_long_attribute_is_kept():
    long = "x" * (2 * LONG_TAG)
    root = parse(f'<p title="{long}" class=c>x</p>'.encode())
    assert root is not None
    assert root.find(".//p").get("title") == long
    assert root.find(".//p").get("class") == "c"
