"""What frontiers with a state folder have in common: what is known of the feeds."""

from __future__ import annotations

import os
import sqlite3
from abc import ABC, abstractmethod
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar, cast

from wikicrawler.frontier.protocol import FrontierError, KnownFeed

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from wikicrawler.frontier.sqlite.database import CrawlDatabase

C = TypeVar("C", bound="Callable[..., Any]")


def guarded(call: C) -> C:
    """Raise FrontierError where the frontier is not open, or its database fails."""

    @wraps(call)
    def guard(frontier: WithFeeds, *args: Any, **kwargs: Any) -> Any:
        frontier._check()
        try:
            return call(frontier, *args, **kwargs)
        except sqlite3.Error as error:
            raise frontier._failed(error) from error

    return cast("C", guard)


class WithFeeds(ABC):
    """The part of a :class:`~wikicrawler.frontier.protocol.Frontier` that keeps what its feeds have
    in *database*, that of the state folder *folder*."""

    name: str

    def __init__(self, database: CrawlDatabase, folder: Path) -> None:
        self._database = database
        self._folder = folder
        self.is_open = False

    def _check(self) -> None:
        """
        :raises FrontierError: the frontier is not open, or it has failed
        """
        if not self.is_open:
            raise FrontierError(f"{self.name}: the frontier is not open")

    @abstractmethod
    def _failed(self, error: sqlite3.Error) -> FrontierError:
        """Let go of the database, and return the error to raise."""

    def feed_name(self, path: Path) -> str:
        """Relative to the folder: a job that is moved as a whole, its output with it, goes on."""
        return os.path.relpath(path, self._folder.absolute())

    @guarded
    def feed(self, name: str) -> KnownFeed | None:
        known = self._database.feed(name)
        return None if known is None else KnownFeed(*known)

    @guarded
    def add_feed(self, name: str, size: int) -> int:
        return self._database.add_feed(name, size)

    @guarded
    def resize_feed(self, feed: int, size: int) -> None:
        self._database.resize_feed(feed, size)

    @guarded
    def add_record(self, feed: int, key: bytes) -> bool:
        return self._database.write(feed, key)

    @guarded
    def remove_record(self, feed: int, key: bytes) -> None:
        self._database.unwrite(feed, key)
