"""Whose turn it is among the sites that have requests."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping


class SiteTurns:
    """The names of the sites that have requests.

    :meth:`choose` looks at no more of them than hold a place, and one: its time does not grow with
    the number of sites.
    """

    def __init__(self, sites: Iterable[str] = ()) -> None:
        self._names = sorted(sites)
        self.last = ""
        """The site whose turn was last."""

    def __len__(self) -> int:
        return len(self._names)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def add(self, site: str) -> None:
        """Add *site*, which is not among them."""
        insort(self._names, site)

    def remove(self, site: str) -> None:
        """Remove *site*, which is among them."""
        del self._names[bisect_left(self._names, site)]

    def choose(self, held: Mapping[str, int], may: Callable[[str, int], bool]) -> str | None:
        """Return the site that holds the fewest places, and of several the next by name after
        :attr:`last`; None if no site may have another.

        *held* has the number of places of each site, 0 for those it does not name. *may* is called
        with a site and its number.
        """
        names = self._names
        first = bisect_right(names, self.last)
        best, fewest = None, 0
        for place in range(first, first + len(names)):
            name = names[place % len(names)]
            count = held[name]
            if (best is None or count < fewest) and may(name, count):
                if not count:
                    return name
                best, fewest = name, count
        return best
