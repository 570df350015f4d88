"""What a model answered: the JSON object in its text, or why there is none."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from wikicrawler.fields.answers.json_reading import Ending, Reading, Repair, read_json
from wikicrawler.text.safe import without_surrogates

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

MAX_CHARS = 1_000_000
"""Characters of an answer; a longer one is not read."""

_START = re.compile(r"[{\[]")
_FENCE = re.compile(r"[`~]{3,}+[ \t]*+[A-Za-z0-9]*+")
_REASONING = ("think", "thinking", "reasoning", "thought")
_OPENED = re.compile(rf"\s*+<({'|'.join(_REASONING)})>", re.IGNORECASE)
_CLOSED = re.compile(rf"</(?:{'|'.join(_REASONING)})>\s*+", re.IGNORECASE)
_BLANK = "\ufeff \t\r\n\x00"
_STARTS = ("{", "[", "```", "~~~")


class Outcome(StrEnum):
    """What became of an answer."""

    OK = "ok"
    """One object, in ``data``."""
    SEVERAL = "several"
    """An array of several objects, in ``data_list``."""
    TRUNCATED = "truncated"
    """The answer stops in the middle. ``data``, or ``data_list`` of an array of several objects,
    has the members that are complete; there may be none."""
    EMPTY = "empty"
    REFUSED = "refused"
    """The model declined to answer."""
    FILTERED = "filtered"
    """The provider's content filter withheld the answer."""
    NOT_JSON = "not_json"
    """No JSON that can be read without a guess, or nested too deep, or too long."""
    NOT_AN_OBJECT = "not_an_object"
    """JSON without an object: a string, a number, an array of them."""
    NO_FIELDS = "no_fields"
    """Only objects without any of the names."""


class Note(StrEnum):
    """What was repaired in an answer, or left out of it, beside each
    :class:`~wikicrawler.fields.answers.json_reading.Repair`."""

    REASONING = "reasoning"
    """A block of a reasoning model, ``<think>…</think>``, stood before the answer."""
    FENCES = "fences"
    PROSE = "prose"
    """Text stood before or after the object."""
    SKIPPED_JSON = "skipped_json"
    """Objects or arrays without any of the names stood before the object."""
    ARRAY = "array"
    """An array of one object was unwrapped."""
    WRAPPED = "wrapped"
    """The object was the only one in another: ``{"result": {…}}``."""
    EXTRA_KEYS = "extra_keys"
    """Keys that are not among the names were dropped."""
    NOT_OBJECTS = "not_objects"
    """Elements of the array that are no objects with any of the names were dropped."""
    TOO_DEEP = "too_deep"
    TOO_LONG = "too_long"


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer of a model."""

    outcome: Outcome
    data: dict[str, Any] | None = None
    """Members by name, in the order of the answer; None unless the outcome says so."""
    data_list: tuple[dict[str, Any], ...] = ()
    notes: tuple[str, ...] = ()
    """Values of :class:`Note` and :class:`~wikicrawler.fields.answers.json_reading.Repair`,
    sorted."""

    @property
    def complete(self) -> tuple[str, ...]:
        """The names of which a value was read."""
        objects = self.data_list or ((self.data,) if self.data else ())
        return tuple(dict.fromkeys(name for found in objects for name in found))


@dataclass(slots=True)
class _Found:
    """Objects with known names, and what was read on the way to them."""

    reading: Reading | None = None
    start: int = 0
    objects: list[dict[str, Any]] = field(default_factory=list)
    notes: set[str] = field(default_factory=set)
    objects_without: bool = False
    arrays: bool = False
    ending: Ending = Ending.INVALID


def read_answer(
    text: str | None,
    *,
    finish_reason: str | None,
    refusal: str | None,
    names: Sequence[str],
) -> Answer:
    """Return what a model answered. Never raises, and takes time linear in the length of *text*.

    The first object that has one of *names* counts; prose, fences and blocks of reasoning around it
    are skipped. Values are those that :func:`json.loads` returns, except for the repairs.

    :param text: the content of the message
    :param finish_reason: why the model stopped: ``stop``, ``length``, ``content_filter`` …
    :param refusal: the refusal of the message, which stands beside an empty content
    :param names: of the fields that were asked for
    """
    cut = finish_reason == "length"
    if refusal:
        return Answer(Outcome.REFUSED)
    if finish_reason == "content_filter":
        return Answer(Outcome.FILTERED)
    if text is None or not text.strip(_BLANK):
        return Answer(Outcome.TRUNCATED if cut else Outcome.EMPTY, {} if cut else None)
    if len(text) > MAX_CHARS:
        return Answer(Outcome.NOT_JSON, notes=(Note.TOO_LONG,))
    return _read(text, frozenset(names), cut=cut)


def _read(text: str, names: frozenset[str], *, cut: bool) -> Answer:
    fit = without_surrogates(text)
    answer, reasoned = _without_reasoning(fit)
    found = _search(answer, names)
    found.notes |= {Note.REASONING} if reasoned else set()
    found.notes |= {Repair.SURROGATES} if fit is not text else set()
    if found.reading is not None:
        _note_surroundings(answer, found)
    outcome = _outcome(answer, found, cut=cut)
    notes = tuple(sorted(map(str, found.notes)))
    if outcome not in {Outcome.OK, Outcome.SEVERAL, Outcome.TRUNCATED}:
        return Answer(outcome, notes=notes)
    if len(found.objects) > 1:
        return Answer(outcome, data_list=tuple(found.objects), notes=notes)
    return Answer(outcome, next(iter(found.objects), {}), notes=notes)


def _outcome(answer: str, found: _Found, *, cut: bool) -> Outcome:
    if found.ending is Ending.TOO_DEEP:
        found.notes.add(Note.TOO_DEEP)
        return Outcome.NOT_JSON
    if found.objects:
        several = Outcome.SEVERAL if len(found.objects) > 1 else Outcome.OK
        return Outcome.TRUNCATED if found.ending is Ending.CUT else several
    if cut or (found.ending is Ending.CUT and answer.lstrip(_BLANK).startswith(_STARTS)):
        return Outcome.TRUNCATED
    if found.objects_without:
        return Outcome.NO_FIELDS
    if found.arrays or _is_whole(answer):
        return Outcome.NOT_AN_OBJECT
    return Outcome.NOT_JSON


def _is_whole(answer: str) -> bool:
    """Return True if *answer* is one JSON value without anything around it."""
    whole = answer.strip(_BLANK)
    reading = read_json(whole)
    return reading.ending is Ending.COMPLETE and reading.end == len(whole)


def _without_reasoning(text: str) -> tuple[str, bool]:
    """Return *text* behind the model's reasoning.

    Some servers leave out the opening tag. A closing one counts only if no JSON begins the answer,
    or a page could put one into a value, and its own object behind it.
    """
    opened = _OPENED.match(text)
    if opened is None and text.lstrip(_BLANK).startswith(_STARTS):
        return text, False
    closed = _CLOSED.search(text, opened.end() if opened else 0)
    if closed is None:
        return ("", True) if opened else (text, False)
    if opened is None and not text.startswith(_STARTS, closed.end()):
        return text, False
    return text[closed.end() :], True


def _search(text: str, names: frozenset[str]) -> _Found:
    """Return the objects of the first JSON in *text* that has known names.

    What a reading went through before it failed is not read again.
    """
    found = _Found()
    at = 0
    while start := _START.search(text, at):
        reading = read_json(text, start.start())
        at = max(reading.end, start.end())
        if reading.ending is Ending.TOO_DEEP:
            found.ending = reading.ending
            break
        if reading.ending is Ending.INVALID:
            continue
        objects = list(_objects(reading.value, names, found.notes))
        if objects or reading.ending is Ending.CUT:
            found.reading, found.start, found.ending = reading, start.start(), reading.ending
            found.objects = [_known(item, names, found.notes) for item in objects]
            break
        found.ending = reading.ending
        found.arrays |= isinstance(reading.value, list)
        found.objects_without |= _has_object(reading.value)
    return found


def _objects(value: Any, names: frozenset[str], notes: set[str]) -> Iterator[dict[str, Any]]:
    """Yield the objects with known names in *value*: itself, its elements, or its only member."""
    if isinstance(value, dict):
        if not names.isdisjoint(value):
            yield value
            return
        inner = [item for item in value.values() if _has_object(item)]
        within = list(_elements(inner[0], names)) if len(inner) == 1 else []
        notes |= {Note.WRAPPED} if within else set()
    elif isinstance(value, list):
        within = list(_elements(value, names))
    else:
        return
    if isinstance(value, list) and within:
        notes |= {Note.ARRAY} if len(within) == 1 else set()
        notes |= {Note.NOT_OBJECTS} if len(within) < len(value) else set()
    yield from within


def _elements(value: Any, names: frozenset[str]) -> Iterator[dict[str, Any]]:
    items: Iterable[Any] = value if isinstance(value, list) else (value,)
    return (item for item in items if isinstance(item, dict) and not names.isdisjoint(item))


def _has_object(value: Any) -> bool:
    items: Iterable[Any] = value if isinstance(value, list) else (value,)
    return any(isinstance(item, dict) for item in items)


def _known(found: dict[str, Any], names: frozenset[str], notes: set[str]) -> dict[str, Any]:
    known = {name: value for name, value in found.items() if name in names}
    if len(known) < len(found):
        notes.add(Note.EXTRA_KEYS)
    return known


def _note_surroundings(text: str, found: _Found) -> None:
    reading = found.reading
    if reading is None:
        return
    found.notes |= set(map(str, reading.repairs))
    around = [text[: found.start]]
    if reading.ending is Ending.COMPLETE:
        around.append(text[reading.end :])
    if found.objects_without or found.arrays:
        found.notes.add(Note.SKIPPED_JSON)
    for part in around:
        without = _FENCE.sub("", part)
        if without != part:
            found.notes.add(Note.FENCES)
        if without.strip(_BLANK):
            found.notes.add(Note.PROSE)
