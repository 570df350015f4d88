"""Fiscal years in texts, distinguished from dates, ranges and numbers.

Texts are plain words: see :func:`~wikicrawler.reports.providers.company_ir.words.plain`.
The work is linear in them.
"""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

FIRST, LAST = 1950, 2100
_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan januar janvier enero januari",
            "february feb februar fevrier febrero februari",
            "march mar marz mars marzo maart",
            "april apr avril abril",
            "may mai mayo mei maj",
            "june jun juni juin junio",
            "july jul juli juillet julio",
            "august aug aout agosto augustus augusti",
            "september sep sept septembre septiembre",
            "october oct oktober octobre octubre okt",
            "november nov novembre noviembre",
            "december dec dezember decembre diciembre dez",
        ),
        1,
    )
    for name in names.split()
}
_ENDED = frozenset({"ended", "ending", "end", "ends", "endet"})
_FISCAL = frozenset({"fy", "fye", "fiscal", "exercice", "geschaftsjahr"})
_SHORT = frozenset({"fy", "fye", "fiscal", "ar", "gb", "urd", "k", "f"})
"""Words after which two digits are a year: ``ar 22``."""
_SIZES = frozenset({"kb", "mb", "kib", "mib", "bytes", "pages", "seiten"})
"""Words before which a number is no year."""
_MAX_WORDS = 80


class Mention(NamedTuple):
    """A fiscal year in a text."""

    year: int
    is_explicit: bool
    """The text says that it is a fiscal year, or its end."""
    position: int
    """Of its first character."""
    other: int | None = None
    """The year that it may mean as well: the first of ``2022-23``, or that of an end in January."""
    period_end: date | None = None


class Years(NamedTuple):
    """What a text says of years."""

    fiscal: tuple[Mention, ...] = ()
    published: date | None = None
    """The first date that is no end of a period."""
    spans: tuple[tuple[int, int], ...] = ()
    """Ranges of more than two years: an archive."""

    def only(self) -> Mention | None:
        """Return the fiscal year if there is one alone."""
        return self.fiscal[0] if len({found.year for found in self.fiscal}) == 1 else None

    def nearest(self, span: tuple[int, int] | None) -> Mention | None:
        """Return the fiscal year nearest to the characters *span*; without them the first."""
        if span is None or not self.fiscal:
            return self.fiscal[0] if self.fiscal else None
        start, end = span
        return min(self.fiscal, key=lambda found: max(start - found.position, found.position - end))


class _Reader:
    """Reads the words of a text from left to right."""

    def __init__(self, words: Sequence[str]) -> None:
        self._words = words
        self._place = 0
        self._at = 0
        self._fiscal: list[Mention] = []
        self._published: date | None = None
        self._spans: list[tuple[int, int]] = []

    def read(self) -> Years:
        while self._at < len(self._words):
            taken = self._read_word(self._words[self._at])
            for _ in range(taken):
                self._place += len(self._words[self._at]) + 1
                self._at += 1
        return Years(tuple(self._fiscal), self._published, tuple(self._spans))

    def _read_word(self, word: str) -> int:
        """Read from *word* on; return the number of words."""
        if not (word.isascii() and word.isdigit()):
            return 1
        if _is_year(word) and self._next(1) not in _SIZES:
            return self._read_year(int(word))
        if len(word) == 8:
            self._read_packed(word)
        elif len(word) == 2 and self._is_short_year():
            self._add(_century(int(word)), explicit=self._ago(1) in _FISCAL)
        return 1

    def _is_short_year(self) -> bool:
        """Return True if two digits are a year: of ``ar 22`` and ``10 k 22``, but neither of
        ``10 k 10 k`` nor of a size (``10 k 12 3 mb``)."""
        if self._ago(1) not in _SHORT or self._is_form(1):
            return False
        if self._next(1).isdigit() or self._next(1) in _SIZES:
            return False
        return self._ago(1) not in {"k", "f"} or self._ago(2) in {"10", "20", "40"}

    def _ago(self, count: int) -> str:
        return self._words[self._at - count] if self._at >= count else ""

    def _next(self, count: int) -> str:
        at = self._at + count
        return self._words[at] if at < len(self._words) else ""

    def _read_year(self, year: int) -> int:
        if (day := self._date_before(year)) is not None:
            self._add_date(*day)
            return 1
        if (found := _date(year, self._next(1), self._next(2))) is not None:
            self._note(found)
            return 3
        following = self._next(1)
        if following in {str(year + 1), f"{(year + 1) % 100:02}"} and not self._is_form(2):
            self._add(year + 1, explicit=True, other=year)
            return 2
        if _is_year(following) and int(following) > year + 1:
            self._spans.append((year, int(following)))
            return 2
        if following.startswith("0") and _date(year, following, "1") is not None:
            return 2  # a year and a month
        self._add(year, explicit=self._ago(1) in _FISCAL or self._ago(2) in _FISCAL)
        return 1

    def _is_form(self, count: int) -> bool:
        return self._next(count) in {"k", "q", "f"}

    def _date_before(self, year: int) -> tuple[date, int] | None:
        """Return the date that ends with *year*, and how many words before the year it begins."""
        one, two = self._ago(1), self._ago(2)
        for month, day in ((two, one), (one, two), (two, one)):
            number = _MONTHS.get(month)
            if number and (found := _date(year, str(number), day)):
                return found, 2
        if one in _MONTHS:
            return date(year, _MONTHS[one], 28), 1
        found = _date(year, two, one) or _date(year, one, two)
        return (found, 2) if found else None

    def _add_date(self, day: date, words: int) -> None:
        before = {self._ago(words + 1), self._ago(words + 2)}
        if before & _ENDED:
            self._add_end(day)
        else:
            self._note(day)

    def _add_end(self, day: date) -> None:
        """Add the fiscal year that ends on *day*."""
        if day.month == 1 and day.day <= 7:  # 52 or 53 weeks from January on
            self._add(day.year - 1, explicit=True, end=day)
        else:
            early = day.month <= 2
            self._add(day.year, explicit=True, other=day.year - 1 if early else None, end=day)

    def _read_packed(self, word: str) -> None:
        """Read ``aapl 20230930``, as SEC's files are named, or a date."""
        day = _date(int(word[:4]), word[4:6], word[6:])
        if day is None:
            return
        if self._at == len(self._words) - 1 and self._at == 1:
            self._add_end(day)
        else:
            self._note(day)

    def _note(self, day: date) -> None:
        self._published = self._published or day

    def _add(
        self, year: int, *, explicit: bool, other: int | None = None, end: date | None = None
    ) -> None:
        self._fiscal.append(Mention(year, explicit, self._place, other, end))


def years_in(text: str) -> Years:
    """Return the years in *text*."""
    return _Reader(text.split(" ", _MAX_WORDS)[:_MAX_WORDS]).read()


def year_of_filing(day: date) -> tuple[int, int | None]:
    """Return the fiscal year of an annual report that was published on *day*, and the one that it
    may be instead: years that end in January bear either number."""
    return (day.year - 1, day.year) if day.month <= 6 else (day.year, None)


def _is_year(word: str) -> bool:
    return len(word) == 4 and word.isascii() and word.isdigit() and FIRST <= int(word) <= LAST


def _century(number: int) -> int:
    return 2000 + number if number <= 60 else 1900 + number


def _date(year: int, month: str, day: str) -> date | None:
    if not (month.isascii() and month.isdigit() and day.isascii() and day.isdigit()):
        return None
    if len(month) > 2 or len(day) > 2:
        return None
    try:
        return date(year, int(month), int(day))
    except ValueError:
        return None
