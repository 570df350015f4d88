"""What to do after an error within one visit."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

MAX_DELAY = 3600.0
"""Maximum number of seconds for which a visit waits. A visit that a server's Retry-After would
delay longer ends instead."""


class VisitError(StrEnum):
    """Why a visit brought no page."""

    RATE_LIMITED = "rate_limited"  # HTTP 429
    UNAVAILABLE = "unavailable"  # HTTP 503
    FORBIDDEN = "forbidden"  # HTTP 403
    MISSING = "missing"  # HTTP 404 and 410
    TIMEOUT = "timeout"
    CAPTCHA = "captcha"
    PARSE = "parse"  # the content cannot be read
    OTHER = "other"  # another status, no connection: as UNAVAILABLE


class Alert(StrEnum):
    """What an operator is told."""

    BLOCKED = "blocked"  # the site may have blocked the crawl: look at its robots.txt
    MOVED = "moved"  # the URL may have moved: review the manifest
    UNREADABLE = "unreadable"  # the page is logged as it is: look at it
    FALLBACK_FAILED = "fallback_failed"  # neither engine could fetch the page


@dataclass(frozen=True, slots=True)
class Row:
    """How one error is treated."""

    delays: tuple[float, ...] = ()
    """Seconds before each retry."""
    to_fallback: bool = False
    """Whether the fallback engine is tried after the retries."""
    alert: Alert | None = None
    lower_frequency: bool = False
    """Whether the source is visited less often if all retries fail."""


_UNAVAILABLE = Row(delays=(10, 30, 60))
TABLE = {
    VisitError.RATE_LIMITED: Row(delays=(30, 60, 120, 300, 600), lower_frequency=True),
    VisitError.UNAVAILABLE: _UNAVAILABLE,
    VisitError.FORBIDDEN: Row(alert=Alert.BLOCKED),
    VisitError.MISSING: Row(alert=Alert.MOVED),
    VisitError.TIMEOUT: Row(delays=(15, 30), to_fallback=True),
    VisitError.CAPTCHA: Row(to_fallback=True),
    VisitError.PARSE: Row(alert=Alert.UNREADABLE),
    VisitError.OTHER: _UNAVAILABLE,
}


@dataclass(frozen=True, slots=True)
class RetryStep:
    """What to do next."""

    delay: float | None = None
    """Seconds until the next request; None: the visit ends."""
    to_fallback: bool = False
    """Whether that request goes to the fallback engine."""
    alert: Alert | None = None
    lower_frequency: bool = False
    """Whether the source is visited less often from now on."""


def retry(
    error: VisitError,
    attempt: int,
    retry_after: float | None = None,
    *,
    on_fallback: bool = False,
) -> RetryStep | None:
    """Return what to do after *error*; None if the visit ends without further consequences.

    :param attempt: number of requests to this engine that failed, this one included
    :param retry_after: seconds that the server asked to wait; it lengthens a delay, and never
        shortens one
    :param on_fallback: whether the fallback engine has failed already
    """
    if attempt < 1:
        raise ValueError(f"attempt: {attempt} is too low (1 is the first)")
    row = TABLE[error]
    asked = 0.0 if retry_after is None or math.isnan(retry_after) else max(retry_after, 0.0)
    if attempt <= len(row.delays) and asked <= MAX_DELAY:
        return RetryStep(delay=max(float(row.delays[attempt - 1]), asked))
    if row.to_fallback and on_fallback:
        return RetryStep(alert=Alert.FALLBACK_FAILED)
    if row.to_fallback and asked <= MAX_DELAY:
        return RetryStep(delay=asked, to_fallback=True)
    if row.alert or row.lower_frequency:
        return RetryStep(alert=row.alert, lower_frequency=row.lower_frequency)
    return None
