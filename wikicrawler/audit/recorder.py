"""Records each network operation of a crawl in the audit log."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, Self
from uuid import uuid4

from scrapy import signals
from scrapy.exceptions import CloseSpider, IgnoreRequest, NotConfigured

from wikicrawler import options
from wikicrawler.audit.record import (
    Answer,
    Label,
    Sent,
    header_pairs,
    outcome_fields,
    request_fields,
    run_fields,
)
from wikicrawler.audit.redaction import redact_headers
from wikicrawler.audit.wire import wire_of
from wikicrawler.errors import StoreError
from wikicrawler.guard.private_hosts import policy_of
from wikicrawler.operations import CREDITS_KEY, RECORD_KEY
from wikicrawler.process.command import is_crawl
from wikicrawler.process.exit_codes import AUDIT_FAILED
from wikicrawler.process.stopping import stop
from wikicrawler.store.audit_chain import Entry, KeptResponse
from wikicrawler.store.audit_writer import AuditWriter
from wikicrawler.store.database import Database
from wikicrawler.store.startup_reading import aside
from wikicrawler.version import PRODUCT

if TYPE_CHECKING:
    from functools import partial

    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from wikicrawler.audit.wire import Send

logger = logging.getLogger(__name__)

FLUSH_SECONDS_STOPPED = 1.5
"""Seconds for which the end of a crawl that is stopped waits for the database: its pages were given
8 of 10 seconds."""
MOST_WAITING = 2_000
"""Number of unwritten records from which requests wait for the database."""
_HASH_IN_THREAD = 1 << 20
"""Size of a body in bytes from which it is hashed in a thread: a millisecond."""
_LOOK_SECONDS = 0.01
_TRY_SECONDS = 0.25
_INTERRUPTED = "interrupted: the crawl ended before the response"


@dataclass(slots=True)
class _Operation:
    """An operation in flight."""

    number: int
    label: Label
    sent: Sent
    at: datetime
    began: float


class AuditRecorder:
    """Scrapy extension: each request that is sent becomes a record of the audit log in the database
    that ``WIKICRAWLER_DATABASE_URL`` names, see :mod:`wikicrawler.audit.wire`.

    The add-on uses it where ``WIKICRAWLER_AUDIT`` is true. Not under ``scrapy shell``, ``fetch``,
    ``parse`` and ``check``. If the log cannot be written for ``WIKICRAWLER_AUDIT_PATIENCE``
    seconds, the crawl stops with the finish reason ``audit_failed`` and the exit code 7. Stats, set
    at the end: ``audit/record_count``, and where there are any ``audit/lost_count``.

    Raises:
        ConfigError: the database's URL is none.
    """

    def __init__(self, crawler: Crawler) -> None:
        self.run = str(uuid4())
        """Identifies the crawl in the log."""
        self._crawler = crawler
        self._kept_body = options.AUDIT_KEPT_BODY.read(crawler.settings) or 0
        self._patience = options.AUDIT_PATIENCE.read(crawler.settings)
        self._database = Database.from_settings(crawler.settings)
        self._writer = AuditWriter(
            self._database, self.run, patience=self._patience, tell=self._tell, failed=self._failed
        )
        self._loop: asyncio.AbstractEventLoop | None = None
        self._number = 0
        self._operations = 0
        self._in_flight: dict[int, _Operation] = {}
        self._error = ""
        self._closed = False

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        if not options.AUDIT.read(crawler.settings) or not is_crawl(crawler):
            raise NotConfigured
        extension = cls(crawler)
        crawler.signals.connect(extension.spider_opened, signals.spider_opened)
        crawler.signals.connect(extension.spider_closed, signals.spider_closed)
        return extension

    # The crawl

    async def spider_opened(self) -> None:
        """
        :raises CloseSpider: the log cannot be written
        """
        self._loop = asyncio.get_running_loop()
        wire_of(self._crawler).attach(self._crawler, self)
        try:
            await aside(self._open_database)
        except StoreError as error:
            self._fail(str(error))
            raise CloseSpider(AUDIT_FAILED) from None
        logger.info("Network operations are recorded in %s (run %s)", self._database, self.run)
        self._writer.start()
        self._put(run_fields("start", _now(), spider=self._crawler.spidercls.name, version=PRODUCT))

    def _open_database(self) -> None:
        """Create the tables if necessary, and check that they can be written."""
        give_up = monotonic() + self._patience
        try:
            while True:
                try:
                    with self._database.write():
                        return
                except StoreError:
                    if monotonic() + _TRY_SECONDS >= give_up:
                        raise
                sleep(_TRY_SECONDS)
        finally:
            self._database.close()

    async def spider_closed(self, reason: str) -> None:
        for operation in list(self._in_flight.values()):
            self._end(operation, Answer(error=_INTERRUPTED))
        self._closed = True
        if not self._error and self._loop is not None:
            self._put(run_fields("end", _now(), reason=reason, operations=self._operations))
            stopped = reason == "shutdown"
            seconds = FLUSH_SECONDS_STOPPED if stopped else max(self._patience, 1.0)
            self._writer.finish(seconds)
            give_up = monotonic() + seconds
            while not self._writer.is_done and monotonic() < give_up:  # noqa: ASYNC110 - a thread
                await asyncio.sleep(_LOOK_SECONDS)
            self._writer.close()
        stats = self._crawler.stats
        stats.set_value("audit/record_count", self._writer.written)
        if self._writer.unwritten:
            stats.set_value("audit/lost_count", self._writer.unwritten)
            if not self._error:
                self._fail(f"{self._database}: could not be written at the end of the crawl")
            logger.error("The audit log lacks %d records of this crawl", self._writer.unwritten)

    # Operations

    async def send(self, request: Request, page_request: Request, send: Send) -> Response:
        """Send *request* by *send* and record it. The observer of the wire calls this."""
        # A request that cannot be recorded is not sent. It waits to be abandoned, as those under
        # way are, so that the next run with the same JOBDIR has it.
        while (self._error or self._writer.unwritten >= MOST_WAITING) and not self._closed:  # noqa: ASYNC110
            await asyncio.sleep(_LOOK_SECONDS)
        if self._closed:
            raise IgnoreRequest("not sent: the audit log is closed")
        operation = self._begin(request, page_request)
        try:
            response = await send(request)
        except BaseException as error:
            if isinstance(error, Exception) and self._was_refused(request):
                self._in_flight.pop(operation.number, None)
                page_request.meta.pop(RECORD_KEY, None)
                self._operations -= 1
            else:
                detail = f"{type(error).__name__}: {error}".removesuffix(": ")
                self._end(operation, Answer(error=detail), page_request)
            raise
        if len(response.body) < _HASH_IN_THREAD:
            body_hash = sha256(response.body).hexdigest()
        else:
            body_hash = (await asyncio.to_thread(sha256, response.body)).hexdigest()
        answer = Answer(response.status, response.url, len(response.body), body_hash)
        self._end(operation, answer, page_request, response)
        return response

    def _must_wait(self) -> bool:
        is_full = self._writer.unwritten >= MOST_WAITING
        return (bool(self._error) or is_full) and not self._closed

    def _begin(self, request: Request, page_request: Request) -> _Operation:
        self._number += 1
        self._operations += 1
        operation = _Operation(
            number=self._number,
            label=self._label(request, page_request),
            sent=Sent.of(request),
            at=_now(),
            began=monotonic(),
        )
        page_request.meta.pop(CREDITS_KEY, None)  # of an earlier operation
        page_request.meta[RECORD_KEY] = f"{self.run}:{operation.number}"
        self._in_flight[operation.number] = operation
        return operation

    def _label(self, request: Request, page_request: Request) -> Label:
        label = wire_of(self._crawler).label_of(page_request)
        page_url = label.page_url or page_request.url
        return Label(
            label.operation,
            label.engine,
            label.manifest_id,
            page_url if page_url != request.url else None,
            label.retry_count,
        )

    def _was_refused(self, request: Request) -> bool:
        """Return whether the address guard refused *request*, so that nothing was sent."""
        return bool(policy_of(self._crawler).refused(request.url))

    def _end(
        self,
        operation: _Operation,
        answer: Answer,
        page_request: Request | None = None,
        response: Response | None = None,
    ) -> None:
        if self._in_flight.pop(operation.number, None) is None:
            return  # recorded as interrupted
        credits_consumed = _number(page_request.meta.get(CREDITS_KEY)) if page_request else None
        fields = request_fields(
            operation.sent,
            operation.label,
            answer,
            at=operation.at,
            ms=round((monotonic() - operation.began) * 1000),
            credits_consumed=credits_consumed,
        )
        kept = None
        if response is not None and fields["failed"] and self._kept_body:
            headers = redact_headers(header_pairs(response.headers))
            kept = KeptResponse(headers, response.body[: self._kept_body], len(response.body))
        self._put(fields, operation.number, response=kept)

    def add_outcome(
        self,
        request: Request,
        *,
        content_hash: str | None = None,
        content_changed: bool | None = None,
        staged_path: str | None = None,
        error: str | None = None,
        credits_consumed: float | None = None,
    ) -> bool:
        """Record what became known of an operation later. Return False if *request*, that of a
        response, was not sent by this crawl: the response comes from a cache.

        :param content_hash: hash of the content in the response
        :param content_changed: whether it differs from the content before; None: not compared
        :param staged_path: path of the file in which the content was staged
        :param error: why there is no content
        :param credits_consumed: what a service charged, if its operation does not say it
        """
        run, _, number = str(request.meta.get(RECORD_KEY, "")).partition(":")
        if run != self.run or self._closed:
            return False
        label = wire_of(self._crawler).label_of(request)
        fields = outcome_fields(
            label,
            at=_now(),
            content_hash=content_hash,
            content_changed=content_changed,
            staged_path=staged_path,
            error=error,
            credits_consumed=_number(credits_consumed),
        )
        self._put(fields, of=int(number))
        return True

    def _put(
        self,
        fields: dict[str, Any],
        number: int | None = None,
        *,
        of: int | None = None,
        response: KeptResponse | None = None,
    ) -> None:
        if number is None:
            number = self._number = self._number + 1
        self._writer.put(Entry(fields | {"run_id": self.run, "number": number}, of, response))

    # Failures

    def _failed(self, why: str) -> None:
        """Stop the crawl. Called in the writer's thread."""
        try:
            assert self._loop is not None  # noqa: S101 - the writer has started
            self._loop.call_soon_threadsafe(self._fail, why)
        except RuntimeError:  # it has ended
            self._fail(why)

    def _fail(self, why: str) -> None:
        if self._error:
            return
        self._error = why
        self._crawler.stats.set_value("audit/failed", AUDIT_FAILED)
        logger.error(
            "The audit log cannot be written: %s. The crawl stops, because nothing may be fetched "
            "without a record (%s)",
            why,
            options.AUDIT.name,
        )
        if self._crawler.engine.running:
            stop(self._crawler, AUDIT_FAILED)

    def _tell(self, log: partial[None]) -> None:
        """Log from the writer's thread: Scrapy counts the lines, in the loop's."""
        try:
            if self._loop is not None:
                self._loop.call_soon_threadsafe(log)
        except RuntimeError:  # it has ended
            log()


def _now() -> datetime:
    return datetime.now(UTC)


def _number(value: Any) -> float | None:
    """Return *value* if it is a number that can be recorded."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return value if abs(value) < 1e15 else None  # neither infinite nor NaN
