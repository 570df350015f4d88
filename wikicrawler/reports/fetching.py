"""What providers use to reach the web. A crawl implements it; nothing else sends requests."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Answer:
    """The response to a plain GET, whatever its status."""

    url: str
    """After redirects."""
    status: int
    headers: Mapping[str, str]
    """By lower-case name."""
    body: bytes


@dataclass(frozen=True, slots=True)
class WebPage:
    """A page, whichever way it was fetched."""

    url: str
    """After redirects."""
    title: str
    html: str
    """With the scripts' work, if the page was rendered."""
    markdown: str


@dataclass(frozen=True, slots=True)
class SavedFile:
    """A file that was downloaded completely."""

    path: Path
    url: str
    """After redirects."""
    content_type: str
    """As the server declares it, without parameters; empty if it does not."""
    size: int
    """Bytes."""
    resumed_at: int = 0
    """Bytes that an earlier run had already."""


class Fetcher(Protocol):
    """Requests of a running crawl: they obey robots.txt, the pace of their site and the guard.

    All methods raise :class:`~wikicrawler.reports.errors.RequestTimeoutError` and
    :class:`~wikicrawler.reports.errors.FetchError` where there is no answer, and
    :class:`~wikicrawler.errors.TierInterruptedError` when the crawl is being stopped, which nobody
    must swallow.
    """

    async def get(
        self,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        max_bytes: int | None = None,
        slot: str | None = None,
        retries: bool = True,
    ) -> Answer:
        """Return the answer, whatever its status. Redirects are followed.

        :param max_bytes: a larger body is a :class:`~wikicrawler.reports.errors.FetchError`
        :param slot: politeness budget that the request is charged to, in place of its site's
        :param retries: False: no failure is retried
        """

    async def page(self, url: str) -> WebPage:
        """Return a page by the tiers of the project.

        :raises DocumentNotFoundError: it does not exist
        :raises RateLimitExceededError: it is blocked, or its site asks to wait
        :raises FetchError: no tier fetched it
        """

    async def save(
        self,
        url: str,
        target: Path,
        *,
        headers: Mapping[str, str] | None = None,
        max_bytes: int | None = None,
        slot: str | None = None,
        retries: bool = True,
    ) -> SavedFile:
        """Download a file to *target*, and go on where an earlier download was cut.

        :raises DocumentNotFoundError: 404 or 410
        :raises RateLimitExceededError: 429 or 503, after the retries
        :raises FetchError: another status, a larger file, or one that is cut

        Errors about a status have :attr:`~wikicrawler.reports.errors.ReportError.status` and
        :attr:`~wikicrawler.reports.errors.ReportError.body`.
        """

    async def run(self, function: Callable[..., T], *arguments: Any) -> T:
        """Return ``function(*arguments)``, called in a worker process with limits on its time and
        memory. *function* is one of a module.

        :raises ContentError: the limits were exceeded, or the function failed
        """

    async def sleep(self, seconds: float) -> None:
        """Wait. A stop of the crawl ends the wait with
        :class:`~wikicrawler.errors.TierInterruptedError`.
        """
