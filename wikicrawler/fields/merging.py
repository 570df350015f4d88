"""Merging of the values of a page's parts, and of pages.

* A scalar or an object keeps the first value that is not null.
* Lists are united in order without duplicates, up to ``max_items``.

Values are coerced first. Equal elements are those of equal value: in ``list[number]`` 1 equals 1.0,
and true is no number. Objects are compared as canonical JSON with sorted keys.

Merging is associative and idempotent. The order of pages decides which scalar stays, and the order
(with ``max_items``, also the choice) of elements.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wikicrawler.fields.completion import is_complete
from wikicrawler.fields.values.types import coerce
from wikicrawler.store.chain_text import canonical_text

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence

    from wikicrawler.fields.models import CrawlState, FieldDefinition, Finding

MAX_SOURCES = 5
"""Findings of one value, or of one element of a list, that are kept."""
MAX_CONFLICTS = 20
"""Different values of one field that are kept beside the winner."""


def merge_results(
    existing: Mapping[str, Any], new: Mapping[str, Any], fields: Iterable[FieldDefinition]
) -> dict[str, Any]:
    """Return *existing* with what *new* adds; the arguments stay as they are.

    The result has a key for each of *fields*, and no others. A value that is not of its field's
    type is null, a bad element of a list is left out.
    """
    merged = {}
    for field in fields:
        # Equal elements count once for max_items, so it applies to the united list.
        unlimited = field.model_copy(update={"max_items": None})
        one = coerce(existing.get(field.name), unlimited).value
        other = coerce(new.get(field.name), unlimited).value
        merged[field.name] = _united(one, other, field) if field.is_list else _first(one, other)
    return merged


def identity(value: Any) -> Hashable:
    """Return what equal values have in common: numbers by value, objects as canonical JSON."""
    if isinstance(value, bool):
        return ("boolean", value)
    if isinstance(value, (dict, list)):
        return ("object", canonical_text({"": value}))
    return ("scalar", value)


class FindingMerger:
    """Merges findings as :func:`merge_results` merges values, and keeps where they come from.

    A finding with an equal value adds its evidence to the winner's. One with a different value is a
    conflict, unless the field is a list. Findings without a value are passed over.
    """

    def __init__(
        self,
        fields: Iterable[FieldDefinition],
        data: dict[str, Any] | None = None,
        sources: dict[str, list[Finding]] | None = None,
        conflicts: list[Finding] | None = None,
    ) -> None:
        """Continue with what was merged before, which is changed in place.

        :param data: the value of each field
        :param sources: the findings behind them, by field
        :param conflicts: the findings that contradict them
        """
        self._fields = {field.name: field for field in fields}
        self.data = {} if data is None else data
        self.sources = {} if sources is None else sources
        self.conflicts = [] if conflicts is None else conflicts
        self._found: dict[str, dict[Hashable, list[Finding]]] = {}
        for name in self._fields:
            self.data.setdefault(name, None)

    def add(self, findings: Iterable[Finding]) -> None:
        """Merge *findings*, whose values are coerced: a scalar, an object or an element each."""
        for finding in findings:
            field = self._fields.get(finding.field)
            if field is None or finding.value is None:
                continue
            if field.is_list:
                self._add_element(finding, field)
            else:
                self._add_value(finding)

    def _add_value(self, finding: Finding) -> None:
        winner = self.data[finding.field]
        if winner is None:
            self.data[finding.field] = finding.value
            self.sources[finding.field] = [finding]
            self._found[finding.field] = {identity(finding.value): [finding]}
        elif identity(winner) == identity(finding.value):
            self._add_source(finding)
        else:
            others = [one for one in self.conflicts if one.field == finding.field]
            known = {identity(one.value) for one in others}
            if len(others) < MAX_CONFLICTS and identity(finding.value) not in known:
                self.conflicts.append(finding)

    def _add_element(self, finding: Finding, field: FieldDefinition) -> None:
        if self.data[field.name] is None:
            self.data[field.name] = []
        elements, known = self.data[field.name], self._known(field.name)
        if identity(finding.value) not in known:
            if field.max_items is not None and len(elements) >= field.max_items:
                return
            elements.append(finding.value)
        self._add_source(finding)

    def _add_source(self, finding: Finding) -> None:
        """Keep *finding*, whose value stands in the data, if it is from another place."""
        same = self._known(finding.field).setdefault(identity(finding.value), [])
        place = _place(finding)
        if len(same) < MAX_SOURCES and all(_place(one) != place for one in same):
            same.append(finding)
            self.sources.setdefault(finding.field, []).append(finding)

    def _known(self, name: str) -> dict[Hashable, list[Finding]]:
        """Return the findings of each value of the field *name*, by its identity."""
        if name not in self._found:
            data = self.data[name]
            values = data if self._fields[name].is_list else [data]
            found = self._found[name] = {identity(one): [] for one in values or ()}
            for one in self.sources.get(name, ()):
                found.setdefault(identity(one.value), []).append(one)
        return self._found[name]


def update_state(
    state: CrawlState,
    findings: Iterable[Finding],
    fields: Sequence[FieldDefinition],
    url: str,
) -> None:
    """Merge the *findings* of the page at *url* into *state*, which is changed in place.

    A page that was visited before counts once.

    :raises ConfigError: there are no fields
    """
    is_complete(state.merged_data, fields)  # raises before anything changes
    merger = FindingMerger(fields, state.merged_data, state.sources, state.conflicts)
    merger.add(findings)
    if url not in state.visited_urls:
        state.visited_urls.add(url)
        state.pages_scraped += 1
    state.is_complete = is_complete(state.merged_data, fields)


def _first(one: Any, other: Any) -> Any:
    return other if one is None else one


def _united(one: Any, other: Any, field: FieldDefinition) -> list[Any] | None:
    if one is None and other is None:
        return None
    elements: dict[Hashable, Any] = {}
    for value in (*(one or ()), *(other or ())):
        elements.setdefault(identity(value), value)
    return list(elements.values())[: field.max_items]


def _place(finding: Finding) -> tuple[Any, ...]:
    evidence = finding.evidence
    return (finding.url, evidence.start, evidence.end) if evidence else (finding.url,)
