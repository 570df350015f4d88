"""What a page's links lead to, by what stands in and around them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from wikicrawler.reports.models import HTML, PDF
from wikicrawler.reports.providers.company_ir.languages import language_code, language_of
from wikicrawler.reports.providers.company_ir.navigation import (
    PageLink,
    is_excluded,
    page_of_sitemap,
)
from wikicrawler.reports.providers.company_ir.page_facts import PageFacts, read_page

if TYPE_CHECKING:
    from wikicrawler.reports.providers.company_ir.assessing import Document

URL = "https://www.example.com/investors/reports"


def facts(body: str, *, title: str = "Reports", lang: str = "") -> PageFacts:
    return read_page(
        f'<html lang="{lang}"><head><title>{title}</title></head><body>{body}</body></html>', URL
    )


def document(body: str, **page: str) -> Document:
    (found,) = facts(body, **page).documents
    return found


def test_the_text_of_a_link_tells_more_than_its_file() -> None:
    found = document("<h2>2024</h2><a href='/2024/03/ar-2021.pdf'>Annual Report 2023</a>")
    assert (found.year, found.year_from) == (2023, "the link's text")
    assert found.kind is not None
    assert found.kind.form == "annual"
    assert found.content_type == PDF


@pytest.mark.parametrize(
    "body",
    [
        "<table><tr><th>Year<th>Annual report<tr><td>2023<td><a href=/x.pdf>PDF</a></table>",
        "<table><tr><td><th>2023<tr><td>Annual report<td><a href=/x.pdf>PDF</a></table>",
        "<h2>Annual reports</h2><h3>2023</h3><a href=/x.pdf>Download</a>",
        "<h2>2023</h2><div><b>Annual report</b> <a href=/x.pdf>PDF (3 MB)</a></div>",
        "<dl><dt>2023<dd><a href=/x.pdf>Annual report</a></dl>",
        "<div data-year=2023><a href=/x.pdf>Annual report</a></div>",
        "<a href='#t1'>2023</a><div id=t1><a href=/x.pdf>Annual report</a></div>",
        "<button id=b aria-controls=p>2023</button><div aria-labelledby=b id=p>"
        "<a href=/x.pdf>Annual report</a></div>",
        "<button aria-expanded=false>2023</button><div><a href=/x.pdf>Annual report</a></div>",
        "<div class=item-title>Annual report 2023</div><div><a href=/x.pdf>Get it</a></div>",
        "<p>Annual report 2023 <a href=/x.pdf>PDF</a> Annual report 2022 <a href=/y.zip>Z</a></p>",
        "<a href=/x.pdf title='Annual report 2023'>PDF</a>",
        "<a href=/x.pdf aria-label='Annual report 2023'><i></i></a>",
        "<a href=/x.pdf><img alt='Annual report 2023'></a>",
        "<a href=/static/9 type=application/pdf title='Annual Report 2023.pdf'>Download</a>",
        "<a href=/static/9><span class=icon-pdf></span>Annual Report 2023</a>",
        "<a href='/get?file=annual-report-2023.pdf&amp;v=1'>Annual Report 2023</a>",
        "<div><span>Annual report 2023</span><button data-url=/x.pdf>Get</button></div>",
        "<script>var x={u:'https:\\/\\/cdn.example.com\\/annual-report-2023.pdf'}</script>",
        "<a href=/reports/2023/annual-report.pdf>Annual report</a>",
        "<a href=/annual-report/2023.pdf>Annual report</a>",
    ],
)
def test_kind_and_year_are_found_around_a_link(body: str) -> None:
    found = document(body)
    assert found.content_type == PDF
    assert found.year == 2023
    assert found.kind is not None
    assert found.kind.form == "annual"


@pytest.mark.parametrize(
    "body",
    [
        "<a href=/wp-content/uploads/2023/03/ar.pdf>Annual report</a>",
        "<a href=/media/2023/ar.pdf>Annual report</a>",
        "<table><tr><td>2023<td>2022<td><a href=/x.pdf>Annual report</a></table>",
        "<h2>Our history from 2020 and 2023</h2><a href=/x.pdf>Annual report</a>",
    ],
)
def test_a_year_that_may_be_another_is_not_taken(body: str) -> None:
    assert document(body).year is None


def test_the_date_of_publication_suggests_a_year() -> None:
    found = document("<h2>2024</h2><p>20 February 2024 <a href=/x.pdf>Annual report</a></p>")
    assert (found.year, found.other_year, found.is_derived) == (2023, 2024, True)


def test_a_heading_does_not_name_a_document_that_says_something_else() -> None:
    body = "<h2>Annual reports</h2><a href=/x.pdf>Company brochure 2023</a>"
    assert document(body).kind is None


def test_menus_have_no_headings() -> None:
    found = document("<h2>Annual report 2023</h2><nav><a href=/x.pdf>Download</a></nav>")
    assert found.year_from != "the heading above"


@pytest.mark.parametrize(
    "href", ["#top", "mailto:ir@example.com", "javascript:void(0)", "", "http://[", "/x.xlsx"]
)
def test_other_links_lead_to_no_document(href: str) -> None:
    assert facts(f"<a href='{href}'>Annual report 2023</a>").documents == ()


def test_a_page_about_a_report_is_a_document_but_no_news() -> None:
    assert document("<a href=/ar/2023/>Annual report 2023</a>").content_type == HTML
    found = document("<a href=/news/x>Annual report 2023</a>")
    assert found.kind is not None
    assert found.kind.form == "news"


def test_of_two_links_the_one_that_says_more_counts() -> None:
    found = document("<a href=/x.pdf>Cover</a><a href=/x.pdf>Annual report 2023</a>")
    assert found.year == 2023


def test_frames_options_and_translations_are_pages() -> None:
    found = facts(
        "<iframe src=https://reports.example.net/list></iframe><iframe></iframe>"
        "<select><option value=/ar/2022>2022<option value=x>Other<option>2020</select>"
        "<link rel=alternate hreflang=en href=/en/><link rel=alternate href=/rss><link rel=icon>",
        title="Berichte",
        lang="de",
    )
    pages = {page.url: page for page in found.pages}
    assert set(pages) == {
        "https://reports.example.net/list",
        "https://www.example.com/ar/2022",
        "https://www.example.com/en/",
    }
    assert pages["https://www.example.com/ar/2022"].years == {2022}
    assert pages["https://www.example.com/en/"].language == "en"


def test_only_inviting_links_leave_the_site() -> None:
    found = facts(
        "<a href=https://example.gcs-web.com/>Investor relations</a>"
        "<a href=https://other.example.org/>About the group</a>"
        "<a href=https://www.sec.gov/cgi-bin/browse-edgar>SEC filings and annual reports</a>"
    )
    assert [page.url for page in found.pages] == ["https://example.gcs-web.com/"]
    assert is_excluded("https://www.sec.gov/Archives/x.htm")


def test_a_page_promises_more_for_its_year_and_less_in_another_language() -> None:
    page = PageLink("https://example.com/x", "", 40, frozenset({2023}), ((2010, 2020),), "de")
    assert page.promise_for(2023, ("de",)) == page.promise_for(2015, ("de",)) == 70
    assert page.promise_for(2022, ("de",)) == 10
    assert page.promise_for(2023, ("en",)) == 45
    assert PageLink("https://e.com/events/2023/4", "", 1).family == "https://e.com/events/#/#"


def test_pages_of_sitemaps_are_known_by_their_address() -> None:
    found = page_of_sitemap("https://example.com/investors/annual-reports/2023")
    assert found is not None
    assert found.years == {2023}
    assert page_of_sitemap("https://example.com/products/lamp") is None
    assert page_of_sitemap("https://example.com/investors/annual-report.pdf") is None
    assert page_of_sitemap("https://example.com/news/annual-report-published") is None


@pytest.mark.parametrize(
    ("url", "label", "name", "language"),
    [
        ("https://e.com/ar.pdf", "annual report german", "ar", "de"),
        ("https://e.com/ar_de.pdf", "annual report", "ar de", "de"),
        ("https://e.com/ar-EN.pdf", "annual report", "ar en", "en"),
        ("https://e.com/en-us/ar.pdf", "annual report", "ar", "en"),
        ("https://e.com/fr/ar.pdf", "annual report", "ar", "fr"),
        ("https://e.com/ar.pdf", "geschaftsbericht 2023", "ar", "de"),
        ("https://e.com/ar.pdf", "annual report", "ar", ""),
        ("https://e.com/it-services/ar.pdf", "annual report", "ar", ""),
    ],
)
def test_languages(url: str, label: str, name: str, language: str) -> None:
    assert language_of(url, label, name) == language


def test_codes_of_languages() -> None:
    assert language_code("en-GB") == "en"
    assert language_code("x") == ""


def test_an_empty_page_says_nothing() -> None:
    assert read_page("", URL).documents == ()
    assert read_page("<!-- -->", URL).pages == ()


def test_a_page_says_that_it_is_missing() -> None:
    assert facts("<h1>Page not found</h1>").says_missing
    assert facts("", title="Error 404").says_missing
    assert not facts("<h1>Annual reports</h1>").says_missing


def test_a_page_of_q4_is_recognised() -> None:
    assert facts('<script src="https://widgets.q4app.com/x.js"></script>').is_q4
    assert not facts("").is_q4
