"""The search and download of reports in a running crawl."""

from __future__ import annotations

import asyncio
import logging
import os
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from wikicrawler.errors import TierInterruptedError
from wikicrawler.reports.attempts import Attempts, nothing_found
from wikicrawler.reports.documents.verification import verify
from wikicrawler.reports.file_names import file_name
from wikicrawler.reports.models import CompanyReport
from wikicrawler.reports.search import Asked, Search, search_all
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from wikicrawler.reports.documents.verification import Verified
    from wikicrawler.reports.fetching import Fetcher, SavedFile
    from wikicrawler.reports.models import CompanyRef, SourceRef
    from wikicrawler.reports.providers.base import ReportProvider

logger = logging.getLogger(__name__)


class ReportSession:
    """Looks for reports and downloads them.

    :param folder: where the documents are kept, in a folder for each company
    :param forms: forms of SEC that are asked for
    :param accepted: content types of documents that are wanted
    :param search_seconds: time for the search of a provider
    """

    def __init__(
        self,
        providers: Sequence[ReportProvider],
        fetch: Fetcher,
        folder: Path,
        *,
        forms: tuple[str, ...],
        accepted: frozenset[str],
        search_seconds: float,
    ) -> None:
        self._asked = [Asked(one, one.tier, one.name) for one in providers]
        self._tiers = len({one.tier for one in providers})
        self._fetch = fetch
        self._folder = folder
        self._forms = forms
        self._accepted = accepted
        self._search_seconds = search_seconds

    async def identify(self, company: CompanyRef) -> CompanyRef:
        """Return *company* with what the providers know of it: name, CIK, ticker, website."""
        for asked in self._asked:
            if asked.provider.enabled:
                company = await self._identified(asked, company)
        return company

    async def search(self, company: CompanyRef, year: int) -> Search[ReportProvider]:
        """Return what all providers offer for a fiscal year.

        :raises TierInterruptedError: the crawl is being stopped
        """

        async def one(asked: Asked[ReportProvider]) -> Any:
            return await asked.provider.find(company, year, self._forms, self._fetch)

        about = _about(company, year)
        asked = [replace(one, about=about) for one in self._asked]
        found = await search_all(asked, one, self._search_seconds)
        count = len(found.candidates)
        logger.info("%sTotal candidates found: %d across %d tiers", about, count, self._tiers)
        return found

    async def report(self, company: CompanyRef, year: int) -> CompanyReport:
        """Return the report for a fiscal year, verified.

        :raises NoReportError: there is none, or no candidate proved to be what it claims
        :raises TierInterruptedError: the crawl is being stopped
        """
        company = await self.identify(company)
        search = await self.search(company, year)
        if not search.candidates:
            raise nothing_found(company, year, search.notes, self._tiers)
        ranked = search.ranked
        attempts = Attempts(company, year, ranked, self._accepted, _about(company, year))
        for rank, source in enumerate(ranked, 1):
            if not attempts.begin(rank):
                continue
            provider = search.provider_of(source)
            assert provider is not None  # noqa: S101 - one of them has offered it
            found = await self._try(provider, source, company, year, (attempts, rank))
            if found is not None:
                file, verified, text = found
                attempts.succeeded(rank, verified.size)
                return CompanyReport(
                    company=company,
                    year=year,
                    source=source,
                    local_path=file.path,
                    sha256=verified.sha256,
                    size=verified.size,
                    content_type=verified.content_type,
                    text_path=text,
                    fiscal_period=source.fiscal_period,
                    form=source.form,
                    accession=source.accession,
                    fetched_at=datetime.now(UTC).replace(microsecond=0),
                    evidence=verified.evidence,
                    candidates=tuple(ranked),
                    attempts=tuple(attempts.made),
                    searches=search.notes,
                )
        raise attempts.all_failed(search.notes)

    async def _identified(self, asked: Asked[ReportProvider], company: CompanyRef) -> CompanyRef:
        try:
            async with asyncio.timeout(self._search_seconds):
                return await asked.provider.identify(company, self._fetch)
        except TierInterruptedError:
            raise
        except Exception:  # the search asks the same provider, and reports what is wrong
            logger.debug("Provider %s", asked.name, exc_info=True)
            return company

    async def _try(
        self,
        provider: ReportProvider,
        source: SourceRef,
        company: CompanyRef,
        year: int,
        place: tuple[Attempts, int],
    ) -> tuple[SavedFile, Verified, Path | None] | None:
        """Download and verify a candidate; return None if it is not the report."""
        attempts, rank = place
        target = self._folder / file_name(company, year, source)
        file: SavedFile | None = None
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            file = await provider.download(source, company, year, target, self._fetch)
            verified = await verify(file, source, company, year, self._fetch.run)
            text = await asyncio.to_thread(_write_text, target, verified.markdown)
        except TierInterruptedError:
            raise
        except Exception as error:  # whatever it is: the next candidate is tried
            attempts.failed(rank, error, file.size if file is not None else None)
            if file is not None:
                await asyncio.to_thread(file.path.unlink, missing_ok=True)
            return None
        return file, verified, text


def _about(company: CompanyRef, year: int) -> str:
    """Return how messages begin, since several reports are looked for at the same time."""
    return f"{one_line(company.label, 60)} {year}: "


def _write_text(document: Path, text: str) -> Path | None:
    """Write the text of a document beside it, whole or not at all; return None if there is none."""
    if not text:
        return None
    target = document.with_name(f"{document.name}.md")
    part = target.with_name(f"{target.name}.part")
    with part.open("w", encoding="utf-8", errors="surrogatepass") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    part.replace(target)
    return target
