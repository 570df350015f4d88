"""The candidates of a search, tried in order until one proves to be what it claims."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, TypeVar

from wikicrawler.reports.errors import Outcome, ReportError
from wikicrawler.reports.models import DownloadAttempt
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wikicrawler.reports.models import CompanyRef, ProviderNote, SourceRef

T = TypeVar("T")

logger = logging.getLogger(__name__)


class NoReportError(RuntimeError):
    """No candidate is left, or there was none. The message has the company, the year, the number
    of candidates and the last error."""

    def __init__(
        self,
        message: str,
        candidates: Sequence[SourceRef] = (),
        attempts: Sequence[DownloadAttempt] = (),
        searches: Sequence[ProviderNote] = (),
        company: CompanyRef | None = None,
    ) -> None:
        super().__init__(message)
        self.company = company
        """With what the providers know of it."""
        self.candidates = tuple(candidates)
        self.attempts = tuple(attempts)
        self.searches = tuple(searches)


class Attempts:
    """What became of each candidate so far.

    :param accepted: content types that are wanted; None: all
    :param about: how each message begins
    """

    def __init__(
        self,
        company: CompanyRef,
        year: int,
        ranked: Sequence[SourceRef],
        accepted: frozenset[str] | None = None,
        about: str = "",
    ) -> None:
        self._about = about
        self._company = company
        self._what = f"{company.label} ({year})"
        self._ranked = tuple(ranked)
        self._accepted = accepted
        self._last: BaseException | None = None
        self.made: list[DownloadAttempt] = []

    def begin(self, rank: int) -> bool:
        """Return whether the candidate of a rank, from 1, is to be tried."""
        source = self._ranked[rank - 1]
        if self._accepted is not None and source.content_type not in self._accepted:
            detail = f"{source.content_type} was not asked for"
            self._add(rank, Outcome.NOT_ACCEPTED, detail)
            return False
        logger.info(
            "%sAttempting download (rank %d/%d): %s (tier=%d, priority=%d)",
            self._about,
            rank,
            len(self._ranked),
            source.provider,
            source.tier,
            source.priority_score,
        )
        return True

    def succeeded(self, rank: int, size: int | None = None) -> None:
        """Note that the candidate of a rank is the report."""
        provider = self._ranked[rank - 1].provider
        logger.info("%sSuccessfully downloaded report from %s", self._about, provider)
        self._add(rank, Outcome.OK, "", size)

    def failed(self, rank: int, error: Exception, size: int | None = None) -> None:
        """Note why the candidate of a rank is not the report."""
        self._last = error
        source = self._ranked[rank - 1]
        said = one_line(error, 400)
        failed = f"Download failed from {source.provider} (rank {rank})"
        logger.warning("%s%s: %s", self._about, failed, said)
        if isinstance(error, ReportError):
            self._add(rank, error.outcome, said, size)
        else:
            logger.debug("Candidate %d", rank, exc_info=error)
            self._add(rank, Outcome.FAILED, f"{type(error).__name__}: {said}", size)

    def without_provider(self, rank: int) -> None:
        """Note that the provider of a candidate is unknown."""
        provider = self._ranked[rank - 1].provider
        logger.warning("%sProvider %s not found, skipping", self._about, provider)
        self._add(rank, Outcome.FAILED, "its provider is unknown")

    def all_failed(self, searches: Sequence[ProviderNote] = ()) -> NoReportError:
        """Return the error to raise when no candidate is left."""
        skipped = sum(one.outcome is Outcome.NOT_ACCEPTED for one in self.made)
        last = "none of an accepted type" if skipped == len(self.made) else "no provider"
        if self._last is not None:
            last = one_line(self._last, 400)
        return NoReportError(
            f"Failed to download report for {self._what} after trying"
            f" {len(self._ranked)} candidates. Last error: {last}",
            self._ranked,
            self.made,
            searches,
            self._company,
        )

    def _add(self, rank: int, outcome: Outcome, detail: str, size: int | None = None) -> None:
        self.made.append(
            DownloadAttempt(
                rank=rank,
                source=self._ranked[rank - 1],
                outcome=outcome,
                detail=one_line(detail, 450),
                size=size,
            )
        )


def nothing_found(
    company: CompanyRef, year: int, searches: Sequence[ProviderNote], tiers: int
) -> NoReportError:
    """Return the error to raise where no provider offers anything."""
    return NoReportError(
        f"No report candidates found for {company.label} ({year})."
        f" Searched {len(searches)} providers across {tiers} tiers.",
        searches=searches,
        company=company,
    )
