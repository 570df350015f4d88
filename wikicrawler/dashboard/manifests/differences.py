"""The differences between two manifests as rows of a table."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from wikicrawler.sources.manifest.comparison import compare, shown_value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wikicrawler.sources.manifest.comparison import Change, Comparison
    from wikicrawler.sources.manifest.model import Manifest


class Row(NamedTuple):
    """A difference. The texts are foreign."""

    kind: str
    """``manifest`` (a field of its own), ``removed``, ``added`` or ``changed``."""
    source: str
    field: str
    before: str | None
    after: str | None


class Differences(NamedTuple):
    """What differs."""

    rows: tuple[Row, ...]
    removed: int
    added: int
    changed: int
    """Numbers of sources."""


def differences(before: Manifest | None, after: Manifest) -> Differences:
    """Return what differs in *after*; without *before*, all of it is new."""
    if before is None:
        rows = tuple(
            Row("added", one.id, "", None, f"{one.fields['name']} {one.fields['url']}")
            for one in after.sources
        )
        return Differences(rows, 0, len(rows), 0)
    found = compare(before, after)
    return Differences(
        tuple(_rows(found)), len(found.removed), len(found.added), len(found.changed)
    )


def _rows(found: Comparison) -> Iterator[Row]:
    for change in found.heads:
        yield _row("manifest", "", change)
    for one in found.removed:
        yield Row("removed", one.id, "", f"{one.fields['name']} {one.fields['url']}", None)
    for one in found.added:
        yield Row("added", one.id, "", None, f"{one.fields['name']} {one.fields['url']}")
    for source_id, changes in found.changed.items():
        for change in changes:
            yield _row("changed", source_id, change)


def _row(kind: str, source: str, change: Change) -> Row:
    before, after = (value_text(change.field, value) for value in (change.before, change.after))
    return Row(kind, source, change.field, before, after)


def value_text(field: str, value: Any) -> str:
    """Return the value of a field of a source as a person reads it."""
    visible = shown_value(field, value)
    if isinstance(visible, str):
        return visible
    return json.dumps(visible, ensure_ascii=False)
