"""The state folder of a crawl (``JOBDIR``): taken at the start, before anything is written."""

from __future__ import annotations

import stat
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Self
from weakref import WeakKeyDictionary

from scrapy.exceptions import NotConfigured
from scrapy.utils.misc import load_object

from wikicrawler import options
from wikicrawler.errors import StateError
from wikicrawler.frontier.lock import FolderLock
from wikicrawler.frontier.sqlite.database import CrawlDatabase
from wikicrawler.frontier.sqlite.file import NAME
from wikicrawler.frontier.sqlite.frontier import SqliteFrontier
from wikicrawler.frontier.sqlite.loss import refuse_loss
from wikicrawler.process.internals import engine_slot
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

_FILES = (
    *(NAME, f"{NAME}-wal", f"{NAME}-shm", f"{NAME}-journal", "commits", "commits.new", "lock"),
    *("spider.state", "spider.state.new"),
)

_folders: WeakKeyDictionary[Crawler, StateFolder] = WeakKeyDictionary()


class StateFolder:
    """The lock of a crawl's state folder, and the :attr:`database` in it.

    As a Scrapy extension it takes the folder before the engine is made, so that a crawl which
    cannot have it ends with nothing but the reason.
    """

    def __init__(self, path: Path, spider: str, job: str = "") -> None:
        """
        :param job: name of the crawl that workers share, if it is one
        :raises StateError: the folder cannot be used
        """
        crawl = f"{spider} (job {one_line(job, 100)})" if job else spider
        engine_slot.check_engine()
        self.path = path
        _refuse_folders(path)
        self._lock = FolderLock(path)
        self._lock.acquire()
        try:
            self._refuse_others()
            self.may_lack_writes = refuse_loss(path)
            self.database = CrawlDatabase.open(path)
            owner = self.database.spider
            if owner not in {None, crawl}:
                raise StateError(
                    f"JOBDIR {one_line(path)}: holds a crawl of the spider {owner!r}, not of "
                    f"{crawl!r}; name another folder"
                )
        except OSError as error:
            self.close()
            file = one_line(error.filename or path)
            raise StateError(f"{file}: cannot be used: {error.strerror} (is it yours?)") from None
        except BaseException:
            self.close()
            raise
        if owner is None:
            self.database.spider = crawl
        self._is_resumed = owner is not None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        if not crawler.settings.get("JOBDIR") or not is_used(crawler):
            raise NotConfigured
        return cls.of(crawler)

    @classmethod
    def of(cls, crawler: Crawler) -> Self:
        """The one of *crawler*."""
        folder = _folders.get(crawler)
        if folder is None:
            path = Path(crawler.settings["JOBDIR"])
            _create(path)
            job = options.FRONTIER_JOB.read(crawler.settings) if is_shared(crawler) else ""
            folder = _folders[crawler] = cls(path, crawler.spidercls.name, job)
        return folder  # type: ignore[return-value]

    @cached_property
    def frontier(self) -> SqliteFrontier:
        """The frontier whose requests are in the folder too."""
        return SqliteFrontier(
            self.database,
            self.path,
            resumed=self._is_resumed,
            may_lack_writes=self.may_lack_writes,
            release=self.release,
        )

    def release(self) -> None:
        """Let others have the folder; harmless when called again."""
        self._lock.release()

    def close(self) -> None:
        """Close the database, and let others have the folder; harmless when called again."""
        database = getattr(self, "database", None)
        if database is not None:
            database.close()
        self.release()

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


def _refuse_folders(folder: Path) -> None:
    """
    :raises StateError: a name of ours in *folder* is no file
    """
    for name in _FILES:
        path = folder / name
        try:
            mode = path.stat().st_mode
        except FileNotFoundError:
            continue
        except OSError as error:
            raise StateError(
                f"{one_line(path)}: cannot be used: {error.strerror} (is it yours?)"
            ) from None
        if not stat.S_ISREG(mode):
            kind = "a folder" if stat.S_ISDIR(mode) else "no regular file"
            raise StateError(
                f"{one_line(path)}: is {kind}, where the crawl has a file: restore the file, or "
                "crawl anew with another JOBDIR and -O"
            )


def is_used(crawler: Crawler) -> bool:
    """Return True if the scheduler of *crawler* is ours."""
    # By name: the scheduler stands on this module.
    scheduler = load_object(crawler.settings["SCHEDULER"])
    name = f"{scheduler.__module__}.{scheduler.__name__}"
    return name == "wikicrawler.frontier.scheduler.FrontierScheduler"


def is_shared(crawler: Crawler) -> bool:
    """Return True if *crawler* is one of several workers, whose requests are not in its folder."""
    return bool(options.FRONTIER.read(crawler.settings))


def _create(path: Path) -> None:
    """Create the folder *path* and its parents, for their owner alone: requests hold cookies and
    tokens.

    :raises StateError: it cannot be created
    """
    try:
        missing = [folder for folder in (path, *path.parents) if not folder.exists()]
        for folder in reversed(missing):
            folder.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise StateError(
            f"JOBDIR {one_line(path)}: cannot be used: {error.strerror} (name a folder that can be "
            "written)"
        ) from None
