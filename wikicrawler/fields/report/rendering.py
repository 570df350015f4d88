"""The report of a run as one page of HTML, which loads nothing and runs nothing.

::

    html = render_report(results, {url: content}, fields, state, budget.sums)
    Path("report.html").write_text(html, "utf-8")

All that pages, models and servers say is escaped, and only addresses of HTTP are links. The page is
bounded: its limits are constants of the modules of this package, and stand in the page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikicrawler.fields.models import Usage
from wikicrawler.fields.report.appearance import document
from wikicrawler.fields.report.escaping import (
    MAX_VALUE,
    html_of,
    note,
    page_link,
    row,
    short,
    table,
    text_of,
)
from wikicrawler.fields.report.highlights import MAX_SHOWN
from wikicrawler.fields.report.money import MAX_COSTS, costs_of, counted, format_cost
from wikicrawler.fields.report.page_sections import (
    KNOWN_MARKS,
    MAX_PAGES,
    MAX_TEXT,
    page_sections,
)
from wikicrawler.fields.report.places import places_by_field
from wikicrawler.text.safe import hide_logins

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from wikicrawler.fields.budget import Sums
    from wikicrawler.fields.models import CrawlState, FieldDefinition, ScrapeResult
    from wikicrawler.fields.report.page_sections import PageSections
    from wikicrawler.fields.report.places import FieldPlaces, Place

MAX_FIELDS = 200
"""Fields that are shown."""
MAX_ROWS = 100
"""Findings of one field that are shown."""
MAX_ALL_ROWS = 2_000
"""Findings that are shown."""
MAX_TABLES = 4_000_000
"""Characters of HTML of the findings."""
MAX_MARKS = 10
"""Marks of a finding that are shown."""
_COLUMNS = ("Value", "Kind", "Page", "Evidence", "Method", "Score", "Marks", "Reason")
_LEGEND = """<p>Marks are reasons to look, not verdicts.
<strong class="flag hidden">hidden</strong>: a person does not see the text on the page.
<strong class="flag addressed">addressed</strong>: the text addresses a model.
<strong class="flag contradicted">contradicted</strong>: the page states another value beside the
name of the field.</p>
"""


def render_report(
    results: Sequence[ScrapeResult],
    contents: Mapping[str, str],
    fields: Sequence[FieldDefinition],
    state: CrawlState | None = None,
    sums: Sums | None = None,
    *,
    title: str = "Extracted fields",
) -> str:
    """Return the report: each value with its place in the page, conflicts, rejected values, costs.

    :param contents: the stored content of pages, by URL: what the offsets of evidence are of. A
        page that is not there is listed without its text
    :param state: of a crawl over a site, whose merged values are shown
    :param sums: what a budget has counted; without, the cost is that of *results*
    """
    found = places_by_field(results, fields, state)
    shown = _limited(found)
    pages = page_sections(results, contents, [place for _, some in shown for place in some])
    parts = {
        "fields": ("Fields", _overview(found, is_merged=state is not None)),
        "findings": ("Findings", _LEGEND + _findings(shown, pages) + _more(found, shown)),
        "pages": ("Pages", pages.html + _missing(pages.left_out, "pages")),
        "cost": ("Cost", "".join(_cost_tables(results, sums))),
        "limits": ("Limits of this report", _limits()),
    }
    links = "".join(f'<li><a href="#{key}">{name}</a></li>' for key, (name, _) in parts.items())
    body = (
        f"<header>\n<h1>{html_of(title)}</h1>\n{_summary(results, found, sums)}"
        f'<nav aria-label="Parts of this page"><ul>{links}</ul></nav>\n</header>\n<main>\n'
    )
    for key, (name, html) in parts.items():
        body += f'<section aria-labelledby="{key}">\n<h2 id="{key}">{name}</h2>\n{html}</section>\n'
    body += "</main>\n"
    return document(title, body)


def _limited(found: Sequence[FieldPlaces]) -> list[tuple[FieldPlaces, list[Place]]]:
    """Return the fields with those of their places that are shown."""
    room = MAX_ALL_ROWS
    limited = []
    for field in found[:MAX_FIELDS]:
        some = list(field.places[: min(MAX_ROWS, room)])
        room -= len(some)
        limited.append((field, some))
    return limited


def _summary(
    results: Sequence[ScrapeResult], found: Sequence[FieldPlaces], sums: Sums | None
) -> str:
    read = sum(result.success for result in results)
    full = sum(field.why_null is None for field in found)
    total = _total(results, sums)
    return (
        f"<p>Fields with a value: {full:,} of {len(found):,}. Pages that were read: {read:,} of"
        f" {len(results):,}. {counted(total.requests, 'request')} to a model,"
        f" {html_of(format_cost(total.cost))}.</p>\n"
    )


def _overview(found: Sequence[FieldPlaces], *, is_merged: bool) -> str:
    columns = ["Field", "Type", "Values", "Conflicts", "Rejected", "Why there is no value"]
    if is_merged:
        columns.insert(2, "Merged value")
    rows = []
    for number, one in enumerate(found[:MAX_FIELDS], 1):
        cells = [html_of(one.type)]
        if is_merged:
            cells.append(_value(one.value))
        cells += [f"{one.count(kind):,}" for kind in ("value", "conflict", "rejected")]
        head = f'<a href="#field-{number}">{short(one.name)}</a>'
        rows.append(row(head, *cells, short(one.why_null or "")))
    return table("What was found of each field", columns, rows)


def _findings(shown: Sequence[tuple[FieldPlaces, list[Place]]], pages: PageSections) -> str:
    """Return the tables of the fields, until they have :data:`MAX_TABLES` characters."""
    parts = []
    room = MAX_TABLES
    for number, (field, places) in enumerate(shown, 1):
        head = f'<h3 id="field-{number}">{short(field.name)}</h3>\n'
        rows: list[str] = []
        for place in places:
            html = _finding(place, pages)
            room -= len(html)
            if room < 0:
                break
            rows.append(html)
        if field.why_null is not None:
            head += f"<p>No value: {short(field.why_null)}</p>\n"
        body = table(f"Findings of {field.name}"[:MAX_VALUE], _COLUMNS, rows) if rows else ""
        parts.append(f"{head}{body}\n{_missing(len(field.places) - len(rows), 'findings')}")
    return "".join(parts)


def _finding(place: Place, pages: PageSections) -> str:
    finding = place.finding
    evidence = finding.evidence
    value = finding.rejected if place.kind == "rejected" else finding.value
    return row(
        _value(value),
        place.kind,
        _page(place.url, pages),
        _evidence(place, pages),
        html_of(evidence.method) if evidence else "",
        f"{evidence.score:.2f}" if evidence else "",
        " ".join(map(_flag, finding.marks[:MAX_MARKS])),
        short(finding.reason or ""),
    )


def _evidence(place: Place, pages: PageSections) -> str:
    """Return the evidence as HTML: a link to its text below, or the path of the value."""
    evidence = place.finding.evidence
    if evidence is None:
        return note("none")
    path = f"<code>{short(evidence.path)}</code>" if evidence.path else ""
    if evidence.start == evidence.end:
        return f"{path} {note('not in the text of the page')}"
    at = html_of(f"characters {evidence.start:,} to {evidence.end:,}")
    name = pages.ids.get((place.url, evidence.start, evidence.end))
    if name is None:
        return f"{short(evidence.text)} {path} {note(f'{at}, not shown below')}"
    return f'<a href="#{name}">{short(evidence.text)}</a> {path} {note(at)}'


def _page(url: str, pages: PageSections) -> str:
    """Return the address of a page as HTML: a link to its section, if there is one."""
    text = short(hide_logins(url))
    name = pages.names.get(url)
    return f'<a href="#{name}">{text}</a>' if name else text


def _value(value: object) -> str:
    if value is None:
        return note("null")
    return f'<span class="value" lang="" dir="auto">{short(text_of(value))}</span>'


def _flag(mark: str) -> str:
    known = f" {mark}" if mark in KNOWN_MARKS else ""
    return f'<strong class="flag{known}">{short(mark, 40)}</strong>'


def _total(results: Sequence[ScrapeResult], sums: Sums | None) -> Usage:
    return sums.total if sums else sum((result.usage for result in results), Usage())


def _cost_tables(results: Sequence[ScrapeResult], sums: Sums | None) -> Iterator[str]:
    columns = (
        *("Requests", "From the cache", "Prompt tokens", "of them cached by the provider"),
        *("Tokens of answers", "US dollars"),
    )
    yield table("All calls", ("Calls", *columns), [_cost("Total", _total(results, sums))])
    for costs in costs_of(sums) if sums else ():
        has_requests = costs.by != "field"  # a request asks for several
        rows = [
            _cost(page_link(name) if costs.by == "URL" else short(name), usage, has_requests)
            for name, usage in costs.lines
        ]
        yield table(f"By {costs.by}", (costs.by.capitalize(), *columns), rows)


def _cost(head: str, usage: Usage, has_requests: bool = True) -> str:
    requests = [f"{count:,}" for count in (usage.requests, usage.cached)]
    counts = (usage.prompt_tokens, usage.cached_tokens, usage.completion_tokens)
    cells = [*(requests if has_requests else ("", "")), *(f"{count:,}" for count in counts)]
    return row(head, *cells, html_of(format_cost(usage.cost)))


def _more(found: Sequence[FieldPlaces], shown: Sequence[object]) -> str:
    return _missing(len(found) - len(shown), "fields")


def _missing(count: int, what: str) -> str:
    return f"<p>{note(f'{count:,} more {what} are not shown.')}</p>\n" if count > 0 else ""


def _limits() -> str:
    return (
        f"<p>At most {MAX_FIELDS:,} fields, {MAX_ROWS:,} findings of each and {MAX_ALL_ROWS:,} of"
        f" all, {MAX_VALUE:,} characters of a value, {MAX_PAGES:,} pages, {MAX_SHOWN:,} characters"
        f" of the text of each, and {MAX_COSTS:,} lines of a table of costs are shown. The findings"
        f" have about {MAX_TABLES:,} characters of HTML at most, and the pages {MAX_TEXT:,}. What"
        " is left out is counted where it is missing. A character that cannot be seen is shown by"
        " its name, like \\u202e.</p>\n"
    )
