"""The findings of a run in the order in which a person reads them: by field, values first."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from wikicrawler.fields.merging import identity
from wikicrawler.fields.report.money import counted

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping, Sequence

    from wikicrawler.fields.models import CrawlState, FieldDefinition, Finding, ScrapeResult

Kind = Literal["value", "conflict", "not used", "rejected"]
KINDS: tuple[Kind, ...] = ("value", "conflict", "not used", "rejected")
"""A value that was taken; one that another place contradicts; an element of a list behind
``max_items``; an answer that was not accepted."""


class Place(NamedTuple):
    """A finding, and what became of it."""

    kind: Kind
    finding: Finding

    @property
    def url(self) -> str:
        evidence = self.finding.evidence
        return (evidence.url if evidence else "") or self.finding.url

    @property
    def offsets(self) -> str:
        """The place in the page, to stand behind its URL: ``#24-29``; the path of a value that only
        structured data states: `` json-ld[0].sku``; else empty."""
        evidence = self.finding.evidence
        if evidence is None:
            return ""
        if evidence.end > evidence.start:
            return f"#{evidence.start}-{evidence.end}"
        return f" {evidence.path}" if evidence.path else ""


@dataclass(frozen=True)
class FieldPlaces:
    """What is known of a field."""

    name: str
    type: str
    places: tuple[Place, ...]
    value: Any = None
    """The merged value of a crawl; None without one."""
    why_null: str | None = None
    """Why there is no value; None if there is one."""

    def count(self, kind: Kind) -> int:
        return sum(place.kind == kind for place in self.places)


def places_by_field(
    results: Sequence[ScrapeResult],
    fields: Sequence[FieldDefinition],
    state: CrawlState | None = None,
) -> list[FieldPlaces]:
    """Return the findings of each field: those of *fields* in their order, then those of others.

    With *state* a value is one of the merged data, and other values are conflicts. Without, each
    page has its own values.
    """
    found: dict[str, list[Place]] = {field.name: [] for field in fields}
    for place in _places(results, {field.name for field in fields if field.is_list}, state):
        found.setdefault(place.finding.field, []).append(place)
    types = {field.name: field.type for field in fields}
    merged = state.merged_data if state else {}
    return [
        FieldPlaces(
            name,
            types.get(name, "unknown"),
            tuple(sorted(places, key=lambda one: KINDS.index(one.kind))),
            merged.get(name),
            _why_null(places, results) if merged.get(name) is None else None,
        )
        for name, places in found.items()
    ]


def _places(
    results: Sequence[ScrapeResult], lists: set[str], state: CrawlState | None
) -> Iterator[Place]:
    known = _Values(state.merged_data, lists) if state else None
    seen: set[Hashable] = set()
    for result in results:
        own = known or _Values(result.data, lists)
        for finding in (*result.findings, *result.conflicts):
            if _is_new(finding, seen):
                yield Place(own.kind_of(finding), finding)
    if state is None or known is None:
        return
    for one in [*(one for some in state.sources.values() for one in some), *state.conflicts]:
        if _is_new(one, seen):
            yield Place(known.kind_of(one), one)


def _is_new(finding: Finding, seen: set[Hashable]) -> bool:
    """Return whether *finding* was not there before, and note it. A rejected one is always new."""
    if finding.value is None:
        return True
    evidence = finding.evidence
    place = (evidence.start, evidence.end, evidence.path) if evidence else None
    key = (finding.field, finding.url, place, identity(finding.value))
    if key in seen:
        return False
    seen.add(key)
    return True


class _Values:
    """The values that were taken."""

    def __init__(self, data: Mapping[str, Any], lists: set[str]) -> None:
        self._lists = lists
        self._known = {
            name: {identity(one) for one in (value if isinstance(value, list) else [value])}
            for name, value in data.items()
            if value is not None
        }

    def kind_of(self, finding: Finding) -> Kind:
        if finding.value is None:
            return "rejected"
        if identity(finding.value) in self._known.get(finding.field, ()):
            return "value"
        return "not used" if finding.field in self._lists else "conflict"


def _why_null(places: Sequence[Place], results: Sequence[ScrapeResult]) -> str | None:
    """Return why a field has no value, in words."""
    if any(place.kind == "value" for place in places):
        return None
    found = []
    reasons = Counter(str(place.finding.reason) for place in places if place.kind == "rejected")
    if reasons:
        named = ", ".join(f"{reason} ({count:,})" for reason, count in sorted(reasons.items()))
        found.append(f"all answers were rejected: {named}")
    else:
        read = sum(one.success for one in results)
        found.append(f"stated on none of {counted(read, 'page')}")
    if failed := sum(not one.success for one in results):
        found.append(f"{counted(failed, 'page')} could not be read")
    if partial := sum(bool(one.success and one.partial) for one in results):
        found.append(f"{counted(partial, 'page')} read in part")
    return "; ".join(found)
