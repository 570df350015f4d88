"""``scrapy crawl``, with an operator's mistake told in a line instead of a traceback."""

from __future__ import annotations

import asyncio
import logging
import sys
from typing import TYPE_CHECKING

from pydantic import ValidationError
from scrapy.commands.crawl import Command as ScrapyCrawl

from wikicrawler.errors import ConfigError

if TYPE_CHECKING:
    import argparse

#: Exit code of a crawl that did not start because an argument or a file is wrong.
BAD_CONFIGURATION = 2


class Command(ScrapyCrawl):
    """Scrapy's own command but for the exit: 0 ran, 1 could not start, 2 wrong configuration."""

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        # It logs a wrong argument in pydantic's words; it is told in ours below.
        logging.getLogger("scrapy_spider_metadata").setLevel(logging.CRITICAL)
        process = self.crawler_process
        assert process is not None  # noqa: S101 - the command says that it requires one
        tasks: list[asyncio.Future[None]] = []
        crawl = process.crawl

        def crawl_and_keep(*crawl_args: object, **kwargs: object) -> object:
            started = crawl(*crawl_args, **kwargs)  # type: ignore[arg-type]
            if isinstance(started, asyncio.Future):
                tasks.append(started)
            return started

        process.crawl = crawl_and_keep  # type: ignore[method-assign,assignment]
        super().run(args, opts)
        for task in tasks:
            error = task.exception() if task.done() and not task.cancelled() else None
            if isinstance(error, (ConfigError, ValidationError)):
                sys.stderr.write(f"scrapy crawl {args[0]}: error: {explain(error)}\n")
                self.exitcode = BAD_CONFIGURATION


def explain(error: ConfigError | ValidationError) -> str:
    """What is wrong, for a person: one line a mistake."""
    if isinstance(error, ConfigError):
        return str(error)
    lines = []
    for mistake in error.errors(include_url=False):
        name = ".".join(str(part) for part in mistake["loc"][:1])
        if mistake["type"] == "value_error":  # ours: says all there is to say
            lines.append(mistake["msg"].removeprefix("Value error, "))
        else:
            lines.append(f"argument {name}: {mistake['msg']} (got {mistake['input']!r})")
    return "\n".join(lines)
