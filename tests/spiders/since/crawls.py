"""Crawls of a wiki into feeds, and how feeds compare."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from scrapy import signals

from tests.crawling import Outcome, project_settings, run
from wikicrawler.feeds.merge import merged
from wikicrawler.spiders.wiki import WikiSpider

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from scrapy.crawler import Crawler

VOLATILE = ("fetched_at", "attempts", "tier", "status", "redirected_from", "change", "previous_url")
"""What two crawls of the same pages may write differently."""


async def crawl(
    feed: Path, on_response: Callable[..., None] | None = None, **arguments: str
) -> Outcome:
    """Crawl into *feed*; *on_response* is called with each response that is received."""
    feeds = {str(feed): {"format": "jsonlines", "overwrite": True}}

    class Watched(WikiSpider):
        @classmethod
        def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Watched:
            if on_response is not None:
                crawler.signals.connect(on_response, signals.response_received, weak=False)
            return super().from_crawler(crawler, *args, **kwargs)

    return await run(Watched, project_settings(FEEDS=feeds), **arguments)


def records(feed: Path) -> dict[str, dict[str, Any]]:
    """The records of *feed* by URL, without what is volatile."""
    found = {}
    for line in feed.read_text("utf-8").splitlines():
        record = json.loads(line)
        assert record["url"] not in found
        found[record["url"]] = {k: v for k, v in record.items() if k not in VOLATILE}
    return found


def changes(feed: Path) -> dict[str, str]:
    """What has changed, by URL."""
    return {record["url"]: record["change"] for record in map(json.loads, feed.open())}


def merge(target: Path, *feeds: Path) -> Path:
    target.write_bytes(b"".join(merged(feeds)))
    return target
