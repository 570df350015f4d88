"""URLs from pages and servers. test_seeds.py and test_config.py test those of operators."""

from __future__ import annotations

from itertools import product
from urllib.parse import urlsplit

import pytest
from w3lib.url import safe_url_string

from tests.growth import FACTOR, growth
from wikicrawler.guard.resolver import is_valid_host
from wikicrawler.urls.addresses import MAX_HOST, normalise_url


@pytest.mark.parametrize(
    ("url", "safe"),
    [
        ("https://a:b@Wiki.example/ä b", "https://wiki.example/%C3%A4%20b"),
        ("https://b\u00fccher.example/", "https://xn--bcher-kva.example/"),
        ("http://[2001:db8::1]:80/", "http://[2001:db8::1]/"),
        ("http://wiki.example/a/../b/%2e/c", "http://wiki.example/b/c"),
    ],
)
def test_urls_of_pages_are_normalised(url: str, safe: str) -> None:
    assert normalise_url(url) == normalise_url(safe) == safe


@pytest.mark.parametrize(
    "url",
    [
        *("http:///a", "http://../", "http://a\u2028b/", "http://[::1", "http://\x1b[31m/"),
        *("http://", "http://127.1/", "http://wiki.example:99999/"),
    ],
)
def test_a_url_with_an_invalid_host_is_rejected(url: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        normalise_url(url)


PARTS = (
    "",
    "/",
    "/wiki/Ärger",
    "/a'b(c)|d",
    "/a%2Fb%zz",
    "/%2e%C3%A4",
    "/日本/\u3000x",
    "/a\\b",
    "/a;b",
)
QUERIES = ("", "?", "?q=ö&x='y'", "?a=b?c|d", "?a=%20[1]", "#", "#Ж", "#a'b#c d", "?ß=1#ß")
PORTS = ("", ":443", ":8080", ":65535", ":08")


@pytest.mark.parametrize("port", PORTS)
def test_urls_are_encoded_as_scrapy_does(port: str) -> None:
    origin = f"https://wiki.example{port}"
    plain = normalise_url(f"{origin}/").removesuffix("/")
    for rest in map("".join, product(PARTS, QUERIES)):
        # An empty query or fragment is dropped.
        expected = safe_url_string(urlsplit(f"{plain}{rest}").geturl())
        assert normalise_url(f"{origin}{rest}") == expected


def test_a_too_long_host_is_not_encoded() -> None:
    def refused(host: str) -> None:
        assert not is_valid_host(host)
        with pytest.raises(ValueError, match="host name"):
            normalise_url(f"http://{host}.example/")

    assert growth(refused, lambda size: "ü" * size, 50 * MAX_HOST) < 2 * FACTOR
    assert growth(is_valid_host, lambda size: "ü" * size, 50 * MAX_HOST) < FACTOR / 2
