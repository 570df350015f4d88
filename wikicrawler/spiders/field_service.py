"""Fetches pages and extracts their fields for a program in another process.

The messages are those of :mod:`wikicrawler.fields.scraper.protocol`.
"""

from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from scrapy import Request, Spider, signals
from scrapy.exceptions import DontCloseSpider
from scrapy.http import Response

from wikicrawler.errors import ConfigError, Reason
from wikicrawler.fields.errors import AllKeysExhaustedError, ScraperError
from wikicrawler.fields.llm.errors import ContextTooLongError
from wikicrawler.fields.scraper import protocol
from wikicrawler.guard.private_hosts import policy_of
from wikicrawler.pages import STRICT_KEY, Failure
from wikicrawler.process.stopping import stop
from wikicrawler.scope import CrawlScope
from wikicrawler.scope.page_requests import DEPTH
from wikicrawler.spiders.field_links import followed_links
from wikicrawler.spiders.field_pages import FieldPages, failed_result, result_of_error, tier_meta
from wikicrawler.text.safe import one_line
from wikicrawler.urls.sites import host_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from typing import Self

    from scrapy.crawler import Crawler
    from twisted.python.failure import Failure as TwistedFailure

    from wikicrawler.fields.models import FieldDefinition, ScraperConfig, ScrapeResult
    from wikicrawler.spiders.field_pages import OpenPage

_ENDING = (AllKeysExhaustedError, ConfigError)
"""Errors that each further page of a job would raise, too."""
FAILURES_IN_A_ROW = 3
"""Pages that the model's server fails to read before a job ends."""


class Pipes(NamedTuple):
    """File descriptors of the messages."""

    commands: int
    reports: int


@dataclass(eq=False, slots=True)
class _Job:
    fields: tuple[FieldDefinition, ...]
    read: set[str] = field(default_factory=set)
    """The own URLs of the pages of a site that were read."""
    failures: int = 0
    """Pages in a row that the server of the model failed to read."""


class FieldServiceSpider(Spider):
    """Answers the messages of another process.

    It has no ``name`` of its own, so that ``scrapy list`` does not show it.
    """

    _meta: dict[str, Any]
    _pages: FieldPages
    _reports: asyncio.WriteTransport

    def __init__(self, *, pipes: Pipes, config: ScraperConfig, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._pipes = pipes
        self._config = config
        self._places = asyncio.Semaphore(config.max_concurrent)
        self._jobs: dict[int, _Job] = {}
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._awaited: dict[int, asyncio.Future[Response | ScrapeResult]] = {}
        self._serving: asyncio.Task[None] | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        spider: Self = super().from_crawler(crawler, *args, **kwargs)
        spider._meta = {STRICT_KEY: True, **tier_meta(crawler.settings, spider._config)}
        crawler.signals.connect(spider._idle, signals.spider_idle)
        crawler.signals.connect(spider._close, signals.spider_closed)
        return spider

    # The messages

    async def start(self) -> AsyncIterator[Any]:
        self._pages = FieldPages(self.crawler, self._config)
        loop = asyncio.get_running_loop()
        pipe, _ = await loop.connect_write_pipe(
            asyncio.BaseProtocol, os.fdopen(self._pipes.reports, "wb", buffering=0)
        )
        self._reports = pipe
        commands = asyncio.StreamReader(limit=protocol.MAX_LINE)
        await loop.connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(commands),
            os.fdopen(self._pipes.commands, "rb", buffering=0),
        )
        self._serving = asyncio.create_task(self._serve(commands))
        return
        yield  # it is a generator

    async def _serve(self, commands: asyncio.StreamReader) -> None:
        """Take commands until they end."""
        self._reports.write(protocol.encode(protocol.Ready()))
        try:
            while line := await commands.readline():
                self._take(protocol.read_command(line))
        except Exception as error:
            self.logger.exception("The command cannot be read")
            self._reports.write(fatal(error))
        stop(self.crawler, "finished")

    def _take(self, command: protocol.Command) -> None:
        if isinstance(command, protocol.Job):
            self._jobs[command.job] = _Job(command.fields)
        elif isinstance(command, protocol.End):
            del self._jobs[command.job]
        elif isinstance(command, protocol.Page):
            task = asyncio.create_task(self._answer(command, self._jobs[command.job]))
            self._tasks[command.page] = task
            task.add_done_callback(lambda _: self._tasks.pop(command.page))
        elif isinstance(command, protocol.Drop) and command.page in self._tasks:
            self._tasks[command.page].cancel()

    async def _answer(self, asked: protocol.Page, job: _Job) -> None:
        """Send the result of a page."""
        report: protocol.Report
        try:
            async with self._places:
                report = await self._done(asked, job)
        except ScraperError as error:
            report = protocol.Failed(page=asked.page, error=protocol.SentError.of(error))
        except Exception as error:
            self.logger.exception("Error on %s", one_line(asked.url, 200))
            report = _unread(asked, job, f"{Reason.ERROR}: {type(error).__name__}")
        try:
            line = protocol.encode(report)
        except ValueError as error:
            line = protocol.encode(_unread(asked, job, str(error)))
        self._reports.write(line)

    # The pages

    async def _done(self, asked: protocol.Page, job: _Job) -> protocol.Done:
        """Return the result of a page.

        :raises ScraperError: as :meth:`_read`
        """
        response = await self._fetched(asked)
        if not isinstance(response, Response):
            return _with_all(asked, job, response)
        page = await self._pages.open(response)
        if isinstance(page, Failure):
            return _with_all(asked, job, failed_result(asked.url, page))
        own = page.text.url
        if asked.hosts and (why := self._refusal(asked, response, own, job)):
            return _with_all(asked, job, failed_result(asked.url, why))
        job.read.add(own)
        result = await self._read(page, asked, job)
        links: tuple[str, ...] = ()
        if asked.hosts:
            hosts = {*asked.hosts, host_of(own)}
            found = await followed_links(self.crawler, response, page.links)
            links = tuple(url for url in found if host_of(url) in hosts)
        limit = self._pages.budget.why_stopped if result.partial else None
        done = _with_all(asked, job, result)
        return done.model_copy(update={"own_url": own, "links": links, "limit": limit})

    async def _read(self, page: OpenPage, asked: protocol.Page, job: _Job) -> ScrapeResult:
        """Return what the model reads in *page*.

        :raises ScraperError: no further page of the job is likely to be read
        """
        result, error = await self._pages.read(page, asked.url, job.fields)
        if isinstance(error, ScraperError):
            job.failures += not isinstance(error, ContextTooLongError)
            if isinstance(error, _ENDING) or job.failures >= FAILURES_IN_A_ROW:
                raise error
        else:
            job.failures = 0
        return result

    async def _fetched(self, asked: protocol.Page) -> Response | ScrapeResult:
        """Return the response to the request for a page; the result if there is none."""
        if not asked.depth:
            policy_of(self.crawler).allow_url(asked.url)  # the caller named it
        arrival = asyncio.get_running_loop().create_future()
        self._awaited[asked.page] = arrival
        try:
            self.crawler.engine.crawl(
                Request(
                    asked.url,
                    callback=self._arrived,
                    errback=self._failed,
                    dont_filter=True,  # another job may have asked for it
                    meta={**self._meta, DEPTH: asked.depth},
                    cb_kwargs={"page": asked.page, "url": asked.url},
                )
            )
            found: Response | ScrapeResult = await arrival
            return found
        finally:
            del self._awaited[asked.page]

    def _arrived(self, response: Response, page: int, url: str) -> None:
        arrival = self._awaited.get(page)  # none if it was dropped
        if arrival is not None and not arrival.done():
            arrival.set_result(response)

    def _failed(self, failure: TwistedFailure) -> None:
        request: Request = failure.request  # type: ignore[attr-defined]
        assert failure.value is not None  # noqa: S101 - only a cleared failure has none
        arrival = self._awaited.get(request.cb_kwargs["page"])
        if arrival is not None and not arrival.done():
            arrival.set_result(result_of_error(request.cb_kwargs["url"], failure.value))

    def _refusal(
        self, asked: protocol.Page, response: Response, own: str, job: _Job
    ) -> Failure | None:
        """Return why a page of a site is not read; None if it is."""
        if asked.depth and host_of(own) not in asked.hosts:
            return Failure(Reason.OFFSITE, f"it redirects to {own}")
        if own in job.read:
            return Failure(Reason.DUPLICATE, f"it leads to {own}")
        return CrawlScope.of(self.crawler).check_wanted(response, own)

    # The end

    def _idle(self) -> None:
        """Answer for requests that a component dropped without a word, and wait for more.

        :raises DontCloseSpider: always; the end of the commands closes the spider
        """
        for arrival in self._awaited.values():
            if not arrival.done():
                problem = Failure(Reason.DUPLICATE, "the request was dropped")
                arrival.set_result(failed_result("", problem))
        raise DontCloseSpider

    async def _close(self) -> None:
        for task in list(self._tasks.values()):
            task.cancel()
        if self._serving is not None:
            self._serving.cancel()


def _with_all(asked: protocol.Page, job: _Job, result: ScrapeResult) -> protocol.Done:
    """Return the message of *result*, with a value for each field."""
    data = {field.name: None for field in job.fields} | result.data
    whole = result.model_copy(update={"url": asked.url, "data": data, "depth": asked.depth})
    return protocol.Done(page=asked.page, result=whole)


def _unread(asked: protocol.Page, job: _Job, error: str) -> protocol.Done:
    result = failed_result(asked.url, Failure(Reason.ERROR))
    return _with_all(asked, job, result.model_copy(update={"error": one_line(error, 500)}))


def fatal(error: BaseException) -> bytes:
    """Return the message of an *error* that ends the process."""
    return protocol.encode(protocol.Fatal(error=protocol.SentError.of(error)))
