"""What happens to crawls, as server-sent events: parts of the page that have changed."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, NamedTuple

from sse_starlette.event import ServerSentEvent
from sse_starlette.sse import EventSourceResponse
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException

from wikicrawler.control.jobs import get_job, list_jobs
from wikicrawler.dashboard.context import dashboard_of
from wikicrawler.dashboard.rendering import fragment
from wikicrawler.dashboard.running.crawls import crawl_of
from wikicrawler.dashboard.running.log_tail import log_tail
from wikicrawler.dashboard.running.streams import Stream, Streams
from wikicrawler.errors import ConfigError, StoreError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Hashable

    from starlette.requests import Request
    from starlette.responses import Response

    from wikicrawler.control.jobs import Job
    from wikicrawler.dashboard.context import Dashboard
    from wikicrawler.dashboard.running.crawls import Crawl

INTERVAL = 2.0
"""Seconds between two looks; crawls report as often."""
LONGEST = 300.0
"""Seconds after which a stream ends; the browser opens another if the page is still there."""
ENDED = 10
"""Ended crawls that the page lists."""
_LOOKED_AT = 200
_RECONNECT = 2_000  # milliseconds
_SEND_SECONDS = 30.0
_GRACE = 1.0
"""Seconds that a stream has to end when the server does."""
_STREAMS = Streams()


class News(NamedTuple):
    """A part of the page."""

    event: str
    state: Hashable
    """It is sent when this differs from the last one."""
    text: str


class Crawls(NamedTuple):
    """The crawls of the page."""

    live: list[Crawl]
    """Those that run, or were requested."""
    ended: list[Crawl]


async def stream(request: Request) -> Response:
    """Send what changes on the page of all crawls; with the parameter ``job``, on that of one."""
    job_id = request.query_params.get("job")
    if job_id is not None:
        job = await run_in_threadpool(get_job, dashboard_of(request).database, job_id[:300])
        if job is None:
            raise HTTPException(404, "There is no such crawl.")
    opened = Stream()
    return EventSourceResponse(
        _events(request, job_id, opened),
        send_timeout=_SEND_SECONDS,
        shutdown_event=opened.end,
        shutdown_grace_period=_GRACE,
    )


async def _events(
    request: Request, job_id: str | None, opened: Stream
) -> AsyncIterator[ServerSentEvent]:
    until = asyncio.get_running_loop().time() + LONGEST
    sent: dict[str, Hashable] = {}
    with _STREAMS.counted(request.state.session.csrf, opened):
        yield ServerSentEvent(comment="open", retry=_RECONNECT)
        while asyncio.get_running_loop().time() < until:
            for one in await run_in_threadpool(_news, request, job_id):
                if sent.get(one.event) != one.state:
                    sent[one.event] = one.state
                    yield ServerSentEvent(event=one.event, data=one.text)
            try:
                async with asyncio.timeout(INTERVAL):
                    await opened.end.wait()
            except TimeoutError:
                continue
            if opened.is_replaced:  # other pages have the connections now: do not connect again
                yield ServerSentEvent(event="over", data="over")
            return


def _news(request: Request, job_id: str | None) -> list[News]:
    """Return the parts of the page as they are now."""
    dashboard = dashboard_of(request)
    try:
        if job_id is None:
            return _all_news(request, crawls_of(dashboard))
        job = get_job(dashboard.database, job_id)
        return _job_news(request, crawl_of(job, active_count(dashboard))) if job else []
    except StoreError as error:
        return [_trouble(request, str(error))]


def _all_news(request: Request, found: Crawls) -> list[News]:
    live = tuple((one.key, one.job.state) for one in found.live)
    ended = tuple((one.key, one.job.state) for one in found.ended)
    return [
        _trouble(request, ""),
        News("jobs", live, _part(request, "live", crawls=found.live)),
        News("ended", ended, _part(request, "ended", crawls=found.ended)),
        *(_figures(request, one) for one in found.live),
    ]


def _job_news(request: Request, crawl: Crawl) -> list[News]:
    tail = log_tail(crawl.job)
    state = (crawl.job.state, crawl.job.finish_reason)
    return [
        _trouble(request, ""),
        News("state", state, _part(request, "state", crawl=crawl)),
        _figures(request, crawl),
        News("log", tail, _part(request, "log", tail=tail)),
    ]


def _figures(request: Request, crawl: Crawl) -> News:
    text = _part(request, "figures", crawl=crawl)
    return News(f"job-{crawl.key}", text, text)


def _trouble(request: Request, why: str) -> News:
    return News("trouble", why, _part(request, "trouble", trouble=why))


def _part(request: Request, part: str, **values: object) -> str:
    return fragment(request, "runs_news.html", part=part, **values)


def crawls_of(dashboard: Dashboard, ended: int = ENDED) -> Crawls:
    """Return the crawls that run, and those that ended last.

    :raises StoreError: the database is unavailable
    """
    count = active_count(dashboard)
    live: list[Crawl] = []
    over: list[Crawl] = []
    for job in list_jobs(dashboard.database, _LOOKED_AT):
        (live if _is_open(job) else over).append(crawl_of(job, count))
    over.sort(key=lambda one: -_end_of(one.job))
    return Crawls(live, over[:ended])


def _is_open(job: Job) -> bool:
    return job.is_live or job.state == "requested"


def _end_of(job: Job) -> float:
    return job.ended or job.heartbeat or job.requested_at


def active_count(dashboard: Dashboard) -> int | None:
    """Return the number of active sources of the active manifest, None if it is not known."""
    try:
        found = dashboard.manifest()
    except ConfigError:
        return None
    return len(found[1].active) if found else None
