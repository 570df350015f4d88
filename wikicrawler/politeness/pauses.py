"""Sites that are left alone for a while because they block every tier."""

from __future__ import annotations

from functools import partial
from time import monotonic, time
from typing import TYPE_CHECKING, NamedTuple

from wikicrawler.errors import Reason
from wikicrawler.signals import site_paused

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Self

    from scrapy.crawler import Crawler

    from wikicrawler.items import Attempt

PAGES = 3
"""So many pages in a row, blocked in every tier by what is known for a block, and it is the site:
a single one may be closed to the public while the others are not."""
CLOSED_PAGES = 10
"""So many where no more is known than the status: a part of a site may be for its members."""
FIRST_PAUSE = 600.0
"""Seconds; doubled with each pause that follows another without a page between."""
LONGEST_PAUSE = 86_400.0
FORGOTTEN = 86_400.0
"""Seconds after its end for which a pause of an earlier crawl still makes the next one longer."""

_BLOCKS = {Reason.BLOCKED, Reason.BLOCKED_CAPTCHA}
_NOT_TRIED = {Reason.NO_TIER, Reason.ROBOTS}


def is_blocked_everywhere(attempts: Iterable[Attempt]) -> bool:
    """Whether the site blocked every tier that could be tried.

    It did not where a tier failed for another reason: a crawl4ai that is down says nothing of the
    site. Of a tier that was tried twice the second attempt counts: the first was a probe.
    """
    last = {attempt["tier"]: Reason(attempt["reason"]) for attempt in attempts}
    reasons = {*last.values()} - _NOT_TRIED
    return bool(reasons) and reasons <= _BLOCKS


def is_recognised(attempts: Iterable[Attempt]) -> bool:
    """Whether more than a status says that it was a block: a vendor's mark or page."""
    return any(
        Reason(attempt["reason"]) in _BLOCKS and attempt["detail"] != f"HTTP {attempt['status']}"
        for attempt in attempts
    )


def block_of(attempts: Iterable[Attempt]) -> Reason:
    """How the last of the tiers was blocked that were."""
    reasons = [Reason(attempt["reason"]) for attempt in attempts]
    return next((reason for reason in reversed(reasons) if reason in _BLOCKS), Reason.BLOCKED)


class PauseNote(NamedTuple):
    """What a crawl has learned of a site's pauses, for other workers of it."""

    site: str
    pages: int = 0
    """Pages that were blocked, in addition to those that were noted before."""
    recognised: int = 0
    """Those of them that were recognised as blocks."""
    risk_level: int = 0
    """That of a pause which begins."""
    pause: float = 0.0
    """Seconds of a pause that begins."""
    is_over: bool = False
    """Nothing of the site counts any more: it answers."""


class SharedPause(NamedTuple):
    """What all workers know of a site."""

    site: str
    pages: int
    recognised: int
    risk_level: int
    remaining: float
    """Seconds."""


class SitePauses:
    """The pauses of one crawl, by site.

    *clock* and *wall* give seconds: within the crawl the first counts, which nobody sets; moments
    that outlive it are of the second, since the epoch. *tell* is called with the arguments of
    :data:`~wikicrawler.signals.site_paused` when a pause begins, and when a site that was paused
    answers. *share* is called with what other workers are to know.
    """

    def __init__(
        self,
        clock: Callable[[], float] = monotonic,
        wall: Callable[[], float] = time,
        tell: Callable[..., object] = lambda **_: None,
        share: Callable[[PauseNote], object] = lambda _: None,
    ) -> None:
        self.share = share
        self._clock = clock
        self._wall = wall
        self._tell = tell
        self._blocked: dict[str, tuple[int, int]] = {}  # pages in a row: all, and recognised
        self._levels: dict[str, int] = {}
        self._until: dict[str, float] = {}
        self._ends: dict[str, float] = {}  # the same by the wall clock, as they were last told
        self._held: dict[str, float] = {}

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """The pauses of *crawler*, reported by its signal ``site_paused``."""
        return cls(tell=partial(crawler.signals.send_catch_log, site_paused))

    @property
    def is_empty(self) -> bool:
        """True if no site is paused."""
        return not self._until and not self._held

    def remaining(self, site: str) -> float:
        """Seconds for which *site* is to be left alone; 0 where it is not."""
        return max(0.0, self._until.get(site, 0.0) - self._clock(), self.held(site))

    def held(self, site: str) -> float:
        """Seconds for which an operator has paused *site*; 0 where nobody has. No answer of the
        site ends such a pause."""
        return max(0.0, self._held.get(site, 0.0) - self._clock())

    def hold(self, ends: Mapping[str, float]) -> None:
        """Take on the pauses by operators, in place of those before: their ends, in seconds since
        the epoch, by site."""
        offset = self._clock() - self._wall()
        self._held = {site: end + offset for site, end in ends.items()}

    def release(self, site: str) -> None:
        """End the pause of *site* because it blocked every tier, as an operator asks for."""
        self._forget(site)

    def until(self, site: str) -> float | None:
        """The end of the pause of *site*, in seconds since the epoch; None where it has none.

        Each call returns the same value, unless the pause or the system's clock is set anew.
        """
        remaining = self.remaining(site)
        if not remaining:
            return None
        end = self._wall() + remaining
        if abs(self._ends.get(site, 0.0) - end) > 1:
            self._ends[site] = end
        return self._ends[site]

    def risk_level(self, site: str) -> int:
        """How many pauses *site* has had in a row, without a page between."""
        return self._levels.get(site, 0)

    def blocked(
        self, site: str, *, recognised: bool = True, reason: Reason = Reason.BLOCKED
    ) -> float:
        """Count a page that was blocked everywhere: seconds of the pause that it starts, or 0."""
        if self.remaining(site):
            return 0.0  # it was on its way when the pause began
        pages, certain = self._blocked.get(site, (0, 0))
        self._blocked[site] = pages, certain = pages + 1, certain + recognised
        if certain < PAGES and pages < CLOSED_PAGES:
            self.share(PauseNote(site, 1, int(recognised)))
            return 0.0
        before = self._levels.get(site, 0)
        self._levels[site] = before + 1
        del self._blocked[site]
        pause = min(FIRST_PAUSE * 2.0 ** min(before, 20), LONGEST_PAUSE)
        self._until[site] = self._clock() + pause
        until = self._wall() + pause
        self.share(PauseNote(site, risk_level=before + 1, pause=pause))
        self._tell(site=site, paused_until=until, risk_level=before + 1, reason=reason)
        return pause

    def answered(self, site: str) -> None:
        """The site answered a page's request: it does not block us."""
        was_paused = site in self._levels
        self._forget(site)
        if was_paused:
            self._tell(site=site, paused_until=None, risk_level=0, reason=None)

    def take_over(self, known: SharedPause) -> bool:
        """Take on what all workers know of a site. Return True if it was not paused and is now."""
        site, was_paused = known.site, self.remaining(known.site) > 0
        for record in (self._blocked, self._levels, self._until):
            record.pop(site, None)
        if known.pages:
            self._blocked[site] = known.pages, known.recognised
        if known.risk_level:
            self._levels[site] = known.risk_level
        if known.remaining > 0:
            self._until[site] = self._clock() + min(known.remaining, LONGEST_PAUSE)
        return known.remaining > 0 and not was_paused

    def _forget(self, site: str) -> None:
        records = (self._blocked, self._levels, self._until, self._ends)
        if any(site in record for record in records):
            self.share(PauseNote(site, is_over=True))
        for record in records:
            record.pop(site, None)

    def restore(self, site: str, paused_until: float | None, risk_level: int) -> None:
        """Take on what an earlier crawl has kept of *site*: the end of its last pause, in seconds
        since the epoch (None: the site has answered since), and its :meth:`risk_level`.

        A pause that has not ended goes on. One that has makes the next longer, until it is
        :data:`FORGOTTEN`. What this crawl knows of the site already stands.
        """
        if paused_until is None or site in self._levels:
            return
        left = paused_until - self._wall()
        if left < -FORGOTTEN:
            return
        self._levels[site] = max(1, risk_level)
        if left > 0:  # a clock that was wrong then, or is now, pauses no site for years
            self._until[site] = self._clock() + min(left, LONGEST_PAUSE)
