"""The best document about a company and a fiscal year, out of several providers.

In a crawl: ``scrapy crawl reports -a companies=AAPL -a year=2023``. In a program without an event
loop: :class:`MultiSourceCrawler`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from wikicrawler.reports.attempts import NoReportError
    from wikicrawler.reports.blocking import (
        CatalogueProvider,
        CompanyIRProvider,
        GRIProvider,
        SECEdgarProvider,
    )
    from wikicrawler.reports.errors import (
        DocumentNotFoundError,
        FetchError,
        Outcome,
        RateLimitExceededError,
        ReportError,
        RequestTimeoutError,
        WrongDocumentError,
    )
    from wikicrawler.reports.fetching import Answer, Fetcher, SavedFile, WebPage
    from wikicrawler.reports.models import CompanyRef, CompanyReport, DownloadAttempt, SourceRef
    from wikicrawler.reports.multi_source import MultiSourceCrawler
    from wikicrawler.reports.providers.base import BaseDataProvider, ReportProvider

__all__ = [
    "Answer",
    "BaseDataProvider",
    "CatalogueProvider",
    "CompanyIRProvider",
    "CompanyRef",
    "CompanyReport",
    "DocumentNotFoundError",
    "DownloadAttempt",
    "FetchError",
    "Fetcher",
    "GRIProvider",
    "MultiSourceCrawler",
    "NoReportError",
    "Outcome",
    "RateLimitExceededError",
    "ReportError",
    "ReportProvider",
    "RequestTimeoutError",
    "SECEdgarProvider",
    "SavedFile",
    "SourceRef",
    "WebPage",
    "WrongDocumentError",
]

_MODULES = {
    "Answer": "fetching",
    "BaseDataProvider": "providers.base",
    "CatalogueProvider": "blocking",
    "CompanyIRProvider": "blocking",
    "CompanyRef": "models",
    "CompanyReport": "models",
    "DocumentNotFoundError": "errors",
    "DownloadAttempt": "models",
    "FetchError": "errors",
    "Fetcher": "fetching",
    "GRIProvider": "blocking",
    "MultiSourceCrawler": "multi_source",
    "NoReportError": "attempts",
    "Outcome": "errors",
    "RateLimitExceededError": "errors",
    "ReportError": "errors",
    "ReportProvider": "providers.base",
    "RequestTimeoutError": "errors",
    "SECEdgarProvider": "blocking",
    "SavedFile": "fetching",
    "SourceRef": "models",
    "WebPage": "fetching",
    "WrongDocumentError": "errors",
}


def __getattr__(name: str) -> Any:
    # Loaded when they are used: the list of the spiders does without their libraries.
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
