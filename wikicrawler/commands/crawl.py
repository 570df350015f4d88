"""``scrapy crawl``, with an operator's mistake told in a line and an exit code for each end."""

from __future__ import annotations

import asyncio
import logging
import sys
from typing import TYPE_CHECKING

from pydantic import ValidationError
from scrapy.commands.crawl import Command as ScrapyCrawl

from wikicrawler.commands.allocator import give_back_large_blocks
from wikicrawler.errors import ConfigError, StateError, StateLockedError
from wikicrawler.frontier.exit_codes import ExitCode, exit_code
from wikicrawler.frontier.signals import StopSignals
from wikicrawler.safe_text import one_line, safe_lines

if TYPE_CHECKING:
    import argparse

    from scrapy import Spider
    from scrapy.crawler import Crawler


class Command(ScrapyCrawl):
    """Scrapy's own command but for the exit; :class:`ExitCode` has the codes."""

    _started: Crawler | None = None

    def _create_crawler(self, spidercls: type[Spider] | str) -> Crawler:
        self._started = super()._create_crawler(spidercls)
        return self._started

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
        stop_signals = StopSignals(lambda: self._started)
        stop_signals.install()
        give_back_large_blocks()
        super().run(args, opts)
        if not self.exitcode and self._started is not None:
            self.exitcode = exit_code(self._started.stats.get_stats(), stop_signals.first)
        for task in tasks:
            error = task.exception() if task.done() and not task.cancelled() else None
            if error is not None and (code := code_of(error)) is not None:
                sys.stderr.write(f"scrapy crawl {args[0]}: error: {safe_lines(explain(error))}\n")
                self.exitcode = code


def code_of(error: BaseException) -> ExitCode | None:
    """The exit code where *error* kept a crawl from starting; None: a fault, which has a traceback
    in the log."""
    if isinstance(error, (ConfigError, ValidationError)):
        return ExitCode.BAD_CONFIGURATION
    if isinstance(error, StateLockedError):
        return ExitCode.STATE_LOCKED
    if isinstance(error, (StateError, OSError)):
        return ExitCode.STATE_UNUSABLE
    return None


def explain(error: BaseException) -> str:
    """What is wrong, for a person: one line a mistake."""
    if isinstance(error, OSError):  # Scrapy makes the state folder
        return f"JOBDIR {one_line(error.filename)}: cannot be used: {error.strerror}"
    if not isinstance(error, ValidationError):
        return str(error)
    found = []
    for mistake in error.errors(include_url=False):
        name = ".".join(str(part) for part in mistake["loc"][:1])
        if mistake["type"] == "value_error":  # ours: says all there is to say
            found.append(mistake["msg"].removeprefix("Value error, "))
        else:
            found.append(f"argument {name}: {mistake['msg']} (got {mistake['input']!r})")
    return "\n".join(found)
