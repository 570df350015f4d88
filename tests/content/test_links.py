"""Addresses of links."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikicrawler.content.links import Resolver

PAGE = "https://wiki.example/wiki/T%C3%A4st?x=1#y"
starts = st.sampled_from(["/", "../", "https://en.x-y.example/", "http://a.example/", "?"])
rest = st.text(st.sampled_from("ab/..%2A%zz~,:@()'!*+=&$-_?#; ä\\|"), max_size=12)


@given(st.builds(str.__add__, starts, rest))
def test_the_short_ways_resolve_as_the_long_one_does(href):
    # With a space before it nothing takes a short way, and browsers take that off.
    assert Resolver(PAGE).resolve(href) == Resolver(PAGE).resolve(f" {href}")


@pytest.mark.parametrize(
    "href",
    ["", "#place", "javascript:x()", "http://[", "ftp://x.example/", "/wiki/T%C3%A4st?x=1#z"],
)
def test_what_leads_nowhere_else_is_no_target(href):
    assert Resolver(PAGE).target(href) is None


@pytest.mark.parametrize("href", ["/wiki/Täst?x=1", "/wiki/T%c3%a4st?x=1", "?x=1"])
def test_the_page_itself_is_known_however_it_is_written(href):
    assert Resolver(PAGE).page_of(href) == ""


def test_pages_have_no_fragment_and_are_no_editors():
    resolver = Resolver(PAGE)
    assert resolver.page_of("/wiki/A#B") == "https://wiki.example/wiki/A"
    assert resolver.page_of("/w/index.php?title=A&action=edit") == ""
    assert resolver.page_of("mailto:a@x.example") == ""
    assert resolver.target("/wiki/A#B") == "https://wiki.example/wiki/A#B"
