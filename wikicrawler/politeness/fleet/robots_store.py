"""The robots.txt in a Redis that workers fetch for each other, and who is fetching one."""

from __future__ import annotations

import secrets
import zlib
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple

from scrapy.exceptions import (
    DownloadCancelledError,
    DownloadFailedError,
    DownloadTimeoutError,
)

from wikicrawler.errors import StoreError
from wikicrawler.frontier.protocol import FrontierError
from wikicrawler.frontier.redis.away import AwayError
from wikicrawler.frontier.redis.exchange import as_bytes, as_text, micro
from wikicrawler.frontier.redis.server import connect
from wikicrawler.politeness.fetch_errors import CANCELLED, TIMEOUTS
from wikicrawler.politeness.robots_answer import MAX_BODY, RobotsAnswer

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from wikicrawler.frontier.redis.client import Client

PREFIX = "{wikicrawler:robots}:"
"""What the keys begin with; the origin follows. No job has this name: its keys have a spider's."""
LEASE = 15.0
"""Seconds after which another worker fetches what one that was not heard of was fetching."""
MAX_STORED = 64 * 1024 * 1024
"""Maximum number of bytes in Redis; the oldest are dropped first."""
_LONGEST = 1e9  # seconds, of the age of an answer

_TIMEOUT, _CANCELLED, _NETWORK = b"timeout", b"cancelled", b"network"
_CAUSES: dict[bytes, type[Exception]] = {
    _TIMEOUT: DownloadTimeoutError,
    _CANCELLED: DownloadCancelledError,
    _NETWORK: DownloadFailedError,
}


class AskedRobots(NamedTuple):
    """A robots.txt that is asked for."""

    origin: str
    longest: float
    """Age in seconds up to which a fetch without a response counts."""


class RobotsStore:
    """What one worker exchanges with the Redis at *url*. The methods block; call them in one
    thread.

    :param lease: number of seconds after which claims lapse that were not renewed
    """

    def __init__(self, url: str, *, lease: float = LEASE, max_stored: int = MAX_STORED) -> None:
        self._url = url
        self.lease = lease
        self._max_stored = max_stored
        self._worker = secrets.token_hex(8)
        self._client: Client | None = None
        self._script: Callable[[str, list[Any]], list[Any]] | None = None

    def exchange(
        self,
        asked: Sequence[AskedRobots],
        *,
        fetched: Mapping[str, RobotsAnswer] | None = None,
        given_up: Collection[str] = (),
        renewed: Collection[str] = (),
    ) -> list[RobotsAnswer | bool]:
        """Store what was *fetched*, by origin, let go of those *given_up*, renew the claims
        *renewed*, and return for each of *asked* what is known; else whether this worker has the
        claim to fetch it.

        :raises StoreError: Redis is unavailable; what was to be stored may have been
        """
        arguments: list[bytes | int | str] = [self._worker, micro(self.lease), self._max_stored]
        arguments.append(len(fetched or {}))
        for origin, answer in (fetched or {}).items():
            arguments += [as_bytes(origin), *_stored(answer), micro(answer.left)]
        for origins in (given_up, renewed):
            arguments += [len(origins), *map(as_bytes, origins)]
        arguments.append(len(asked))
        for one in asked:
            arguments += [as_bytes(one.origin), micro(min(max(0.0, one.longest), _LONGEST))]
        return [
            _answer(reply) if len(reply) > 1 else bool(reply[0]) for reply in self._run(arguments)
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
                text = files("wikicrawler").joinpath("politeness/fleet/robots.lua")
                self._script = self._client.script(text.read_text("utf-8"))
            return self._script(PREFIX, arguments)
        except (AwayError, FrontierError) as error:
            raise StoreError(f"Redis: {error}") from None


def _stored(answer: RobotsAnswer) -> tuple[bytes, bytes, bytes]:
    """Return body, failure and cause of *answer*, as they are stored."""
    cause = b""
    if answer.cause is not None:
        is_timeout, is_cancelled = (
            isinstance(answer.cause, kind) for kind in (TIMEOUTS, CANCELLED)
        )
        cause = _TIMEOUT if is_timeout else _CANCELLED if is_cancelled else _NETWORK
    return zlib.compress(answer.body), as_bytes(answer.unreachable), cause


def _answer(reply: list[Any]) -> RobotsAnswer:
    body, failure, cause, age, left = reply
    why = as_text(failure)
    return RobotsAnswer(
        zlib.decompressobj().decompress(body, MAX_BODY),
        why,
        _CAUSES[cause](why) if cause else None,
        age=age / 1e6,
        left=left / 1e6,
    )
