"""A page as it travels from a tier to the spider, and the failure to get one.

These types import nothing of the package but the reasons, so that every room can use them.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime  # noqa: TC003
from enum import Enum
from typing import NamedTuple

from wikicrawler.errors import Reason  # noqa: TC001


class Link(NamedTuple):
    """A link to another page of the same wiki."""

    url: str
    namespace: int | None = None
    """MediaWiki's namespace number; None where the tier cannot tell."""


@dataclass(frozen=True, slots=True)
class Page:
    """What a tier brought. ``None`` means that the tier cannot know: the conversion may."""

    url: str
    """The page's own URL after redirects, never the API's."""
    body: bytes
    """A whole HTML document."""
    encoding: str
    status: int = 200
    title: str | None = None
    redirected_from: str | None = None
    """URL that was asked for, where a redirect led from it to ``url``."""
    revid: int | None = None
    lang: str | None = None
    links: tuple[Link, ...] | None = None
    categories: tuple[str, ...] | None = None
    namespace: int | None = None
    """MediaWiki's number of the namespace that the page is in."""
    license: str | None = None
    fetched_at: datetime | None = None
    """When the answer came, in UTC; set by the middleware."""


class Action(Enum):
    """What follows from a failure."""

    NEXT = "next"  # the next tier may do better
    WAIT = "wait"  # ask the same tier again, after the wait that the server asks for
    FINAL = "final"  # true of the page itself: no tier would do better


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a tier brought no page."""

    reason: Reason
    detail: str = ""
    """One line for a person; of what the server said, only what is safe to log."""
    action: Action = Action.NEXT
    status: int | None = None
    retry_after: float | None = None
    """Seconds that the server asked to wait; None where it did not say."""
    vendor: str = ""
    """Whose block page or challenge it is; empty where that is not known, or there is none."""
