"""``scrapy crawl``, with one-line messages for configuration errors, and distinct exit codes."""

from __future__ import annotations

import logging
import sys
from importlib import import_module
from pathlib import Path
from traceback import walk_tb
from typing import TYPE_CHECKING

from pydantic import ValidationError
from scrapy import signals
from scrapy.commands.crawl import Command as ScrapyCrawl

from wikicrawler.commands.failure import failure_of, log_failure
from wikicrawler.errors import ConfigError, StateError, StateLockedError
from wikicrawler.process.allocator import return_large_blocks
from wikicrawler.process.collector import pause_collection, resume_collection
from wikicrawler.process.exit_codes import ExitCode, exit_code
from wikicrawler.process.stop_signals import StopSignals
from wikicrawler.text.safe import one_line, safe_lines

if TYPE_CHECKING:
    import argparse

    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)


class Command(ScrapyCrawl):
    """Scrapy's own command with other exit codes, which :class:`ExitCode` lists."""

    _started: Crawler | None = None

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        pause_collection()
        # Each deprecated class of Scrapy in this module inspects the whole stack, frame by frame
        # among all loaded modules. Here the stack is short, and half of the modules are not loaded.
        import_module("scrapy.core.downloader.contextfactory")
        super().process_options(args, opts)

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        # It logs pydantic's message for a wrong argument; ours is printed below.
        logging.getLogger("scrapy_spider_metadata").setLevel(logging.CRITICAL)
        process = self.crawler_process
        assert process is not None  # noqa: S101 - Scrapy sets it for this command
        crawls: list[object] = []
        crawl = process.crawl

        def crawl_and_keep(crawler: Crawler, /, **kwargs: object) -> object:
            self._started = crawler
            crawler.signals.connect(resume_collection, signals.engine_started)
            crawls.append(crawl(crawler, **kwargs))
            return crawls[-1]

        process.crawl = crawl_and_keep  # type: ignore[method-assign,assignment]
        stop_signals = StopSignals(lambda: self._started)
        stop_signals.install()
        return_large_blocks()
        super().run(args, opts)
        if not self.exitcode and self._started is not None:
            self.exitcode = exit_code(self._started.stats.get_stats(), stop_signals.first)
        for started in crawls:
            if (error := failure_of(started)) is None:
                continue
            if (code := exit_code_for(error, self._started)) is None:
                log_failure(error)
                self.exitcode = ExitCode.FAILED
            else:
                self._report(args[0], safe_lines(describe(error)))
                self.exitcode = code

    def _report(self, spider: str, message: str) -> None:
        """Print *message*, which may have several lines; log it too if the log is a file, where
        somebody will look for it who never sees standard error: that of a job of Scrapyd."""
        sys.stderr.write(f"scrapy crawl {spider}: error: {message}\n")
        if self.settings is not None and self.settings.get("LOG_FILE"):
            for line in message.splitlines():
                logger.error("%s", line)


def exit_code_for(error: BaseException, crawler: Crawler | None) -> ExitCode | None:
    """Return the exit code for an *error* that prevented *crawler* from starting.

    None if the error is not a mistake of the operator that :func:`describe` can describe.
    """
    if isinstance(error, ConfigError):
        return ExitCode.BAD_CONFIGURATION
    if isinstance(error, StateLockedError):
        return ExitCode.STATE_LOCKED
    if isinstance(error, StateError):
        return ExitCode.STATE_UNUSABLE
    # Code of the project may also raise the next two.
    if isinstance(error, ValidationError) and _concerns_arguments(error):
        return ExitCode.BAD_CONFIGURATION
    if (
        isinstance(error, OSError)
        and crawler
        and _concerns_job(error, crawler.settings.get("JOBDIR"))
    ):
        return ExitCode.STATE_UNUSABLE
    return None


def _concerns_arguments(error: ValidationError) -> bool:
    """Return True if the spider's model of its arguments has raised *error*."""
    modules = [frame.f_globals.get("__name__", "") for frame, _ in walk_tb(error.__traceback__)]
    callers = [name for name in modules if name.partition(".")[0] != "pydantic"]
    return bool(callers) and callers[-1].partition(".")[0] == "scrapy_spider_metadata"


def _concerns_job(error: OSError, job: str | None) -> bool:
    """Return True if *error* names the state folder, a file in it, or a parent folder."""
    if not job or not isinstance(error.filename, str):
        return False
    file, folder = Path(error.filename).absolute(), Path(job).absolute()
    return file.is_relative_to(folder) or folder.is_relative_to(file)


def describe(error: BaseException) -> str:
    """Return a message for the operator: one line per mistake."""
    if isinstance(error, OSError):  # from Scrapy, which creates the state folder
        return f"JOBDIR {one_line(error.filename)}: cannot be used: {error.strerror}"
    if not isinstance(error, ValidationError):
        return str(error)
    found = []
    for mistake in error.errors(include_url=False):
        name = ".".join(str(part) for part in mistake["loc"][:1])
        if mistake["type"] == "value_error":  # our own message, which is complete
            found.append(mistake["msg"].removeprefix("Value error, "))
        else:
            found.append(f"argument {name}: {mistake['msg']} (got {mistake['input']!r})")
    return "\n".join(found)
