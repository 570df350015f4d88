"""What the crawls in a Redis are doing, without changing anything there."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from wikicrawler.control.fleet.report_store import JOBS, script
from wikicrawler.control.fleet.snapshot import Site, Snapshot, Worker
from wikicrawler.control.fleet.worker_report import WorkerReport
from wikicrawler.errors import StoreError
from wikicrawler.frontier.protocol import FrontierError
from wikicrawler.frontier.redis.away import AwayError
from wikicrawler.frontier.redis.exchange import as_text
from wikicrawler.frontier.redis.server import connect, prefix_of
from wikicrawler.frontier.redis.url import shown_url
from wikicrawler.frontier.redis.worker_name import SHOWN
from wikicrawler.politeness.fleet.looking import site_states

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wikicrawler.frontier.redis.client import Client

SECONDS = 15.0
MAX_SITES = 200
"""Maximum number of sites of a :class:`Snapshot`."""
MAX_LISTED = 100
"""Maximum number of jobs that are listed, the last heard of."""


@dataclass(frozen=True, slots=True)
class JobEntry:
    """A job of a Redis."""

    job: str
    """``SPIDER:JOB``"""
    age: float
    """Seconds since one of its workers was last heard of."""
    snapshot: Snapshot


class StatusStore:
    """Looks at the Redis at *url*. The methods block.

    :param seconds: after which a Redis that does not answer is away
    """

    def __init__(self, url: str, *, seconds: float = SECONDS) -> None:
        self._url = url
        self._seconds = seconds

    def snapshot(self, job: str, sites: int = 10) -> Snapshot:
        """Return the crawl *job* (``SPIDER:JOB``), with its *sites* largest sites.

        :raises StoreError: Redis is unavailable
        """
        with looking_at(self._url, self._seconds) as client:
            found = _snapshot(client, job, min(sites, MAX_SITES))
            states = site_states(client, [site.name for site in found.sites])
            return replace(
                found,
                sites=[
                    replace(site, **states[site.name]._asdict()) if site.name in states else site
                    for site in found.sites
                ],
            )

    def jobs(self) -> list[JobEntry]:
        """Return the jobs, the last heard of first; at most :data:`MAX_LISTED`.

        :raises StoreError: Redis is unavailable
        """
        with looking_at(self._url, self._seconds) as client:
            (found,) = client.read([("ZRANGE", JOBS, 0, MAX_LISTED - 1, "REV", "WITHSCORES")])
            entries = []
            for name, heard in zip(found[::2], found[1::2], strict=True):
                job = as_text(name)
                snapshot = _snapshot(client, job, 0)
                if snapshot.exists or snapshot.workers:
                    age = max(0.0, snapshot.now - float(heard) / 1e6)
                    entries.append(JobEntry(job, age, snapshot))
            return entries


@contextmanager
def looking_at(url: str, seconds: float = SECONDS) -> Iterator[Client]:
    """Lend a client of the Redis at *url*, which is away if it does not answer for so many
    *seconds*.

    :raises StoreError: Redis is unavailable, at the start or in the block
    """
    client = None
    try:
        client = connect(url, seconds=seconds)
        yield client
    except (AwayError, FrontierError) as error:
        raise StoreError(f"{shown_url(url)}: {error}") from None
    finally:
        if client is not None:
            client.close()


def _snapshot(client: Client, job: str, sites: int) -> Snapshot:
    answer = script(client, "status")(f"{prefix_of(job)}about", [sites])
    now, exists, pushed, known, queued, delayed, first_delayed = answer[:7]
    leased, ahead, due, dead, ready, held, found_sites, all_sites = answer[7:15]
    leases, workers, forgotten, waiting = answer[15:]
    return Snapshot(
        job=job,
        now=int(now) / 1e6,
        exists=bool(exists),
        pushed=pushed,
        known_sites=known,
        queued=queued,
        delayed=delayed,
        first_delayed=None if first_delayed < 0 else first_delayed / 1e6,
        leased=leased,
        ahead=ahead,
        due=due,
        dead=dead,
        waiting_for_place=waiting,
        ready_sites=ready,
        held_sites=held,
        sites=[
            Site(as_text(name), count, wait / 1e6, site_ahead)
            for name, count, wait, site_ahead in found_sites
        ],
        all_sites=bool(all_sites),
        workers=_workers(workers, _leases(leases), int(now) / 1e6),
        forgotten=forgotten,
    )


def _leases(found: list[Any]) -> dict[str, int]:
    """Return the leases by what the names of their workers begin with."""
    counts: dict[str, int] = {}
    for name, count in found:
        worker = as_text(name)[:SHOWN]
        counts[worker] = counts.get(worker, 0) + count
    return counts


def _workers(found: list[Any], leases: dict[str, int], now: float) -> list[Worker]:
    workers = []
    for stored_name, begun, heard, report in found:
        name = as_text(stored_name)[:SHOWN]
        last = int(heard) / 1e6
        workers.append(
            Worker(
                name,
                int(begun) / 1e6,
                last,
                max(0.0, now - last),
                leases.get(name, 0),
                WorkerReport.of_json(report),
            )
        )
    return workers
