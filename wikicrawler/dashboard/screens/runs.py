"""Run control: crawls that run and ran, and the controls of sources, sites and the scheduler."""

from __future__ import annotations

from time import time
from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse
from starlette.routing import Route

from wikicrawler.control.jobs import get_job
from wikicrawler.control.scheduler import scheduler_state
from wikicrawler.control.sites import list_sites
from wikicrawler.dashboard.context import dashboard_of
from wikicrawler.dashboard.rendering import render
from wikicrawler.dashboard.running.choices import PAUSES
from wikicrawler.dashboard.running.controls import CONTROLS
from wikicrawler.dashboard.running.crawls import crawl_of
from wikicrawler.dashboard.running.due import what_is_due
from wikicrawler.dashboard.running.live import active_count, crawls_of, stream
from wikicrawler.dashboard.running.log_tail import log_tail
from wikicrawler.errors import ConfigError

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from wikicrawler.control.sites import SiteState
    from wikicrawler.dashboard.context import Dashboard
    from wikicrawler.sources.manifest.model import Source

_MAX_SITES = 200
_MAX_PAUSED = 100
_MAX_OFFERED = 500
"""Ids of sources that the field offers while one types."""


def show(request: Request) -> Response:
    """Show the crawls and the controls."""
    dashboard = dashboard_of(request)
    found = crawls_of(dashboard)
    problem, outlook = "", None
    sources: tuple[Source, ...] = ()
    try:
        outlook = what_is_due(dashboard)
        active = dashboard.manifest()
        sources = active[1].active if active else ()
    except ConfigError as error:
        problem = str(error)
    paused = _paused_sites(dashboard)
    return render(
        request,
        "runs.html",
        live=found.live,
        ended=found.ended,
        scheduler=scheduler_state(dashboard.database),
        last_scheduled=next(
            (one for one in (*found.live, *found.ended) if "scheduled" in one.job.arguments), None
        ),
        problem=problem,
        outlook=outlook,
        paused_sources=outlook.paused[:_MAX_PAUSED] if outlook else (),
        source_count=len(sources),
        offered=[source.id for source in sources[:_MAX_OFFERED]],
        categories=outlook.categories if outlook else (),
        paused_sites=paused[:_MAX_SITES],
        paused_site_count=len(paused),
        pauses=PAUSES,
        now=time(),
    )


def show_job(request: Request) -> Response:
    """Show one crawl with the end of its log."""
    dashboard = dashboard_of(request)
    job = get_job(dashboard.database, request.path_params["job"][:300])
    if job is None:
        raise HTTPException(404, "There is no such crawl. Only the last 1,000 are kept.")
    crawl = crawl_of(job, active_count(dashboard))
    return render(request, "run.html", crawl=crawl, tail=log_tail(job))


def _paused_sites(dashboard: Dashboard) -> list[SiteState]:
    """Return the sites of which nothing is asked now."""
    return [
        site
        for site in list_sites(dashboard.database)
        if site.held_until is not None or site.paused_until is not None
    ]


def _to_page(_: Request) -> Response:
    """Answer who opens the path of a control."""
    return RedirectResponse("/runs", 303)


ROUTES = (
    Route("/runs", show, methods=["GET"]),
    Route("/runs/live", stream, methods=["GET"]),
    *CONTROLS,
    *(Route(route.path, _to_page, methods=["GET"]) for route in CONTROLS),
    Route("/runs/{job}", show_job, methods=["GET"]),
)
