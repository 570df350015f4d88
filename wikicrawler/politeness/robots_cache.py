"""The robots.txt of many hosts, within bounds on memory."""

from __future__ import annotations

from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.robotstxt import RobotParser
    from twisted.internet.defer import Deferred

MAX_HOSTS = 10_000
"""Maximum number of hosts in the cache; the least recently used is dropped first."""
MAX_CACHED = 64 * 1024 * 1024
"""Maximum number of bytes in the cache."""
MAX_PARSED = 2 * 1024 * 1024
"""Maximum number of bytes that are cached with their parser, which may take seventy times as much
memory. Others are parsed again when needed."""

FETCH_FAILED_SINCE = "robots_failed_since"
"""Meta key (float, seconds since the epoch): a robots.txt without a response is fetched again if
the last attempt ended before this time."""

IN_FLIGHT = float("inf")


@dataclass(slots=True)
class Rules:
    """The cached robots.txt of one origin (scheme and host)."""

    body: bytes = b""
    parser: RobotParser | None = None
    unreachable: str = ""
    """Why robots.txt could not be fetched; if set, everything is disallowed."""
    cause: Exception | None = None
    """The exception that the fetch raised."""
    expires: float = IN_FLIGHT
    """Time of :func:`time.monotonic`; :data:`IN_FLIGHT` while robots.txt is fetched."""
    ended: float = 0.0
    """Time of :func:`time.time` when the fetch ended."""
    waiting: list[Deferred[None]] = field(default_factory=list)
    counted: int = 0
    """Bytes of the body that the cache has counted."""

    def is_outdated(self, request: Request) -> bool:
        """Return True if robots.txt has to be fetched (again) for *request*."""
        if self.expires < monotonic():
            return True
        if self.cause is None or self.expires == IN_FLIGHT:
            return False
        return self.ended < failed_since(request)


def failed_since(request: Request) -> float:
    """Return the time up to which a failed fetch does not count for *request*, in seconds since the
    epoch; 0 if it counts."""
    since = request.meta.get(FETCH_FAILED_SINCE, 0.0)
    return since if isinstance(since, (int, float)) else 0.0


class RulesCache:
    """The rules by origin, in the order of their use. No call looks at all of them."""

    def __init__(self) -> None:
        self._rules: dict[str, Rules] = {}
        self._parsed: dict[str, Rules] = {}  # those of them that have a parser
        self._bytes = 0
        self.parsed_bytes = 0
        """Number of bytes that are cached with their parser."""

    def get(self, origin: str) -> Rules | None:
        """Return the rules of *origin*, if there are any."""
        return self._rules.get(origin)

    def use(self, origin: str) -> Rules | None:
        """Return the rules of *origin*, now the most recently used, if there are any."""
        rules = self._rules.pop(origin, None)
        if rules is not None:
            self._rules[origin] = rules
            if origin in self._parsed:
                self._parsed[origin] = self._parsed.pop(origin)
        return rules

    def add(self, origin: str, rules: Rules) -> None:
        """Add *rules*, which are in flight, in the place of others of *origin*."""
        if origin in self._rules:
            self._remove(origin)
        self._rules[origin] = rules

    def loaded(self, origin: str, rules: Rules) -> None:
        """Count the body of *rules*, which were fetched or parsed, and drop what is too much."""
        if self._rules.get(origin) is not rules:  # dropped meanwhile
            return
        if not rules.counted:
            rules.counted = len(rules.body)
            self._bytes += rules.counted
        if rules.parser is not None and origin not in self._parsed:
            self._parsed[origin] = rules
            self.parsed_bytes += rules.counted
        self._drop_oldest()

    def _drop_oldest(self) -> None:
        while len(self._rules) > MAX_HOSTS or self._bytes > MAX_CACHED:
            # Other requests wait for those in flight.
            rules = self._rules.items()
            oldest = next((origin for origin, each in rules if each.expires != IN_FLIGHT), None)
            if oldest is None:
                break
            self._remove(oldest)
        while self.parsed_bytes > MAX_PARSED:
            self._forget_parser(next(iter(self._parsed)))

    def _remove(self, origin: str) -> None:
        if origin in self._parsed:
            self._forget_parser(origin)
        self._bytes -= self._rules.pop(origin).counted

    def _forget_parser(self, origin: str) -> None:
        rules = self._parsed.pop(origin)
        rules.parser = None
        self.parsed_bytes -= rules.counted
