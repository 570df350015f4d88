"""Transactions that are tried again, because crawls share the database with other writers."""

from __future__ import annotations

from time import sleep
from typing import TYPE_CHECKING, TypeVar

from wikicrawler.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import Connection

    from wikicrawler.store.database import Database

T = TypeVar("T")

_TRIES = 4
_PAUSE = 0.2
"""Number of tries at a busy database, and seconds between two."""


def write(database: Database, work: Callable[[Connection], T]) -> T:
    """Return what *work* returns in a transaction. It is called again if the database is busy.

    :raises StoreError: the database is unavailable, and nothing was written
    """
    for _ in range(_TRIES - 1):
        try:
            with database.write() as connection:
                return work(connection)
        except StoreError:
            sleep(_PAUSE)
    with database.write() as connection:
        return work(connection)
