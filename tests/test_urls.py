"""Hosts of URLs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikicrawler.urls import host_of


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
def test_host(url: str, host: str) -> None:
    assert host_of(url) == host


@given(st.text("aA1.-:@/?#[]\n \u00fc", max_size=12))
def test_case_and_form_make_no_other_host(rest: str) -> None:
    # An upper-case scheme takes the long way.
    assert host_of("https://" + rest) == host_of("HTTPS://" + rest)
