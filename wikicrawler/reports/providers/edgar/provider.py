"""Annual reports in SEC's EDGAR."""

from __future__ import annotations

import asyncio
import time
import zlib
from typing import TYPE_CHECKING, Any, ClassVar

from wikicrawler.reports.errors import (
    DocumentNotFoundError,
    FetchError,
    Outcome,
    WrongDocumentError,
)
from wikicrawler.reports.fetching import SavedFile
from wikicrawler.reports.models import JSON, CompanyRef
from wikicrawler.reports.providers.base import ReportProvider
from wikicrawler.reports.providers.edgar.addresses import Addresses
from wikicrawler.reports.providers.edgar.candidates import candidates_of
from wikicrawler.reports.providers.edgar.client import Client
from wikicrawler.reports.providers.edgar.gate import Gate
from wikicrawler.reports.providers.edgar.lookup import find_cik
from wikicrawler.reports.providers.edgar.options import EdgarOptions, check_contact
from wikicrawler.reports.providers.edgar.selection import Chosen, filings_of
from wikicrawler.reports.providers.edgar.values import FIRST_YEAR, LAST_YEAR, AnswerError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from wikicrawler.reports.fetching import Fetcher
    from wikicrawler.reports.models import SourceRef
    from wikicrawler.reports.providers.edgar.index_page import Document


class SecEdgarProvider(ReportProvider):
    """Finds the 10-K, 20-F or 40-F of a fiscal year: its facts in XBRL, its PDF, its HTML.

    Requests obey SEC's rules for fair access: a User-Agent with an e-mail address, at most eight
    requests a second over all hosts of SEC, none for ten minutes after a block.

    Options: ``www``, ``data`` and ``efts`` (base URLs of SEC's hosts), ``requests_per_second`` (8)
    and ``silence`` (600, seconds).
    """

    name: ClassVar[str] = "sec_edgar"

    def __init__(
        self,
        tier: int,
        options: Mapping[str, Any],
        *,
        user_agent: str,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(tier, options, user_agent=user_agent)
        read = EdgarOptions.read(options)
        check_contact(user_agent)
        self.gate = Gate(read.requests_per_second, read.silence, clock)
        self._addresses = Addresses(read.www, read.data, read.efts)
        self._client = Client(self._addresses, self.gate)

    async def identify(self, company: CompanyRef, fetch: Fetcher) -> CompanyRef:
        """Return *company* with its CIK, its ticker and, if it has none, its name.

        :raises DocumentNotFoundError: there is no such company, or there are several
        :raises ReportError: EDGAR could not be asked
        """
        cik = await find_cik(company, self._client, fetch)
        found = await self._client.submissions(cik, fetch)
        return CompanyRef(
            name=company.name or found.name,
            cik=str(cik),
            ticker=company.ticker or next((t for t in found.tickers if len(t) <= 20), None),
            website=company.website,
        )

    async def find(
        self, company: CompanyRef, year: int, forms: tuple[str, ...], fetch: Fetcher
    ) -> list[SourceRef]:
        """Return the documents of the annual reports about the fiscal *year*, best first.

        :raises DocumentNotFoundError: there is no such company, or there are several
        :raises ReportError: EDGAR could not be asked
        """
        if not FIRST_YEAR <= year <= LAST_YEAR:
            return []
        cik = await find_cik(company, self._client, fetch)
        known = await self._client.submissions(cik, fetch)
        found: list[SourceRef] = []
        for chosen in await filings_of(known, year, forms, self._client, fetch):
            found += candidates_of(
                chosen,
                known,
                await self._documents(cik, chosen, fetch),
                self._addresses,
                tier=self.tier,
                provider=self.name,
                has_facts=await self._has_facts(cik, chosen.filing.accession, fetch),
            )
        return sorted(found, key=lambda source: source.priority_score)

    async def download(
        self, source: SourceRef, company: CompanyRef, year: int, target: Path, fetch: Fetcher
    ) -> SavedFile:
        """Download a document of :meth:`find`; companyfacts are those that the search has read.

        :raises WrongDocumentError: companyfacts have no facts of the filing
        :raises ReportError: it was not downloaded
        """
        if source.url is None:
            raise FetchError("the reference has no URL")
        if source.content_type == JSON:
            return await self._save_facts(source, company, target, fetch)
        return await self.gate.save(fetch, str(source.url), target)

    async def _documents(self, cik: int, chosen: Chosen, fetch: Fetcher) -> tuple[Document, ...]:
        """Return the documents that the index page of a filing lists. Without the page, the primary
        document is still known."""
        try:
            return await self._client.index(cik, chosen.filing.accession, fetch)
        except (DocumentNotFoundError, AnswerError):
            return ()

    async def _has_facts(self, cik: int, accession: str, fetch: Fetcher) -> bool:
        facts = await self._client.facts(cik, fetch)
        return facts is not None and accession in facts.years

    async def _save_facts(
        self, source: SourceRef, company: CompanyRef, target: Path, fetch: Fetcher
    ) -> SavedFile:
        """Write the companyfacts that :meth:`find` has read and whose CIK it has checked."""
        cik = await find_cik(company, self._client, fetch)
        url = str(source.url)
        if url != self._addresses.facts(cik):
            raise WrongDocumentError(Outcome.WRONG_COMPANY, f"{url} is not of CIK {cik}")
        facts = await self._client.facts(cik, fetch)
        if facts is None:
            raise DocumentNotFoundError(f"{url}: the company has no facts in XBRL")
        if source.accession not in facts.years:
            raise WrongDocumentError(
                Outcome.WRONG_YEAR, f"{url} has no facts of the filing {source.accession}"
            )
        if facts.packed is None:
            return await self.gate.save(fetch, url, target)
        size = await asyncio.to_thread(_unpack, facts.packed, target)
        return SavedFile(target, url, JSON, size)


def _unpack(packed: bytes, target: Path) -> int:
    body = zlib.decompress(packed)
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = target.with_name(f"{target.name}.part")
    partial.write_bytes(body)
    partial.replace(target)
    return len(body)
