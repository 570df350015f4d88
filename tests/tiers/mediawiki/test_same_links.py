"""A wiki page has the same links, Markdown and URL whether it comes by the API or as HTML."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode
from urllib.request import urlopen

import pytest
from scrapy import Request
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.crawling import fetch
from wikicrawler.demo import DemoWiki
from wikicrawler.pages import CONTENT_KEY, PAGE_KEY

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from tests.servers.mediawiki import RealMediaWiki
    from wikicrawler.items import Content
    from wikicrawler.pages import Page

# Without a text, so that the API's page is fetched as HTML too.
EMPTY = {"Empty page", "Only a category", "Only magic words"}


@pytest.fixture(scope="module")
def demo() -> Iterator[DemoWiki]:
    with DemoWiki() as wiki:
        yield wiki


def titles_of(api: str, namespaces: Iterable[int], filter_: str = "nonredirects") -> list[str]:
    """Return all titles of a wiki, as its API lists them."""
    found: list[str] = []
    for namespace in namespaces:
        query = {
            "action": "query",
            "list": "allpages",
            "apnamespace": namespace,
            "apfilterredir": filter_,
            "aplimit": 500,
            "format": "json",
            "formatversion": 2,
        }
        with urlopen(f"{api}?{urlencode(query)}") as answer:  # noqa: S310 - the test's own
            found += [p["title"] for p in json.load(answer)["query"]["allpages"]]
    return found


async def pages_by(
    tier: str, urls: list[str], wiki: Any, folder: Path, *, informed: bool = True
) -> dict[str, tuple[Page, Content]]:
    """Return page and content by the requested URL.

    :param informed: a first page is fetched by the API, whose siteinfo the others use
    """
    config = folder / "sources.yml"
    config.write_text(f'mediawiki_sites:\n  "{wiki.url[7:]}": {wiki.api}\n')
    requests = [Request(url, meta={"tiers": [tier], "asked": url}) for url in urls]
    if informed:
        first = f"{wiki.url}/wiki/Main_Page"
        requests.insert(0, Request(first, priority=10, meta={"tiers": ["mediawiki"]}))
    requests = [request.replace(dont_filter=True) for request in requests]
    done = await fetch(*requests, WIKICRAWLER_CONFIG=str(config), CONCURRENT_REQUESTS=1)
    pages = [r.meta for r in done.responses if "asked" in r.meta]
    return {meta["asked"]: (meta[PAGE_KEY], meta[CONTENT_KEY]) for meta in pages}


def described(page: Page, content: Content, *, informed: bool) -> dict[str, Any]:
    links = page.links or ()
    return {
        "url": page.url,
        "redirected_from": page.redirected_from,
        # Without siteinfo, the names of a wiki's own namespaces are unknown.
        "namespace": page.namespace if informed else None,
        "links": [*links] if informed else [link.url for link in links],
        "outward": [link for link in content.links if "127.0.0.1" not in link],
        "markdown": content.markdown,
    }


async def compare(
    urls: list[str],
    wiki: Any,
    folder: Path,
    *,
    differing: Iterable[str] = (),
    informed: bool = True,
) -> dict[str, Page]:
    """Return the API's pages by URL, after comparing what both tiers say of them.

    :param differing: URLs that one of the tiers may fail to fetch
    """
    by_api = await pages_by("mediawiki", urls, wiki, folder)
    by_http = await pages_by("http", urls, wiki, folder, informed=informed)
    for url in by_api.keys() & by_http.keys():
        api = described(*by_api[url], informed=informed)
        http = described(*by_http[url], informed=informed)
        for name, value in api.items():
            assert value == http[name], (url, name)
    assert by_api.keys() ^ by_http.keys() <= {*differing}
    return {url: page for url, (page, _) in by_api.items()}


@pytest.mark.parametrize("informed", [True, False])
@deferred_f_from_coro_f
async def test_all_pages_of_the_demonstration_wiki(
    demo: DemoWiki, tmp_path: Path, informed: bool
) -> None:
    titles = titles_of(demo.api, (0, 4, 10, 12, 14), "all")
    urls = [f"{demo.url}/wiki/{title.replace(' ', '_')}" for title in titles]
    pages = await compare(urls, demo, tmp_path, informed=informed)
    assert len(pages) >= 30
    linked = {link.url for page in pages.values() for link in page.links or ()}
    assert any("/wiki/Category:" in url for url in linked)


@pytest.mark.parametrize("namespaces", [(0,), (2, 4, 6, 10), (12, 14, 3000)], ids=str)
@deferred_f_from_coro_f
async def test_all_pages_of_a_real_wiki(
    mediawiki: RealMediaWiki, tmp_path: Path, namespaces: tuple[int, ...]
) -> None:
    titles = [t for t in titles_of(mediawiki.api, namespaces) if t not in EMPTY]
    pages = await compare([mediawiki.article_url(t) for t in titles], mediawiki, tmp_path)
    assert pages


@deferred_f_from_coro_f
async def test_all_redirects_of_a_real_wiki(mediawiki: RealMediaWiki, tmp_path: Path) -> None:
    titles = titles_of(mediawiki.api, (0, 4, 10, 12, 14, 3000), "redirects")
    urls = [mediawiki.article_url(title) for title in titles]
    # The API follows a second redirect, which HTML shows; HTML shows a special page.
    differing = map(mediawiki.article_url, ("Light keeper", "To special"))
    pages = await compare(urls, mediawiki, tmp_path, differing=differing)
    assert any(page.url != url for url, page in pages.items())
