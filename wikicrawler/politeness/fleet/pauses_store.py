"""What the workers of a Redis know of sites that block every tier."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING, Any

from wikicrawler.errors import StoreError
from wikicrawler.frontier.protocol import FrontierError
from wikicrawler.frontier.redis.away import AwayError
from wikicrawler.frontier.redis.exchange import as_bytes, as_text, micro
from wikicrawler.frontier.redis.server import connect
from wikicrawler.politeness.pauses import SharedPause

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from wikicrawler.frontier.redis.client import Client
    from wikicrawler.politeness.pauses import PauseNote

PREFIX = "{wikicrawler:pauses}:"
"""What the keys begin with. No job has this name: its keys have a spider's."""

WINDOW = 200
"""Maximum number of sites that a call returns."""


class PausesStore:
    """What one worker exchanges with the Redis at *url*. The methods block; call them in one
    thread."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._known = 0
        self.has_more = False
        """True if the last call did not return all that has changed."""
        self._client: Client | None = None
        self._script: Callable[[str, list[Any]], list[Any]] | None = None

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
        self._known, *changed = self._run(arguments)
        self.has_more = len(changed) >= WINDOW
        return [
            SharedPause(as_text(site), pages, recognised, level, remaining / 1e6)
            for site, pages, recognised, level, remaining in changed
        ]

    def close(self) -> None:
        """Close the connection; harmless when called again."""
        client, self._client, self._script = self._client, None, None
        if client is not None:
            client.close()

    def _run(self, arguments: list[bytes | int | str]) -> list[Any]:
        try:
            if self._script is None:
                self._client = self._client or connect(self._url)
                text = files("wikicrawler").joinpath("politeness/fleet/pauses.lua")
                self._script = self._client.script(text.read_text("utf-8"))
            return self._script(PREFIX, arguments)
        except (AwayError, FrontierError) as error:
            raise StoreError(f"Redis: {error}") from None
