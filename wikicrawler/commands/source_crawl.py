"""The crawl over sources that ``scrapy due`` and ``scrapy sources run`` start."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikicrawler.commands.own_spider import crawl_by_name

if TYPE_CHECKING:
    import argparse

    from scrapy.commands import ScrapyCommand


def crawl_sources(command: ScrapyCommand, opts: argparse.Namespace) -> None:
    """Crawl as *command*, with its options and the project's spider ``sources``, or ours."""
    crawl_by_name(command, opts, "sources", "wikicrawler.spiders.sources.SourcesSpider")
