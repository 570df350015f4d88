"""The pages of a report: what became of each, and its text with the evidence highlighted."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from wikicrawler.fields.report.escaping import MAX_VALUE, html_of, note, page_link, short
from wikicrawler.fields.report.highlights import Highlight, excerpt, is_place
from wikicrawler.fields.report.money import counted, format_cost
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from wikicrawler.fields.models import ScrapeResult
    from wikicrawler.fields.report.places import Place

MAX_PAGES = 300
"""Pages that are shown."""
MAX_TEXT = 4_000_000
"""Characters of HTML of all pages together."""
MAX_NAMES = 5
"""Names of fields at one evidence."""
KNOWN_MARKS = ("addressed", "contradicted", "hidden")
"""Marks that stand out: they are classes of elements."""

Span = tuple[str, int, int]
"""URL, start and end of an evidence."""


class PageSections(NamedTuple):
    """The HTML of the pages, and where the evidence is in it."""

    html: str
    ids: Mapping[Span, str]
    """The id of the element of each evidence that is shown."""
    names: Mapping[str, str]
    """The id of each page that is shown, by URL."""
    left_out: int
    """Pages that are not shown."""


def page_sections(
    results: Sequence[ScrapeResult], contents: Mapping[str, str], places: Sequence[Place]
) -> PageSections:
    """Return the pages of *results* in their order, then others that *contents* has and a place
    names.

    :param places: those whose evidence is highlighted
    """
    by_url: dict[str, list[Place]] = {}
    for place in places:
        by_url.setdefault(place.url, []).append(place)
    known = {result.url: result for result in results}
    urls = [*known, *(url for url in by_url if url not in known and url in contents)]
    parts: list[str] = []
    ids: dict[Span, str] = {}
    room = MAX_TEXT
    count = 0
    for number, url in enumerate(urls[:MAX_PAGES], 1):
        text = contents.get(url)
        highlights = [] if text is None else _highlights(text, by_url.get(url, ()), count)
        count += len(highlights)
        head = f'<section aria-labelledby="page-{number}">\n{_head(number, url, known.get(url))}'
        if text is None:
            part = f"{head}<p>{note('The text of the page is not there.')}</p>\n</section>\n"
        else:
            found = excerpt(text, highlights)
            part = f"{head}{found.html}</section>\n"
            ids |= {(url, one.start, one.end): one.id for one in highlights if one.id in found.ids}
        parts.append(part)
        room -= len(part)
        if room < 0:
            break
    names = {url: f"page-{number}" for number, url in enumerate(urls[: len(parts)], 1)}
    return PageSections("".join(parts), ids, names, len(urls) - len(parts))


def _highlights(text: str, places: Sequence[Place], count: int) -> list[Highlight]:
    """Return the evidence of *places*, each span once, with ids behind that of number *count*."""
    spans: dict[tuple[int, int], list[Place]] = {}
    for place in places:
        one = place.finding.evidence
        if one is not None and is_place(text, one.start, one.end, one.text):
            spans.setdefault((one.start, one.end), []).append(place)
    return [
        Highlight(start, end, f"evidence-{number}", _note(same), _kinds(same))
        for number, ((start, end), same) in enumerate(sorted(spans.items()), count + 1)
    ]


def _note(places: Sequence[Place]) -> str:
    """Return the names of the fields, with what is to be said of their values."""
    names = dict.fromkeys(
        " ".join((place.finding.field, *([place.kind] if place.kind != "value" else [])))
        for place in places
    )
    more = f" and {len(names) - MAX_NAMES} more" if len(names) > MAX_NAMES else ""
    marks = "".join(f", {mark}" for mark in _kinds(places))
    return ", ".join(list(names)[:MAX_NAMES]) + more + marks


def _kinds(places: Sequence[Place]) -> tuple[str, ...]:
    marks = {mark for place in places for mark in place.finding.marks}
    return tuple(mark for mark in KNOWN_MARKS if mark in marks)


def _head(number: int, url: str, result: ScrapeResult | None) -> str:
    return f'<h3 id="page-{number}">{page_link(url)}</h3>\n{"".join(_facts(result))}'


def _facts(result: ScrapeResult | None) -> Iterator[str]:
    """Yield paragraphs about what became of a page."""
    if result is None:
        yield f"<p>{note('The result of the page is not there.')}</p>\n"
        return
    facts = ["read" if result.success else "not read", f"depth {result.depth}"]
    facts += [f"by {html_of(result.tier)}"] if result.tier else []
    cost = format_cost(result.usage.cost)
    facts.append(f"{counted(result.usage.requests, 'request')} to the model, {html_of(cost)}")
    yield f"<p>{'; '.join(facts)}</p>\n"
    if result.error:
        yield f"<p>Error: {html_of(one_line(result.error, MAX_VALUE))}</p>\n"
    if result.partial and result.partial != result.error:
        yield f"<p>Read in part: {html_of(one_line(result.partial, MAX_VALUE))}</p>\n"
    absent = [name for name, value in result.data.items() if value is None]
    if absent:
        yield f"<p>Without a value: {short(', '.join(absent))}</p>\n"
