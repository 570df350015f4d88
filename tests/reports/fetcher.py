"""A small :class:`~wikicrawler.reports.fetching.Fetcher` over real sockets, for tests of providers.

Its time is virtual: a sleep takes none, and moves the clock.
"""

from __future__ import annotations

import asyncio
import urllib.error
import urllib.request
from typing import TYPE_CHECKING, Any

from wikicrawler.errors import ContentError, Reason
from wikicrawler.reports.errors import (
    DocumentNotFoundError,
    FetchError,
    Outcome,
    RateLimitExceededError,
    RequestTimeoutError,
)
from wikicrawler.reports.fetching import Answer, SavedFile

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

AGENT = "wikicrawler-tests/1 (+tests@example.org)"


class Clock:
    """A monotonic clock that only sleeps move."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class PlainFetcher:
    def __init__(self, clock: Clock | None = None, user_agent: str = AGENT) -> None:
        self.clock = clock or Clock()
        self.user_agent = user_agent
        self.sleeps: list[float] = []
        self.slots: set[str | None] = set()
        self.failures: list[Exception] = []
        """Raised by the next requests, in turn."""

    async def get(
        self,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        max_bytes: int | None = None,
        slot: str | None = None,
        retries: bool = True,
    ) -> Answer:
        self._begin(slot, retries)
        answer = await asyncio.to_thread(self._get, url, dict(headers or {}))
        if max_bytes is not None and len(answer.body) > max_bytes:
            raise FetchError(f"{url}: more than {max_bytes} bytes", Outcome.TOO_LARGE)
        return answer

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
        self._begin(slot, retries)
        answer = await asyncio.to_thread(self._get, url, dict(headers or {}))
        if answer.status != 200:
            kinds = {404: DocumentNotFoundError, 429: RateLimitExceededError}
            kinds[503] = RateLimitExceededError
            error = kinds.get(answer.status, FetchError)(f"{url}: answers {answer.status}")
            error.status, error.body = answer.status, answer.body[:4096]
            raise error
        await asyncio.to_thread(target.write_bytes, answer.body)
        kind = answer.headers.get("content-type", "").partition(";")[0]
        return SavedFile(target, answer.url, kind, len(answer.body))

    async def page(self, url: str) -> Any:
        raise NotImplementedError

    async def run(self, function: Callable[..., Any], *arguments: Any) -> Any:
        try:
            return await asyncio.to_thread(function, *arguments)
        except Exception as error:
            raise ContentError(Reason.CONVERSION, repr(error)) from None

    async def sleep(self, seconds: float) -> None:
        assert seconds > 0
        self.sleeps.append(seconds)
        self.clock.now += seconds
        await asyncio.sleep(0)

    def _begin(self, slot: str | None, retries: bool) -> None:
        assert not retries
        self.slots.add(slot)
        if self.failures:
            raise self.failures.pop(0)

    def _get(self, url: str, headers: dict[str, str]) -> Answer:
        request = urllib.request.Request(  # noqa: S310
            url, headers={"User-Agent": self.user_agent, **headers}
        )
        try:
            with urllib.request.urlopen(request, timeout=30) as response:  # noqa: S310
                return _answer(response)
        except urllib.error.HTTPError as error:
            with error:
                return _answer(error)
        except TimeoutError:
            raise RequestTimeoutError(f"{url}: no answer") from None
        except OSError as error:
            raise FetchError(f"{url}: {error}") from None


def _answer(response: Any) -> Answer:
    names = {name.lower(): value for name, value in response.headers.items()}
    return Answer(response.url, response.status, names, response.read())
