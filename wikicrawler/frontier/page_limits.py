"""Limits on pages that workers share: what counts, and what is known of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

PAGE = "page"
"""The kind of the requests for pages."""
WRITTEN = "written"
"""The set of notes on pages that have their record: a key, then the site of the page."""
KEY_SIZE = 8
"""Bytes of the key."""
MOST_OF_CRAWL, MOST_OF_SITE = 10_000, 1_000
"""Requests that wait for a place of the crawl, and for one of a site. More are dropped: a crawl of
few pages need not remember every link of a large wiki."""

LIMITS = "frontier_limits"
"""Meta key (:class:`PageLimits`): the request is for a page that has no place yet."""


class PageLimits(NamedTuple):
    """The limits under which a request is added."""

    site: int | None = None
    """Maximum number of pages of its site; None: no limit."""
    waits: bool = True
    """Whether it waits if a limit is reached; otherwise it is dropped."""


class SharedPages(Protocol):
    """The pages of a crawl whose workers share them, under the limits on their number.

    A page takes a place of its site and of the crawl when its request is added with
    :class:`PageLimits`. It has it as long as a request for it is not done, and for good if it is
    noted as :data:`WRITTEN` by then. So nothing has to be given back: where a page is skipped, a
    request that waits has its place. That holds whichever workers die meanwhile.
    """

    def limit(self, most: int | None, refused: Callable[[str], object]) -> None:
        """Limit the crawl to *most* pages (None: no limit), from now on. *refused* is called with
        the URL of each request of this worker whose site has no place for it."""

    def has_room(self, site: str) -> bool:
        """Return False if a request of *site* would be dropped: :data:`MOST_OF_SITE` wait for a
        place of it. Workers learn of this with a delay."""

    @property
    def taken(self) -> int:
        """Number of places that pages have, as of the last exchange."""

    @property
    def written(self) -> int:
        """Number of pages that have their record, likewise."""

    @property
    def waiting(self) -> int:
        """Number of requests that wait for a place of the crawl, likewise."""
