"""Hosts of URLs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikicrawler.urls.sites import host_of, without_login


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://wiki.example/wiki/A", "wiki.example"),
        ("http://wiki.example:8080", "wiki.example"),
        ("https://wiki.example?a#b", "wiki.example"),
        ("HTTPS://Wiki.Example./", "wiki.example."),
        ("https://user:word@wiki.example/", "wiki.example"),
        ("https://wiki.example@evil.example/", "evil.example"),
        ("https://[2001:db8::1]:80/", "2001:db8::1"),
        ("https://[2001:db8", ""),
        ("https://b\u00fccher.example/", "b\u00fccher.example"),
        ("https://wiki.exa\nmple/", "wiki.example"),
        ("mailto:a@wiki.example", ""),
        ("data:,x", ""),
        ("", ""),
    ],
)
def test_the_host_of_a_url_is_lower_case_and_without_port(url: str, host: str) -> None:
    assert host_of(url) == host


@given(st.text("aA1.-:@/?#[]\n \u00fc", max_size=12))
def test_the_fast_path_and_urlsplit_agree(rest: str) -> None:
    # An upper-case scheme does not match the fast path.
    assert host_of("https://" + rest) == host_of("HTTPS://" + rest)


@pytest.mark.parametrize(
    ("url", "without"),
    [
        ("https://user:word@wiki.example/a@b", "https://wiki.example/a@b"),
        ("https://user@wiki.example", "https://wiki.example"),
        ("http://a:b@c@[::1]:80?x=@y", "http://[::1]:80?x=@y"),
        ("https://wiki.example/@user?a=b@c#d@e", "https://wiki.example/@user?a=b@c#d@e"),
        ("mailto:a@wiki.example", "mailto:a@wiki.example"),
    ],
)
def test_the_login_of_a_url_is_removed(url: str, without: str) -> None:
    assert without_login(url) == without
