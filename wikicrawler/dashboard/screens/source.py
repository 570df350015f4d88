"""A watched source: its runs, documents, days, failures, schedule and entry in the manifest."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from math import isfinite
from typing import TYPE_CHECKING, Any

from starlette.exceptions import HTTPException
from starlette.routing import Route

from wikicrawler import options
from wikicrawler.audit.browsing import operation_view
from wikicrawler.audit.redaction import redact_headers
from wikicrawler.dashboard.pictures import change_calendar
from wikicrawler.dashboard.preview import raw
from wikicrawler.dashboard.queries import page_in, text_in
from wikicrawler.dashboard.screens.source_frame import Asked, render_source, source_of, staged
from wikicrawler.sources.overview.error_rows import ErrorsAsked
from wikicrawler.sources.overview.errors import errors
from wikicrawler.sources.overview.source import (
    calendar,
    documents,
    kept_names,
    read_kept,
    runs,
)
from wikicrawler.sources.overview.timing import timetable
from wikicrawler.sources.staging.failures import KeptFailures

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from starlette.requests import Request
    from starlette.responses import Response

    from wikicrawler.sources.overview.source import KeptResponse

_RUNS = 50
_DOCUMENTS = 100
_KEPT = 20
_MAX_URL = 8_000
_MAX_BODY = 200_000


def show_runs(request: Request) -> Response:
    """Show the visits. Parameter: ``before``, start and run of the last one of the page before."""
    asked = source_of(request)
    found = runs(asked.dashboard.database, asked.id, _before(request), _RUNS)
    more = None if found.next is None else f"{found.next[0]!r}~{found.next[1]}"
    return render_source(
        request,
        asked,
        "source_runs.html",
        "",
        visits=found.visits,
        more=more,
        is_first=not text_in(request, "before"),
    )


def show_documents(request: Request) -> Response:
    """Show the documents. Parameters: ``prefix`` of their URLs, ``after``, a URL."""
    asked = source_of(request)
    prefix = text_in(request, "prefix", _MAX_URL)
    after = text_in(request, "after", _MAX_URL)
    found = documents(
        asked.dashboard.database, asked.id, prefix=prefix, after=after, limit=_DOCUMENTS
    )
    return render_source(
        request, asked, "source_documents.html", "documents", found=found, prefix=prefix
    )


def show_calendar(request: Request) -> Response:
    """Show the days of a year."""
    asked = source_of(request)
    today = datetime.now(UTC).date()
    days = calendar(asked.dashboard.database, asked.id, today)
    pictures = [
        change_calendar(
            {one.day: getattr(one, name) for one in days},
            key=f"calendar-{name}",
            title=title,
            until=today,
            what=what,
        )
        for name, title, what in (
            ("changes", "New, modified and deleted documents", "changes"),
            ("visits", "Visits", "visits"),
            ("failed", "Failed visits", "failed visits"),
        )
    ]
    return render_source(
        request, asked, "source_calendar.html", "calendar", pictures=pictures, days=len(days)
    )


def show_errors(request: Request) -> Response:
    """Show what failed, and the responses that were kept."""
    asked = source_of(request)
    found = errors(asked.dashboard.database, ErrorsAsked(source=asked.id), page=page_in(request))
    kept = _kept(asked)
    with staged():
        names = kept_names(kept, asked.id)
        responses = [(name, read_kept(kept, asked.id, name)) for name in names[:_KEPT]]
    return render_source(
        request,
        asked,
        "source_errors.html",
        "errors",
        found=found,
        responses=responses,
        kept_count=len(names),
    )


def show_kept(request: Request) -> Response:
    """Show a response that the staging folder keeps."""
    asked, name = source_of(request), str(request.path_params["name"])
    with staged():
        found = read_kept(_kept(asked), asked.id, name)
    if found is None:
        raise HTTPException(404, "This response is not kept any more: the oldest are removed.")
    return render_source(
        request, asked, "source_response.html", "errors", response=found, body=_body(found)
    )


def show_recorded(request: Request) -> Response:
    """Show the response of a failed operation, as the audit log keeps it."""
    asked, sequence = source_of(request), int(request.path_params["sequence"])
    view = operation_view(asked.dashboard.database, sequence)
    if view is None or view.operation.fields.get("manifest_id") != asked.id:
        raise HTTPException(404, f"The audit log has no operation {sequence} of this source.")
    body = None
    if view.response is not None:
        text = view.response.body.decode("utf-8", "replace")
        body = raw(text, what="body", limit=_MAX_BODY)
    return render_source(
        request,
        asked,
        "source_operation.html",
        "errors",
        sequence=sequence,
        fields=view.operation.fields,
        response=view.response,
        body=body,
    )


def show_schedule(request: Request) -> Response:
    """Show when the source is visited, and why then."""
    asked = source_of(request)
    found = None
    if asked.line is not None:
        dashboard = asked.dashboard
        found = timetable(dashboard.database, asked.line.source, dashboard.timing)
    return render_source(request, asked, "source_schedule.html", "schedule", timetable=found)


def show_entry(request: Request) -> Response:
    """Show what the manifest says of the source."""
    asked = source_of(request)
    facts = [] if asked.line is None else list(_facts(asked.line.source.fields))
    active = asked.dashboard.directory.current()
    return render_source(
        request, asked, "source_entry.html", "entry", facts=facts, activation=active.activation
    )


def _before(request: Request) -> tuple[float, str] | None:
    text = text_in(request, "before", 200)
    if not text:
        return None
    started, _, run = text.partition("~")
    try:
        moment = float(started)
    except ValueError:
        moment = float("nan")
    if not isfinite(moment) or not run:
        raise HTTPException(400, "before: not what the link to the next page says")
    return moment, run


def _kept(asked: Asked) -> KeptFailures:
    dashboard = asked.dashboard
    return KeptFailures(dashboard.staging, options.SOURCE_KEPT_FAILURES.read(dashboard.settings))


def _body(found: KeptResponse) -> object:
    return None if found.body is None else raw(found.body, what="body", limit=_MAX_BODY)


def _facts(fields: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, str]]:
    """Yield the names and values of all fields, with those of objects after a dot."""
    for name, known in fields.items():
        value = known
        if name == "custom_headers" and isinstance(known, dict):
            # Their values may be keys of a service.
            value = dict(redact_headers([(str(k), str(v)) for k, v in known.items()]))
        if isinstance(value, dict) and value:
            yield from _facts(value, f"{above}{name}.")
        else:
            text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            yield f"{above}{name}", text


_PAGES = (
    ("", show_runs),
    ("/documents", show_documents),
    ("/calendar", show_calendar),
    ("/errors", show_errors),
    ("/errors/recorded/{sequence:int}", show_recorded),
    ("/errors/kept/{name}", show_kept),
    ("/schedule", show_schedule),
    ("/entry", show_entry),
)
ROUTES = tuple(Route(f"/sources/{{source}}{path}", show, methods=["GET"]) for path, show in _PAGES)
