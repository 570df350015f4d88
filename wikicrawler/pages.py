"""The result of a tier: a page on its way to the spider, or a failure.

These types import nothing from the package except the reasons, so that every subpackage can use
them.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime  # noqa: TC003
from enum import Enum
from typing import NamedTuple

from wikicrawler.errors import Reason  # noqa: TC001

PAGE_KEY = "tier_page"
"""Meta key of a response: its :class:`Page`."""
CONTENT_KEY = "tier_content"
"""Meta key of a response: its :class:`wikicrawler.items.Content`."""
WIKI_KEY = "tier_wiki"
"""Meta key of a response: the crawl's own object of its wiki, which no file holds."""
STRICT_KEY = "tiers_strict"
"""Meta key of a request (bool): only a page is of use, as ``WIKICRAWLER_TIERS_STRICT`` says for
all requests."""
WAIT_FOR_KEY = "wait_for_selector"
"""Meta key of a request (str): a CSS selector of an element that the complete page has, for tiers
that render pages."""
HEADERS_KEY = "page_headers"
"""Meta key of a request (dict of str): headers that services which fetch the page send to its site.
Other headers of the request are not passed on."""


class Link(NamedTuple):
    """A link to another page of the same host, or wiki."""

    url: str
    namespace: int | None = None
    """MediaWiki's namespace number; None if the tier does not know it."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page fetched by a tier.

    ``None`` means that the tier does not know the value; the conversion may find it.
    """

    url: str
    """The page's own URL after redirects, never an API URL."""
    body: bytes
    """A complete HTML document."""
    encoding: str
    status: int = 200
    title: str | None = None
    redirected_from: str | None = None
    """The requested URL, if it redirected to ``url``."""
    revid: int | None = None
    lang: str | None = None
    links: tuple[Link, ...] | None = None
    categories: tuple[str, ...] | None = None
    namespace: int | None = None
    """MediaWiki's number of the page's namespace."""
    license: str | None = None
    fetched_at: datetime | None = None
    """Time of the response in UTC; set by the middleware."""


class Action(Enum):
    """What to do after a failure."""

    NEXT = "next"  # try the next tier
    WAIT = "wait"  # retry the same tier after the delay that the server requested
    FINAL = "final"  # give up: the failure is the page's own, so no other tier could succeed


@dataclass(frozen=True, slots=True)
class Failure:
    """The reason why a tier fetched no page."""

    reason: Reason
    detail: str = ""
    """One line for people; of the server's response, only what is safe to log."""
    action: Action = Action.NEXT
    status: int | None = None
    retry_after: float | None = None
    """Delay in seconds that the server requested; None without such a request."""
    vendor: str = ""
    """Vendor of the block page or challenge; empty if there is none or it is unknown."""
