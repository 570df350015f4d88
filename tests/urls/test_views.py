"""URLs of other views of a page."""

from __future__ import annotations

import pytest

from tests.growth import LIMIT, growth
from wikicrawler.urls.views import page_of_view

WIKI = "https://wiki.example"


@pytest.mark.parametrize(
    ("url", "page"),
    [
        ("/index.php?title=Quern&printable=yes", "/index.php?title=Quern"),
        ("/index.php?printable=yes&title=Quern", "/index.php?title=Quern"),
        ("/wiki/Quern?printable=true", "/wiki/Quern"),
        ("/wiki/Quern?useskin=monobook&setlang=de", "/wiki/Quern?setlang=de"),
        ("/wiki/Quern?mobileaction=toggle_view_mobile", "/wiki/Quern"),
        ("/wiki/Quern?action=render", "/wiki/Quern"),
        ("/index.php/Quern?action=render", "/index.php/Quern"),
        ("/w/index.php?title=Quern&action=render&useskin=vector", "/w/index.php?title=Quern"),
        ("/forum/viewtopic.php?t=3&view=print", "/forum/viewtopic.php?t=3"),
        ("/a?id=4&tmpl=component&print=1&layout=default", "/a?id=4&layout=default"),
        ("/wiki/Quern", None),
        ("/wiki/Quern?", None),
        ("/wiki/Printable=yes", None),
        ("/shop?printable=no", None),
        ("/shop?view=print", None),
        ("/shop?print=1", None),
        ("/jobs?action=render", None),
        ("/jobs?tmpl=component", None),
        ("/jobs?nonprintable=yes", None),
        ("/jobs?q=printable=yes", None),
    ],
)
def test_the_page_of_a_view(url: str, page: str | None) -> None:
    assert page_of_view(WIKI + url) == WIKI + (page or url)


@pytest.mark.parametrize(
    "piece", ["?", "&useskin=", "action=render&", "&print=1", "tmpl=component&"]
)
def test_the_time_is_linear(piece: str) -> None:
    def url(size: int) -> str:
        return f"{WIKI}/viewtopic.php?title=x&print=1&{piece * (size // len(piece))}"

    assert growth(page_of_view, url, 4_000) < LIMIT
