"""Figures for Prometheus, in its text format."""

from __future__ import annotations

from time import time
from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from wikicrawler.control.jobs import list_jobs
from wikicrawler.control.scheduler import scheduler_state
from wikicrawler.dashboard.api.fleet_metrics import fleet_metrics
from wikicrawler.dashboard.api.metric import Metric
from wikicrawler.dashboard.context import dashboard_of
from wikicrawler.explain.sites import sites_page
from wikicrawler.sources.alerts.view import alert_page
from wikicrawler.sources.overview.listing import Asked
from wikicrawler.spending.costs import month_costs
from wikicrawler.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from starlette.requests import Request
    from starlette.responses import Response

    from wikicrawler.dashboard.context import Dashboard

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_MAX_JOBS = 200
_ESCAPES = str.maketrans({"\\": r"\\", '"': r"\"", "\n": r"\n"})


def metrics_of(dashboard: Dashboard, now: float) -> Iterator[Metric]:
    """Yield the metrics. Those that only grow within a month are gauges: they begin anew."""
    database = dashboard.database
    page = dashboard.directory.current().overview.page(database, Asked(), now, size=1)
    by_status: list[tuple[dict[str, str], float]] = [
        ({"status": str(status)}, number) for status, number in page.by_status.items()
    ]
    alerts = alert_page(database, state="open", limit=1).open
    jobs = [job for job in list_jobs(database, _MAX_JOBS) if job.is_live]
    costs = month_costs(dashboard.settings, database, now)
    paused = sites_page(database, only_paused=True, size=1, now=now).matching
    yield Metric("info", "gauge", "Version.", [({"version": __version__}, 1)])
    yield Metric("sources", "gauge", "Watched sources by status.", by_status)
    yield Metric(
        "alerts_open",
        "gauge",
        "Open alerts by severity.",
        [({"severity": name}, number) for name, number in alerts.items()],
    )
    yield Metric("jobs_running", "gauge", "Crawls that run.", [({}, len(jobs))])
    for name, key, what in (
        ("job_items", "items", "Records written by crawls that run."),
        ("job_queued_requests", "queued", "Requests in their queues."),
        ("job_active_requests", "active", "Requests in flight."),
    ):
        figures = [({"job": job.id, "spider": job.spider}, job.progress.get(key)) for job in jobs]
        samples = [(labels, float(n)) for labels, n in figures if isinstance(n, (int, float))]
        yield Metric(name, "gauge", what, samples)
    is_paused = float(scheduler_state(database).is_paused)
    yield Metric("scheduler_paused", "gauge", "1: the scheduler starts nothing.", [({}, is_paused)])
    yield Metric("sites_paused", "gauge", "Sites that are paused.", [({}, paused)])
    used = [({"service": one.service}, one.credits) for one in costs.services]
    yield Metric("month_credits", "gauge", "Credits of this month.", used)
    yield Metric("month_cost_dollars", "gauge", "Models, this month.", [({}, costs.total.cost)])
    yield Metric("month_tokens", "gauge", "Models, this month.", [({}, costs.total.tokens)])
    if dashboard.redis:
        yield from fleet_metrics(dashboard.redis)


def text_of(metrics: Iterable[Metric]) -> str:
    """Return *metrics* in the text format of Prometheus."""
    lines = []
    for metric in metrics:
        name = f"wikicrawler_{metric.name}"
        lines += [f"# HELP {name} {metric.help}", f"# TYPE {name} {metric.kind}"]
        for labels, value in metric.samples:
            pairs = ",".join(f'{key}="{one.translate(_ESCAPES)}"' for key, one in labels.items())
            lines.append(f"{name}{{{pairs}}} {value:g}" if pairs else f"{name} {value:g}")
    return "\n".join(lines) + "\n"


async def _show(request: Request) -> Response:
    text = await run_in_threadpool(lambda: text_of(metrics_of(dashboard_of(request), time())))
    return PlainTextResponse(text, media_type=CONTENT_TYPE)


ROUTES = (Route("/metrics", _show, methods=["GET"]),)
