"""Questions: what the screens show."""

from __future__ import annotations

from datetime import date  # noqa: TC003 - pydantic reads it
from time import time
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from wikicrawler.audit.browsing import log_page, operation_view
from wikicrawler.control.jobs import get_job, list_jobs
from wikicrawler.control.scheduler import scheduler_state
from wikicrawler.dashboard.api.operations import Given, NotFound, Operation
from wikicrawler.dashboard.context import dashboard_of
from wikicrawler.explain.sites import site_view, sites_page
from wikicrawler.sources.alerts.events import Severity  # noqa: TC001 - pydantic reads it
from wikicrawler.sources.alerts.view import State, alert_page
from wikicrawler.sources.overview.error_rows import ErrorsAsked
from wikicrawler.sources.overview.errors import errors
from wikicrawler.sources.overview.listing import Asked, SortBy
from wikicrawler.sources.overview.source import documents, is_source_id, runs
from wikicrawler.sources.overview.status import Status  # noqa: TC001 - pydantic reads it
from wikicrawler.sources.overview.versions import versions_of
from wikicrawler.spending.costs import month_costs
from wikicrawler.store.audit_search import Search
from wikicrawler.store.manifests import list_activations
from wikicrawler.text.safe import quoted

if TYPE_CHECKING:
    from starlette.requests import Request

_MAX_PAGE = 100_000
_MAX_SEQUENCE = 2**62


class SourcesAsked(Given):
    """Which sources, and in which order."""

    status: Status | None = None
    domain: str | None = None
    regulatory_domain: str | None = None
    jurisdiction: str | None = None
    source_type: str | None = None
    priority: str | None = None
    text: str = Field("", description="Words of the id, name, URL or citation.")
    sort: SortBy = SortBy.MANIFEST
    descending: bool = False
    page: int = Field(1, ge=1, le=_MAX_PAGE, description="100 sources each, from 1.")


class RunsAsked(Given):
    """Which visits."""

    before: float | None = Field(None, description="`next[0]` of the answer before.")
    before_run: str = Field("", description="`next[1]` of the answer before.")
    limit: int = Field(50, ge=1, le=500)


class DocumentsAsked(Given):
    """Which documents."""

    prefix: str = Field("", description="With which their URLs begin.")
    after: str = Field("", description="`next` of the answer before.")
    limit: int = Field(100, ge=1, le=1000)


class VersionsAsked(Given):
    """Which versions."""

    url: str | None = Field(None, description="Of the document; none: of all documents.")
    limit: int = Field(100, ge=1, le=500)


class FailuresAsked(Given):
    """Which failures."""

    source: str | None = None
    engine: str | None = None
    status: int | None = Field(None, description="HTTP status.")
    first: date | None = None
    last: date | None = None
    severity: Severity | None = None
    resolved: bool | None = None
    cause: str | None = None
    site: str | None = None
    text: str = Field("", description="Part of the URL or of the error.")
    page: int = Field(1, ge=1, le=_MAX_PAGE, description="100 failures each, from 1.")


class AlertsAsked(Given):
    """Which alerts."""

    state: State = "open"
    severity: str = ""
    event: str = ""
    subject: str = Field("", description="Id of a source, or name of a service.")
    before: int | None = Field(None, description="`next` of the answer before.", le=_MAX_SEQUENCE)


class RecordsAsked(Given):
    """Which records of the audit log."""

    source: str | None = None
    kind: str | None = Field(None, description="request, outcome, start, end, removal or control.")
    engine: str | None = None
    status: int | None = None
    first: date | None = None
    last: date | None = None
    failed: bool = False
    url: str = Field("", description="Beginning of the URL.")
    before: int | None = Field(None, description="`next` of the answer before.", le=_MAX_SEQUENCE)
    limit: int = Field(100, ge=1, le=500)


class JobsAsked(Given):
    """Which jobs."""

    limit: int = Field(100, ge=1, le=1000)


class SitesAsked(Given):
    """Which sites, and in which order."""

    text: str = Field("", description="Part of the name.")
    paused: bool = False
    sort: Literal["site", "attempt_count", "last_attempt_at", "risk_level", "paused_until"] = (
        "last_attempt_at"
    )
    descending: bool = True
    page: int = Field(1, ge=1, le=_MAX_PAGE)


class CostsAsked(Given):
    """Which month."""

    month: str = Field("", description="Like 2026-08, in UTC; none: this one.")


def _sources(request: Request, given: SourcesAsked) -> Any:
    dashboard = dashboard_of(request)
    asked = Asked(**{name: getattr(given, name) for name in SourcesAsked.model_fields})
    return dashboard.directory.current().overview.page(dashboard.database, asked)


def _source(request: Request, _: Given) -> Any:
    source = dashboard_of(request).directory.current().overview.sources.get(_id(request))
    if source is None:
        raise NotFound(f"the manifest has no source {quoted(_id(request), 80)}")
    return dict(source.fields)


def _runs(request: Request, given: RunsAsked) -> Any:
    before = None if given.before is None else (given.before, given.before_run)
    return runs(dashboard_of(request).database, _id(request), before, given.limit)


def _documents(request: Request, given: DocumentsAsked) -> Any:
    database = dashboard_of(request).database
    return documents(
        database, _id(request), prefix=given.prefix, after=given.after, limit=given.limit
    )


def _versions(request: Request, given: VersionsAsked) -> Any:
    staging = dashboard_of(request).staging
    if not staging.exists():
        return {"versions": [], "is_cut": False, "broken": 0}
    return versions_of(staging, _id(request), given.url, given.limit)


def _errors(request: Request, given: FailuresAsked) -> Any:
    named = {name: getattr(given, name) for name in FailuresAsked.model_fields if name != "page"}
    return errors(dashboard_of(request).database, ErrorsAsked(**named), page=given.page)


def _alerts(request: Request, given: AlertsAsked) -> Any:
    return alert_page(dashboard_of(request).database, **given.model_dump())


def _audit(request: Request, given: RecordsAsked) -> Any:
    named = given.model_dump(exclude={"before", "limit"})
    database = dashboard_of(request).database
    return log_page(database, Search(**named), before=given.before, limit=given.limit)


def _record(request: Request, _: Given) -> Any:
    found = operation_view(dashboard_of(request).database, int(request.path_params["sequence"]))
    if found is None:
        raise NotFound("there is no operation with this sequence")
    return found.operation


def _jobs(request: Request, given: JobsAsked) -> Any:
    return {"jobs": list_jobs(dashboard_of(request).database, given.limit)}


def _job(request: Request, _: Given) -> Any:
    job = get_job(dashboard_of(request).database, str(request.path_params["id"]))
    if job is None:
        raise NotFound("there is no such job")
    return job


def _scheduler(request: Request, _: Given) -> Any:
    return scheduler_state(dashboard_of(request).database)


def _sites(request: Request, given: SitesAsked) -> Any:
    return sites_page(
        dashboard_of(request).database,
        text=given.text,
        only_paused=given.paused,
        order=given.sort,
        descending=given.descending,
        page=given.page,
    )


def _site(request: Request, _: Given) -> Any:
    found = site_view(dashboard_of(request).database, str(request.path_params["site"]))
    if found is None:
        raise NotFound("nothing is recorded about this site")
    return found


def _costs(request: Request, given: CostsAsked) -> Any:
    dashboard = dashboard_of(request)
    return month_costs(dashboard.settings, dashboard.database, time(), given.month)


def _manifests(request: Request, _: Given) -> Any:
    database = dashboard_of(request).database
    if not database.has_tables():
        return {"activations": []}
    with database.read() as connection:
        return {"activations": list_activations(connection)}


def _id(request: Request) -> str:
    source_id = str(request.path_params["id"])
    if not is_source_id(source_id):
        raise NotFound(f"{quoted(source_id, 80)} is no id of a source")
    return source_id


QUESTIONS = (
    Operation("GET", "/api/sources", "List watched sources", _sources, SourcesAsked),
    Operation("GET", "/api/sources/{id}", "Show the manifest's entry of a source", _source),
    Operation("GET", "/api/sources/{id}/runs", "List visits to a source", _runs, RunsAsked),
    Operation(
        "GET", "/api/sources/{id}/documents", "List its documents", _documents, DocumentsAsked
    ),
    Operation(
        "GET", "/api/sources/{id}/versions", "List staged versions", _versions, VersionsAsked
    ),
    Operation("GET", "/api/errors", "List failures, grouped by cause too", _errors, FailuresAsked),
    Operation("GET", "/api/alerts", "List alerts with their messages", _alerts, AlertsAsked),
    Operation("GET", "/api/audit", "Search the audit log", _audit, RecordsAsked),
    Operation("GET", "/api/audit/{sequence:int}", "Show one operation", _record),
    Operation("GET", "/api/jobs", "List crawls that run, and that have ended", _jobs, JobsAsked),
    Operation("GET", "/api/jobs/{id}", "Show one crawl", _job),
    Operation("GET", "/api/scheduler", "Show whether the scheduler is paused", _scheduler),
    Operation("GET", "/api/sites", "List sites with their tiers", _sites, SitesAsked),
    Operation("GET", "/api/sites/{site}", "Show one site in time", _site),
    Operation("GET", "/api/costs", "Show the costs of a month", _costs, CostsAsked),
    Operation("GET", "/api/manifests", "List activations of manifests", _manifests),
)
