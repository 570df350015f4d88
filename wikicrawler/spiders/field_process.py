"""The process in which the pages of a program are fetched, and its end.

:mod:`wikicrawler.fields.scraper.service` starts it, and calls :func:`main`.
"""

from __future__ import annotations

import logging
import os
import sys
from typing import Any

from scrapy.crawler import AsyncCrawlerProcess
from scrapy.settings import Settings

from wikicrawler import options
from wikicrawler.errors import ConfigError
from wikicrawler.fields.errors import ScraperError
from wikicrawler.fields.scraper import protocol
from wikicrawler.spiders.field_service import FieldServiceSpider, Pipes, fatal
from wikicrawler.spiders.one_worker import check_one_worker

logger = logging.getLogger(__name__)


def main() -> None:
    """Serve the process that started this one. Argument: the file descriptor of the reports.

    Standard input has the commands.
    """
    pipes = Pipes(os.dup(0), int(sys.argv[1]))
    os.set_inheritable(pipes.reports, False)  # not for the processes that this one starts
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    try:
        opened = protocol.read_command(_first_line(pipes.commands))
        if not isinstance(opened, protocol.Open):
            raise ValueError("the first command is not open")
        _crawl(opened, pipes)
    except Exception as error:
        if not isinstance(error, (ConfigError, ScraperError)):
            logger.exception("The crawl cannot start")
        os.write(pipes.reports, fatal(error))
        sys.exit(1)


def _crawl(opened: protocol.Open, pipes: Pipes) -> None:
    config, settings = opened.config, Settings()
    settings.setmodule("wikicrawler.settings", priority="project")
    own: dict[str, Any] = {
        "CONCURRENT_REQUESTS": config.max_concurrent,
        "DOWNLOAD_TIMEOUT": config.timeout / 1000,
        options.PROGRESS_ENABLED.name: False,
        options.SUMMARY_ENABLED.name: False,
    }
    if not config.stealth:
        own[options.STEALTH.name] = "never"
    settings.setdict(own, priority="project")
    settings.setdict(opened.settings, priority="cmdline")
    check_one_worker(settings, "a Scraper")
    if settings.get("JOBDIR"):
        raise ConfigError("JOBDIR cannot be used with a Scraper (remove the setting)")
    process = AsyncCrawlerProcess(settings)
    # What records attempts asks the class for its name; in a module, `scrapy list` would show it.
    named = type("FieldServiceSpider", (FieldServiceSpider,), {"name": "field-service"})
    crawl = process.crawl(named, pipes=pipes, config=config)
    process.start()
    if crawl.done() and not crawl.cancelled() and (error := crawl.exception()) is not None:
        raise error


def _first_line(descriptor: int) -> bytes:
    """Return the first line of a pipe, and leave the others in it."""
    line = bytearray()
    while not line.endswith(b"\n") and len(line) < protocol.MAX_LINE:
        if not (byte := os.read(descriptor, 1)):
            break
        line += byte
    return bytes(line)
