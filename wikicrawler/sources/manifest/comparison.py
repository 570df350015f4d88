"""The differences between two manifests."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from wikicrawler.sources.manifest.model import Manifest, Source

_HEADS = ("version", "created", "updated", "vertical")
SECRET = frozenset({"auth_config", "scrape_config.custom_headers"})
"""Fields whose values are not shown, because somebody may have put a secret there."""


class Change(NamedTuple):
    """A field that differs."""

    field: str
    """Its keys from the source, separated by dots: ``scrape_config.max_depth``."""
    before: Any
    after: Any


@dataclass(frozen=True, slots=True)
class Comparison:
    """What differs between two manifests. Missing fields count as their defaults, and the order of
    the sources makes no difference."""

    heads: tuple[Change, ...]
    """Changes of the manifest's own fields."""
    added: tuple[Source, ...]
    removed: tuple[Source, ...]
    changed: Mapping[str, tuple[Change, ...]]
    """Changes of the sources that both manifests have, by id."""

    def __bool__(self) -> bool:
        return bool(self.heads or self.added or self.removed or self.changed)


def compare(before: Manifest, after: Manifest) -> Comparison:
    """Return what differs in *after*."""
    old = {source.id: source for source in before.sources}
    new = {source.id: source for source in after.sources}
    changes = {
        key: tuple(_changes(old[key].fields, source.fields))
        for key, source in new.items()
        if key in old
    }
    return Comparison(
        heads=tuple(
            Change(name, getattr(before, name), getattr(after, name))
            for name in _HEADS
            if getattr(before, name) != getattr(after, name)
        ),
        added=tuple(source for key, source in new.items() if key not in old),
        removed=tuple(source for key, source in old.items() if key not in new),
        changed={key: found for key, found in changes.items() if found},
    )


def shown_value(field: str, value: Any) -> Any:
    """Return *value* of *field* as it may be shown."""
    return "***" if field in SECRET and value else value


def flat_fields(fields: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    """Yield each field of a source with its name, those of ``scrape_config`` and ``metadata`` one
    by one."""
    for key, value in fields.items():
        if isinstance(value, dict) and not above and key in ("scrape_config", "metadata"):
            yield from flat_fields(value, f"{key}.")
        else:
            yield f"{above}{key}", value


def _changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[Change]:
    old, new = dict(flat_fields(before)), dict(flat_fields(after))
    for field in dict.fromkeys((*old, *new)):
        if old.get(field) != new.get(field):
            yield Change(field, old.get(field), new.get(field))
