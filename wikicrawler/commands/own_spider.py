"""The crawl of a command that has a spider of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy.utils.misc import load_object

from wikicrawler.commands.overrides.crawl import Command as Crawl

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from scrapy.commands import ScrapyCommand
    from scrapy.crawler import Crawler


def crawl_by_name(
    command: ScrapyCommand,
    opts: argparse.Namespace,
    name: str,
    path: str,
    prepare: Callable[[Crawler], None] | None = None,
) -> None:
    """Crawl as *command*, with its options and the project's spider *name*; with that at the import
    path *path* if the project has none. The exit code of *command* is that of the crawl.

    :param prepare: called with the crawler before it crawls
    """
    process = command.crawler_process
    assert process is not None  # noqa: S101 - Scrapy sets it for these commands
    is_ours = name not in process.spider_loader.list()
    create = process.create_crawler

    def create_prepared(named: Any) -> Crawler:
        crawler = create(load_object(path) if is_ours and named == name else named)
        if prepare is not None:
            prepare(crawler)
        return crawler

    process.create_crawler = create_prepared  # type: ignore[method-assign,assignment]
    crawl = Crawl()
    crawl.settings, crawl.crawler_process = command.settings, process
    crawl.run([name], opts)
    command.exitcode = crawl.exitcode
