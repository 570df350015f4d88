"""What is different between two versions of a document."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

RunKind = Literal["same", "removed", "added"]
RowKind = Literal["same", "changed", "removed", "added"]
SectionKind = Literal["unchanged", "changed", "moved", "removed", "added"]


class Run(NamedTuple):
    """Consecutive words of a line that have the same fate."""

    kind: RunKind
    text: str


class Row(NamedTuple):
    """A line of the old version beside the line of the new version that it became."""

    kind: RowKind
    old_number: int | None
    """From 1; None if the line is added."""
    new_number: int | None
    """None if the line is removed."""
    old: tuple[Run, ...]
    """The line's ``same`` and ``removed`` runs; empty if the line is added."""
    new: tuple[Run, ...]
    """The line's ``same`` and ``added`` runs; empty if the line is removed."""

    @property
    def is_change(self) -> bool:
        """True if something is different that can be read: empty lines do not count."""
        return self.kind != "same" and any(run.text for run in (*self.old, *self.new))


@dataclass(frozen=True, slots=True)
class SectionDifference:
    """A heading and the lines below it, up to the next heading of any level."""

    kind: SectionKind
    """A section that has moved may have changed as well: its rows say so."""
    heading: str
    """Without marks, as the new version has it, or the old one if the section is removed; "" for
    the lines before the first heading."""
    old_heading: str | None
    """None if the section is added."""
    rows: tuple[Row, ...]
    old_place: int | None = None
    """Number of the section in the old version, from 1."""
    new_place: int | None = None

    @property
    def has_changes(self) -> bool:
        """True if a line with text is different."""
        return any(row.is_change for row in self.rows)


@dataclass(frozen=True, slots=True)
class Counts:
    """Lines by what happened to them."""

    added: int
    removed: int
    changed: int


@dataclass(frozen=True, slots=True)
class Difference:
    sections: tuple[SectionDifference, ...]
    """In the order of the new version; a removed one stands behind the one that it followed."""
    notices: tuple[str, ...]
    """What is left out, or found less exactly, for the lack of time or space."""

    @property
    def is_empty(self) -> bool:
        """True if nothing that is compared is different."""
        return all(section.kind == "unchanged" for section in self.sections)

    @property
    def counts(self) -> Counts:
        kinds = [row.kind for section in self.sections for row in section.rows]
        return Counts(kinds.count("added"), kinds.count("removed"), kinds.count("changed"))
