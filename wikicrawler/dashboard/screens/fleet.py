"""Crawls on several workers: their workers, requests and sites, and what waits for what."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.routing import Route

from wikicrawler.control.fleet.status_store import StatusStore
from wikicrawler.control.fleet.totals import total_stats
from wikicrawler.control.fleet.waits import waits_of
from wikicrawler.control.fleet.words import next_text
from wikicrawler.dashboard.context import dashboard_of
from wikicrawler.dashboard.queries import text_in
from wikicrawler.dashboard.rendering import render
from wikicrawler.errors import StoreError
from wikicrawler.frontier.redis.url import shown_url
from wikicrawler.text.safe import safe_lines

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from wikicrawler.control.fleet.snapshot import Snapshot, Worker
    from wikicrawler.control.fleet.status_store import JobEntry

_SECONDS = 4.0
"""Seconds after which a Redis that does not answer is away."""
_MAX_JOB = 320
"""Characters of a job with its spider."""
_SITES = 25
_WORKERS = 100
"""Number of workers that are shown: those that run first, then the last ones."""
_WAITS = 200


def show(request: Request) -> Response:
    """Show one job of the Redis that the project names, or all."""
    redis, name = dashboard_of(request).redis, text_in(request, "job", _MAX_JOB)
    entries: list[JobEntry] = []
    found: Snapshot | None = None
    problem = ""
    if redis:
        store = StatusStore(redis, seconds=_SECONDS)
        try:
            if name:
                found = store.snapshot(name, _SITES)
            else:
                entries = store.jobs()
        except StoreError as error:
            problem = safe_lines(error)
    is_missing = found is not None and not (found.exists or found.workers)
    return render(
        request,
        "fleet.html",
        status=503 if problem else 404 if is_missing else 200,
        redis=shown_url(redis) if redis else "",
        name=name,
        problem=problem,
        entries=entries,
        found=None if is_missing else found,
        workers=_shown(found) if found else [],
        stats=total_stats(found.workers) if found else {},
        waits=waits_of(found)[:_WAITS] if found else [],
        total_stats=total_stats,
        next_text=next_text,
    )


def _shown(found: Snapshot) -> list[Worker]:
    over = [worker for worker in reversed(found.workers) if not worker.is_live]
    return [*found.live, *over][:_WORKERS]


ROUTES = (Route("/fleet", show, methods=["GET"]),)
