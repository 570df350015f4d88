"""Whether the crawl in a state folder (``JOBDIR``) is one that goes on."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

from wikicrawler.errors import ConfigError
from wikicrawler.frontier.scheduler import frontier_of
from wikicrawler.frontier.sqlite.file import NAME, OPENING_ERRORS, check_version, unusable
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from pathlib import Path

    from scrapy.crawler import Crawler

_SINCE = "since"


def note(crawler: Crawler) -> None:
    """Remember with the requests of the crawl that it brings known pages up to date."""
    frontier = frontier_of(crawler)
    if frontier is not None:
        frontier.note(_SINCE, b"")


def check(folder: Path) -> None:
    """
    :raises ConfigError: the crawl in *folder* has ended, or was begun without ``since``
    :raises StateError: the state cannot be read
    """
    path = folder.absolute() / NAME
    if not path.is_file():
        return
    try:
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
            if not check_version(path, connection):
                return
            facts = {name for (name,) in connection.execute("SELECT DISTINCT name FROM facts")}
            (left,) = connection.execute(
                "SELECT EXISTS (SELECT 1 FROM requests) OR EXISTS (SELECT 1 FROM kept)"
            ).fetchone()
    except OPENING_ERRORS as error:
        raise unusable(path, error) from None
    if "seeds" in facts and _SINCE not in facts:
        raise ConfigError(
            f"since: JOBDIR {one_line(folder)} is of another crawl: name another folder"
        )
    if "seeded" in facts and not left:
        raise ConfigError(f"since: JOBDIR {one_line(folder)} has ended: name another folder")
