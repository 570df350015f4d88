"""The name of a worker among those that share a Redis."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

SHOWN = 8
"""Characters of a name that are the same in all that a worker has in Redis: its leases, its turns
and its report."""

_names: WeakKeyDictionary[Crawler, str] = WeakKeyDictionary()


def worker_of(crawler: Crawler) -> str:
    """Return the name of the worker that *crawler* is: 8 hexadecimal digits."""
    return _names.setdefault(crawler, secrets.token_hex(SHOWN // 2))


def new_name(worker: str = "") -> str:
    """Return a name of 16 hexadecimal digits that no other has. It begins with *worker*."""
    return worker + secrets.token_hex(8 - len(worker) // 2)
