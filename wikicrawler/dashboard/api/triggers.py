"""Triggers: what the controls of the screens do. Each one is a function of ``control``, and its
record in the audit log names the token."""

from __future__ import annotations

from datetime import datetime  # noqa: TC003 - pydantic reads it
from typing import TYPE_CHECKING, Any

from pydantic import Field

from wikicrawler.control.alerts import resolve_alerts
from wikicrawler.control.jobs import stop_job
from wikicrawler.control.manifests import activate_manifest, restore_manifest
from wikicrawler.control.robots import RobotsByProcess
from wikicrawler.control.runs import run_due, run_sources
from wikicrawler.control.scheduler import pause_scheduler, resume_scheduler
from wikicrawler.control.selection import Selection
from wikicrawler.control.sites import pause_site, release_site
from wikicrawler.control.sources import override_sources, pause_sources, resume_sources
from wikicrawler.dashboard.api.operations import Given, Operation
from wikicrawler.dashboard.controls import context_of
from wikicrawler.sources.manifest.reader import read_manifest

if TYPE_CHECKING:
    from starlette.requests import Request

    from wikicrawler.control.manifests import RobotsChecker

MAX_MANIFEST = 8 << 20
"""Maximum length of the text of a manifest, in characters."""


class Nothing(Given):
    """No fields."""


class Reason(Given):
    """Why."""

    reason: str = ""


class Chosen(Given):
    """Sources: by their ids, by a category, or all; exactly one of the three."""

    ids: list[str] = Field([], max_length=10_000)
    category: dict[str, str] = Field(
        {}, max_length=1, description='A field and its value, like `{"priority": "high"}`.'
    )
    all: bool = False

    def selection(self) -> Selection:
        category = next(iter(self.category.items()), None)
        return Selection(tuple(self.ids), category, self.all)


class Visit(Chosen):
    """Sources to visit."""

    force: bool = Field(True, description="Visit those that are not due, too.")


class Pause(Chosen):
    """Sources to pause."""

    reason: str = ""


class Override(Chosen):
    """Sources to visit at a moment besides their schedule, once."""

    at: datetime = Field(description="ISO 8601 with an offset, like 2026-12-01T03:00Z.")


class SitePause(Given):
    """For how long."""

    seconds: float = Field(gt=0)
    reason: str = ""


class Manifest(Given):
    """A manifest."""

    text: str = Field(max_length=MAX_MANIFEST, description="JSON or YAML.")
    force: bool = Field(
        False, description="Allow a lower version, other content, another vertical."
    )
    check_robots: bool = Field(True, description="Check robots.txt of all sources first.")
    reason: str = ""


class Restore(Given):
    """An earlier activation."""

    version: str = Field(description="Version of the manifest, or number of the activation.")
    check_robots: bool = True
    reason: str = ""


class Resolve(Given):
    """Alerts."""

    ids: list[int] = Field(min_length=1, max_length=1000)
    reason: str = ""


def _run(request: Request, given: Visit) -> Any:
    return run_sources(context_of(request), given.selection(), force=given.force)


def _due(request: Request, _: Nothing) -> Any:
    return run_due(context_of(request))


def _pause(request: Request, given: Pause) -> Any:
    return {"sources": pause_sources(context_of(request), given.selection(), given.reason)}


def _resume(request: Request, given: Chosen) -> Any:
    return {"sources": resume_sources(context_of(request), given.selection())}


def _override(request: Request, given: Override) -> Any:
    if given.at.tzinfo is None:
        raise ValueError("at: the time has no offset from UTC (like 2026-12-01T03:00Z)")
    at = given.at.timestamp()
    return {"sources": override_sources(context_of(request), given.selection(), at)}


def _stop(request: Request, given: Reason) -> Any:
    return stop_job(context_of(request), str(request.path_params["id"]), given.reason)


def _pause_site(request: Request, given: SitePause) -> Any:
    site = str(request.path_params["site"])
    return pause_site(context_of(request), site, seconds=given.seconds, reason=given.reason)


def _release_site(request: Request, given: Reason) -> Any:
    return release_site(context_of(request), str(request.path_params["site"]), given.reason)


def _pause_scheduler(request: Request, given: Reason) -> Any:
    return pause_scheduler(context_of(request), given.reason)


def _resume_scheduler(request: Request, given: Reason) -> Any:
    return resume_scheduler(context_of(request), given.reason)


def _activate(request: Request, given: Manifest) -> Any:
    context = context_of(request)
    return activate_manifest(
        context,
        read_manifest(given.text.encode("utf-8", "replace"), "the manifest"),
        check=_checker(request, wanted=given.check_robots),
        force=given.force,
        reason=given.reason,
    )


def _restore(request: Request, given: Restore) -> Any:
    check = _checker(request, wanted=given.check_robots)
    return restore_manifest(context_of(request), given.version, check=check, reason=given.reason)


def _resolve(request: Request, given: Resolve) -> Any:
    return {"resolved": resolve_alerts(context_of(request), given.ids, given.reason)}


def _checker(request: Request, *, wanted: bool) -> RobotsChecker | None:
    return RobotsByProcess(context_of(request).settings) if wanted else None


TRIGGERS = (
    Operation("POST", "/api/sources/run", "Visit sources now", _run, Visit),
    Operation("POST", "/api/sources/run-due", "Visit what is due", _due, Nothing),
    Operation("POST", "/api/sources/pause", "Pause sources", _pause, Pause),
    Operation("POST", "/api/sources/resume", "Resume sources", _resume, Chosen),
    Operation("POST", "/api/sources/override", "Visit sources once at a time", _override, Override),
    Operation("POST", "/api/jobs/{id}/stop", "Stop a crawl", _stop, Reason),
    Operation("POST", "/api/sites/{site}/pause", "Pause a site", _pause_site, SitePause),
    Operation("POST", "/api/sites/{site}/release", "Release a site", _release_site, Reason),
    Operation("POST", "/api/scheduler/pause", "Pause the scheduler", _pause_scheduler, Reason),
    Operation("POST", "/api/scheduler/resume", "Resume the scheduler", _resume_scheduler, Reason),
    Operation("POST", "/api/manifests", "Activate a manifest", _activate, Manifest),
    Operation("POST", "/api/manifests/restore", "Activate an earlier manifest", _restore, Restore),
    Operation("POST", "/api/alerts/resolve", "Resolve alerts", _resolve, Resolve),
)
