"""Says which pages have no record, and why."""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Self

from scrapy import signals

from wikicrawler.command import is_crawl
from wikicrawler.errors import ConfigError
from wikicrawler.safe_text import one_line
from wikicrawler.signals import page_skipped

if TYPE_CHECKING:
    from collections.abc import Sequence
    from io import FileIO

    from scrapy.crawler import Crawler

    from wikicrawler.errors import Reason
    from wikicrawler.items import Attempt

logger = logging.getLogger(__name__)


class SkippedPages:
    """Scrapy extension: one log line, one count and, where asked for, one JSON line for each
    :data:`~wikicrawler.signals.page_skipped`.

    ``WIKICRAWLER_SKIPPED_FILE`` (default: none) names the file of JSON lines ``{"url", "reason",
    "detail", "attempts", "time"}``, relative to the working directory as ``FEEDS`` is. A crawl
    starts it anew; with ``JOBDIR`` it is continued. Each line is written at once and whole, so a
    killed crawl leaves no torn one behind.

    Stats: ``wikicrawler/skipped/count``, ``wikicrawler/skipped/{reason}`` and, where a line could
    not be written, ``wikicrawler/skipped/lost_lines``.
    """

    def __init__(self, crawler: Crawler, path: Path | None) -> None:
        self._stats = crawler.stats
        self._path = path
        self._resume = bool(crawler.settings.get("JOBDIR"))
        self._file: FileIO | None = None
        self._torn = False  # a full disk cut the last line short
        if path:  # to fail here, where it ends the start, and not at the first page
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.open("ab", buffering=0).close()
            except (OSError, ValueError) as exc:
                why = getattr(exc, "strerror", None) or "not a file name"
                raise ConfigError(
                    f"WIKICRAWLER_SKIPPED_FILE: {one_line(path)}: cannot be written: {why} "
                    "(name a file, relative to the working directory)"
                ) from None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        named = crawler.settings.get("WIKICRAWLER_SKIPPED_FILE")
        extension = cls(crawler, Path(named).absolute() if named and is_crawl(crawler) else None)
        crawler.signals.connect(extension.spider_opened, signal=signals.spider_opened)
        crawler.signals.connect(extension.page_skipped, signal=page_skipped)
        crawler.signals.connect(extension.spider_closed, signal=signals.spider_closed)
        return extension

    def spider_opened(self) -> None:
        if not self._path:
            return
        if not self._resume:
            self._path.open("wb").close()
        self._file = self._path.open("ab", buffering=0)
        if self._resume:
            self._torn = self._file.tell() > 0 and not _ends_with_newline(self._path)

    def page_skipped(
        self, url: str, reason: Reason, detail: str, attempts: Sequence[Attempt]
    ) -> None:
        self._stats.inc_value("wikicrawler/skipped/count")
        self._stats.inc_value(f"wikicrawler/skipped/{reason}")
        logger.info(
            "Skipped %(url)s: %(reason)s%(detail)s",
            {
                "url": one_line(url),
                "reason": reason,
                "detail": f" ({one_line(detail)})" if detail else "",
            },
        )
        if self._file:
            entry = {
                "url": url,
                "reason": str(reason),
                "detail": detail,
                "attempts": list(attempts),
                "time": datetime.now(UTC).isoformat(timespec="seconds"),
            }
            self._write(self._file, json.dumps(entry).encode() + b"\n")

    def spider_closed(self) -> None:
        if self._file:
            self._file.close()
            self._file = None

    def _write(self, file: FileIO, line: bytes) -> None:
        if self._torn:
            line = b"\n" + line
        try:
            written = file.write(line)
            error = "No space left on device"
        except OSError as exc:
            written, error = 0, str(exc.strerror)
        if written == len(line):
            self._torn = False
            return
        self._torn = self._torn or written > 0
        self._stats.inc_value("wikicrawler/skipped/lost_lines")
        logger.error(
            "%(path)s: a line could not be written: %(error)s",
            {"path": one_line(self._path), "error": error},
        )


def _ends_with_newline(path: Path) -> bool:
    with path.open("rb") as file:
        file.seek(-1, 2)
        return file.read(1) == b"\n"
