"""A crawl on several workers as JSON has it; ``docs/fleet.md`` lists the keys."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from wikicrawler.control.fleet.totals import total_stats
from wikicrawler.control.fleet.waits import waits_of

if TYPE_CHECKING:
    from wikicrawler.control.fleet.snapshot import Site, Snapshot, Worker


def snapshot_data(found: Snapshot) -> dict[str, Any]:
    """Return *found* as objects, lists, texts and numbers."""
    return {
        "spider": found.spider,
        "job": found.name,
        "now": found.now,
        "seconds": round(found.seconds, 1),
        "pages_per_minute": None if found.rate is None else round(found.rate, 1),
        "queued": found.queued,
        "delayed": found.delayed,
        "first_delayed": found.first_delayed,
        "leased": found.leased,
        "ahead": found.ahead,
        "due": found.due,
        "given_up": found.dead,
        "waiting_for_place": found.waiting_for_place,
        "known_sites": found.known_sites,
        "ready_sites": found.ready_sites,
        "held_sites": found.held_sites,
        "stats": total_stats(found.workers),
        "workers": [_worker(worker) for worker in found.workers],
        "forgotten_workers": found.forgotten,
        "sites": [_site(site) for site in found.sites],
        "all_sites": found.all_sites,
        "waits": [wait._asdict() for wait in waits_of(found)],
    }


def _worker(worker: Worker) -> dict[str, Any]:
    return {
        **asdict(worker.report),
        "name": worker.name,
        "state": worker.state,
        "begun": worker.begun,
        "heard": worker.heard,
        "age": round(worker.age, 1),
        "leases": worker.leases,
    }


def _site(site: Site) -> dict[str, Any]:
    return {
        "name": site.name,
        "queued": site.queued,
        "ahead": site.ahead,
        "next_in": round(site.next_in, 2),
        "raised_delay": site.raised,
        "blocked_for": round(site.blocked, 1),
        "turns": [turn._asdict() for turn in site.turns],
    }
