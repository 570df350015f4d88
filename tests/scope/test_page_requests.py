"""Requests for pages that a crawl's scope admits."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from scrapy import Request

from wikicrawler.scope.page_requests import SAFE_URL


@given(st.from_regex(SAFE_URL, fullmatch=True))
def test_a_url_that_is_taken_as_it_is_would_not_be_changed(url: str) -> None:
    assert Request(url).url == url
