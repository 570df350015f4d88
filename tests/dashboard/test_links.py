"""Links to foreign pages, and to pages of sources."""

from __future__ import annotations

import pytest

from wikicrawler.dashboard.links import outside, source_path


def test_a_foreign_page_does_not_learn_where_its_link_stood() -> None:
    assert outside("https://a.example/?q=1&r=%3C") == (
        '<a href="https://a.example/?q=1&amp;r=%3C" rel="noreferrer noopener">'
        "<bdi>https://a.example/?q=1&amp;r=%3C</bdi></a>"
    )


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "JaVaScRiPt://a.example/%0aalert(1)",
        "java\tscript:alert(1)",
        " javascript:alert(1)",
        "data:text/html,<script>alert(1)</script>",
        "vbscript:x",
        "//a.example/",
        "/sources/run",
        "http:///x",
        "http://[::1",
        "https://a.example/\u202etxt",
        "https://a.example/\nx",
        "https://user:secret@a.example/",
        "https://a.example/" + "x" * 5_000,
        "",
        None,
    ],
)
def test_what_cannot_be_opened_is_text(url: str | None) -> None:
    found = outside(url)
    assert "<a" not in found
    assert "secret" not in found


def test_markup_in_a_url_is_text() -> None:
    found = outside('https://a.example/"><script>x</script>')
    assert "<script" not in found
    assert '"><' not in found.replace('opener"><bdi>', "")


def test_a_path_of_a_source_is_encoded() -> None:
    assert source_path("reg-x") == "/sources/reg-x"
    assert source_path("a/../b", "errors", 7) == "/sources/a%2F..%2Fb/errors/7"
    assert source_path("a", "document", url="http://b/?c=d&e", old="", new=None) == (
        "/sources/a/document?url=http%3A%2F%2Fb%2F%3Fc%3Dd%26e"
    )
    assert source_path("a", url="\ud800") == "/sources/a?url=%3F"
