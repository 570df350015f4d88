"""What a fetch of robots.txt brought."""

from __future__ import annotations

from dataclasses import dataclass

MAX_BODY = 500 * 1024
"""Bytes of a robots.txt that are parsed (RFC 9309, section 2.5)."""
LIFETIME = 86_400.0
"""Seconds for which a robots.txt is cached (section 2.4)."""
FAILURE_LIFETIME = 1_800.0
"""Seconds after which a failed fetch is repeated."""

ALLOW_ALL = b""
DISALLOW_ALL = b"User-agent: *\nDisallow: /\n"


@dataclass(frozen=True, slots=True)
class RobotsAnswer:
    """The robots.txt of an origin (scheme and host), or why there is none."""

    body: bytes
    """At most :data:`MAX_BODY` bytes."""
    unreachable: str = ""
    """Why robots.txt could not be fetched; if set, everything is disallowed."""
    cause: Exception | None = None
    """The exception that the fetch raised, one of those of a fetch without a response."""
    is_of_server: bool = True
    """False if it says nothing of the server: a component of this crawl prevented the fetch."""
    age: float = 0.0
    """Seconds since the fetch ended."""
    left: float = LIFETIME
    """Seconds for which it is to be cached from now on."""
