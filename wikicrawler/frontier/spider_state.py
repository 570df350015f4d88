"""``spider.state`` in the state folder, as JSON."""

from __future__ import annotations

import json
import logging
import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, cast
from zlib import crc32

from scrapy import signals
from scrapy.exceptions import NotConfigured
from scrapy.extensions.spiderstate import SpiderState

from wikicrawler.errors import StateError
from wikicrawler.frontier.instances import NotStorableError, short
from wikicrawler.frontier.state_folder import StateFolder, is_used
from wikicrawler.frontier.values import from_json, to_json
from wikicrawler.frontier.versions import OLD_FORMAT
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)

_VERSION = 1
_PICKLE = b"\x80"
"""First byte of Scrapy's file."""


class JsonSpiderState(SpiderState):
    """Scrapy's extension that keeps the dict ``spider.state`` in the state folder, with another
    file: two lines of JSON, with a checksum, and no pickle.

    It is read at the start of the crawl, and written at the end. A value that JSON cannot hold
    (:mod:`~wikicrawler.frontier.values`) is left out, with an error that names its key. A kill or a
    full disk leaves the file from before.

    :param jobdir: the state folder; without one, the state is an empty dict and is not written.
    """

    def __init__(self, jobdir: str | None = None) -> None:
        super().__init__(jobdir)
        self._found: dict[Any, Any] | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Return Scrapy's own extension where the crawl has Scrapy's own state folder.

        :raises StateError: the file in the folder is damaged, or a pickle
        """
        if not crawler.settings.get("JOBDIR"):
            raise NotConfigured
        if not is_used(crawler):
            return cast("Self", SpiderState.from_crawler(crawler))
        folder = StateFolder.of(crawler)
        extension = cls(str(folder.path))
        try:
            extension.read()
        except StateError:
            folder.close()
            raise
        crawler.signals.connect(extension.spider_opened, signal=signals.spider_opened)
        crawler.signals.connect(extension.spider_closed, signal=signals.spider_closed)
        return extension

    def read(self) -> None:
        """Read the file, so that it need not be read when the spider is opened.

        :raises StateError: it is damaged, or a pickle
        """
        self._found = _read(Path(self.statefn))

    def spider_opened(self, spider: Spider) -> None:
        """
        :raises StateError: the file is damaged, or a pickle
        """
        if self.jobdir and self._found is None:
            self.read()
        spider.state, self._found = self._found or {}, None  # type: ignore[attr-defined]

    def spider_closed(self, spider: Spider) -> None:
        if not self.jobdir:
            return
        path, state = Path(self.statefn), getattr(spider, "state", None)
        if not isinstance(state, dict):
            logger.error(
                "spider.state is %s, not a dict: it is not stored in %s",
                short(state),
                one_line(path),
            )
            return
        try:
            _replace(path, _written(state, path))
        except OSError as error:
            logger.error("%s: cannot be written: %s", one_line(path), error.strerror)


def _written(state: dict[Any, Any], path: Path) -> bytes:
    """Return the content of the file."""
    pairs = []
    for key, value in state.items():
        try:
            pairs.append([to_json(key), to_json(value)])
        except (NotStorableError, RecursionError) as error:
            if isinstance(error, NotStorableError):
                error.add_key(key)
                error.add_name("spider.state")
            logger.error(
                "%s: it is not stored in %s, and is missing when the crawl is resumed", error, path
            )
    text = json.dumps(pairs, allow_nan=False).encode("ascii")
    head = {"v": _VERSION, "sum": crc32(text)}
    return json.dumps(head).encode("ascii") + b"\n" + text + b"\n"


def _read(path: Path) -> dict[Any, Any]:
    """
    :raises StateError: the file is damaged, or a pickle
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise StateError(
            f"{one_line(path)}: cannot be read: {error.strerror} (is it yours?)"
        ) from None
    if data.startswith(_PICKLE):
        raise StateError(f"{one_line(path)}: {OLD_FORMAT}")
    try:
        first, text = data.split(b"\n", 1)
        head = json.loads(first)
        if head["v"] != _VERSION or head["sum"] != crc32(text.removesuffix(b"\n")):
            raise ValueError("its checksum is wrong")
        return dict(from_json(json.loads(text)))
    except Exception as error:
        raise StateError(
            f"{one_line(path)}: is damaged ({one_line(str(error), 200)}): restore it, or remove it "
            "to go on without what it holds, such as links that wait for a place under max_pages"
        ) from None


def _replace(path: Path, data: bytes) -> None:
    """Write *data* to the file at *path*: the whole of it at once, for its owner alone.

    :raises OSError: it cannot be written
    """
    new = path.with_name(f"{path.name}.new")
    with suppress(FileNotFoundError):
        new.unlink()
    file = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with open(file, "wb") as opened:  # noqa: PTH123 - it has no path
        opened.write(data)
        opened.flush()
        os.fsync(file)
    new.replace(path)
