"""Extracted fields with their evidence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from starlette.routing import Route

from wikicrawler.dashboard.evidence import MarkedText, marked_text, quote
from wikicrawler.dashboard.rendering import render
from wikicrawler.dashboard.screens.results import list_feeds, open_feed
from wikicrawler.explain.result_files import Kind
from wikicrawler.explain.results import FieldsRecord
from wikicrawler.fields.report.escaping import text_of
from wikicrawler.fields.report.money import counted, format_cost

if TYPE_CHECKING:
    from markupsafe import Markup
    from starlette.requests import Request
    from starlette.responses import Response

    from wikicrawler.explain.results import FieldValue

MAX_ROWS = 500
"""Values of a record that are shown."""
_MAX_NAME = 200
_METHODS = {
    "exact": "exact",
    "normalised": "normalised: but for case, spaces, quotation marks and width",
    "fuzzy": "fuzzy: but for a few characters",
    "structured": "structured: the page states it for machines",
}
REASONS = {
    "nothing_to_search": "no text stands for the value, so it cannot be looked for",
    "too_long": "the value is too long to be looked for",
    "quote_not_found": "the page does not have the text that was quoted as its evidence",
    "value_not_in_quote": "the quoted text is in the page, but does not contain the value",
    "value_not_found": "nothing was quoted, and the page does not have the value",
    "wrong_type": "the answer is of another type",
    "ambiguous": "the answer is one number or another, like 1,234",
    "not_finite": "the answer is no finite number",
    "not_allowed": "the answer is not one of the values that the field allows",
    "out_of_range": "the answer is outside of the bounds of the field",
    "bad_format": "the answer does not have the format of the field",
    "too_few": "the list has fewer elements than the field wants",
    "too_many": "the list has more elements than the field allows",
    "too_deep": "the answer is nested too deeply",
    "unknown_key": "the field does not have this key",
}
"""Why an answer was rejected."""
_MARKS = {
    "hidden": "hidden: a person does not see its text",
    "addressed": "addressed: its text speaks to a model",
    "contradicted": "contradicted: the page states another value beside the field's name",
}


@dataclass(frozen=True, slots=True)
class Row:
    """A value of a field, or that it has none."""

    field: str
    value: str | None
    """As text; None if there is none."""
    status: str
    word: str
    why: str
    marks: tuple[str, ...]
    method: str
    confidence: float | None
    quote: Markup | None
    path: str
    """Where the page's structured data states the value."""
    anchor: str
    """Id of the evidence in the text below; empty if it is not there."""
    url: str
    """Page of the value, if it is another one than that of the record."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A record as a person reads it."""

    record: FieldsRecord
    rows: tuple[Row, ...]
    left_out: int
    """Values that are not shown."""
    text: MarkedText | None
    cost: str
    """What the model cost, in words."""


def feeds(request: Request) -> Response:
    """Show the feeds with fields."""
    return list_feeds(request, Kind.FIELDS, "Fields")


def show(request: Request) -> Response:
    """Show records of a feed. Parameter: ``at`` (offset in bytes, and number of the line)."""
    opened = open_feed(request)
    records = [
        _shown(one) if isinstance(one, FieldsRecord) else one for one in opened.results.records
    ]
    return render(
        request,
        "fields.html",
        opened=opened,
        records=records,
        is_fields=lambda record: isinstance(record, Shown),
    )


def _shown(record: FieldsRecord) -> Shown:
    values = [*record.findings, *record.conflicts]
    text = None
    if record.content is not None:
        text = marked_text(record.content, values[:MAX_ROWS], f"line-{record.line}")
    conflicts = {id(one) for one in record.conflicts}
    by_field: dict[str, list[FieldValue]] = {name: [] for name in record.data}
    for one in values:
        by_field.setdefault(one.field, []).append(one)
    rows = []
    for field, found in by_field.items():
        if record.data.get(field) is None and not any(
            one.value is not None or one.reason for one in found
        ):
            rows.append(_missing(field, record))
        rows += [_row(one, record, text, is_conflict=id(one) in conflicts) for one in found]
        if not found and record.data.get(field) is not None:
            rows.append(_bare(field, record.data[field]))
    return Shown(record, tuple(rows[:MAX_ROWS]), max(0, len(rows) - MAX_ROWS), text, _cost(record))


def _cost(record: FieldsRecord) -> str:
    if not record.requests and not record.tokens:
        return "none: no model was asked"
    asked = counted(record.requests, "request")
    return f"{format_cost(record.cost)}: {asked} to the model, {counted(record.tokens, 'token')}"


def _row(
    one: FieldValue, record: FieldsRecord, text: MarkedText | None, *, is_conflict: bool
) -> Row:
    place = one.place
    status, word, why = "ok", "value", ""
    value = one.value
    if value is None:
        status, word, value = "failed", "rejected", one.rejected
        reason = one.reason or "without a reason"
        why = f"{reason}: {REASONS[reason]}" if reason in REASONS else reason
    elif is_conflict:
        status, word = "warning", "conflict"
        why = "another place states another value, which was taken"
    return Row(
        field=one.field[:_MAX_NAME],
        value=None if value is None else text_of(value),
        status=status,
        word=word,
        why=why,
        marks=tuple(_MARKS.get(mark, mark) for mark in one.marks[: len(_MARKS)]),
        method=_METHODS.get(place.method, place.method) if place else "",
        confidence=place.score if place else None,
        quote=quote(place, record.content) if place and place.text else None,
        path=(place.path or "") if place else "",
        anchor=text.anchors.get((place.start, place.end), "") if text and place else "",
        url=one.url if one.url != record.url else "",
    )


def _missing(field: str, record: FieldsRecord) -> Row:
    why = "the page could not be read" if record.error else "not stated in what was read"
    return _empty(field, None, "pending", "missing", why)


def _bare(field: str, value: object) -> Row:
    """Return the row of a value without a finding."""
    why = "the record does not say where it stands"
    return _empty(field, text_of(value), "warning", "no evidence", why)


def _empty(field: str, value: str | None, status: str, word: str, why: str) -> Row:
    name = field[:_MAX_NAME]
    return Row(name, value, status, word, why, (), "", None, None, "", "", "")


ROUTES = (
    Route("/fields", feeds, methods=["GET"]),
    Route("/fields/{file}", show, methods=["GET"]),
)
