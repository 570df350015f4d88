"""The summary of a crawl over all of its workers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikicrawler.console.summary import clock, count_rows, rows_text
from wikicrawler.control.fleet.totals import total_stats
from wikicrawler.control.fleet.words import left_text, workers_text
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wikicrawler.control.fleet.snapshot import Snapshot, Worker

_MAX_NAMED = 5


def fleet_heading(found: Snapshot) -> str:
    """Return the heading of the summary: whether it is the last one."""
    job = one_line(found.name, 100)
    if live := len(found.live):
        still = "a worker still runs" if live == 1 else f"{live} workers still run"
        return f"Summary of all workers of the job {job} so far ({still})"
    return f"Summary of all workers of the job {job}"


def fleet_text(found: Snapshot, *, width: int | None = None) -> str:
    """Return the summary, one indented line for each row.

    :param width: columns of the terminal: longer rows continue on further lines, at a word
    """
    stats = total_stats(found.workers)
    pages = stats.get("item_scraped_count", 0)
    rows = [("workers", workers_text(found)), ("elapsed", clock(found.seconds))]
    rows += count_rows(stats)
    if found.seconds > 0:
        rows.append(("pages a second", f"{pages / found.seconds:.2f}"))
    if found.dead:
        rows.append(("given up", f"{found.dead:,}"))
    if found.has_work:
        rows.append(("left to do", left_text(found)))
    rows += [("hint", hint) for hint in _hints(found)]
    return rows_text(rows, width=width)


def _hints(found: Snapshot) -> Iterator[str]:
    if gone := [worker for worker in found.workers if worker.state == "gone"]:
        yield (
            f"gone without an end: {_named(gone)}; their figures are those of their last reports"
        )
    if found.dead:
        yield "requests were given up: scrapy fleet dead lists them"
    if errors := total_stats(found.workers).get("log_count/ERROR"):
        yield f"errors in the logs: {errors:,}"
    if found.has_work and not found.live:
        yield "the crawl is not finished: the same command with the same job goes on"


def _named(workers: list[Worker]) -> str:
    shown = [
        f"{worker.name} ({worker.report.host}, process {worker.report.pid})"
        for worker in workers[:_MAX_NAMED]
    ]
    more = f" and {len(workers) - _MAX_NAMED} more" if len(workers) > _MAX_NAMED else ""
    return f"{', '.join(shown)}{more}"
