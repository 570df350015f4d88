"""Pages of strangers cost bounded work, and lose nothing of others."""

from __future__ import annotations

import gzip
from collections import Counter
from contextlib import suppress

import pytest
from lxml import etree

from wikicrawler.errors import ContentError
from wikicrawler.reports.providers.company_ir import anchors, feeds, maps, page_facts, words
from wikicrawler.reports.providers.company_ir.kinds import kind_of
from wikicrawler.reports.providers.company_ir.years import years_in

URL = "https://www.example.com/"


def test_of_a_hundred_thousand_links_a_bounded_number_is_read() -> None:
    html = "".join(f"<a href=/{n}.pdf>Annual report {n}</a>" for n in range(100_000))
    found = page_facts.read_page(html, URL)
    assert len(found.documents) <= page_facts.MAX_DOCUMENTS
    html = "".join(f"<a href=/annual-reports/{n}>Annual reports</a>" for n in range(100_000))
    assert len(page_facts.read_page(html, URL).pages) <= page_facts.MAX_PAGES


def test_a_page_is_cut_before_it_is_parsed() -> None:
    far = " " * page_facts.MAX_HTML + "<a href=/ar.pdf>Annual report 2023</a>"
    assert page_facts.read_page(far, URL).documents == ()


def test_deep_nesting_is_an_error_or_read() -> None:
    html = "<div>" * 100_000 + "<a href=/x.pdf>Annual report 2023</a>"
    with suppress(ContentError):
        assert len(page_facts.read_page(html, URL).documents) <= 1


def count_steps(html: str) -> int:
    """Return how many elements are visited to read the links of *html*."""
    visited: Counter[str] = Counter()

    class Counting(etree.ElementBase):
        pass

    root = etree.HTML(html)
    original = anchors.text_of

    def counting(element: etree._Element, limit: int = words.MAX_LABEL) -> str:
        visited["texts"] += 1
        return original(element, limit)

    anchors.text_of = counting  # counts the calls; the function itself is unchanged
    try:
        list(anchors.anchors_in(root, URL))
    finally:
        anchors.text_of = original
    return visited["texts"]


@pytest.mark.parametrize(
    "row",
    [
        "<tr><td><a href=/{n}.pdf>PDF</a></td></tr>",
        "<div><div><div><a href=/{n}.pdf>PDF</a></div></div></div>",
        "<h2>2023</h2><a href=/{n}.pdf>PDF</a>",
        "<button aria-controls=p{n}>2023</button><a href=/{n}.pdf>PDF</a>",
    ],
)
def test_the_work_grows_with_the_links_alone(row: str) -> None:
    def work(count: int) -> int:
        rows = "".join(row.replace("{n}", str(n)) for n in range(count))
        return count_steps(f"<table>{rows}</table>" if "<tr>" in row else rows)

    assert work(400) <= 4.5 * work(100)


def test_long_texts_are_cut() -> None:
    assert len(words.plain("a b " * 1_000_000)) <= 2 * words.MAX_LABEL
    assert len(words.plain("é" * 1_000_000)) <= words.MAX_LABEL
    assert len(years_in("2023 " * 100_000).fiscal) <= 80
    assert len(words.name_of("https://example.com/" + "a1" * 100_000)) <= 2 * 200
    html = f"<h1>{'x ' * 100_000}</h1><a href=/x.pdf>{'annual report ' * 100_000}</a>"
    (found,) = page_facts.read_page(html, URL).documents
    assert len(found.label) <= 2 * words.MAX_LABEL


@pytest.mark.parametrize(
    "text",
    [
        "files " + "a" * 299,
        "notice of " * 30,
        "annual and " * 27,
        "document d " * 27,
        "10 k " * 60,
    ],
)
def test_patterns_take_any_text(text: str) -> None:
    kind_of(words.plain(text))


def test_giant_sitemaps_are_bounded() -> None:
    listed = "".join(
        f"<url><loc>{URL}investors/annual-report-{n}</loc></url>" for n in range(60_000)
    )
    files = "".join(f"<url><loc>{URL}annual-report-{n}.pdf</loc></url>" for n in range(60_000))
    for entries in (listed, files):
        found = maps.read_map(f"<urlset>{entries}</urlset>".encode(), URL + "sitemap.xml")
        assert len(found.pages) <= 300
        assert len(found.documents) <= 300
    bomb = gzip.compress(b"<urlset>" + b"<url><loc>https://e.com/ir</loc></url>" * 1_000_000)
    assert len(maps.read_map(bomb, URL + "sitemap.xml").pages) <= 300
    assert maps.read_map(b"<html>", URL) == maps.MapFacts()


def test_sitemaps_of_robots_txt_are_bounded() -> None:
    robots = b"Sitemap: https://example.com/a.xml\n" * 100_000
    assert len(maps.sitemaps_of(robots)) == maps.MAX_MAPS
    assert maps.sitemaps_of(b"sitemap:ftp://x\nSITEMAP : https://e.com/b.xml") == [
        "https://e.com/b.xml"
    ]


def test_giant_feeds_are_bounded() -> None:
    report = b'{"ReportYear":2023,"Documents":[{"DocumentTitle":"10-K","DocumentPath":"/a.pdf"}]}'
    body = b'{"GetFinancialReportListResult":[' + b",".join([report] * 50_000) + b"]}"
    assert len(feeds.read_feed(body, URL).documents) == feeds.MAX_REPORTS


def test_nothing_that_a_page_says_is_markup_or_a_control_character_in_a_label() -> None:
    html = (
        "<a href=/x.pdf>Annual\x1b[31m report\u202e 2023\u2028<b onclick=x>&lt;script&gt;</b></a>"
    )
    (found,) = page_facts.read_page(html, URL).documents
    assert found.label.isprintable()
    assert "<" not in found.label
