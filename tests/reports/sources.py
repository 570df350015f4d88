"""References and providers for the tests of reports."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wikicrawler.reports.models import CompanyRef, CompanyReport, SourceRef

if TYPE_CHECKING:
    from pathlib import Path

APPLE = CompanyRef(name="Apple Inc.", cik="320193", ticker="AAPL")


def source(**facts: Any) -> SourceRef:
    """Return a reference with some default values."""
    given: dict[str, Any] = {
        "provider": "one",
        "tier": 1,
        "url": "https://x.example/report.pdf",
        "content_type": "application/pdf",
        "priority_score": 10,
    }
    return SourceRef(**given | facts)


def report(path: Path, of: SourceRef, year: int = 2023) -> CompanyReport:
    """Return a report in the file at *path*."""
    return CompanyReport(
        company=APPLE,
        year=year,
        source=of,
        local_path=path,
        sha256="0" * 64,
        size=1,
        content_type=of.content_type,
        fetched_at="2026-01-01T00:00:00Z",  # type: ignore[arg-type] # pydantic reads it
    )
