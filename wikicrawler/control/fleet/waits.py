"""What waits for what in a crawl on several workers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from wikicrawler import options
from wikicrawler.control.fleet.words import seconds_text
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wikicrawler.control.fleet.snapshot import Site, Snapshot, Worker


class Wait(NamedTuple):
    """Something that waits."""

    what: Literal["job", "worker", "site"]
    name: str
    why: str
    """The rest of a sentence that begins with its name."""


def waits_of(found: Snapshot) -> list[Wait]:
    """Return what waits, the job first. A worker that has requests to make waits for nothing, and
    neither does a site that may be asked."""
    return [
        *(Wait("job", one_line(found.name, 100), why) for why in _of_job(found)),
        *(
            Wait("worker", worker.name, why)
            for worker in found.workers
            for why in _of_worker(found, worker)
        ),
        *(
            Wait("site", one_line(site.name, 100), why)
            for site in found.sites
            if (why := _of_site(found, site))
        ),
    ]


def _of_job(found: Snapshot) -> Iterator[str]:
    if found.live and not found.pushed:
        yield "waits for its seeds: no worker has requested any"
    if found.has_work and not found.live:
        yield "waits for a worker: none runs; the same command with the same job goes on"
    if found.due and found.live:
        yield f"has work of workers that are gone, which the next one takes over: {found.due:,}"
    if found.delayed and not (found.queued or found.leased) and found.first_delayed is not None:
        yield f"has nothing to do for {seconds_text(found.first_delayed)}: its requests are delayed"
    if found.waiting_for_place:
        yield (
            f"has {found.waiting_for_place:,} links beyond a limit (max_pages, or the budget of "
            "their site)"
        )


def _of_worker(found: Snapshot, worker: Worker) -> Iterator[str]:
    report = worker.report
    if worker.state == "gone" and worker.leases:
        what = "request goes" if worker.leases == 1 else "requests go"
        when = "lease ends" if worker.leases == 1 else "leases end"
        yield (
            f"is gone: its {worker.leases:,} {what} to others when its {when} "
            f"({options.FRONTIER_LEASE.name})"
        )
    if not worker.is_live:
        return
    if worker.state == "stopping":
        yield "finishes its pages, and hands the rest back"
    if report.waiting:
        yield f"waits for the turns of {report.waiting:,} of its {report.active:,} requests"
    for origin in report.robots_awaited:
        yield f"waits for robots.txt of {origin}, which {_who_fetches(found, origin)}"
    if worker.state == "running" and not worker.leases and found.has_work:
        yield f"has no request: {_why_none(found)}"


def _who_fetches(found: Snapshot, origin: str) -> str:
    for worker in found.live:
        if origin in worker.report.robots_fetched:
            return f"{worker.name} fetches"
    return "another worker of this Redis fetches"


def _why_none(found: Snapshot) -> str:
    if found.queued and not found.ready_sites:
        return "no site may be asked now"
    if not found.queued and found.leased:
        return "pages of others may bring links"
    if not found.queued:
        return "its requests are delayed"
    return "the others have taken what can be asked now"


def _of_site(found: Snapshot, site: Site) -> str:
    if site.blocked:
        return f"is paused for {seconds_text(site.blocked)}: it blocks every tier"
    if pause := _pause(found, site.name):
        return f"is paused for {seconds_text(pause)}: Retry-After, or an operator"
    if site.turns:
        turn = site.turns[0]
        more = f", {len(site.turns)} requests in all" if len(site.turns) > 1 else ""
        return f"waits for an answer to {turn.worker}, for {seconds_text(turn.age)}{more}"
    if left := max(site.left_alone, site.wait):
        raised = f", raised to {seconds_text(site.raised)}" if site.raised else ""
        return f"is left alone for {seconds_text(left)}: its delay{raised}"
    return ""


def _pause(found: Snapshot, site: str) -> float:
    """Return what is left of the longest pause of *site* that a worker knows of."""
    pauses = [worker.report.pauses.get(site, 0.0) - worker.age for worker in found.live]
    return max(0.0, *pauses, 0.0)
