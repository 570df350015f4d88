"""The requests of a crawl that were given up, because their workers died of them."""

from __future__ import annotations

from typing import NamedTuple

from wikicrawler.control.fleet.status_store import looking_at
from wikicrawler.frontier.codec import url_in
from wikicrawler.frontier.redis.exchange import as_text
from wikicrawler.frontier.redis.packing import UnpackingError, unpacked
from wikicrawler.frontier.redis.server import prefix_of

_HEAD = 24  # bytes: see frontier/redis/script/1_keys.lua
_PAGE = 100
REASON = "the workers that had it are gone, four times"


class GivenUp(NamedTuple):
    """A request that is not made any more."""

    url: str | None
    """None where its bytes are damaged."""
    site: str
    kind: str
    """What it was for; may be empty."""
    reason: str


def given_up(url: str, job: str, limit: int) -> list[GivenUp]:
    """Return at most *limit* of the requests that the crawl *job* (``SPIDER:JOB``) in the Redis at
    *url* has given up.

    :raises StoreError: Redis is unavailable
    """
    prefix = prefix_of(job)
    stored: dict[bytes, bytes] = {}
    with looking_at(url) as client:
        cursor: int | bytes = 0
        while True:
            ((cursor, found),) = client.read([("HSCAN", f"{prefix}dead", cursor, "COUNT", _PAGE)])
            stored |= found
            if not int(cursor) or len(stored) >= limit:
                break
        requests = [stored[name] for name in sorted(stored)][:limit]
        sites = client.read([("HGET", f"{prefix}names", request[:4]) for request in requests])
    return [
        _given_up(request, as_text(site or b""))
        for request, site in zip(requests, sites, strict=True)
    ]


def _given_up(request: bytes, site: str) -> GivenUp:
    length = request[_HEAD - 1] if len(request) >= _HEAD else 0
    kind = as_text(request[_HEAD : _HEAD + length])
    try:
        url: str | None = url_in(unpacked(request[_HEAD + length :]))
    except UnpackingError:
        url = None
    return GivenUp(url, site, kind, REASON)
