"""What has changed between two versions of a document, and where."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from wikicrawler.sources.changes.alignment import align
from wikicrawler.sources.changes.diff import Budget, edits
from wikicrawler.sources.changes.document import RULES_VERSION, parse
from wikicrawler.sources.changes.sections import Section, sections

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wikicrawler.sources.changes.ignored import Patterns


_CONTEXT = 5
"""Words before an edit that are shown with it."""


class Limits(NamedTuple):
    """How much of a change is described. The counts of words are always complete."""

    sections: int = 200
    edits: int = 50
    """Edits of one section."""
    characters: int = 400
    """Characters of one side of an edit."""


@dataclass(frozen=True, slots=True)
class WordEdit:
    """Words that were replaced, removed (*new* is empty) or added (*old* is empty)."""

    old: str
    new: str
    before: str
    """The words before them in the new version."""


@dataclass(frozen=True, slots=True)
class SectionChange:
    headings: tuple[str, ...]
    """Headings, or numbers of paragraphs, from the top to this section: in the new version,
    unless the section is removed."""
    action: Literal["added", "removed", "modified", "moved"]
    words: tuple[WordEdit, ...]
    added: int
    """Number of words, numbers and signs that are new."""
    removed: int


@dataclass(frozen=True, slots=True)
class Change:
    kind: Literal["cosmetic", "substantive"]
    """``cosmetic`` if all words, numbers and signs with a meaning are the same."""
    sections: tuple[SectionChange, ...]
    truncated: bool
    """True if sections or edits are left out, or if an edit is larger than it had to be."""

    def as_dict(self) -> dict[str, Any]:
        """Return the change as JSON-serialisable values."""
        return {"rules_version": RULES_VERSION, **asdict(self)}


def compare(
    old: str,
    new: str,
    *,
    ignore: Patterns = (),
    limit: Limits = Limits(),  # noqa: B008
) -> Change | None:
    """Return what has changed from the body *old* to *new*, or None if nothing but noise has.

    :param ignore: patterns of lines that are noise, too, as for ``normalise``
    """
    one, other = parse(old, ignore), parse(new, ignore)
    if "\n".join(map(str, one)) == "\n".join(map(str, other)):
        return None
    before, after = sections(one), sections(other)
    if _same_words(before, after):
        return _cosmetic(before, after, limit)
    return _substantive(before, after, limit)


def _same_words(old: Sequence[Section], new: Sequence[Section]) -> bool:
    """Return True if no word, number or sign with a meaning differs."""
    if _all(old, "keys") == _all(new, "keys"):
        return True
    if _all(old, "folded") != _all(new, "folded"):
        return False
    one, other = Counter(_all(old, "code")), Counter(_all(new, "code"))
    gone, come = one - other, other - one
    # Code that is only there once more, or no more, was text before: its formatting has changed.
    return not ({_letters(text) for text in gone} & {_letters(text) for text in come})


def _all(parts: Sequence[Section], name: Literal["keys", "folded", "code"]) -> list[str]:
    return [value for section in parts for value in getattr(section.words, name)]


def _letters(code: str) -> str:
    return "".join(character for character in code.casefold() if character.isalnum())


def _cosmetic(old: Sequence[Section], new: Sequence[Section], limit: Limits) -> Change:
    known = {section.text for section in old}
    found = [
        SectionChange(section.headings, "modified", (), 0, 0)
        for section in new
        if section.text not in known
    ]
    return Change("cosmetic", tuple(found[: limit.sections]), len(found) > limit.sections)


def _substantive(old: Sequence[Section], new: Sequence[Section], limit: Limits) -> Change:
    alignment = align(old, new)
    budget = Budget()
    truncated = False
    found: list[tuple[int, SectionChange]] = []  # with the place in the new version
    moved = {old[at].path for at in alignment.moved}
    places = dict(alignment.pairs)
    apart = bool(moved) and _links(old) == _links(new)
    for at, there in alignment.pairs:
        if old[at].key == new[there].key or (apart and old[at].body == new[there].body):
            if at in alignment.moved and not _moves_along(old[at], moved):
                found.append((there, SectionChange(new[there].headings, "moved", (), 0, 0)))
            continue
        if len(found) < limit.sections:
            change, cut = _modified(old[at], new[there], limit, budget)
            truncated |= cut
        else:
            change = SectionChange(new[there].headings, "modified", (), 0, 0)
        found.append((there, change))
    for there in alignment.added:
        words, count, cut = _all_of(new[there], limit, is_new=True)
        truncated |= cut
        found.append((there, SectionChange(new[there].headings, "added", words, count, 0)))
    last = -1
    gone = set(alignment.removed)
    for at, section in enumerate(old):
        if at in gone:
            words, count, cut = _all_of(section, limit, is_new=False)
            truncated |= cut
            found.append((last, SectionChange(section.headings, "removed", words, 0, count)))
        else:
            last = places[at]
    found.sort(key=lambda pair: pair[0])
    truncated |= budget.exceeded or len(found) > limit.sections
    return Change("substantive", tuple(c for _, c in found[: limit.sections]), truncated)


def _links(parts: Sequence[Section]) -> Counter[str]:
    return Counter(line for section in parts for line in section.links)


def _moves_along(section: Section, moved: set[tuple[str, ...]]) -> bool:
    """Return True if a section above *section* has moved with it."""
    return any(section.path[:depth] in moved for depth in range(1, len(section.path)))


def _modified(
    old: Section, new: Section, limit: Limits, budget: Budget
) -> tuple[SectionChange, bool]:
    found = edits(old.words.keys, new.words.keys, budget)
    shown = tuple(
        WordEdit(
            old.words.shown(*edit.old, limit.characters),
            new.words.shown(*edit.new, limit.characters),
            new.words.shown(max(0, edit.new[0] - _CONTEXT), edit.new[0], limit.characters),
        )
        for edit in found[: limit.edits]
    )
    change = SectionChange(
        new.headings,
        "modified",
        shown,
        added=sum(edit.new[1] - edit.new[0] for edit in found),
        removed=sum(edit.old[1] - edit.old[0] for edit in found),
    )
    return change, len(found) > limit.edits or any(word.old.endswith("…") for word in shown)


def _all_of(
    section: Section, limit: Limits, *, is_new: bool
) -> tuple[tuple[WordEdit, ...], int, bool]:
    words = section.words
    count = len(words.keys)
    text = words.shown(0, count, limit.characters)
    edit = WordEdit("", text, "") if is_new else WordEdit(text, "", "")
    cut = count > 0 and words.spans[-1][1] - words.spans[0][0] > limit.characters
    return (edit,), count, cut
