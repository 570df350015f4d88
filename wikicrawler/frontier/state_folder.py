"""The state folder of a crawl (``JOBDIR``): taken at the start, before anything is written."""

from __future__ import annotations

import logging
import os
import pickle
from pathlib import Path
from typing import TYPE_CHECKING, Self
from weakref import WeakKeyDictionary

from scrapy.exceptions import NotConfigured
from scrapy.extensions.spiderstate import SpiderState
from scrapy.utils.job import job_dir
from scrapy.utils.misc import load_object

from wikicrawler.errors import StateError
from wikicrawler.frontier.lock import FolderLock
from wikicrawler.frontier.sqlite.database import CrawlDatabase
from wikicrawler.frontier.sqlite.file import NAME
from wikicrawler.frontier.sqlite.frontier import SqliteFrontier
from wikicrawler.frontier.sqlite.loss import refuse_loss
from wikicrawler.process.internals import engine_slot
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)

_folders: WeakKeyDictionary[Crawler, StateFolder] = WeakKeyDictionary()


class StateFolder:
    """The lock of a crawl's state folder, and the :attr:`frontier` in it.

    As a Scrapy extension it takes the folder before the engine is made, so that a crawl which
    cannot have it ends with nothing but the reason.
    """

    def __init__(self, path: Path, spider: str) -> None:
        """
        :raises StateError: the folder cannot be used
        """
        engine_slot.check_engine()
        self.path = path
        self._lock = FolderLock(path)
        self._lock.acquire()
        try:
            self._refuse_others()
            refuse_loss(path)
            self._database = CrawlDatabase.open(path)
            owner = self._database.spider
            if owner not in {None, spider}:
                raise StateError(
                    f"JOBDIR {one_line(path)}: holds a crawl of the spider {owner!r}, not of "
                    f"{spider!r}; name another folder"
                )
        except BaseException:
            self.close()
            raise
        if owner is None:
            self._database.spider = spider
        self.frontier = SqliteFrontier(
            self._database, path, resumed=owner is not None, release=self._lock.release
        )

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        if not crawler.settings.get("JOBDIR") or not _is_used(crawler):
            raise NotConfigured
        return cls.of(crawler)

    @classmethod
    def of(cls, crawler: Crawler) -> Self:
        """The one of *crawler*."""
        folder = _folders.get(crawler)
        if folder is None:
            path = job_dir(crawler.settings)
            assert path is not None  # noqa: S101 - the callers have looked
            folder = _folders[crawler] = cls(Path(path), crawler.spidercls.name)
        return folder  # type: ignore[return-value]

    def close(self) -> None:
        """Let go of the folder; harmless when called again."""
        database = getattr(self, "_database", None)
        if database is not None:
            database.close()
        self._lock.release()

    def _refuse_others(self) -> None:
        if (self.path / NAME).exists():
            return
        for name in ("requests.queue", "requests.seen"):
            if (self.path / name).exists():
                raise StateError(
                    f"JOBDIR {one_line(self.path)}: {name} in it is of Scrapy's own scheduler; "
                    "name another folder, or go on with that crawl by "
                    "-s SCHEDULER=scrapy.core.scheduler.Scheduler"
                )


def _is_used(crawler: Crawler) -> bool:
    # By name: the scheduler stands on this module.
    scheduler = load_object(crawler.settings["SCHEDULER"])
    name = f"{scheduler.__module__}.{scheduler.__name__}"
    return name == "wikicrawler.frontier.scheduler.FrontierScheduler"


class SafeSpiderState(SpiderState):
    """Scrapy's extension that keeps ``spider.state`` in the state folder, but for its file: a kill
    or a full disk leaves the one from before, and one that cannot be read does no harm."""

    def spider_closed(self, spider: Spider) -> None:
        path = Path(self.statefn)
        new = path.with_suffix(".new")
        try:
            new.touch(mode=0o600)
            new.write_bytes(pickle.dumps(spider.state, protocol=4))  # type: ignore[attr-defined]
            os.replace(new, path)  # noqa: PTH105 - the whole of it at once
        except OSError as error:
            logger.error("%s: cannot be written: %s", one_line(path), error.strerror)

    def spider_opened(self, spider: Spider) -> None:
        try:
            super().spider_opened(spider)
        except Exception as error:  # whatever a torn pickle raises
            logger.warning("%s: cannot be read, and is left out: %s", self.statefn, error)
            spider.state = {}  # type: ignore[attr-defined]
