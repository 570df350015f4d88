"""Download of documents to the disk, in a running crawl."""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any

from scrapy import Request, signals
from scrapy.exceptions import StopDownload
from scrapy.spidermiddlewares.httperror import HttpError

from wikicrawler.errors import Reason
from wikicrawler.politeness.retry_after import parse_retry_after
from wikicrawler.reports.documents.error_pages import is_rate_limit_page
from wikicrawler.reports.errors import (
    DocumentNotFoundError,
    FetchError,
    Outcome,
    RateLimitExceededError,
    ReportError,
    RequestTimeoutError,
)
from wikicrawler.reports.fetching import SavedFile
from wikicrawler.reports.range_headers import header
from wikicrawler.reports.transfer import Transfer
from wikicrawler.text.safe import one_line
from wikicrawler.tiers.failures import failure_of
from wikicrawler.tiers.service.closing import is_closing, run_until_closing

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from scrapy.crawler import Crawler
    from scrapy.http import Headers, Response
    from twisted.python.failure import Failure as TwistedFailure

MAX_BYTES = 128 * 2**20
"""Default maximum size of a document in bytes. Scrapy keeps the body in memory until its end."""
SECONDS = 300
"""Minimum time-out of a download in seconds, from the request to the last byte. A download that
takes longer is continued by a retry."""
DOCUMENT = "report_document"
"""Meta key (str): the download that a request belongs to."""
_MAX_ROUNDS = 4
"""Requests for one document, beside retries: the first one, and those after an answer that is of
another version or has only a part of the rest."""


class DocumentSaver:
    """Downloads documents by requests of the crawl: they obey robots.txt, the pace of their site,
    the guard and the retries, and do not use the tiers.

    The bytes go to ``<target>.part`` as they arrive. A download that was cut, by the network or by
    the end of the process, is continued with ``Range`` and ``If-Range`` if the server gave a strong
    validator; a retry continues too. When all is there, the part is flushed and renamed.

    :param crawler: a crawler whose engine runs when :meth:`save` is called
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._transfers: dict[str, Transfer] = {}
        self._targets: set[Path] = set()
        self._numbers = count(1)
        connect = crawler.signals.connect
        connect(self._reached_downloader, signals.request_reached_downloader)
        connect(self._headers_received, signals.headers_received)
        connect(self._bytes_received, signals.bytes_received)

    async def save(
        self,
        url: str,
        target: Path,
        *,
        headers: Mapping[str, str] | None = None,
        max_bytes: int | None = None,
        slot: str | None = None,
        retries: bool = True,
    ) -> SavedFile:
        """Download a file; see :meth:`wikicrawler.reports.fetching.Fetcher.save`.

        :raises TierInterruptedError: the crawl is being stopped; the part is kept
        :raises ValueError: *target* is being downloaded already
        """
        limit = MAX_BYTES if max_bytes is None else max_bytes
        with self._transfer(target, limit) as (key, transfer):
            request = Request(
                url,
                headers={**(headers or {}), "Accept-Encoding": "identity"},
                meta=self._meta(key, limit, slot, retries=retries),
                dont_filter=True,
            )
            for _ in range(_MAX_ROUNDS):
                response = await self._answer(request, transfer)
                if response is not None:
                    await _in_thread(transfer.part.finish)
                    return _saved(target, response, transfer)
                if transfer.is_mismatch:
                    await _in_thread(transfer.part.discard)
        raise FetchError(f"the server sends parts that do not fit: {one_line(url, 200)}")

    @contextmanager
    def _transfer(self, target: Path, max_bytes: int) -> Iterator[tuple[str, Transfer]]:
        if target in self._targets:
            raise ValueError(f"{target.name} is being downloaded already")
        key, transfer = str(next(self._numbers)), Transfer(target, max_bytes)
        self._targets.add(target)
        self._transfers[key] = transfer
        try:
            yield key, transfer
        finally:
            del self._transfers[key]
            self._targets.discard(target)
            transfer.part.close()

    def _meta(self, key: str, max_bytes: int, slot: str | None, *, retries: bool) -> dict[str, Any]:
        timeout = self._crawler.settings.getfloat("DOWNLOAD_TIMEOUT")
        meta: dict[str, Any] = {
            "tiers": False,
            DOCUMENT: key,
            "download_maxsize": max_bytes,
            "download_warnsize": 0,
            "download_timeout": max(timeout, SECONDS),
            "download_fail_on_dataloss": True,
            "dont_cache": True,
            "allow_offsite": True,  # Scrapy drops what is offsite without a word to the sender
        }
        if slot is not None:
            meta["throttle_slot"] = slot
        if not retries:
            meta["dont_retry"] = True
        return meta

    async def _answer(self, request: Request, transfer: Transfer) -> Response | None:
        """Return the response if the document is complete; None if it must be asked for again.

        :raises ReportError: it cannot be had
        """
        try:
            response = await self._fetch(request)
            if response.status not in {200, 203, 206}:
                raise HttpError(response)
            return response if await _in_thread(transfer.complete, response) else None
        except StopDownload:
            if transfer.error is not None:
                raise transfer.error from None
            return None
        except HttpError as error:
            return self._not_here(error.response, transfer)
        except Exception as error:
            known = _error_of(error)
            if known is None:  # a bug, or the end of the crawl
                raise
            raise known from error

    @staticmethod
    def _not_here(response: Response, transfer: Transfer) -> Response | None:
        if response.status == 416:
            if transfer.is_complete_by(response.headers):
                return response
            transfer.is_mismatch = True
            return None
        raise _error_of_status(response)

    async def _fetch(self, request: Request) -> Response:
        """Have the crawl fetch *request*, and return the response.

        :raises Exception: the one that an errback would get
        """
        done: asyncio.Future[Response] = asyncio.get_running_loop().create_future()

        def received(response: Response) -> None:
            if not done.done():
                done.set_result(response)

        def failed(failure: TwistedFailure) -> None:
            if not done.done():
                done.set_exception(failure.value or RuntimeError("no reason"))

        engine = self._crawler.engine
        assert engine is not None  # noqa: S101 - the crawl runs
        engine.crawl(request.replace(callback=received, errback=failed))
        return await run_until_closing(partial(is_closing, self._crawler), done)

    def _reached_downloader(self, request: Request) -> None:
        transfer = self._transfers.get(request.meta.get(DOCUMENT, ""))
        if transfer is not None:
            transfer.prepare(request)

    def _headers_received(self, headers: Headers, request: Request) -> None:
        if transfer := self._receiving(request):
            transfer.receive_headers(headers)

    def _bytes_received(self, data: bytes, request: Request) -> None:
        if transfer := self._receiving(request):
            transfer.receive(data)

    def _receiving(self, request: Request) -> Transfer | None:
        key = request.meta.get(DOCUMENT)
        if key is None:
            return None
        if key not in self._transfers:  # nobody waits for it any more
            raise StopDownload(fail=True)
        return self._transfers[key]


async def _in_thread(function: Any, *arguments: Any) -> Any:
    """Call *function*, which uses the disk.

    :raises FetchError: the disk failed
    """
    try:
        return await asyncio.to_thread(function, *arguments)
    except OSError as error:
        raise FetchError(f"the document cannot be written: {one_line(error, 200)}") from error


def _saved(target: Path, response: Response, transfer: Transfer) -> SavedFile:
    kind = header(response.headers, "Content-Type").partition(";")[0].strip().lower()
    return SavedFile(target, response.url, kind, transfer.part.size, transfer.resumed_at)


def _error_of_status(response: Response) -> ReportError:
    status = response.status
    if status in {404, 410}:
        return DocumentNotFoundError(f"HTTP {status}")
    if status in {429, 503}:
        value = response.headers.get("Retry-After")
        return RateLimitExceededError(f"HTTP {status}", parse_retry_after(value, datetime.now(UTC)))
    if status == 403 and is_rate_limit_page(response.body):
        return RateLimitExceededError("HTTP 403: the request rate threshold is exceeded")
    return FetchError(f"HTTP {status}")


def _error_of(error: Exception) -> ReportError | None:
    """Return the exception of the protocol for that of a fetch; None for any other."""
    failure = failure_of(error)
    if failure is None:
        return None
    why = one_line(failure.detail or failure.reason, 200)
    if failure.reason is Reason.TIMEOUT:
        return RequestTimeoutError("no answer in time")
    if failure.reason is Reason.ROBOTS:
        return FetchError(why or "robots.txt disallows it", Outcome.ROBOTS)
    if failure.reason is Reason.TOO_LARGE:
        return FetchError(f"the document is too large ({why})", Outcome.TOO_LARGE)
    return FetchError(f"{failure.reason}: {why}")
