"""Lines of watched documents that change at most visits, found in the staged versions.

It only proposes patterns for ``scrape_config.ignore_changes``; the operator decides which to use.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict, deque
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from wikicrawler.sources.changes.diff import Budget, edits
from wikicrawler.sources.changes.document import parse
from wikicrawler.sources.changes.ignored import MAX_PATTERN, check_pattern, is_match, parts_of
from wikicrawler.sources.changes.visit import has_fact
from wikicrawler.sources.staging.lists import entries, removals

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wikicrawler.sources.staging.lists import Entry
    from wikicrawler.sources.staging.protocol import Staging

LEAST_CHANGES = 2
VERSIONS = 12
"""The newest versions of a document that are compared."""
MAX_LIVE_LINES = 50
"""Lines of a document that are described: each is compared with all others. A document with more
of them changes as a whole."""
_MAX_PARTS = 20_000
"""Lines of a version that are compared."""
_MAX_PART = 1_000
_SHOWN = 3
_LEAST_LETTERS = 4
"""Letters that a pattern has at least, so that it is about one line."""
_SPECIAL = re.compile(r"[\\.+*?()|\[\]{}^$]")
_NUMBER = re.compile(r"\d[\d.,:]*")
_SIGN = "\0"
_ANY_NUMBER = r"[\d.,:]*\d"
_LETTER = re.compile(r"[^\W\d_]")

Part = tuple[str, str]
"""The heading above a line, or a part of one, and its text."""


class LiveLine(NamedTuple):
    """A line, or a part of one, that changed at several visits."""

    url: str
    heading: str
    changes: int
    """Visits at which it changed."""
    visits: int
    """Visits that staged a version after another one: those that were compared."""
    values: tuple[str, ...]
    """Its last texts, the newest first."""
    pattern: str | None
    """A pattern that matches all its texts; None if they have too little in common."""
    others: int
    """Other lines of the newest version that the pattern matches."""
    is_fact: bool
    """Whether it has a word of a fact, such as a fee, so that ignoring it may hide changes."""


class _Slot:
    """A place of a document with all that stood there."""

    def __init__(self, part: Part) -> None:
        self.heading = part[0]
        self.values = [part[1]]


def parts_in(body: str, ignore: Sequence[str]) -> list[Part]:
    """Return the lines of *body* without noise, in parts that a pattern may match."""
    found: list[Part] = []
    heading = ""
    for block in parse(body, ignore):
        if block.kind == "heading":
            heading = block.text
        found += ((heading, part) for part in parts_of(block) if len(part) <= _MAX_PART)
        if len(found) > _MAX_PARTS:
            break
    return found[:_MAX_PARTS]


def versions_of(folder: Staging, source: str) -> dict[str, list[Entry]]:
    """Return the staged versions of each document of *source* of which there are enough, the
    oldest first.

    :raises ConfigError: a list of *folder* is damaged
    :raises OSError: *folder* cannot be read
    """
    gone = removals(folder)
    found: dict[str, deque[Entry]] = defaultdict(lambda: deque(maxlen=VERSIONS))
    for entry in entries(folder):
        if entry.source != source or entry.envelope_id in gone:
            continue
        if entry.change_type == "deleted":
            found.pop(entry.url, None)
        else:
            found[entry.url].append(entry)
    return {url: list(some) for url, some in found.items() if len(some) > LEAST_CHANGES}


def live_lines(url: str, versions: Sequence[list[Part]]) -> list[LiveLine]:
    """Return what changed at several visits of the document at *url*, most often first, at most
    :data:`MAX_LIVE_LINES`.

    :param versions: the parts of each of its versions, the oldest first
    """
    slots = [_Slot(part) for part in versions[0]]
    for old, new in pairwise(versions):
        slots = _moved_on(slots, old, new)
    live = [slot for slot in slots if len(slot.values) > LEAST_CHANGES]
    live.sort(key=lambda slot: -len(slot.values))
    return [
        _described(url, slot, len(versions) - 1, versions[-1]) for slot in live[:MAX_LIVE_LINES]
    ]


def _moved_on(slots: list[_Slot], old: list[Part], new: list[Part]) -> list[_Slot]:
    """Return the slots of the version *new*, of which those of *old* are known."""
    kept: list[_Slot] = []
    at = there = 0
    end = ((len(old), len(old)), (len(new), len(new)))
    changed = edits([text for _, text in old], [text for _, text in new], Budget())
    for before, after in [*((edit.old, edit.new) for edit in changed), end]:
        kept += slots[at : before[0]]
        assert len(kept) == after[0] >= there  # noqa: S101 - what is equal has equal length
        kept += _replaced(slots[slice(*before)], new[slice(*after)])
        at, there = before[1], after[1]
    return kept


def _replaced(slots: list[_Slot], parts: list[Part]) -> Iterator[_Slot]:
    """Yield the slots of *parts*, which stand where those of *slots* stood: each in its place if
    their number is the same, or where nothing but numbers differs."""
    same = len(slots) == len(parts)
    places: dict[str, list[int]] = defaultdict(list)
    if not same:
        for place, slot in enumerate(slots):
            places[_masked(slot.values[-1])].append(place)
    at = 0
    for part in parts:
        found = at if same else _next(places.get(_masked(part[1]), ()), at)
        if found is None:
            yield _Slot(part)
            continue
        slot = slots[found]
        slot.values.append(part[1])
        slot.heading = part[0]
        at = found + 1
        yield slot


def _next(places: Sequence[int], at: int) -> int | None:
    """Return the first of *places*, in order, from *at* on."""
    found = bisect_left(places, at)
    return places[found] if found < len(places) else None


def _described(url: str, slot: _Slot, visits: int, newest: Sequence[Part]) -> LiveLine:
    pattern = pattern_for(slot.values)
    others = 0
    if pattern is not None:
        others = sum(is_match(pattern, text) for _, text in newest) - 1
    return LiveLine(
        url,
        slot.heading,
        len(slot.values) - 1,
        visits,
        tuple(slot.values[: -_SHOWN - 1 : -1]),
        pattern,
        others,
        any(map(has_fact, slot.values)),
    )


def pattern_for(values: Sequence[str]) -> str | None:
    """Return a pattern that matches all of *values*: numbers are general, and words that differ;
    None if they have too little in common."""
    rows = [value.split(" ") for value in values]
    pattern = _by_words(rows) if len({len(row) for row in rows}) == 1 else None
    pattern = pattern or _by_ends(rows)
    try:
        check_pattern(pattern)
    except ValueError:
        return None
    return pattern if all(is_match(pattern, value) for value in values) else None


def _by_words(rows: list[list[str]]) -> str | None:
    """The pattern of values with the same number of words, of which most are the same."""
    found = []
    free = 0
    for words in zip(*rows, strict=True):
        masks = {_masked(word) for word in words}
        if len(set(words)) == 1:
            found.append(_escaped(words[0]))
        elif len(masks) == 1:
            found.append(_escaped(masks.pop()).replace(_SIGN, _ANY_NUMBER))
        else:
            free += 1
            found.append(r"\S+")
    pattern = " ".join(found)
    is_close = 2 * free <= len(found) and _has_letters(pattern)
    return pattern if is_close and len(pattern) <= MAX_PATTERN else None


def _by_ends(rows: list[list[str]]) -> str:
    """The pattern of the words at both ends that all values have."""
    shortest = min(map(len, rows))
    start = 0
    while start < shortest and len({row[start] for row in rows}) == 1:
        start += 1
    end = 0
    while end < shortest - start and len({row[-1 - end] for row in rows}) == 1:
        end += 1
    first = rows[0]
    parts = [*first[:start], ".*", *first[len(first) - end :]]
    pattern = " ".join(part if part == ".*" else _escaped(part) for part in parts)
    return pattern if _has_letters(pattern.replace(".*", "")) else ".*"


def _has_letters(pattern: str) -> bool:
    literal = pattern.replace(_ANY_NUMBER, "").replace(r"\S+", "")
    return len(_LETTER.findall(literal)) >= _LEAST_LETTERS


def _masked(text: str) -> str:
    """Return *text* with a sign in place of each number."""
    return _NUMBER.sub(
        lambda found: _SIGN + found[0][len(found[0].rstrip(".,:")) :],  # the end of a sentence
        text,
    )


def _escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\g<0>", text)
