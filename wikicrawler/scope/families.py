"""Which families of URLs have nothing more to say: told from the text of their pages.

A family is judged by what its pages bring, never by its size: three hundred pages of a list that
name a thing each are followed to the last, and a list that says the same on every page is left
after some twenty.

The text itself never comes here, where it would have to be hashed on the event loop: a worker
process makes its sketch (:mod:`wikicrawler.content.sketch`) with the conversion.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from wikicrawler.scope.traps import family_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from wikicrawler.items import Sketch

PATIENCE = 20
"""So many pages in a row may say nothing new; one more for each ten that did."""
PATIENCE_SPENT = 5
"""The same for parameters of a page whose other parameters said nothing either, for long."""
LONG = 50
_NOTED = 10
NEW_PHRASES = 8
"""New phrases of three words that make a page new, where no word of it is."""
FAR = 50
"""So many links from the seed, a number alone is nothing new: it counts the pages of a list."""
_FAMILIES, _VOCABULARIES, _SETS, _KEPT = 20_000, 64, 256, 4096
_OTHERS = frozenset({"…"})  # of a place that has pages with more names than can be told apart


class _Vocabulary:
    """The hashes that were seen, or of many a sample: one in two, in four, in eight …"""

    __slots__ = ("_known", "_mask")

    def __init__(self) -> None:
        self._known: set[int] = set()
        self._mask = 0

    def add(self, hashes: set[int]) -> tuple[set[int], int]:
        """Return those of *hashes* that are new, and for how many each of them stands."""
        mask = self._mask
        sample = {value for value in hashes if not value & mask} if mask else hashes
        new = sample - self._known
        self._known |= new
        while len(self._known) > _KEPT:
            self._mask = 2 * self._mask + 1
            self._known = {value for value in self._known if not value & self._mask}
        return new, mask + 1


class FamilyNote(NamedTuple):
    """What a page of a family says, of which workers count the pages together."""

    place: str
    names: frozenset[str]
    words: set[int]
    """Hashes of the words that are new to the worker, or of a sample of them."""
    words_each: int
    """For how many words each stands."""
    phrases: set[int]
    phrases_each: int
    leads_on: bool


class FamilyCounts(NamedTuple):
    """What is counted of a family, over all workers."""

    place: str
    names: frozenset[str]
    good: int
    """Pages that said something new."""
    idle: int
    """Pages since the last of them."""
    idle_of_place: int
    """The same, of all families of the place."""


@dataclass(slots=True)
class _Run:
    """Pages with the same names of parameters."""

    good: int = 0
    noted: int = 0
    """What :attr:`good` was when it was last told."""
    idle: int = 0
    """Pages since the last that said something new."""


@dataclass(slots=True)
class _Place:
    pages: int = 0
    idle: int = 0
    runs: dict[frozenset[str], _Run] = field(default_factory=dict)
    closed: list[frozenset[str]] = field(default_factory=list)
    text: tuple[_Vocabulary, _Vocabulary] | None = None

    def is_spent(self, names: frozenset[str]) -> bool:
        run = self.runs[names]
        return run.idle >= (PATIENCE if self.idle < LONG else PATIENCE_SPENT) + run.good // 10


class Families:
    """The families of a crawl. Memory is bounded: 1 MB for most sites, some 40 MB at most.

    *on_note* is given what is to be known when a crawl goes on (:meth:`resume`): each family that
    is closed and, now and then, how often one said something new, for its patience rests on that.
    """

    def __init__(self, on_note: Callable[[bytes], object] = lambda _: None) -> None:
        self._places: OrderedDict[str, _Place] = OrderedDict()
        self._with_text: dict[str, _Place] = {}
        self._on_note = on_note
        self.share: Callable[[FamilyNote], object] | None = None
        """Is given the pages, where workers count them together: :meth:`counted` has the result.
        The first page of a place is not among them, for most have no other."""
        self.any_closed = False
        """Whether a family is closed, which is rare."""

    def resume(self, notes: Iterable[bytes], on_note: Callable[[bytes], object]) -> None:
        """Go on with what the *notes* say."""
        self.learn(notes)
        self._on_note = on_note

    def learn(self, notes: Iterable[bytes]) -> None:
        """Take over what the *notes* say, of an earlier run or of another worker."""
        for note in notes:
            name, good, *names = json.loads(note)
            place = self._place(name)
            if good is None:
                closed = frozenset(names)
                if closed not in place.closed:
                    place.closed.append(closed)
                self.any_closed = True
            else:
                run = place.runs.setdefault(frozenset(names), _Run())
                run.good = run.noted = max(run.good, good)

    def is_closed(self, url: str) -> bool:
        """Whether the family of *url* has nothing more to say.

        With a family those are closed that have more parameters than it: what ``?sort=`` does not
        bring, ``?sort=&page=`` does not bring either.
        """
        if not self.any_closed or (family := family_of(url)) is None:
            return False
        place = self._places.get(family.place)
        if place is None:
            return False
        return any(names <= family.names for names in place.closed) or (
            _OTHERS in place.closed and family.names not in place.runs
        )

    def judge(self, url: str, sketch: Sketch, depth: int, *, leads_on: bool) -> None:
        """Take note of a page at *url* with the text of *sketch*, *depth* links from its seed;
        *leads_on*: a page that is of no family was found by it."""
        family = family_of(url)
        if family is None:
            return
        place = self._place(family.place)
        names = family.names
        if names not in place.runs and len(place.runs) >= _SETS:
            names = _OTHERS
        run = place.runs.setdefault(names, _Run())
        place.pages += 1
        if self.share is not None:
            if place.pages > 1:
                found = self._new(
                    family.place, place, sketch, numbers=family.numbered and depth < FAR
                )
                self.share(FamilyNote(family.place, names, *found, leads_on))
            return
        # Most families have one page: what it says is remembered when there is a second.
        good = place.pages == 1 or self._is_new(
            family.place, place, sketch, numbers=family.numbered and depth < FAR
        )
        if good or leads_on:
            place.idle = run.idle = 0
            run.good += 1
            if run.good >= run.noted * 1.1 + _NOTED and names is not _OTHERS:
                run.noted = run.good
                self._note(family.place, run.good, names)
            return
        place.idle += 1
        run.idle += 1
        self._close_spent(family.place, place, names, is_long=place.idle == LONG)

    def counted(self, counts: FamilyCounts) -> None:
        """Take over what all workers have counted, and close the family if it is spent."""
        place = self._places.get(counts.place)
        if place is None:
            return
        names = counts.names if counts.names in place.runs else _OTHERS
        run = place.runs.setdefault(names, _Run())
        before, place.idle = place.idle, counts.idle_of_place
        run.good, run.idle = counts.good, counts.idle
        self._close_spent(counts.place, place, names, is_long=before < LONG <= place.idle)

    def _close_spent(
        self, name: str, place: _Place, names: frozenset[str], *, is_long: bool
    ) -> None:
        """Close the families of a place that are spent: the one with *names*; all, if it has been
        idle for long since the last page (*is_long*)."""
        for spent in place.runs if is_long else (names,):
            if spent not in place.closed and place.is_spent(spent):
                place.closed.append(spent)
                self.any_closed = True
                if spent is not _OTHERS:
                    self._note(name, None, spent)

    def _note(self, place: str, good: int | None, names: frozenset[str]) -> None:
        self._on_note(json.dumps([place, good, *sorted(names)]).encode())

    def _is_new(self, name: str, place: _Place, sketch: Sketch, *, numbers: bool) -> bool:
        """Whether *place* has not said yet what *sketch* says; *numbers*: words with a digit count,
        too."""
        words, words_each, phrases, phrases_each = self._new(name, place, sketch, numbers=numbers)
        return len(words) * words_each > 0 or len(phrases) * phrases_each >= NEW_PHRASES

    def _new(
        self, name: str, place: _Place, sketch: Sketch, *, numbers: bool
    ) -> tuple[set[int], int, set[int], int]:
        """Return the new words of *sketch*, and its new phrases, each with for how many each of
        them stands; remember both."""
        if place.text is None:
            if len(self._with_text) >= _VOCABULARIES:  # the one of the fewest pages is the least
                least = min(self._with_text, key=lambda name: self._with_text[name].pages)
                self._with_text.pop(least).text = None
            place.text = _Vocabulary(), _Vocabulary()
            self._with_text[name] = place
        words = _hashes(sketch.words)
        if numbers:
            words |= _hashes(sketch.numbers)
        return *place.text[0].add(words), *place.text[1].add(_hashes(sketch.phrases))

    def _place(self, name: str) -> _Place:
        place = self._places.get(name)
        if place is None:
            place = self._places[name] = _Place()
            if len(self._places) > _FAMILIES:
                self._drop_oldest()
        else:
            self._places.move_to_end(name)
        return place

    def _drop_oldest(self) -> None:
        for name, place in self._places.items():
            if not place.closed:
                del self._places[name]
                self._with_text.pop(name, None)
                return
        self._places.popitem(last=False)


def _hashes(packed: bytes) -> set[int]:
    return set(memoryview(packed).cast("I"))
