"""What pages and headers state to robots."""

from __future__ import annotations

import pytest
from lxml import html

from tests.growth import LIMIT, growth
from wikicrawler.content import convert
from wikicrawler.content.robots_statements import is_nofollow, read_headers, read_meta


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["noindex"], {"robots": ["noindex"]}),
        (["noindex, nofollow"], {"robots": ["nofollow", "noindex"]}),
        (["none", "all"], {"robots": ["nofollow", "noindex"]}),
        (["googlebot: nofollow", "noindex"], {"googlebot": ["nofollow"], "robots": ["noindex"]}),
        (["a: noindex, b: nofollow"], {"a": ["noindex"], "b": ["nofollow"]}),
        (["unavailable_after: 25 Jun 2010 15:00:00 PST"], {}),
        (["max-snippet:-1, noindex"], {"robots": ["noindex"]}),
        (["*:none"], {"robots": ["nofollow", "noindex"]}),
        (["\x00: noindex", ":noindex", ",,,", " "], {}),
        (["x" * 3000 + ",noindex"], {}),
    ],
)
def test_headers(values: list[str], expected: dict[str, list[str]]) -> None:
    assert read_headers(values) == expected


def test_what_strangers_send_is_cut() -> None:
    assert len(read_headers(f"bot{n}: noindex" for n in range(10_000))) <= 50
    metas = "".join(f'<meta name="bot{n}" content="noindex">' for n in range(10_000))
    assert len(read_meta(html.fromstring(f"<html><head>{metas}</head></html>").iter("meta"))) <= 50
    assert not is_nofollow("x " * 10_000 + "nofollow")


@pytest.mark.parametrize("part", ["noindex,", "a: ", ":", ", ", "unavailable_after:"])
def test_headers_are_read_in_linear_time(part: str) -> None:
    def read(text: str) -> object:
        return read_headers([text] * 50)

    assert growth(read, lambda size: part * size, 1_000) < LIMIT


def test_links_that_are_marked_throughout_are_listed() -> None:
    page = """<html><body><article><p>A text with <a href="/a" rel="nofollow">one</a>,
      <a href="/b" rel="nofollow">two</a> and <a href="/b">three</a> links in it.</p></article>
      <footer><a href="/c?do=edit" rel="nofollow ugc">Edit</a> <a href="/d" rel="nofollow">D</a>
      <a href="/e/ä" rel="nofollow">E</a> <a href="/wiki/../d#part">D</a> <a href="/e/%C3%A4">E</a>
      <a href="/f" rel="nofollow">F</a> <a href="/f/">F</a></footer></body></html>"""
    found = convert(page, "https://x.example/")
    urls = ("https://x.example/a", "https://x.example/c?do=edit", "https://x.example/f")
    assert found.nofollow == urls
    assert "https://x.example/a" in found.links
    assert "robots" not in found.metadata
