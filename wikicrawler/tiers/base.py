"""What a tier is: a pure translation of a page's URL into a request, and of an answer into a page.

A tier does no I/O and knows no engine. It says what it found as a :class:`Page`, or why it found
none as a :class:`Failure`; :mod:`wikicrawler.tiers.middleware` does the rest.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime  # noqa: TC003
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple, Protocol

from wikicrawler.errors import Reason  # noqa: TC001

if TYPE_CHECKING:
    from scrapy.http import Request, Response

    from wikicrawler.tiers.wiki import WikiSite


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


class Tier(Protocol):
    """A way to get a page."""

    name: str

    def request(self, page: Request, wiki: WikiSite | None) -> Request | Failure:
        """The request to send for *page*, a request for the page's own URL; *page* itself where
        that is what to send. *wiki* is the wiki that it is a page of, if it is one."""

    def read(self, response: Response, page_url: str, wiki: WikiSite | None) -> Page | Failure:
        """The page in *response* to that request; *page_url* is what was asked for."""
