"""How many pages may still be asked for under ``max_pages``."""

from __future__ import annotations

from collections import deque

#: Links that wait for their turn in case that pages before them are skipped. What comes when so
#: many wait is let go: a crawl of few pages need not remember a large wiki's every link.
_HELD = 10_000


class PageBudget:
    """Lets as many pages be asked for as may be written; a page that is skipped gives its place
    to one that was held back. Nothing is fetched in vain. No limit admits all, and counts them.

    At most *held* links wait. *state* is the spider's ``state``. In a crawl with JOBDIR the places
    taken are counted anew from its pages; the links that wait are kept when it is stopped, and not
    when it is killed.
    """

    def __init__(self, limit: int | None, state: dict[str, object], held: int = _HELD) -> None:
        self._limit = limit
        self._most_held = held
        self._taken: list[int] = state.setdefault("budget_taken", [0])  # type: ignore[assignment]
        waiting: deque[tuple[str, int]] = deque()
        self._held: deque[tuple[str, int]] = state.setdefault("budget_held", waiting)  # type: ignore[assignment]

    def admit(self, url: str, depth: int) -> bool:
        """Whether *url* may be asked for now; if not, it is remembered."""
        if self._limit is None or self._taken[0] < self._limit:
            self._taken[0] += 1
            return True
        if len(self._held) < self._most_held:
            self._held.append((url, depth))
        return False

    @property
    def is_spent(self) -> bool:
        """Whether more URLs are of no use: as many as may be written wait for a place."""
        return self._limit is not None and len(self._held) >= min(self._limit, self._most_held)

    def give_back(self) -> tuple[str, int] | None:
        """A page was skipped: the URL and depth that take its place, if one waits."""
        if self._held:
            return self._held.popleft()
        self._taken[0] -= 1
        return None
