"""How many pages a crawl still has to write, as far as that is known."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple


class Precision(StrEnum):
    """What a number of pages is."""

    EXACT = "exact"
    ABOUT = "about"
    AT_LEAST = "at least"
    AT_MOST = "at most"


class PagesLeft(NamedTuple):
    """The number of pages that have no record yet."""

    pages: int
    precision: Precision


@dataclass(slots=True)
class _List:
    parts: int = 0  # that are not read yet
    expected: int | None = None
    read: int = 0


class Outlook:
    """What is known of the pages to come: whether links may add some, and which lists do.

    A list has a name: the API of a wiki, or any other. Spiders report its parts when they request
    and read them.
    """

    def __init__(self) -> None:
        self.follows_links = False
        """True if links that were found may lead to more pages."""
        self._lists: dict[str, _List] = {}

    def expect(self, name: str, *, parts: int = 1, pages: int | None = None) -> None:
        """Count *parts* of a list as requested; it has about *pages* in all, if that is known."""
        one = self._lists.setdefault(name, _List())
        one.parts += parts
        one.expected = pages if pages is not None else one.expected

    def read(self, name: str, pages: int = 0, *, ended: bool = True) -> None:
        """Count *pages* that were read from a list; *ended*: its part is complete, or failed."""
        one = self._lists.setdefault(name, _List())
        one.read += pages
        one.parts = max(0, one.parts - ended)

    def left(self, admitted: int, room: int | None, *, begun: bool) -> PagesLeft | None:
        """Return how many pages are left, None if that is not known.

        :param admitted: number of pages that are requested and have no record yet
        :param room: number of records that ``max_pages`` still allows
        :param begun: True if a page has its record
        """
        if room is not None and admitted >= room:
            return PagesLeft(room, Precision.EXACT)
        known = self._known(admitted, begun=begun)
        if room is None or (known is not None and known.pages < room):
            return known
        return PagesLeft(room, Precision.AT_MOST)

    def _known(self, admitted: int, *, begun: bool) -> PagesLeft | None:
        growing = [one for one in self._lists.values() if one.parts]
        if any(one.expected is None for one in growing):
            return None
        if growing:
            more = sum(max(0, (one.expected or 0) - one.read) for one in growing)
            return PagesLeft(admitted + more, Precision.ABOUT)
        if self.follows_links:
            return PagesLeft(admitted, Precision.AT_LEAST) if self._lists else None
        return PagesLeft(admitted, Precision.EXACT) if self._lists or begun else None
