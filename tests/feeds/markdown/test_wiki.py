"""A real MediaWiki as a folder of files."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import unquote, urldefrag

from markdown_it import MarkdownIt
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.feeds.markdown.test_feed import heads
from tests.test_wiki_crawl import crawl, page_urls
from wikicrawler.feeds.markdown.front_matter import split_page

if TYPE_CHECKING:
    from pathlib import Path

    from tests.servers.mediawiki import RealMediaWiki


def targets(path: Path) -> list[str]:
    """Where the links of a file lead, as a reader of Markdown sees them."""
    html = MarkdownIt("commonmark").enable("table").render(split_page(path.read_text()).body)
    return [found.replace("&amp;", "&") for found in re.findall(r'<a href="([^"]*)"', html)]


@deferred_f_from_coro_f
async def test_each_page_is_a_file_and_each_link_to_a_page_leads_to_its_file(
    mediawiki: RealMediaWiki, tmp_path: Path
) -> None:
    feeds = {f"{tmp_path}/vault/%(site)s/": {"format": "markdown"}}
    await crawl(mediawiki, tmp_path, settings={"FEEDS": feeds})
    folder = tmp_path / "vault" / mediawiki.host.replace(":", "_")
    found = heads(folder)
    assert {head["url"] for head in found.values()} == page_urls(mediawiki)
    redirects = {mediawiki.article_url(title) for title in mediawiki.expected.redirects}
    led = 0
    for name in found:
        for target in targets(folder / name):
            if target.startswith("http"):
                assert urldefrag(target)[0] not in page_urls(mediawiki) | redirects, (name, target)
            elif not target.startswith("mailto:"):
                path = (folder / name).parent / unquote(urldefrag(target)[0])
                assert path.resolve().relative_to(folder).as_posix() in found
                led += 1
    assert led > len(found)
