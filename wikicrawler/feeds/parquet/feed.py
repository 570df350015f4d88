"""A feed in a Parquet file, whose rows survive a kill."""

from __future__ import annotations

import errno
import logging
import os
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from scrapy.utils.asyncio import run_in_thread

from wikicrawler.errors import ConfigError
from wikicrawler.feeds.line_feeds import Feed, LineExporter
from wikicrawler.feeds.output_check import feed_lost, output_failed
from wikicrawler.feeds.parquet.journal import (
    JournalLock,
    begin_journal,
    journal_of,
    read_header,
)
from wikicrawler.frontier.scheduler import frontier_of
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)

_LEFT = (
    "%s: lacks rows, which are in %s: go on with the crawl (with JOBDIR), or run scrapy parquet %s"
)

_NOTE = "parquet"
"""Set of the frontier that has the ids of the crawl's journals, each after its feed's name."""


class ParquetExporter(LineExporter):
    """Scrapy exporter that hands rows to the journal of a :class:`ParquetFeed`, as JSON lines."""

    def __init__(self, file: Any, **options: Any) -> None:
        super().__init__(file, **options | {"encoding": "utf-8"})


class ParquetFeed(Feed):
    """A feed whose lines are in a journal until the crawl ends, and then in the Parquet file."""

    def __init__(self, crawler: Crawler, path: Path) -> None:
        super().__init__(crawler, str(path))
        self._path = path
        self._journal = journal_of(path)
        self._lock: JournalLock | None = None
        self._note = b""  # until it is in the frontier

    @staticmethod
    def check(path: Path, *, appends: bool) -> None:
        """As :func:`check_parquet_file`."""
        check_parquet_file(path, appends=appends)

    @classmethod
    def opened(cls, crawler: Crawler, path: Path, *, overwrite: bool) -> ParquetFeed:
        """Return the feed in the Parquet file at *path*; where it cannot be written, or lacks what
        was written to it, the crawl stops, and the feed takes nothing."""
        feed = cls(crawler, path)
        try:
            feed._begin(overwrite=overwrite)
        except OSError as error:
            feed.let_go()
            feed._unlock()
            output_failed(crawler, str(path), error)
        except ConfigError as error:
            feed.let_go()
            feed._unlock()
            feed_lost(crawler, path, str(error).removeprefix(f"{one_line(path)}: "))
        return feed

    def _begin(self, *, overwrite: bool) -> None:
        frontier = frontier_of(self._crawler)
        resumed = frontier is not None and frontier.resumed
        self._path.parent.mkdir(parents=True, exist_ok=True)
        if self._path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if self._has_lost_rows():
            return
        if read_header(self._journal) is not None:
            self._lock = JournalLock(self._journal)
        if overwrite and not resumed:
            self._unlock()
            begin_journal(self._journal, replaces=True, resumes=frontier is not None)
        elif self._lock is None:
            begin_journal(self._journal, replaces=False, resumes=frontier is not None)
        else:
            logger.info(
                "%s: the rows of a crawl that was killed are in %s, and come into the file at "
                "the end of this one",
                one_line(self._path),
                one_line(self._journal.name),
            )
        if self._lock is None:
            self._lock = JournalLock(self._journal)
        if frontier is not None and (header := read_header(self._journal)) is not None:
            self._note = f"{header.id} {frontier.feed_name(self._journal)}".encode()
        self.open(self._journal, overwrite=False)

    def write_record(self, key: bytes, line: bytes) -> None:
        note, self._note = self._note, b""
        if note and (frontier := frontier_of(self._crawler)) is not None:
            frontier.note(_NOTE, note)  # not before: a journal without rows is not missed
        super().write_record(key, line)

    def _has_lost_rows(self) -> bool:
        """Return True if rows that the crawl has written are neither in the journal nor in the
        file: the crawl stops."""
        from wikicrawler.feeds.parquet.complete import consumed  # noqa: PLC0415 - needs pyarrow

        frontier = frontier_of(self._crawler)
        if frontier is None or not frontier.resumed:
            return False
        name = frontier.feed_name(self._journal)
        notes = (note.decode().partition(" ") for note in frontier.noted(_NOTE))
        mine = {journal for journal, _, feed in notes if feed == name}
        header = read_header(self._journal)
        done = consumed(self._path)
        if lost := mine - set(done) - ({header.id} if header else set()):
            what = f"lacks the rows of {len(lost)} earlier runs of this crawl"
            feed_lost(self._crawler, self._path, what)
            return True
        known = frontier.feed(name)
        if known is None or (header is not None and header.id in mine and header.id not in done):
            return self.has_lost(self._journal)
        frontier.resize_feed(known.number, 0)  # a new journal; the rows before are in the file
        return False

    async def complete(self) -> None:
        """Bring the rows into the file, in a thread.

        :raises ConfigError: the file or the journal is damaged
        :raises OSError: the file cannot be written; the rows stay in the journal
        """
        from wikicrawler.feeds.parquet.complete import complete  # noqa: PLC0415 - needs pyarrow

        if self._lock is None:
            return  # it could not be opened
        has_failed = self._file is None
        self.close()
        try:
            if has_failed:  # which is reported
                logger.error(_LEFT, *self._names)
                return
            logger.info("%s: its rows are written", one_line(self._path))
            if (frontier := frontier_of(self._crawler)) is not None:
                frontier.commit()  # of a batch: what is known of its rows is only in the journal
            rows = await run_in_thread(complete, self._path)
        except Exception as error:
            logger.error("%s: cannot be completed: %s", one_line(self._path), one_line(error))
            logger.error(_LEFT, *self._names)
            raise
        finally:
            self._unlock()
        logger.info("%s: has %d rows", one_line(self._path), rows)

    @property
    def _names(self) -> tuple[str, str, str]:
        path = one_line(self._path)
        return path, one_line(self._journal.name), path

    def _unlock(self) -> None:
        lock, self._lock = self._lock, None
        if lock is not None:
            lock.release()


def check_parquet_file(path: Path, *, appends: bool) -> None:
    """Check the file at *path* at the start of a crawl.

    :raises ConfigError: pyarrow is missing; or what is appended to is no Parquet file, or what is
        in the place of the journal is none
    """
    if find_spec("pyarrow") is None:
        raise ConfigError(
            f"{one_line(path)}: Parquet needs pyarrow: pip install 'wikicrawler[parquet]'"
        )
    from wikicrawler.feeds.parquet.complete import check_file  # noqa: PLC0415 - needs pyarrow

    try:
        read_header(journal_of(path))
        if appends:
            check_file(path)
    except OSError:
        return  # the feed fails with it when it is opened


def check_parquet(uri: str, feed: Mapping[str, Any]) -> None:
    """Check a feed of this format at the start of a crawl.

    :raises ConfigError: it is no plain file
    """
    is_file = urlsplit(uri).scheme in {"", "file"}
    if not is_file or feed.get("postprocessing"):
        raise ConfigError(
            f"FEEDS: {one_line(uri, 200)}: Parquet needs a local file, without postprocessing "
            "(upload the file when the crawl is done)"
        )
