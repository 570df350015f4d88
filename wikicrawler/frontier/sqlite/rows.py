"""Rows of the database, as they are read."""

from __future__ import annotations

from typing import Any, NamedTuple
from zlib import crc32

from wikicrawler.frontier.protocol import Unreadable


class Queued(NamedTuple):
    """How many requests wait for their turn at a site, at one rank."""

    site: str
    rank: int
    requests: int


class Released(NamedTuple):
    """A request that was delayed, and waits for its turn from now on."""

    site: str
    rank: int
    number: int
    request: bytes | Unreadable


def checked(request: Any, url: Any, checksum: Any) -> bytes | Unreadable:
    """Return *request* if it is as it was written. A damaged row may hold values of any type."""
    if type(request) is bytes and crc32(request) == checksum:
        return request
    return Unreadable(url.decode("utf-8", "replace") if type(url) is bytes else "")
