"""Outcomes of searches and of documents, in words for people."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wikicrawler.explain.results import Candidate, ReportRecord

VERIFIED = "verified: the best candidate that proved to be what it claims"
NOT_TRIED = "not tried"
OUTCOMES = MappingProxyType(
    {
        "ok": "it worked",
        "not_found": "the server does not have it",
        "rate_limited": "the server refused it, because of too many requests or as a block",
        "timeout": "the answer did not arrive in time",
        "robots": "robots.txt of the site does not allow it",
        "failed": "the request failed",
        "wrong_answer": "the provider returned no references to documents",
        "disabled": "the provider is not enabled",
        "not_accepted": "documents of its type were not asked for",
        "wrong_type": "the file is of another type than it was offered as",
        "too_small": "the file is too small to be the document",
        "too_large": "the file is larger than a document may be",
        "truncated": "the file ends before the document does",
        "error_page": "the server sent an error, a login or a block page in place of the document",
        "unreadable": "the file is damaged, encrypted, without text, or too costly to read",
        "wrong_company": "its text does not name the company",
        "wrong_year": "its text is of another fiscal year, or does not name the year",
        "wrong_kind": "it is another kind of document",
    }
)
"""What each outcome means."""


def why(report: ReportRecord, candidate: Candidate) -> str:
    """Return why *candidate* won, lost or was not looked at."""
    if candidate.is_winner:
        return VERIFIED
    if candidate.outcome is None:
        winner = report.winner
        if winner is not None and winner.rank < candidate.rank:
            return f"{NOT_TRIED}: rank {winner.rank} is better and was verified"
        return NOT_TRIED
    meaning = OUTCOMES.get(candidate.outcome, "")
    return ": ".join(part for part in (meaning, candidate.detail) if part)
