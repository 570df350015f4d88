"""The answers of EDGAR that a search needs, each requested once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from wikicrawler.errors import ContentError
from wikicrawler.reports.errors import DocumentNotFoundError
from wikicrawler.reports.providers.edgar.facts import Facts, read_facts
from wikicrawler.reports.providers.edgar.index_page import Document, read_index
from wikicrawler.reports.providers.edgar.memory import Memory
from wikicrawler.reports.providers.edgar.search import read_hits
from wikicrawler.reports.providers.edgar.submissions import (
    Submissions,
    read_page,
    read_submissions,
)
from wikicrawler.reports.providers.edgar.tickers import Tickers, read_tickers
from wikicrawler.reports.providers.edgar.values import AnswerError, Problem, attempt

if TYPE_CHECKING:
    from collections.abc import Callable

    from wikicrawler.reports.fetching import Fetcher
    from wikicrawler.reports.providers.edgar.addresses import Addresses
    from wikicrawler.reports.providers.edgar.filings import Filing
    from wikicrawler.reports.providers.edgar.gate import Gate

MAX_TABLE = 64 * 2**20
"""Bytes of companyfacts, which has some 4 MB, and of submissions."""
MAX_PAGE = 8 * 2**20
COMPANIES = 50
"""Companies whose answers are remembered."""
T = TypeVar("T")


class Client:
    """Requests, reads and remembers. Bodies are read in a worker process: they are a stranger's,
    and have up to some megabytes."""

    def __init__(self, addresses: Addresses, gate: Gate) -> None:
        self._addresses = addresses
        self._gate = gate
        self._tickers: Memory[Tickers] = Memory(1)
        self._submissions: Memory[Submissions] = Memory(COMPANIES)
        self._pages: Memory[tuple[Filing, ...]] = Memory(4 * COMPANIES)
        self._facts: Memory[Facts | None] = Memory(COMPANIES)
        self._indexes: Memory[tuple[Document, ...]] = Memory(10 * COMPANIES)
        self._searches: Memory[tuple[tuple[int, str], ...]] = Memory(4 * COMPANIES)

    async def tickers(self, fetch: Fetcher) -> Tickers:
        url = self._addresses.tickers
        return await self._tickers.get(url, lambda: self._read(fetch, url, MAX_PAGE, read_tickers))

    async def submissions(self, cik: int, fetch: Fetcher) -> Submissions:
        """Return what EDGAR says of the company *cik*.

        :raises DocumentNotFoundError: there is no such company
        """

        async def make() -> Submissions:
            url = self._addresses.submissions(cik)
            try:
                return await self._read(fetch, url, MAX_TABLE, read_submissions, cik)
            except DocumentNotFoundError:
                raise DocumentNotFoundError(f"SEC has no company with the CIK {cik}") from None

        return await self._submissions.get(cik, make)

    async def older_page(self, name: str, fetch: Fetcher) -> tuple[Filing, ...]:
        url = self._addresses.older_page(name)
        return await self._pages.get(name, lambda: self._read(fetch, url, MAX_TABLE, read_page))

    async def facts(self, cik: int, fetch: Fetcher) -> Facts | None:
        """Return the fiscal years that companyfacts has; None if the company has no facts."""

        async def make() -> Facts | None:
            try:
                url = self._addresses.facts(cik)
                facts: Facts = await self._read(fetch, url, MAX_TABLE, read_facts, cik)
            except DocumentNotFoundError:
                return None
            return facts

        return await self._facts.get(cik, make)

    async def index(self, cik: int, accession: str, fetch: Fetcher) -> tuple[Document, ...]:
        url = self._addresses.index(cik, accession)
        return await self._indexes.get(url, lambda: self._read(fetch, url, MAX_PAGE, read_index))

    async def search(
        self, phrase: str, forms: tuple[str, ...], fetch: Fetcher
    ) -> tuple[tuple[int, str], ...]:
        """Return CIK and name of the companies whose filings have *phrase* in their text."""
        url = self._addresses.search(phrase, forms)
        return await self._searches.get(url, lambda: self._read(fetch, url, MAX_PAGE, read_hits))

    async def _read(
        self,
        fetch: Fetcher,
        url: str,
        max_bytes: int,
        reader: Callable[..., T],
        *arguments: Any,
    ) -> T:
        answer = await self._gate.get(fetch, url, max_bytes)
        try:
            result = await fetch.run(attempt, reader, answer.body, *arguments)
        except ContentError as error:
            raise AnswerError(f"{url}: could not be read: {error}") from None
        if isinstance(result, Problem):
            raise AnswerError(f"{url}: {result.message}")
        return result  # type: ignore[no-any-return]
