"""The search and download of reports for programs without an event loop."""

from __future__ import annotations

import logging
import queue
import threading
from time import monotonic
from typing import TYPE_CHECKING, Any

from wikicrawler.reports.attempts import Attempts, nothing_found
from wikicrawler.reports.errors import Outcome
from wikicrawler.reports.models import CompanyReport, SourceRef
from wikicrawler.reports.ranking import merge_equal, prioritize
from wikicrawler.reports.search import Answered, Asked, Search, failed, judged, raised, skipped

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from wikicrawler.reports.models import CompanyRef

logger = logging.getLogger(__name__)
MAX_TIERS = 3
SEARCH_SECONDS = 900.0
"""Default time for the answer of a provider. It is longer than the pause that SEC may ask for."""


class MultiSourceCrawler:
    """Finds and downloads the best report that several providers offer.

    ::

        crawler = MultiSourceCrawler(tiers=[[SECEdgarProvider("me@example.org")], [my_provider]])
        report = crawler.download_best_report(CompanyRef(ticker="AAPL"), 2023)

    Providers are :class:`~wikicrawler.reports.providers.base.BaseDataProvider`, or objects with the
    same methods. One without a true attribute ``enabled`` is left out.

    :param tiers: the providers of each quality tier, best tier first; at most three tiers
    :param search_seconds: time for the answer of a provider; it is asked in a thread, which cannot
        be ended: an answer that comes later is ignored
    """

    def __init__(
        self, tiers: Sequence[Sequence[Any]], *, search_seconds: float = SEARCH_SECONDS
    ) -> None:
        if len(tiers) > MAX_TIERS:
            raise ValueError(f"there are {len(tiers)} tiers (at most {MAX_TIERS})")
        self.tiers = [list(providers) for providers in tiers]
        self._search_seconds = search_seconds

    def search_company_reports(self, company: CompanyRef, year: int) -> list[SourceRef]:
        """Return what all enabled providers offer for a fiscal year, in the order of the providers.

        A provider that raises, does not answer in time or returns something else is a warning.
        """
        return self._search(company, year).candidates

    def download_best_report(self, company: CompanyRef, year: int) -> CompanyReport:
        """Download the best candidate; where that fails, the next one, until one succeeds.

        :raises NoReportError: (a :class:`RuntimeError`) there is no candidate, or all failed
        """
        search = self._search(company, year)
        if not search.candidates:
            raise nothing_found(company, year, search.notes, len(self.tiers))
        ranked = self._prioritize_candidates(merge_equal(search.candidates))
        attempts = Attempts(company, year, ranked)
        for rank, source in enumerate(ranked, 1):
            provider = self._get_provider(source.provider, search, source)
            if provider is None:
                attempts.without_provider(rank)
                continue
            attempts.begin(rank)
            try:
                report = _checked(provider.download(source, company, year))
            except Exception as error:  # whatever it is: the next candidate is tried
                attempts.failed(rank, error)
            else:
                attempts.succeeded(rank, report.size)
                return report.model_copy(
                    update={
                        "candidates": tuple(ranked),
                        "attempts": tuple(attempts.made),
                        "searches": search.notes,
                    }
                )
        raise attempts.all_failed(search.notes)

    def _prioritize_candidates(self, candidates: Iterable[SourceRef]) -> list[SourceRef]:
        """Return the candidates by (quality tier, priority score); equal ones keep their order."""
        return prioritize(candidates)

    def _get_provider(self, name: str, search: Search[Any], source: SourceRef) -> Any | None:
        """Return the provider that offers *source*, else the one of that *name*."""
        found = search.provider_of(source)
        everyone = (one for providers in self.tiers for one in providers)
        return found or next((one for one in everyone if name_of(one) == name), None)

    def _search(self, company: CompanyRef, year: int) -> Search[Any]:
        everyone = [
            Asked(provider, tier, name_of(provider))
            for tier, providers in enumerate(self.tiers, 1)
            for provider in providers
        ]
        answers: queue.SimpleQueue[tuple[int, Answered[Any]]] = queue.SimpleQueue()

        def ask(place: int, asked: Asked[Any]) -> None:
            try:
                answer = judged(asked, asked.provider.search(company, year, tier=asked.tier))
            except Exception as error:  # whatever it is: the others are asked all the same
                answer = raised(asked, error)
            answers.put((place, answer))

        found: dict[int, Answered[Any]] = {}
        for place, asked in enumerate(everyone):
            if not getattr(asked.provider, "enabled", True):
                found[place] = skipped(asked)
            else:
                threading.Thread(target=ask, args=(place, asked), daemon=True).start()
        until = monotonic() + self._search_seconds
        while len(found) < len(everyone):
            try:
                place, answer = answers.get(timeout=max(0.0, until - monotonic()))
            except queue.Empty:
                break
            found[place] = answer
        for place, asked in enumerate(everyone):
            if place not in found:
                late = f"no answer in {self._search_seconds:g} s"
                found[place] = failed(asked, Outcome.TIMEOUT, late)
        search = Search(tuple(found[place] for place in range(len(everyone))))
        count, tiers = len(search.candidates), len(self.tiers)
        logger.info("Total candidates found: %d across %d tiers", count, tiers)
        return search


def name_of(provider: Any) -> str:
    """Return the name of a provider for messages: its own, else that of its class."""
    name = getattr(provider, "name", None)
    return name if isinstance(name, str) and name else type(provider).__name__


def _checked(report: Any) -> CompanyReport:
    if not isinstance(report, CompanyReport):
        raise TypeError(f"the provider returned {type(report).__name__}, not a CompanyReport")
    return report
