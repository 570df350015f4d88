"""Whole pages, compared with expected Markdown that was reviewed line by line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.content.rendering import render
from wikicrawler.content import convert

GOLDEN = Path(__file__).with_name("golden")
PAGES = sorted(path.stem for path in GOLDEN.glob("*.html"))
URLS = {"wiki": "https://wiki.example/wiki/T", "page": "https://news.example/news/harbour"}


def content_of(name: str):
    return convert((GOLDEN / f"{name}.html").read_bytes(), URLS[name[:4]])


@pytest.mark.parametrize("name", PAGES)
def test_a_page_becomes_the_expected_markdown(name):
    assert content_of(name).markdown + "\n" == (GOLDEN / f"{name}.md").read_text()


@pytest.mark.parametrize("name", PAGES)
def test_blank_lines_and_ends_are_tidy(name):
    markdown = content_of(name).markdown
    assert markdown == markdown.strip("\n")
    outside_code = [part for index, part in enumerate(markdown.split("```")) if index % 2 == 0]
    assert not any("\n\n\n" in part for part in outside_code)


def test_cells_survive_rendering():
    rows = render(content_of("wiki_tables").markdown).xpath(".//table[1]//tr")
    cells = [[cell.text_content() for cell in row] for row in rows[:6]]
    assert cells == [
        ["Item", "Price", "Price"],
        ["Item", "Buy", "Sell"],
        ["Sword", "10", "54 when broken"],
        ["Sword", "not for sale | a|b", "not for sale | a|b"],
        ["Second hand", "", ""],
        ["Bow", "- 8- 9 on feast days", "onetwo"],
    ]


def test_an_infobox_renders_as_a_table_without_headings():
    shown = render(content_of("wiki_portable_infobox").markdown)
    assert [heading.text_content() for heading in shown.xpath(".//h1|.//h2|.//h3")] == ["Story"]
    rows = [[cell.text_content() for cell in row] for row in shown.xpath(".//tr")]
    assert ["Location", "Harbor"] in rows
    assert ["STR", "12"] in rows
    assert all(len(row) == 2 for row in rows)


def test_links_survive_rendering():
    hrefs = render(content_of("wiki_gallery_links").markdown).xpath(".//a/@href")
    assert "https://wiki.example/wiki/Ship_(boat)" in hrefs
    assert not [href for href in hrefs if not href.startswith(("https://", "mailto:"))]
    assert not render(content_of("wiki_gallery_links").markdown).xpath(".//img")


def test_lists_keep_their_nesting_when_rendered():
    shown = render(content_of("wiki_lists").markdown)
    assert shown.xpath("string(./ul[1]/li[1]/ul/li/ol/li[2])") == "four"
    assert shown.xpath("string(./ol/@start)") == "3"
    assert shown.xpath("string(.//ol/li[2]/pre/code)") == "code\n  here\n"


def test_code_keeps_every_line_and_its_language():
    blocks = render(content_of("wiki_code").markdown).xpath(".//pre/code")
    assert blocks[0].get("class") == "language-lua"
    assert blocks[0].text_content() == 'local a = "*x*" -- a | b <c>\n\n\nprint(a)\n'
    assert blocks[1].text_content() == "```\nfence inside\n````\n"
    assert blocks[2].get("class") == "language-c++"
