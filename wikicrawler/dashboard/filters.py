"""The filters of a page, as its address has them."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, TypeVar

from wikicrawler.text.safe import quoted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.requests import Request

    T = TypeVar("T")

MAX_TEXT = 300
_MAX_SEQUENCE = (1 << 62) - 1


class Filters:
    """What the address of *request* asks for. A value that is wrong is kept for the form, and
    :attr:`faults` says what would be right."""

    def __init__(self, request: Request) -> None:
        self._given = request.query_params
        self.values: dict[str, str] = {}
        """The values as they were given, by their names, without those that are empty."""
        self.faults: list[str] = []

    def text(self, name: str, limit: int = MAX_TEXT) -> str:
        """Return the text *name*, cut to *limit* characters; empty where there is none."""
        text = self._given.get(name, "").strip()[:limit]
        if text:
            self.values[name] = text
        return text

    def day(self, name: str) -> date | None:
        """Return the day *name*; None where there is none."""
        text = self.text(name, 40)
        if not text:
            return None
        try:
            if len(text) != len("2026-02-13"):
                raise ValueError
            return date.fromisoformat(text)
        except ValueError:
            self._wrong(name, text, "a day (like 2026-02-13)")
            return None

    def days(self, first: str, last: str) -> tuple[date | None, date | None]:
        """Return the days *first* and *last*, which are in order."""
        start, end = self.day(first), self.day(last)
        if start is not None and end is not None and start > end:
            self.faults.append(f"{first}: {start} is after {last}: {end}")
        return start, end

    def number(self, name: str, low: int, high: int = _MAX_SEQUENCE) -> int | None:
        """Return the whole number *name* from *low* to *high*; None where there is none."""
        text = self.text(name, 40)
        if not text:
            return None
        if text.isascii() and text.isdecimal() and low <= int(text) <= high:
            return int(text)
        to = f" to {high}" if high != _MAX_SEQUENCE else ""
        self._wrong(name, text, f"a whole number from {low}{to}")
        return None

    def choice(self, name: str, known: Mapping[str, T]) -> T | None:
        """Return the value in *known* for the word *name*; None where there is none."""
        text = self.text(name, 40)
        if text and text not in known:
            self._wrong(name, text, f"one of {', '.join(known)}")
        return known.get(text)

    def word(self, name: str, known: Mapping[str, T], default: T) -> T:
        """Return the value in *known* for the word *name*; *default* where there is none."""
        found = self.choice(name, known)
        return default if found is None else found

    def _wrong(self, name: str, text: str, right: str) -> None:
        self.faults.append(f"{name}: {quoted(text, 40)} is not {right}")
