"""A crawl on several workers at one moment."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wikicrawler.control.fleet.worker_report import WorkerReport
    from wikicrawler.politeness.fleet.looking import Turn

_SILENT = 3.5
"""Number of intervals between two reports without one, after which a worker counts as gone. Its
leases end somewhat later."""

WorkerState = Literal["running", "stopping", "ended", "gone"]


@dataclass(frozen=True, slots=True)
class Worker:
    """A worker, with what it said last. Times are seconds since the epoch, by the clock of
    Redis."""

    name: str
    begun: float
    heard: float
    age: float
    """Seconds since its last report."""
    leases: int
    """Requests that it has leased."""
    report: WorkerReport

    @property
    def state(self) -> WorkerState:
        """What it does: ``gone`` was neither heard of lately nor said that it ended, because it was
        killed, its machine failed, or it does not reach Redis."""
        if self.report.state != "ended" and self.age > _SILENT * self.report.every:
            return "gone"
        return self.report.state

    @property
    def is_live(self) -> bool:
        return self.state in {"running", "stopping"}


@dataclass(frozen=True, slots=True)
class Site:
    """A site with requests that are not made yet."""

    name: str
    queued: int
    wait: float
    """Seconds before which no request of it is handed out."""
    ahead: int
    """Requests that workers have leased and not made yet."""
    left_alone: float = 0.0
    """Seconds for which no request is sent to it: its delay, Retry-After, or a pause."""
    raised: float | None = None
    """Seconds to which a worker has raised its delay."""
    turns: Sequence[Turn] = ()
    """Requests to it that are under way."""
    blocked: float = 0.0
    """Seconds left of the pause of a site that blocks every tier."""

    @property
    def next_in(self) -> float:
        """Seconds until it may be asked, as far as is known."""
        return max(self.wait, self.left_alone, self.blocked)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The crawl *job* (``SPIDER:JOB``) at one moment, *now* by the clock of Redis."""

    job: str
    now: float
    exists: bool
    """Whether a worker has begun it."""
    pushed: int
    """Requests that were ever queued."""
    known_sites: int
    """Sites that ever had a request."""
    queued: int
    """Requests that wait for their turn, *delayed* not among them."""
    delayed: int
    """Requests that wait for a moment of their own."""
    first_delayed: float | None
    """Seconds until the first of those moments."""
    leased: int
    """Requests that workers have, *ahead* among them."""
    ahead: int
    """Requests that workers have leased and not made yet."""
    due: int
    """Leases that have ended: the next worker that asks has their requests queued again."""
    dead: int
    """Requests that were given up."""
    waiting_for_place: int
    """Links that begin where the crawl, or their site, has a place for a page."""
    ready_sites: int
    """Sites that may be served now."""
    held_sites: int
    """Sites with requests that wait for their times."""
    sites: Sequence[Site]
    """The sites with the most requests in the queue, most first."""
    all_sites: bool
    """Whether every site was looked at; else one with few requests may be missing."""
    workers: Sequence[Worker]
    """In the order in which they began."""
    forgotten: int
    """Workers whose reports are not kept any more."""

    @property
    def spider(self) -> str:
        return self.job.partition(":")[0]

    @property
    def name(self) -> str:
        """The name of the job, without the spider's."""
        return self.job.partition(":")[2]

    @property
    def live(self) -> list[Worker]:
        """The workers that are neither gone nor have ended."""
        return [worker for worker in self.workers if worker.is_live]

    @property
    def seconds(self) -> float:
        """From the first report of the first worker to the last report of the last one."""
        if not self.workers:
            return 0.0
        last = self.now if self.live else max(worker.heard for worker in self.workers)
        return last - min(worker.begun for worker in self.workers)

    @property
    def rate(self) -> float | None:
        """Pages per minute of all workers, over the last minute; None if none has measured."""
        rates = [worker.report.rate for worker in self.live if worker.report.rate is not None]
        return sum(rates) if rates else None

    @property
    def has_work(self) -> bool:
        return bool(self.queued or self.delayed or self.leased)
