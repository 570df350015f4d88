"""Figures of crawls on several workers, for Prometheus."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from wikicrawler.control.fleet.status_store import StatusStore
from wikicrawler.control.fleet.totals import total_stats
from wikicrawler.dashboard.api.metric import Metric
from wikicrawler.errors import StoreError
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from wikicrawler.control.fleet.snapshot import Snapshot

_SECONDS = 4.0
"""Seconds after which a Redis that does not answer is away. Prometheus waits 10 for all figures."""
_STATES = ("running", "stopping", "ended", "gone")


class _Figure(NamedTuple):
    name: str
    kind: str
    help: str
    of: Callable[[Snapshot], float | None]


_FIGURES = (
    _Figure("queued_requests", "gauge", "Requests that wait.", lambda job: job.queued),
    _Figure("delayed_requests", "gauge", "Requests for later.", lambda job: job.delayed),
    _Figure("leased_requests", "gauge", "Requests that workers have.", lambda job: job.leased),
    _Figure("given_up_requests", "gauge", "Requests that were given up.", lambda job: job.dead),
    _Figure("ready_sites", "gauge", "Sites that may be asked now.", lambda job: job.ready_sites),
    _Figure("held_sites", "gauge", "Sites that wait.", lambda job: job.held_sites),
    _Figure("pages_per_minute", "gauge", "Over the last minute.", lambda job: job.rate),
    _Figure("pages_total", "counter", "Pages.", lambda job: _total(job, "item_scraped_count")),
    _Figure(
        "requests_total",
        "counter",
        "Requests that were sent.",
        lambda job: _total(job, "downloader/request_count"),
    ),
    _Figure(
        "skipped_pages_total",
        "counter",
        "Pages without a record.",
        lambda job: _total(job, "wikicrawler/skipped/count"),
    ),
    _Figure(
        "errors_total",
        "counter",
        "Errors in the logs.",
        lambda job: _total(job, "log_count/ERROR"),
    ),
)


def fleet_metrics(redis: str) -> Iterator[Metric]:
    """Yield the metrics of the jobs in *redis* that have workers, or something left to do. A Redis
    that is away has one: ``fleet_up`` is 0."""
    try:
        entries = StatusStore(redis, seconds=_SECONDS).jobs()
    except StoreError:
        yield Metric("fleet_up", "gauge", "1: the Redis of the workers answers.", [({}, 0)])
        return
    yield Metric("fleet_up", "gauge", "1: the Redis of the workers answers.", [({}, 1)])
    jobs = [one.snapshot for one in entries if one.snapshot.live or one.snapshot.has_work]
    yield Metric(
        "fleet_workers",
        "gauge",
        "Workers by state.",
        [
            ({**_labels(job), "state": state}, sum(one.state == state for one in job.workers))
            for job in jobs
            for state in _STATES
        ],
    )
    for figure in _FIGURES:
        values = [(_labels(job), figure.of(job)) for job in jobs]
        samples = [(labels, float(value)) for labels, value in values if value is not None]
        yield Metric(f"fleet_{figure.name}", figure.kind, figure.help, samples)


def _labels(job: Snapshot) -> dict[str, str]:
    return {"spider": one_line(job.spider, 200), "job": one_line(job.name, 200)}


def _total(job: Snapshot, name: str) -> float:
    return float(total_stats(job.workers).get(name, 0))
