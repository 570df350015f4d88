"""The process in which a provider of reports is asked for a program, and its end.

:mod:`wikicrawler.reports.blocking` starts it, and calls :func:`main`.
"""

from __future__ import annotations

import logging
import sys
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy import Spider
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.settings import Settings

from wikicrawler import options
from wikicrawler.errors import ConfigError
from wikicrawler.reports.companies import TYPES
from wikicrawler.reports.configuration import PROVIDER_CLASSES, ProviderEntry, user_agent_of
from wikicrawler.reports.crawl_fetcher import CrawlFetcher
from wikicrawler.reports.errors import ReportError
from wikicrawler.reports.process_messages import Job, Result, SentError, read_job
from wikicrawler.reports.session import ReportSession

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from wikicrawler.reports.providers.base import ReportProvider

logger = logging.getLogger(__name__)


class ReportServiceSpider(Spider):
    """Answers one job.

    :param job: what is asked
    :param answer: file for the answer
    """

    def __init__(self, *args: Any, job: Job, answer: Path, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._job = job
        self._answer = answer

    async def start(self) -> AsyncIterator[Any]:
        try:
            result = await self._result()
        except Exception as error:
            if not isinstance(error, ConfigError | ReportError):
                self.logger.exception("The provider failed")
            result = Result(error=SentError.of(error))
        write(self._answer, result)
        return
        yield  # makes it a generator

    async def _result(self) -> Result:
        job, agent = self._job, user_agent_of(self.settings)
        provider = _provider(job, agent)
        fetch = CrawlFetcher(self.crawler)
        session = ReportSession(
            [provider],
            fetch,
            job.folder,
            forms=job.forms,
            accepted=frozenset(chain.from_iterable(TYPES.values())),
            search_seconds=options.REPORTS_SEARCH_SECONDS.read(self.settings),
        )
        if job.source is None:
            return Result(
                sources=tuple(await provider.find(job.company, job.year, job.forms, fetch))
            )
        company = await session.identify(job.company)
        return Result(report=await session.download(provider, job.source, company, job.year))


def main() -> None:
    """Answer the job on standard input. Argument: the name of the file for the answer."""
    answer = Path(sys.argv[1])
    try:
        _crawl(read_job(sys.stdin.buffer.read()), answer)
    except Exception as error:
        if not isinstance(error, ConfigError | ReportError):
            logger.exception("The crawl cannot start")
        write(answer, Result(error=SentError.of(error)))
        sys.exit(1)


def write(answer: Path, result: Result) -> None:
    """Write the answer, whole or not at all."""
    part = answer.with_name(f"{answer.name}.part")
    part.write_text(result.model_dump_json(), encoding="utf-8")
    part.replace(answer)


def _provider(job: Job, agent: str) -> ReportProvider:
    path = PROVIDER_CLASSES[job.provider]
    entry = ProviderEntry(job.provider, path, job.tier, True, job.options, "arguments")
    return entry.load(agent, None)


def _crawl(job: Job, answer: Path) -> None:
    settings = Settings()
    settings.setmodule("wikicrawler.settings", priority="project")
    own = {options.PROGRESS_ENABLED.name: False, options.SUMMARY_ENABLED.name: False}
    settings.setdict(own, priority="project")
    settings.setdict(job.settings, priority="cmdline")
    _provider(job, user_agent_of(settings))  # wrong options end the call before a crawl starts
    process = AsyncCrawlerProcess(settings)
    crawl = process.crawl(ReportServiceSpider, name="report-service", job=job, answer=answer)
    process.start()
    if crawl.done() and not crawl.cancelled() and (error := crawl.exception()) is not None:
        raise error
