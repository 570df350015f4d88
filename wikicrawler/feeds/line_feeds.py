"""Feeds of JSON lines that a kill or a full disk does not harm."""

from __future__ import annotations

import json
import logging
import os
import sys
from contextlib import suppress
from dataclasses import fields
from functools import lru_cache
from hashlib import blake2b
from io import RawIOBase
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Self, cast

from itemadapter import ItemAdapter
from scrapy.exporters import BaseItemExporter, JsonLinesItemExporter
from scrapy.extensions.feedexport import FileFeedStorage, StdoutFeedStorage
from scrapy.utils.defer import deferred_from_coro
from scrapy.utils.misc import load_object

from wikicrawler.errors import ConfigError
from wikicrawler.feeds.chunks.groups import mend_groups
from wikicrawler.feeds.exporters import RecordEncoder
from wikicrawler.feeds.formats import CHUNKS, MARKDOWN, OTHER, PARQUET, is_ours
from wikicrawler.feeds.line_file import LineFile, mend
from wikicrawler.feeds.output_check import feed_lost, output_failed
from wikicrawler.feeds.record_lines import GZIP
from wikicrawler.frontier.scheduler import frontier_of
from wikicrawler.items import CrawlResult, PageChange
from wikicrawler.process.internals.export_writers import replace_encoder
from wikicrawler.text.json_text import JSON_LINES
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy import Spider
    from scrapy.crawler import Crawler
    from twisted.internet.defer import Deferred

    from wikicrawler.frontier.protocol import Frontier

logger = logging.getLogger(__name__)

_PARQUET_FEED = "wikicrawler.feeds.parquet.feed.ParquetFeed"  # by name: it stands on this module
_MENDERS = dict.fromkeys(JSON_LINES, mend) | {CHUNKS: mend_groups, PARQUET: mend}
"""Formats that are written line by line, and what cuts what a killed crawl tore."""


def _is_by_line(feed_options: dict[str, Any] | None) -> bool:
    options = feed_options or {}
    return options.get("format") in _MENDERS and not options.get("postprocessing")


class LineFeedStorage(FileFeedStorage):
    """Scrapy's storage of feeds in files; a feed of JSON lines is written line by line, each at
    once and whole.

    What a killed crawl tore is cut when the file is appended to. With ``JOBDIR`` a crawl that goes
    on appends also where the command says to overwrite (``-O``), and a record that the feed has is
    not written again. The rows of a Parquet file are such lines in a journal until the crawl ends,
    and the chunks of a page are a group of lines. Other formats, and feeds with postprocessing, are
    as Scrapy has them.
    """

    opens_at_start = property(lambda self: self.by_line)

    def __init__(self, uri: str, *, feed_options: dict[str, Any] | None = None) -> None:
        super().__init__(uri, feed_options=feed_options)
        self.by_line = _is_by_line(feed_options)
        name = (feed_options or {}).get("format", "")
        self._mender = _MENDERS.get(name, mend)
        self._is_parquet = self.by_line and name == PARQUET
        appends = self.write_mode != "wb"
        if self._is_parquet:
            load_object(_PARQUET_FEED).check(Path(self.path), appends=appends)
        elif self.by_line and appends:
            _refuse_gzip(Path(self.path))

    @classmethod
    def from_crawler(
        cls, crawler: Crawler, uri: str, *, feed_options: dict[str, Any] | None = None
    ) -> Self:
        name = (feed_options or {}).get("format")
        if name in {CHUNKS, PARQUET, *MARKDOWN} and not is_ours(crawler.settings, name):
            feed_options = {**(feed_options or {}), "format": OTHER}  # of the project's own
        return cls(uri, feed_options=feed_options)

    def open(self, spider: Spider) -> IO[bytes]:
        if not self.by_line:
            return super().open(spider)
        path, overwrite = Path(self.path).absolute(), self.write_mode == "wb"
        if self._is_parquet:
            opened = load_object(_PARQUET_FEED).opened
            feed: Feed = opened(spider.crawler, path, overwrite=overwrite)
        else:
            feed = open_feed(spider.crawler, path, overwrite=overwrite, mender=self._mender)
        return cast("IO[bytes]", feed)

    def store(self, file: IO[bytes]) -> Deferred[None] | None:
        if isinstance(file, Feed):
            return deferred_from_coro(file.complete())
        file.close()
        return None


def _refuse_gzip(path: Path) -> None:
    is_gzip = False
    with suppress(OSError, ValueError):  # the feed fails with it when it is opened
        if path.is_file():
            with path.open("rb") as file:
                is_gzip = file.read(2) == GZIP
    if is_gzip:
        raise ConfigError(
            f"{one_line(path)}: is compressed with gzip, and lines cannot be appended to it "
            "(write to another file)"
        )


def open_feed(
    crawler: Crawler, path: Path, *, overwrite: bool, mender: Callable[[Path], None] = mend
) -> Feed:
    """The feed in the file at *path*; where it cannot be written, or lacks what was written to
    it, the crawl stops, and the feed takes nothing.

    :param mender: cuts what a killed crawl tore
    """
    feed = Feed(crawler, str(path))
    try:
        if not feed.has_lost(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            feed.open(path, overwrite=overwrite, mender=mender)
    except OSError as error:
        feed.let_go()
        output_failed(crawler, str(path), error)
    return feed


class LineStdoutStorage(StdoutFeedStorage):
    """Scrapy's storage of feeds on standard output; a feed of JSON lines stops the crawl when the
    pipe is closed at its other end.

    Other formats, and feeds with postprocessing, are as Scrapy has them.
    """

    opens_at_start = property(lambda self: self.by_line)

    def __init__(
        self,
        uri: str,
        _stdout: IO[bytes] | None = None,
        *,
        feed_options: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(uri, _stdout, feed_options=feed_options)
        self.by_line = _is_by_line(feed_options)

    def open(self, spider: Spider) -> IO[bytes]:
        if not self.by_line:
            return super().open(spider)
        feed = Feed(spider.crawler, "standard output")
        feed.open_stream(super().open(spider))
        return cast("IO[bytes]", feed)


class Feed(RawIOBase):
    """A feed that is open: writes lines, and knows those that it holds where there is a frontier.

    It is the file of :class:`LineExporter`, and a plain file to another exporter. After a failure
    it takes no more lines.
    """

    def __init__(self, crawler: Crawler, name: str) -> None:
        self._file: LineFile | None = None
        self._stream: IO[bytes] | None = None
        self._crawler = crawler
        self.name = name  # for a person
        self._frontier: Frontier | None = frontier_of(crawler)
        self._number = 0  # in the frontier

    def open(self, path: Path, *, overwrite: bool, mender: Callable[[Path], None] = mend) -> None:
        """
        :raises OSError: it cannot be written
        """
        resumed = self._frontier is not None and self._frontier.resumed
        if overwrite and resumed and path.exists():
            logger.info("%s: the crawl goes on, so the file is appended to", one_line(path))
        overwrite = overwrite and not resumed
        if not overwrite and path.is_file():
            mender(path)
        self._file = LineFile(path, truncate=overwrite)
        if self._frontier is not None:
            self._recognise(self._frontier, path, self._file.size)

    def has_lost(self, path: Path) -> bool:
        """Return True if the file lacks records that it had, which are not fetched again: the crawl
        stops.

        A file that lost its end because the system failed is only reported.
        """
        frontier = self._frontier
        known = frontier.feed(frontier.feed_name(path)) if frontier is not None else None
        if frontier is None or known is None or not known.size:
            return False
        try:
            size = path.stat().st_size
        except FileNotFoundError:
            feed_lost(self._crawler, path, f"is missing: {known.size} bytes were written to it")
            return True
        if path.is_dir():
            feed_lost(self._crawler, path, "is a folder, where the crawl has written a file")
            return True
        if path.is_file() and size < known.size and not frontier.may_lack_writes:
            lost = known.size - size
            feed_lost(self._crawler, path, f"lacks {lost} of the {known.size} bytes that it had")
            return True
        if path.is_file() and size >= known.size and not _ends_line(path, known.size):
            feed_lost(self._crawler, path, f"has other content than the {known.size} bytes written")
            return True
        return False

    def open_stream(self, stream: IO[bytes]) -> None:
        self._stream = stream
        if self._frontier is not None:
            known = self._frontier.feed(self.name)
            self._number = known.number if known else self._frontier.add_feed(self.name, 0)

    def _recognise(self, frontier: Frontier, path: Path, size: int) -> None:
        """Learn what was appended to the file and not committed before the process was killed."""
        name = frontier.feed_name(path)
        known = frontier.feed(name)
        if known is None:
            self._number = frontier.add_feed(name, size)
            return
        self._number, committed = known
        if size < committed:
            logger.warning(
                "%s: lacks %d bytes that it had when the crawl stopped: what was in them is not "
                "fetched again",
                one_line(path),
                committed - size,
            )
        with path.open("rb") as lines:
            lines.seek(min(size, committed))
            for line in lines:
                for key in keys_of(line):
                    frontier.add_record(self._number, key)
        frontier.resize_feed(self._number, size)
        frontier.commit()

    def write_record(self, key: bytes, line: bytes) -> None:
        """Write *line*, or a group of lines that belong together, unless the feed has the record of
        that *key*."""
        if self._file is None and self._stream is None:
            return
        if self._frontier is None:
            self._write(line)
        else:
            self._write_once(self._frontier, key, line)

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        """Write *data*, of which nothing is known."""
        line = bytes(data)
        if not self._write(line) and self._frontier is not None:
            self._frontier.give_up()
        return len(line)

    def _write_once(self, frontier: Frontier, key: bytes, line: bytes) -> None:
        if not frontier.add_record(self._number, key):
            if frontier.is_open:
                self._crawler.stats.inc_value("frontier/known_record_count")
        elif not self._write(line):
            frontier.remove_record(self._number, key)
            frontier.give_up()
        elif self._file is not None:
            frontier.resize_feed(self._number, self._file.size)

    def _write(self, line: bytes) -> bool:
        """Whether *line* was written; the crawl stops where not."""
        try:
            if self._file is not None:
                self._file.write(line)
            elif self._stream is not None:
                self._stream.write(line)
                self._stream.flush()
        except OSError as error:
            if self._stream is not None:
                _discard(self._stream)
            self.let_go()
            output_failed(self._crawler, self.name, error)
            return False
        return True

    async def complete(self) -> None:
        """Do what is to be done with the whole feed at the end of the crawl; close it."""
        self.close()

    def close(self) -> None:
        self.let_go()
        super().close()

    def let_go(self) -> None:
        """Take no more lines; harmless when called again."""
        file, self._file, self._stream = self._file, None, None
        if file is not None:
            file.close()


class LineExporter(JsonLinesItemExporter):
    """Scrapy's exporter of JSON lines, which hands whole lines to a :class:`Feed`; with
    :class:`~wikicrawler.feeds.exporters.RecordEncoder`."""

    def __init__(self, file: Any, **options: Any) -> None:
        super().__init__(file, **options)
        replace_encoder(self, RecordEncoder.of)
        base, own = BaseItemExporter, type(self)
        self._exports_as_is = (
            self.fields_to_export is None
            and own.serialize_field is base.serialize_field
            and own.get_serialized_fields is base.get_serialized_fields
        )

    def export_item(self, item: Any) -> None:
        record = self._fields_of_page(item) or dict(self.get_serialized_fields(item))
        known = getattr(item, "written_content", None)
        encoder = cast("RecordEncoder", self.encoder)
        found = encoder.encode_with(record, known) if known is not None else None
        if found is not None:
            line = found + b"\n"
        else:
            line = (self.encoder.encode(record) + "\n").encode(self.encoding or "utf-8")
        file: Any = self.file
        if isinstance(file, Feed):
            file.write_record(key_of(item, line), line)
        else:
            file.write(line)

    def _fields_of_page(self, item: Any) -> dict[str, Any] | None:
        """Return what ``get_serialized_fields()`` does for the record of a page, which it looks at
        field by field; None if that has to be done."""
        if not self._exports_as_is or not isinstance(item, CrawlResult):
            return None
        names = _names_of(type(item))  # type: ignore[arg-type]  # a class is hashable
        if names is None:
            return None
        with suppress(AttributeError):  # a pipeline has deleted a field
            return {name: getattr(item, name) for name in names}
        return None


@lru_cache(maxsize=64)
def _names_of(kind: type[CrawlResult]) -> tuple[str, ...] | None:
    """Return the names of a record's fields; None if one may have a serializer."""
    found = fields(kind)
    return None if any(one.metadata for one in found) else tuple(one.name for one in found)


def key_of(item: Any, line: bytes) -> bytes:
    """What the record *item*, whose line this is, is recognised by when it comes again: a page by
    its ``url``, whatever has changed in it; a change of a page, and another item, by its ``url``
    and ``content_hash`` where it has both; else the whole of its line."""
    if isinstance(item, CrawlResult) and not isinstance(item, PageChange):
        return key_of_page(item.url)
    adapter = ItemAdapter(item)
    url, content = adapter.get("url"), adapter.get("content_hash")
    both = isinstance(url, str) and isinstance(content, str)
    return _hash(str(url), str(content)) if both else _hash(line)


def key_of_page(url: str) -> bytes:
    """What the one line of a page is recognised by."""
    return _hash(url)


def keys_of(line: bytes) -> list[bytes]:
    """Whatever :func:`key_of` may say of the record that was written as *line*."""
    try:
        found = json.loads(line)
    except ValueError:
        found = None
    keys = [_hash(line)]
    if isinstance(found, dict) and isinstance(url := found.get("url"), str):
        keys.append(_hash(url))
        if isinstance(content := found.get("content_hash"), str):
            keys.append(_hash(url, content))
    return keys


def _hash(*parts: str | bytes) -> bytes:
    found = blake2b(digest_size=16)
    for part in parts:
        found.update(part if isinstance(part, bytes) else part.encode("utf-8", "surrogatepass"))
        found.update(b"\0")
    return found.digest()


def _ends_line(path: Path, size: int) -> bool:
    """Whether the first *size* bytes of the file are whole lines."""
    with path.open("rb") as file:
        file.seek(size - 1)
        return file.read(1) == b"\n"


def _discard(stream: IO[bytes]) -> None:
    """Let nobody fail on *stream*, whose reader is gone, when the interpreter ends."""
    if stream is sys.stdout.buffer:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
