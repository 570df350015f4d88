"""The audit log: its records, and one of them with all about it."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from starlette.exceptions import HTTPException
from starlette.routing import Route

from wikicrawler.audit.reading import sentence
from wikicrawler.audit.record_view import record_view
from wikicrawler.audit.rows import RECORD_COLUMNS, record_data, record_row
from wikicrawler.audit.searching import exported, search_log
from wikicrawler.dashboard.context import dashboard_of
from wikicrawler.dashboard.downloads import download
from wikicrawler.dashboard.filters import Filters
from wikicrawler.dashboard.rendering import render
from wikicrawler.dashboard.screens.audit_filters import KINDS, engine_names, search_of
from wikicrawler.dashboard.visible import cut
from wikicrawler.store.chain_text import canonical_text
from wikicrawler.text.spreadsheet import csv_lines

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.requests import Request
    from starlette.responses import Response

SIZE = 50
"""Records of a page."""
MAX_BODY = 20_000
"""Bytes of a kept response that its page shows."""
MAX_HEADERS = 100
MAX_TEXT = 50_000
"""Characters of a record's text that its page shows."""
_FILTERS = ("source", "kind", "engine", "status", "since", "until", "url", "by", "failed")


def show(request: Request) -> Response:
    """Show the records of the log, the newest first."""
    filters = Filters(request)
    wanted, by = search_of(filters)
    before = filters.number("before", 1)
    database = dashboard_of(request).database
    found = None
    if not filters.faults:
        found = search_log(database, wanted, by=by, before=before, limit=SIZE)
    return render(
        request,
        "audit.html",
        status=400 if filters.faults else 200,
        filters=filters,
        wanted={name: filters.values[name] for name in _FILTERS if name in filters.values},
        found=found,
        before=before,
        kinds=KINDS,
        engines=engine_names(database),
        sentence=sentence,
        when=_when,
        size=SIZE,
    )


def record(request: Request) -> Response:
    """Show one record."""
    sequence = request.path_params["sequence"]
    found = record_view(dashboard_of(request).database, sequence)
    if found is None:
        raise HTTPException(404, f"The audit log has no record {str(sequence)[:20]}.")
    response = found.response
    return render(
        request,
        "audit_record.html",
        record=found,
        is_part="hx-request" in request.headers,  # of the list, where ids would not be unique
        what=sentence(found.fields),
        # Canonical as the record itself, so that nothing of a nested value hides.
        nested=lambda value: canonical_text({"": value})[4:-1],
        text=cut(found.link.text, MAX_TEXT, strict=False),
        response=response,
        response_headers=response.headers[:MAX_HEADERS] if response else (),
        body=cut(_text(response.body), MAX_BODY, strict=False) if response else "",
        body_shown=min(MAX_BODY, len(response.body)) if response else 0,
    )


def export(request: Request) -> Response:
    """Return all records that the filters find, as a file."""
    filters = Filters(request)
    wanted, by = search_of(filters)
    form = filters.word("format", {"csv": "csv", "jsonl": "jsonl"}, "csv")
    if filters.faults:
        raise HTTPException(400, "\n".join(filters.faults))
    found = exported(dashboard_of(request).database, wanted, by=by)
    if form == "jsonl":
        lines = (canonical_text(record_data(*one)) for one in found)
        return download(lines, "wikicrawler-audit.jsonl", "application/jsonl")
    rows = (record_row(*one) for one in found)
    return download(csv_lines(RECORD_COLUMNS, rows), "wikicrawler-audit.csv", "text/csv")


def _when(fields: Mapping[str, Any]) -> datetime | None:
    try:
        return datetime.fromisoformat(str(fields.get("timestamp")))
    except ValueError:
        return None


def _text(body: bytes) -> str:
    return body[: MAX_BODY * 4].decode("utf-8", "replace")


ROUTES = (
    Route("/audit", show, methods=["GET"]),
    Route("/audit/export", export, methods=["GET"]),
    Route("/audit/{sequence:int}", record, methods=["GET"]),
)
