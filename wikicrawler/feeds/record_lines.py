"""The records of a feed of JSON lines, read one by one; the file may be compressed with gzip."""

from __future__ import annotations

import gzip
import json
import logging
import zlib
from typing import IO, TYPE_CHECKING, Any, NamedTuple, cast

from wikicrawler.errors import ConfigError
from wikicrawler.feeds.chunks.groups import group_place
from wikicrawler.feeds.line_file import is_torn
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

logger = logging.getLogger(__name__)

MAX_LINE = 64 * 1024 * 1024
"""Maximum number of bytes of a line: a record is never so long."""
GZIP = b"\x1f\x8b"
"""How compressed data begins."""
_DAMAGED = (EOFError, gzip.BadGzipFile, zlib.error)


class RecordLine(NamedTuple):
    """A record, and its line."""

    record: dict[str, Any]
    line: bytes
    """With its end."""
    number: int
    """Of the line, from 1."""

    @property
    def url(self) -> str:
        """The page's own URL."""
        return cast("str", self.record["url"])

    @property
    def is_chunk(self) -> bool:
        """Whether it is a chunk of a page, not the page."""
        return group_place(self.record) is not None

    @property
    def change(self) -> str | None:
        """What has changed, in a feed of changes."""
        return self.record.get("change")

    @property
    def previous_url(self) -> str | None:
        """Where the page was before, in a feed of changes."""
        return self.record.get("previous_url")


def read_record_lines(
    path: Path, *, end: int | None = None, skip_torn: bool = False, chunks: bool = False
) -> Iterator[RecordLine]:
    """Yield the records of pages in the file at *path*, in order; those up to the line *end*.

    :param chunks: the file may be a feed of chunks instead
    :param skip_torn: a torn last line, which a killed crawl leaves, is left out with a warning
    :raises ConfigError: the file cannot be read, or a line of it is not the record of a page; the
        message has the line's number
    """
    for found in read_json_lines(path, end=end, skip_torn=skip_torn):
        where = f"{one_line(path)}:{found.number}"
        _check_page(found.record, where)
        if not chunks and found.is_chunk:
            raise ConfigError(f"{where}: is a chunk of a page (name a feed of pages)")
        yield found


def read_json_lines(
    path: Path, *, end: int | None = None, skip_torn: bool = False
) -> Iterator[RecordLine]:
    """Yield the objects in the file at *path*, whatever they are, as :func:`read_record_lines`."""
    name = one_line(path)
    try:
        with path.open("rb") as raw:
            is_gzip = raw.peek(2)[:2] == GZIP
            file: IO[bytes] = cast("IO[bytes]", gzip.GzipFile(fileobj=raw)) if is_gzip else raw
            number = 0
            while number != end and (line := file.readline(MAX_LINE + 1)):
                number += 1
                is_whole = line.endswith(b"\n") or len(line) > MAX_LINE
                if skip_torn and not is_whole and is_torn(line):
                    logger.warning("%s:%d: is torn, and left out", name, number)
                elif line.strip():
                    yield _record(line, name, number)
    except OSError as error:
        if isinstance(error, _DAMAGED):
            raise _damaged(name, number) from None
        why = error.strerror or "it cannot be opened"
        raise ConfigError(f"{name}: cannot be read: {why} (name a feed of JSON lines)") from None
    except _DAMAGED:
        raise _damaged(name, number) from None


def _damaged(name: str, number: int) -> ConfigError:
    return ConfigError(f"{name}: the gzip data ends or is damaged after line {number}")


def _record(line: bytes, name: str, number: int) -> RecordLine:
    where = f"{name}:{number}"
    if len(line) > MAX_LINE:
        raise ConfigError(f"{where}: is longer than {MAX_LINE >> 20} MB (expected one record)")
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        if number == 1 and line.strip() == b"[":  # as Scrapy begins one
            raise ConfigError(f"{where}: is a JSON array, not JSON lines") from None
        raise ConfigError(
            f"{where}: is not JSON (expected the record of a page, as in a feed of JSON lines; "
            "a torn last line is cut when a crawl appends to the feed)"
        ) from None
    if isinstance(record, list) and (not record or isinstance(record[0], dict)):
        raise ConfigError(f"{where}: is a JSON array, not JSON lines")
    if not isinstance(record, dict):
        raise ConfigError(f"{where}: is not the record of a page (it has no url)")
    return RecordLine(record, line, number)


def _check_page(record: dict[str, Any], where: str) -> None:
    if not isinstance(record.get("url"), str):
        raise ConfigError(f"{where}: is not the record of a page (it has no url)")
    for key in ("change", "previous_url"):
        if not isinstance(record.get(key), str | None):
            raise ConfigError(f"{where}: {key} is not a string")
