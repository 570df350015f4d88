"""URLs of all articles of a wiki, from its API."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from wikicrawler.pages import Failure
from wikicrawler.tiers.mediawiki.all_titles import allpages_url, read_allpages
from wikicrawler.tiers.mediawiki.titles import url_of
from wikicrawler.tiers.response_headers import headers_of

if TYPE_CHECKING:
    from scrapy.http import Response

    from wikicrawler.tiers.mediawiki.known_wiki import KnownWiki


class Getting(Protocol):
    """Sends requests to the API of a wiki."""

    async def get(self, url: str, wiki: KnownWiki) -> Response | Failure: ...


async def list_articles(wikis: Getting, wiki: KnownWiki, limit: int) -> list[str] | None:
    """Return the URLs of the pages in the content namespaces of *wiki*, at most *limit*; None if
    its API has no list."""
    urls: list[str] = []
    for number in sorted(wiki.site.content_namespaces):
        following: str | None = None
        seen: set[str] = set()
        while len(urls) < limit:
            answer = await wikis.get(allpages_url(wiki.site.api, number, following), wiki)
            if isinstance(answer, Failure):
                return urls or None
            found = read_allpages(answer.body, headers_of(answer), answer.status)
            if isinstance(found, Failure):
                return urls or None
            urls += [url_of(title, wiki.site) for title in found.titles]
            following = found.following
            if following is None or following in seen:  # a wiki may name the same batch again
                break
            seen.add(following)
    return urls[:limit]
