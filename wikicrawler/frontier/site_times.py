"""Before which moment no request of a site may be handed out."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


class SiteTimes:
    """The next-allowed time of each site, in seconds of *clock*; without an entry it has passed."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._next: dict[str, float] = {}
        self._pace: dict[str, float] = {}

    def hold(self, site: str, seconds: float) -> None:
        """Move the next-allowed time of *site* to *seconds* from now, unless it is later."""
        moment = self._clock() + seconds
        self._next[site] = max(moment, self._next.get(site, moment))

    def set_pace(self, site: str, seconds: float) -> None:
        """Set the seconds after which :meth:`handed_out` allows the next request; 0: at once."""
        if seconds > 0:
            self._pace[site] = seconds
        else:
            self._pace.pop(site, None)

    def handed_out(self, site: str) -> None:
        """Note that a request of *site* was handed out now."""
        pace = self._pace.get(site)
        if pace is not None:
            self.hold(site, pace)

    def wait(self, site: str) -> float:
        """Seconds until the next-allowed time of *site*; 0 where it has passed."""
        moment = self._next.get(site)
        if moment is None:
            return 0.0
        left = moment - self._clock()
        if left <= 0:
            del self._next[site]
            return 0.0
        return left

    def waits(self) -> dict[str, float]:
        """Return the :meth:`wait` of each site that is before its next-allowed time."""
        return {site: wait for site in list(self._next) if (wait := self.wait(site))}

    def least_wait(self, sites: Iterable[str]) -> float | None:
        """The least :meth:`wait` of *sites*; None where there are none."""
        least = None
        for site in sites:
            wait = self.wait(site)
            if not wait:
                return 0.0
            least = wait if least is None else min(least, wait)
        return least
