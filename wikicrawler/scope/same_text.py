"""One record for a page that has several addresses, as its ``<link rel=canonical>`` or the mark of
its engine (``canonical`` and ``alias`` in ``engines.yml``) shows.

A canonical URL alone is no proof: sites state their home page on every page, or a URL that does
not exist. So a page is left out only if another page of the crawl with the same canonical URL on
the same site has the same words and a record. No page is requested for this.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikicrawler.pages import CONTENT_KEY, PAGE_KEY
from wikicrawler.scope.engines import engine_of
from wikicrawler.urls.sites import site_of

if TYPE_CHECKING:
    from scrapy.http import Response

    from wikicrawler.items import Content
    from wikicrawler.pages import Page


def canonical_text(response: Response) -> tuple[str, bytes] | None:
    """Return the canonical URL that the page *response* states and the key of its text.

    None if it states none, one on another site, or has too little text to compare.
    """
    page: Page | None = response.meta.get(PAGE_KEY)
    content: Content | None = response.meta.get(CONTENT_KEY)
    if page is None or content is None or not content.text_key:
        return None
    canonical = content.metadata.get("canonical", "").partition("#")[0] or _of_engine(response)
    if not canonical or site_of(canonical) != site_of(page.url):
        return None
    return canonical, content.text_key


def _of_engine(response: Response) -> str:
    engine = engine_of(response)
    return (engine and engine.canonical) or ""
