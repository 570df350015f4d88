"""What ``scrapy fleet`` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikicrawler.control.fleet.totals import total_stats
from wikicrawler.control.fleet.waits import waits_of
from wikicrawler.control.fleet.words import (
    clock_text,
    counts_text,
    left_text,
    next_text,
    seconds_text,
    workers_text,
)
from wikicrawler.frontier.redis.url import shown_url
from wikicrawler.text.safe import one_line, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from wikicrawler.control.fleet.given_up import GivenUp
    from wikicrawler.control.fleet.snapshot import Site, Snapshot, Worker
    from wikicrawler.control.fleet.status_store import JobEntry

_OVER = 20
"""Number of workers that are shown of those that do not run any more, the last ones."""


def status_lines(found: Snapshot, url: str) -> Iterator[str]:
    """Yield the lines for a job."""
    stats = total_stats(found.workers)
    yield (
        f"job {one_line(found.name, 200)} of the spider {one_line(found.spider, 100)} "
        f"in {shown_url(url)}, {clock_text(found.seconds)} since its first worker"
    )
    rate = "not known yet" if found.rate is None else f"{found.rate:,.0f} pages a minute"
    rows = [
        ("workers", workers_text(found)),
        ("pages", _counted(stats, "item_scraped_count", "tier/page_count/")),
        ("requests", f"{stats.get('downloader/request_count', 0):,}"),
        ("skipped", _counted(stats, "wikicrawler/skipped/count", "wikicrawler/skipped/")),
        ("rate", rate),
        ("to do", f"{left_text(found)} ({found.ahead:,} of those not begun)"),
        ("given up", f"{found.dead:,}"),
        (
            "sites",
            f"{found.known_sites:,} known, {found.ready_sites:,} may be asked now, "
            f"{found.held_sites:,} wait for their times",
        ),
    ]
    yield from _table(rows, indent="  ")
    shown, hidden = _shown_workers(found.workers)
    if shown:
        more = f" ({hidden:,} earlier ones are not shown)" if hidden else ""
        yield f"workers{more}"
        yield from _table([_worker(worker) for worker in shown], indent="  ")
    if found.sites:
        least = "" if found.all_sites else "; smaller ones may be missing"
        yield f"sites with the most requests{least}"
        yield from _table([_site(site) for site in found.sites], indent="  ")
    if waits := waits_of(found):
        yield "what waits"
        yield from (f"  {wait.what} {wait.name} {wait.why}" for wait in waits)


def job_line(entry: JobEntry) -> str:
    """Return the line for a job in the list of jobs."""
    found = entry.snapshot
    pages = total_stats(found.workers).get("item_scraped_count", 0)
    return "  ".join(
        [
            one_line(found.spider, 100),
            one_line(found.name, 200),
            f"workers {workers_text(found)}",
            f"{pages:,} pages",
            left_text(found),
            f"{found.dead:,} given up",
            f"heard of {seconds_text(entry.age)} ago",
        ]
    )


def dead_line(request: GivenUp) -> str:
    """Return the line for a request that was given up."""
    shown = "(its bytes are damaged)" if request.url is None else one_line(request.url, 2_000)
    return f"{shown}  {request.reason}"


def _counted(stats: Mapping[str, int], name: str, family: str) -> str:
    parts = [
        (key.removeprefix(family), count)
        for key, count in stats.items()
        if key.startswith(family) and key != name
    ]
    parts.sort(key=lambda part: (-part[1], part[0]))
    return f"{stats.get(name, 0):,}{f'  ({counts_text(parts)})' if parts else ''}"


def _shown_workers(workers: Sequence[Worker]) -> tuple[list[Worker], int]:
    """Return the workers that are shown, and how many are not."""
    over = [worker for worker in workers if not worker.is_live]
    hidden = {id(worker) for worker in over[:-_OVER]}
    return [worker for worker in workers if id(worker) not in hidden], len(hidden)


def _worker(worker: Worker) -> tuple[str, ...]:
    report, last = worker.report, worker.heard - worker.begun
    reason = f" ({report.reason})" if report.reason else ""
    rate = f"{report.rate:,.0f}/min" if report.rate is not None and worker.is_live else ""
    return (
        worker.name,
        f"{worker.state}{reason}",
        f"{report.host}, process {report.pid}",
        f"heard of {seconds_text(worker.age)} ago",
        clock_text(last),
        f"{report.stats.get('item_scraped_count', 0):,} pages",
        rate,
        f"{worker.leases:,} leased, {report.active:,} active",
        f"{report.stats.get('log_count/ERROR', 0):,} errors",
        ", ".join(report.feeds),
    )


def _site(site: Site) -> tuple[str, ...]:
    raised = f"delay raised to {seconds_text(site.raised)}" if site.raised else ""
    ahead = f"{site.ahead:,} with workers" if site.ahead else ""
    return (
        one_line(site.name, 100) or quoted(site.name),
        f"{site.queued:,} queued",
        f"next {next_text(site)}",
        ahead,
        raised,
    )


def _table(rows: Sequence[tuple[str, ...]], *, indent: str) -> Iterator[str]:
    """Yield *rows* with their columns aligned; what is empty takes no place at the end."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True) if width)
        yield f"{indent}{'  '.join(cells)}".rstrip()
