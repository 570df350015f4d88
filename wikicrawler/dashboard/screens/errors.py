"""What failed, and why."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from starlette.exceptions import HTTPException
from starlette.routing import Route

from wikicrawler.dashboard.context import dashboard_of
from wikicrawler.dashboard.downloads import download
from wikicrawler.dashboard.filters import Filters
from wikicrawler.dashboard.pictures import Series, timeline
from wikicrawler.dashboard.rendering import render
from wikicrawler.dashboard.screens.audit_filters import engine_names, start_of
from wikicrawler.sources.alerts.events import Severity
from wikicrawler.sources.overview.error_rows import (
    MAX_FETCHES,
    MAX_VISITS,
    ErrorsAsked,
    exported,
)
from wikicrawler.sources.overview.errors import errors
from wikicrawler.text.spreadsheet import csv_lines

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from wikicrawler.sources.overview.error_rows import ErrorRow
    from wikicrawler.sources.overview.errors import Errors, Sort

SIZE = 50
"""Rows of a page."""
MAX_GROUPS = 200
CAUSES = {
    "blocked": "The site blocks crawls.",
    "blocked_captcha": "The site asks for a captcha.",
    "busy": "The site asks for a slower pace.",
    "captcha": "The site asks for a captcha.",
    "consent": "A consent wall stands before the page.",
    "conversion": "The page could not be converted.",
    "empty": "The page has no text.",
    "error_page": "An error or a notice instead of the page.",
    "forbidden": "The site does not allow this page.",
    "http_error": "The server answered with an error.",
    "interrupted": "The crawl ended first.",
    "js_shell": "The page needs a browser.",
    "login": "The page needs a log-in.",
    "missing": "The page is not there.",
    "network": "No connection, name or certificate.",
    "paused": "The site is paused.",
    "private_address": "The host has private addresses only.",
    "rate_limited": "The site asks for a slower pace.",
    "redirect": "Redirects without an end, or to no URL.",
    "robots": "robots.txt disallows the page.",
    "service_down": "A service behind an engine is down.",
    "timeout": "No answer in time.",
    "too_large": "The page is larger than allowed.",
    "unavailable": "The server is overloaded or down.",
}
"""What the causes mean. Others are shown as they are."""
_SEVERITIES = {one.value: one for one in Severity}
_RESOLVED = {"no": False, "yes": True}
_VIEWS = {"cause": "cause", "each": "each"}
_SORTS: dict[str, Sort] = {"severity": "severity", "last": "last", "count": "count"}
_EXPORTED = (
    *("at", "kind", "severity", "is_resolved", "source", "site", "engine", "status", "cause"),
    *("error", "url", "retry_count", "sequence", "run"),
)
_FILTERS = (
    *("source", "site", "engine", "status", "since", "until", "severity", "resolved"),
    *("text", "cause"),
)


def show(request: Request) -> Response:
    """Show the failures of a period."""
    filters = Filters(request)
    asked = _asked(filters)
    view = filters.word("view", _VIEWS, "cause")
    sort = filters.word("sort", _SORTS, "severity")
    page = filters.number("page", 1, 10_000) or 1
    database = dashboard_of(request).database
    found = None
    if not filters.faults:
        found = errors(database, asked, sort=sort, page=page, size=SIZE)
    return render(
        request,
        "errors.html",
        status=400 if filters.faults else 200,
        filters=filters,
        wanted={name: filters.values[name] for name in _FILTERS if name in filters.values},
        view=view,
        sort=sort,
        found=found,
        groups=found.groups[:MAX_GROUPS] if found else (),
        picture=_picture(found) if found else "",
        engines=engine_names(database),
        severities=list(_SEVERITIES),
        causes=CAUSES,
        most=(MAX_FETCHES, MAX_VISITS),
    )


def export(request: Request) -> Response:
    """Return all failures that the filters find, as a file."""
    filters = Filters(request)
    asked = _asked(filters)
    form = filters.word("format", {"csv": "csv", "jsonl": "jsonl"}, "csv")
    if filters.faults:
        raise HTTPException(400, "\n".join(filters.faults))
    rows = map(_exported, exported(dashboard_of(request).database, asked))
    if form == "jsonl":
        lines = (json.dumps(row) for row in rows)
        return download(lines, "wikicrawler-errors.jsonl", "application/jsonl")
    return download(csv_lines(_EXPORTED, rows), "wikicrawler-errors.csv", "text/csv")


def _exported(row: ErrorRow) -> dict[str, Any]:
    found = {name: getattr(row, name) for name in _EXPORTED}
    return found | {"at": row.at.isoformat(), "severity": row.severity.value}


def _asked(filters: Filters) -> ErrorsAsked:
    first, last = filters.days("since", "until")
    severity = filters.choice("severity", _SEVERITIES)
    resolved = filters.choice("resolved", _RESOLVED)
    return ErrorsAsked(
        source=filters.text("source") or None,
        engine=filters.text("engine") or None,
        status=filters.number("status", 100, 999),
        first=first,
        last=last,
        severity=severity,
        resolved=resolved,
        cause=filters.text("cause") or None,
        site=filters.text("site") or None,
        text=filters.text("text"),
    )


def _picture(found: Errors) -> Any:
    days = [(start_of(one.day), one) for one in found.days]
    return timeline(
        [
            Series("operations", [(at, one.operations) for at, one in days]),
            Series("failed", [(at, one.failures) for at, one in days]),
        ],
        key="days",
        title="Operations and failures by day",
    )


ROUTES = (
    Route("/errors", show, methods=["GET"]),
    Route("/errors/export", export, methods=["GET"]),
)
