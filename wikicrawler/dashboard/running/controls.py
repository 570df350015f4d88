"""The controls of crawls, sources, sites and the scheduler, for the forms of all screens."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from wikicrawler.control.jobs import stop_job
from wikicrawler.control.runs import run_due, run_sources
from wikicrawler.control.scheduler import pause_scheduler, resume_scheduler
from wikicrawler.control.sites import pause_site, release_site
from wikicrawler.control.sources import override_sources, pause_sources, resume_sources
from wikicrawler.dashboard.controls import context_of
from wikicrawler.dashboard.forms import control, text_of
from wikicrawler.dashboard.running.choices import moment_of, seconds_of, selection_of
from wikicrawler.dashboard.running.due import forget_due
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from starlette.datastructures import FormData
    from starlette.requests import Request
    from starlette.routing import Route

_MAX_NAMED = 5


def visit(request: Request, form: FormData) -> str:
    """Start a crawl over sources."""
    selection = selection_of(form)
    run = run_sources(context_of(request), selection, force=bool(text_of(form, "force")))
    forget_due()
    return f"A crawl was started: {_sources(run.sources or 0)}"


def due(request: Request, _: FormData) -> str:
    """Start a crawl over what is due."""
    run_due(context_of(request))
    forget_due()
    return "A crawl over what is due was started"


def pause(request: Request, form: FormData) -> str:
    """Pause sources."""
    ids = pause_sources(context_of(request), selection_of(form), text_of(form, "reason"))
    forget_due()
    return f"Paused until resumed: {_named(ids)}"


def resume(request: Request, form: FormData) -> str:
    """Resume sources."""
    ids = resume_sources(context_of(request), selection_of(form))
    forget_due()
    return f"Resumed: {_named(ids)}"


def override(request: Request, form: FormData) -> str:
    """Visit sources once besides their schedule."""
    at = moment_of(form)
    ids = override_sources(context_of(request), selection_of(form), at)
    forget_due()
    return f"Visited once, on {datetime.fromtimestamp(at, UTC):%Y-%m-%d %H:%M} UTC: {_named(ids)}"


def stop(request: Request, form: FormData) -> str:
    """Stop a crawl."""
    job = stop_job(context_of(request), text_of(form, "job", 300), text_of(form, "reason"))
    if job.state == "ended":
        return "The crawl will not begin"
    return "The crawl was asked to stop: it ends within some seconds, and can be repeated"


def switch_off(request: Request, form: FormData) -> str:
    """Pause the scheduler."""
    pause_scheduler(context_of(request), text_of(form, "reason"))
    return "The scheduler is paused: it starts nothing until it is resumed"


def switch_on(request: Request, form: FormData) -> str:
    """Resume the scheduler."""
    resume_scheduler(context_of(request), text_of(form, "reason"))
    return "The scheduler is resumed"


def hold(request: Request, form: FormData) -> str:
    """Pause a site."""
    state = pause_site(
        context_of(request),
        text_of(form, "site"),
        seconds=seconds_of(form),
        reason=text_of(form, "reason"),
    )
    until = datetime.fromtimestamp(state.held_until or 0, UTC)
    return f"{one_line(state.site, 100)} is paused until {until:%Y-%m-%d %H:%M} UTC"


def release(request: Request, form: FormData) -> str:
    """Release a site."""
    state = release_site(context_of(request), text_of(form, "site"), text_of(form, "reason"))
    return f"{one_line(state.site, 100)} is not paused any more"


def _sources(count: int) -> str:
    return f"{count:,} source{'s' if count != 1 else ''}"


def _named(ids: list[str]) -> str:
    if len(ids) > _MAX_NAMED:
        return _sources(len(ids))
    return ", ".join(one_line(one, 100) for one in ids)


CONTROLS: tuple[Route, ...] = (
    control("/runs/visit", visit),
    control("/runs/due", due),
    control("/runs/pause", pause),
    control("/runs/resume", resume),
    control("/runs/override", override),
    control("/runs/stop", stop),
    control("/runs/scheduler/pause", switch_off),
    control("/runs/scheduler/resume", switch_on),
    control("/runs/sites/pause", hold),
    control("/runs/sites/release", release),
)
