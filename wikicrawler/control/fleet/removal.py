"""Removal of a crawl from Redis."""

from __future__ import annotations

from wikicrawler.control.fleet.report_store import JOBS
from wikicrawler.control.fleet.status_store import looking_at
from wikicrawler.frontier.redis.exchange import as_bytes, as_text
from wikicrawler.frontier.redis.server import frontier_keys, prefix_of
from wikicrawler.scope.fleet.families_store import LISTS, OF_PLACE
from wikicrawler.scope.fleet.families_store import PREFIX as FAMILIES

_OWN = ("reports", "begun", "heard", "forgotten")
"""The keys of report.lua."""
_PAGE = 500


def forget_job(url: str, job: str) -> None:
    """Delete all that the Redis at *url* has of the crawl *job* (``SPIDER:JOB``). What all jobs
    share stays: the pace of sites, their pauses, robots.txt.

    :raises StoreError: Redis is unavailable; some of it may be deleted
    """
    prefix = prefix_of(job)
    with looking_at(url) as client:
        lists = [f"{FAMILIES}{name}" for name in LISTS]
        workers, *places = client.read(
            [
                ("HKEYS", f"{prefix}workers"),
                *(("ZRANGE", f"{prefix}{name}", 0, -1) for name in lists),
            ]
        )
        of_places = {as_text(place) for found in places for place in found}
        names = [*frontier_keys(), *_OWN, *(f"leases:{as_text(worker)}" for worker in workers)]
        names += [*lists, f"{FAMILIES}count"]
        names += [f"{FAMILIES}{kind}{place}" for place in of_places for kind in OF_PLACE]
        keys = [f"{prefix}{name}" for name in names]
        # Redis frees them in a thread of its own. "about" is the last: until then it is a job.
        keys.sort(key=lambda key: key == f"{prefix}about")
        client.read(
            [("UNLINK", *keys[start : start + _PAGE]) for start in range(0, len(keys), _PAGE)]
        )
        client.read([("ZREM", JOBS, as_bytes(job))])
