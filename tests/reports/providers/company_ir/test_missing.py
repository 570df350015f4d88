"""Pages that are not there are recognised by what the site replies to an impossible URL."""

from __future__ import annotations

import pytest

from wikicrawler.reports.providers.company_ir.missing import impossible_url, is_like, says_missing
from wikicrawler.reports.providers.company_ir.page_facts import PageFacts, read_page

ABSENT = read_page(
    "<title>Example</title><h1>Oh no</h1><p>This is not the page that you are looking for.",
    "https://www.example.com/0-does-not-exist",
)


def page(html: str, url: str = "https://www.example.com/investors") -> PageFacts:
    return read_page(html, url)


def test_an_impossible_url_is_on_the_same_host_and_always_the_same() -> None:
    found = impossible_url("https://www.example.com/a/b?c=d")
    assert found.startswith("https://www.example.com/")
    assert found == impossible_url("https://www.example.com/")
    assert found != impossible_url("https://ir.example.com/")


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (
            "<title>Example</title><h1>Oh no</h1><p>This is not the page that you are looking for.",
            True,
        ),
        ("<title>Example</title><h1>Oh no</h1><p>These are our reports, in every language.", False),
        ("<title>Reports</title><p>This is not the page that you are looking for.", False),
    ],
)
def test_a_page_with_the_same_words_is_missing(html: str, *, expected: bool) -> None:
    assert is_like(page(html), ABSENT) is expected


def test_a_page_that_leads_to_the_same_place_is_missing() -> None:
    assert is_like(page("<h1>Reports</h1>", ABSENT.url), ABSENT)


def test_two_empty_pages_are_the_same() -> None:
    assert is_like(page(""), page("", "https://www.example.com/x"))


def test_a_page_with_documents_is_there_whatever_its_title_says() -> None:
    lists = "".join(f"<a href=/{n}.pdf>Report {n}</a>" for n in range(3))
    assert says_missing(page("<h1>404 not found</h1>"))
    assert not says_missing(page(f"<h1>404 not found</h1>{lists}"))
