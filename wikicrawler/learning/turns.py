"""Pages of a site that is not known yet are chosen for one after another.

A page is planned while the one before it is on its way: on a site of which little is known it would
repeat what that one is about to find out, and be blocked once more.
"""

from __future__ import annotations

import asyncio

LONGEST = 10.0
"""Seconds for which a page waits for what another shows."""
GRACE = 1.0
"""Seconds from the end of a fetch until it is plain that it shows nothing of its site."""


class Turns:
    """Whose turn it is, on each site that is not known yet."""

    def __init__(self, longest: float = LONGEST) -> None:
        self._longest = longest
        self._under_way: dict[str, asyncio.Event] = {}

    async def wait(self, site: str) -> None:
        """Return when no page of *site* is under way of which something is to be learned, or when
        that takes long."""
        try:
            async with asyncio.timeout(self._longest):
                while (outcome := self._under_way.get(site)) is not None:
                    await outcome.wait()
        except TimeoutError:
            self.end(site)  # it may have been dropped on its way

    def begin(self, site: str) -> None:
        """A page of *site* is fetched to learn from."""
        self._under_way.setdefault(site, asyncio.Event())

    def end_soon(self, site: str, seconds: float = GRACE) -> None:
        """The fetch has ended: what it shows is learned within so many *seconds*, if it is of
        *site*, to which a redirect may not lead, and if anybody was asked."""
        outcome = self._under_way.get(site)
        if outcome is not None:
            asyncio.get_running_loop().call_later(seconds, self._end, site, outcome)

    def _end(self, site: str, outcome: asyncio.Event) -> None:
        if self._under_way.get(site) is outcome:
            self.end(site)

    def end(self, site: str) -> None:
        """Something was learned of *site*."""
        outcome = self._under_way.pop(site, None)
        if outcome is not None:
            outcome.set()
