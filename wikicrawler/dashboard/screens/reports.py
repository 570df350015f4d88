"""Reports of companies: the documents that won, and all candidates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.routing import Route

from wikicrawler.dashboard.rendering import render
from wikicrawler.dashboard.screens.results import list_feeds, open_feed
from wikicrawler.explain.report_words import OUTCOMES, why
from wikicrawler.explain.result_files import Kind
from wikicrawler.explain.results import ReportRecord

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from wikicrawler.explain.results import Candidate, Searched

_MAX_SIZE = 2**53
"""A larger size is none of a document."""


def feeds(request: Request) -> Response:
    """Show the feeds with reports."""
    return list_feeds(request, Kind.REPORTS, "Reports")


def show(request: Request) -> Response:
    """Show reports of a feed. Parameter: ``at`` (offset in bytes, and number of the line)."""
    opened = open_feed(request)
    return render(
        request,
        "reports.html",
        opened=opened,
        is_report=lambda record: isinstance(record, ReportRecord),
        label=_label,
        size_of=_size_of,
        badge_of=_badge,
        why=why,
        searched=_searched,
    )


def _label(report: ReportRecord) -> str:
    """Return who a report is about, with what identifies the company."""
    known = [report.ticker or "", f"CIK {report.cik}" if report.cik else ""]
    others = ", ".join(one for one in known if one)
    if not report.company:
        return others or "a company without a name"
    return f"{report.company} ({others})" if others else report.company


def _size_of(report: ReportRecord) -> int | None:
    return report.size if report.size is not None and 0 <= report.size < _MAX_SIZE else None


def _badge(candidate: Candidate) -> tuple[str, str]:
    """Return the badge of a candidate."""
    if candidate.is_winner:
        return "ok", "winner"
    return ("pending", "not tried") if candidate.outcome is None else ("failed", candidate.outcome)


def _searched(search: Searched) -> str:
    """Return what became of a search, in words."""
    if search.outcome == "ok":
        return search.detail
    meaning = OUTCOMES.get(search.outcome, "")
    return search.detail or meaning


ROUTES = (
    Route("/reports", feeds, methods=["GET"]),
    Route("/reports/{file}", show, methods=["GET"]),
)
