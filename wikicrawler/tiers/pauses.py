"""Sites that are left alone for a while because they block every tier."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING

from wikicrawler.errors import Reason

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from wikicrawler.items import Attempt

PAGES = 3
"""So many pages in a row, blocked in every tier by what is known for a block, and it is the site:
a single one may be closed to the public while the others are not."""
CLOSED_PAGES = 10
"""So many where no more is known than the status: a part of a site may be for its members."""
FIRST_PAUSE = 600.0
"""Seconds; doubled with each pause that follows another without a page between."""
LONGEST_PAUSE = 86_400.0

_BLOCKS = {Reason.BLOCKED, Reason.BLOCKED_CAPTCHA}
_NOT_TRIED = {Reason.NO_TIER, Reason.ROBOTS}


def is_blocked_everywhere(attempts: Iterable[Attempt]) -> bool:
    """Whether the site blocked every tier that could be tried.

    It did not where a tier failed for another reason: a crawl4ai that is down says nothing of the
    site.
    """
    reasons = {Reason(attempt["reason"]) for attempt in attempts} - _NOT_TRIED
    return bool(reasons) and reasons <= _BLOCKS


def is_recognised(attempts: Iterable[Attempt]) -> bool:
    """Whether more than a status says that it was a block: a vendor's mark or page."""
    return any(
        Reason(attempt["reason"]) in _BLOCKS and attempt["detail"] != f"HTTP {attempt['status']}"
        for attempt in attempts
    )


class SitePauses:
    """The pauses of one crawl, by site; times are of *clock*, in seconds."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._blocked: dict[str, tuple[int, int]] = {}  # pages in a row: all, and recognised
        self._pauses: dict[str, int] = {}  # so far
        self._until: dict[str, float] = {}

    def remaining(self, site: str) -> float:
        """Seconds for which *site* is to be left alone; 0 where it is not."""
        return max(0.0, self._until.get(site, 0.0) - self._clock())

    def blocked(self, site: str, *, recognised: bool = True) -> float:
        """Count a page that was blocked everywhere: seconds of the pause that it starts, or 0."""
        if self.remaining(site):
            return 0.0  # it was on its way when the pause began
        pages, certain = self._blocked.get(site, (0, 0))
        self._blocked[site] = pages, certain = pages + 1, certain + recognised
        if certain < PAGES and pages < CLOSED_PAGES:
            return 0.0
        before = self._pauses.get(site, 0)
        self._pauses[site] = before + 1
        del self._blocked[site]
        pause = min(FIRST_PAUSE * 2.0 ** min(before, 20), LONGEST_PAUSE)
        self._until[site] = self._clock() + pause
        return pause

    def answered(self, site: str) -> None:
        """The site answered a page's request: it does not block us."""
        for record in (self._blocked, self._pauses, self._until):
            record.pop(site, None)


def pauses_of(crawler):
    return SitePauses()
