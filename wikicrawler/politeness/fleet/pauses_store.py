"""What the workers of a Redis know of sites that block every tier."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikicrawler.frontier.redis.exchange import as_bytes, as_text, micro
from wikicrawler.politeness.fleet.script import SharedScript
from wikicrawler.politeness.pauses import SharedPause

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wikicrawler.politeness.pauses import PauseNote

PREFIX = "{wikicrawler:pauses}:"
"""What the keys begin with. No job has this name: its keys have a spider's."""

WINDOW = 200
"""Maximum number of sites that a call returns."""


class PausesStore:
    """What one worker exchanges with the Redis at *url*. The methods block; call them in one
    thread."""

    def __init__(self, url: str) -> None:
        self._script = SharedScript(url, PREFIX, "politeness/fleet/pauses.lua")
        self._known = 0
        self.has_more = False
        """True if the last call did not return all that has changed."""

    def exchange(self, notes: Sequence[PauseNote]) -> list[SharedPause]:
        """Store *notes*, and return the sites of which anything has changed since the last call;
        at first all, some of them at a time.

        :raises StoreError: Redis is unavailable; *notes* may have been stored
        """
        arguments: list[bytes | int | str] = [self._known, len(notes)]
        for note in notes:
            arguments += [as_bytes(note.site), note.pages, note.recognised]
            arguments += [note.risk_level, micro(note.pause), int(note.is_over)]
        arguments.append(WINDOW)
        self._known, *changed = self._script.run(arguments)
        self.has_more = len(changed) >= WINDOW
        return [
            SharedPause(as_text(site), pages, recognised, level, remaining / 1e6)
            for site, pages, recognised, level, remaining in changed
        ]

    def close(self) -> None:
        """Close the connection; harmless when called again."""
        self._script.close()
