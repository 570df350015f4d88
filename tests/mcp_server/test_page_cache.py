"""What the cache keeps, and for how long."""

from __future__ import annotations

from wikicrawler.mcp_server.page_cache import CachedPage, PageCache
from wikicrawler.mcp_server.paging import prepare


def page(asked: str, text: str, url: str = "") -> CachedPage:
    return CachedPage(
        asked=asked,
        url=url or asked,
        title="",
        body=prepare(text),
        content_hash=f"hash of {text[:9]}",
        tier="http",
        attempts=(),
        status=200,
        fetched_at="",
    )


def test_a_page_is_found_by_each_url_that_led_to_it() -> None:
    cache = PageCache(10**6)
    cache.add(page("/old", "text", "/new"))
    cache.add(page("/older", "text", "/new"))
    for url in ("/old", "/older", "/new"):
        found = cache.latest(url)
        assert found is not None
        assert found.url == "/new"
        assert cache.version(url, "hash of text") is found
    assert cache.latest("/other") is None


def test_both_versions_are_kept_and_the_latest_is_the_default() -> None:
    cache = PageCache(10**6)
    cache.add(page("/", "one"))
    cache.add(page("/", "two"))
    first, latest = cache.version("/", "hash of one"), cache.latest("/")
    assert first is not None
    assert latest is not None
    assert (first.body.text, latest.body.text) == ("one", "two")
    assert cache.version("/", "hash of three") is None


def test_what_was_not_used_for_longest_goes_first() -> None:
    cache = PageCache(25_000)
    for name in "abc":
        cache.add(page(f"/{name}", name * 8000))
        assert cache.latest("/a") is not None  # it is used
    assert cache.latest("/b") is None
    assert cache.latest("/c") is not None


def test_the_latest_page_is_kept_however_large_it_is() -> None:
    cache = PageCache(1000)
    cache.add(page("/a", "a" * 10_000))
    cache.add(page("/b", "b" * 10_000))
    assert cache.latest("/a") is None
    assert cache.latest("/b") is not None


def test_a_page_grows_old() -> None:
    now = [0.0]
    cache = PageCache(10**6, clock=lambda: now[0])
    cache.add(page("/", "text"))
    now[0] = 99.0
    assert cache.latest("/", max_age=100.0) is not None
    now[0] = 100.0
    assert cache.latest("/", max_age=100.0) is None
    assert cache.latest("/") is not None
    cache.add(page("/", "text"))
    assert cache.latest("/", max_age=100.0) is not None
    assert cache.latest("/", max_age=0.0) is None
