"""The crawl over sources that ``scrapy due`` and ``scrapy sources run`` start."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy.utils.misc import load_object

from wikicrawler.commands.overrides.crawl import Command as Crawl

if TYPE_CHECKING:
    import argparse

    from scrapy.commands import ScrapyCommand
    from scrapy.crawler import Crawler

_NAME = "sources"
_OURS = "wikicrawler.spiders.sources.SourcesSpider"


def crawl_sources(command: ScrapyCommand, opts: argparse.Namespace) -> None:
    """Crawl as *command*, with its options and the project's spider ``sources``; with ours if the
    project has none. The exit code of *command* is that of the crawl."""
    process = command.crawler_process
    assert process is not None  # noqa: S101 - Scrapy sets it for these commands
    if _NAME not in process.spider_loader.list():
        create = process.create_crawler

        def create_ours(named: Any) -> Crawler:
            return create(load_object(_OURS) if named == _NAME else named)

        process.create_crawler = create_ours  # type: ignore[method-assign,assignment]
    crawl = Crawl()
    crawl.settings, crawl.crawler_process = command.settings, process
    crawl.run([_NAME], opts)
    command.exitcode = crawl.exitcode
