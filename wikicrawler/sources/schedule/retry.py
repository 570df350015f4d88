"""How often, and after which delays, a fetch of a watched source is repeated."""

from __future__ import annotations

import math
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MAX_DELAY = 3600.0
"""Maximum number of seconds for which a fetch waits. One that a server's Retry-After would delay
longer is not repeated."""


class VisitError(StrEnum):
    """Why a fetch brought no document."""

    RATE_LIMITED = "rate_limited"  # HTTP 429; the source is visited less often from then on
    UNAVAILABLE = "unavailable"  # HTTP 503
    FORBIDDEN = "forbidden"  # HTTP 403
    MISSING = "missing"  # HTTP 404 and 410
    TIMEOUT = "timeout"  # after the retries the next tier is tried
    CAPTCHA = "captcha"  # the next tier is tried
    PARSE = "parse"  # the content cannot be read
    OTHER = "other"  # another status, no connection


DELAYS: Mapping[VisitError, tuple[float, ...]] = MappingProxyType(
    {
        VisitError.RATE_LIMITED: (30.0, 60.0, 120.0, 300.0, 600.0),
        VisitError.UNAVAILABLE: (10.0, 30.0, 60.0),
        VisitError.FORBIDDEN: (),
        VisitError.MISSING: (),
        VisitError.TIMEOUT: (15.0, 30.0),
        VisitError.CAPTCHA: (),
        VisitError.PARSE: (),
        VisitError.OTHER: (10.0, 30.0, 60.0),
    }
)
"""Seconds before each retry. The length is the number of retries."""


def next_delay(
    delays: Sequence[float], retries: int, retry_after: float | None = None
) -> float | None:
    """Return the seconds until a fetch is repeated; None if it is not.

    :param delays: those of its error
    :param retries: number of retries so far
    :param retry_after: seconds that the server asked to wait; it lengthens a delay, and never
        shortens one
    """
    if retries < 0:
        raise ValueError(f"retries: {retries} is too low (0 is the lowest)")
    asked = 0.0 if retry_after is None or math.isnan(retry_after) else retry_after
    if retries >= len(delays) or asked > MAX_DELAY:
        return None
    return max(float(delays[retries]), asked)
