"""What arrives of one document: each chunk goes to the disk, and a cut download is continued."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.exceptions import StopDownload

from wikicrawler.reports.errors import FetchError, Outcome
from wikicrawler.reports.partial_file import PartialFile, PartState
from wikicrawler.reports.range_headers import (
    content_range,
    declared_length,
    is_encoded,
    validator,
)
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from pathlib import Path

    from scrapy import Request
    from scrapy.http import Headers, Response

    from wikicrawler.reports.range_headers import ContentRange

HOLD_BYTES = 64 * 1024
"""Bytes of an answer that are held in memory before they replace an older part: the signal with
the headers has no status, and the short body of an error must not cost the part."""

_HELD, _WRITTEN, _DECODED, _DROPPED = "held", "written", "decoded", "dropped"


class Transfer:
    """The requests for one document, one after another, and its part on the disk."""

    def __init__(self, target: Path, max_bytes: int) -> None:
        self.part = PartialFile(target)
        self._max_bytes = max_bytes
        self.error: FetchError | None = None
        """Why the download was stopped."""
        self.resumed_at = 0
        """Bytes of the document that an earlier run had downloaded."""
        self._earlier: int | None = None  # bytes of an earlier run
        self._known: PartState | None = None
        self._asked = 0  # first byte of the range that was asked for
        self._begin("")

    def _begin(self, url: str) -> None:
        self._url = url
        self._mode = ""  # until the headers are known
        self._held = bytearray()
        self._state = PartState(url)
        self._total: int | None = None
        self._continues = False  # the part, by the header Content-Range
        self.is_mismatch = False
        """True if the answer does not continue the part, so that it must be asked for anew."""

    def prepare(self, request: Request) -> None:
        """Set the range headers of *request*, which is about to be sent: the first one, a retry or
        a redirect."""
        self._begin(request.url)
        self._known = self.part.load()
        if self._earlier is None:
            self._earlier = self.part.size
        if self._known is not None and self._known.url == request.url:
            self._asked = self.part.size
            request.headers["Range"] = f"bytes={self._asked}-"
            request.headers["If-Range"] = self._known.validator
        else:
            self._asked = 0
            for name in ("Range", "If-Range"):
                request.headers.pop(name, None)

    def receive_headers(self, headers: Headers) -> None:
        """Note what the answer is.

        :raises StopDownload: it is of no use
        """
        given = content_range(headers)
        length = declared_length(headers)
        if given is not None and given.first is None:  # 416
            self._mode = _DROPPED
        elif given is not None:
            self._continue(given, headers)
        elif is_encoded(headers):
            self._mode = _DECODED
        else:
            self._mode, self._total = _HELD, length
            # It may be a 206 that does not say its range. Only its length could show that later.
            usable = not self._asked or length is not None
            self._state = PartState(self._url, validator(headers) if usable else None, length)
            self._check_size(length or 0)

    def _continue(self, given: ContentRange, headers: Headers) -> None:
        known, same = self._known, validator(headers)
        total = given.total
        if total is None and known is not None:
            total = known.length
        if (
            known is None
            or given.first != self._asked
            or not self._asked
            or is_encoded(headers)
            or (known.length is not None and total != known.length)
            or (same is not None and known.validator is not None and _differ(same, known.validator))
        ):
            self.is_mismatch = True
            raise StopDownload(fail=True)
        self._mode, self._total, self._continues = _WRITTEN, total, True
        self.resumed_at = self._earlier or 0
        self._check_size(max(total or 0, (given.last or 0) + 1))

    def receive(self, data: bytes) -> None:
        """Take a chunk of the body.

        :raises StopDownload: the document is too large, or the disk is full
        """
        if self._mode == _HELD:
            self._held += data
            self._check_size(len(self._held))
            if len(self._held) > HOLD_BYTES:
                self._write_anew(self._held)
                self._held.clear()
        elif self._mode == _WRITTEN:
            self._check_size(self.part.size + len(data))
            self._try_write(data)

    def complete(self, response: Response) -> bool:
        """Take the end of a successful answer; return whether the document is complete.

        :raises StopDownload: as :meth:`receive`
        """
        if not self._mode:  # a download handler that sends no signals, or an empty answer
            self.receive_headers(response.headers)
            self.receive(response.body)
        if self._continues is not (response.status == 206):
            self.is_mismatch = True
            return False
        if self._mode == _DECODED:
            self._state = PartState(self._url)
            self._check_size(len(response.body))
            self._write_anew(response.body)
        elif self._mode == _HELD:
            self._write_anew(self._held)
        if self._mode == _DROPPED or self.part.size > (self._total or self.part.size):
            self.is_mismatch = True
            return False
        return self.part.size == (self._total if self._total is not None else self.part.size)

    def is_complete_by(self, headers: Headers) -> bool:
        """Return whether a 416 says that the part is the whole document already."""
        given = content_range(headers)
        return given is not None and bool(self._asked) and given.total == self.part.size

    def _write_anew(self, data: bytes | bytearray) -> None:
        try:
            self.part.start(self._state)
        except OSError as error:
            self._stop(_disk_error(error))
        self._earlier = self.resumed_at = 0
        self._try_write(data)
        if self._mode == _HELD:
            self._mode = _WRITTEN

    def _try_write(self, data: bytes | bytearray) -> None:
        try:
            self.part.write(data)
        except OSError as error:
            self._stop(_disk_error(error))

    def _check_size(self, size: int) -> None:
        if size > self._max_bytes:
            why = f"the document has more than {self._max_bytes:,} bytes"
            self._stop(FetchError(why, Outcome.TOO_LARGE))

    def _stop(self, error: FetchError) -> None:
        """:raises StopDownload: always"""
        self.error = error
        raise StopDownload(fail=True)


def _differ(one: str, other: str) -> bool:
    """Return whether two validators of the same kind differ."""
    return one.startswith('"') == other.startswith('"') and one != other


def _disk_error(error: OSError) -> FetchError:
    return FetchError(f"the document cannot be written: {one_line(error, 200)}")
