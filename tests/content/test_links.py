"""Addresses of links."""

from __future__ import annotations

from urllib.parse import urljoin

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from w3lib.url import safe_url_string

from wikicrawler.content.links import Resolver

PAGE = "https://wiki.example/wiki/T%C3%A4st?x=1#y"
starts = st.sampled_from(["/", "../", "https://en.x-y.example/", "http://a.example/", "?"])
rest = st.text(st.sampled_from("ab/..%2A%zz~,:@()'!*+=&$-_?#; ä\\|"), max_size=12)


@given(st.builds(str.__add__, starts, rest))
def test_the_short_ways_resolve_as_the_long_one_does(href):
    href = href.strip()
    assume(href and not href.startswith(("#", "//")))
    assert Resolver(PAGE).resolve(href) == safe_url_string(urljoin(PAGE, href))


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


@pytest.mark.parametrize(
    ("href", "target"),
    [
        ("https://bob:hunter2@a.example/b", "https://a.example/b"),
        ("//bob@a.example/", "https://a.example/"),
        ("https://wiki.example@a.example/", "https://a.example/"),
        ("https://a.example/@bob", "https://a.example/@bob"),
    ],
)
def test_a_link_has_no_login(href, target):
    assert Resolver(PAGE).target(href) == Resolver(PAGE).page_of(href) == target
    assert Resolver("https://bob:hunter2@wiki.example/").page_of("/a") == "https://wiki.example/a"
    assert Resolver(PAGE, "https://bob:hunter2@b.example/").page_of("/a") == "https://b.example/a"


@pytest.mark.parametrize(
    "href",
    ["http://x\u2028y.example/", "http://a b.example/", "http://\x1b[31m.example/", "http://.."],
)
def test_what_has_no_host_is_no_link(href):
    assert Resolver(PAGE).target(href) is None


def test_a_host_in_any_script_is_one():
    assert Resolver(PAGE).target("http://bücher.example/ä") == "http://xn--bcher-kva.example/%C3%A4"
