"""The feed of Q4's platform, which lists a company's reports."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urljoin, urlsplit

from wikicrawler.reports.models import HTML, PDF
from wikicrawler.reports.providers.company_ir.anchors import Anchor
from wikicrawler.reports.providers.company_ir.assessing import Document, PageContext, assess
from wikicrawler.reports.providers.company_ir.words import plain
from wikicrawler.reports.providers.company_ir.years import FIRST, LAST
from wikicrawler.urls.addresses import parse_url

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_BYTES = 8 * 2**20
MAX_REPORTS = 2_000
_MAX_DOCUMENTS = 50  # of a report
_PATH = (
    "/feed/FinancialReport.svc/GetFinancialReportList"
    "?LanguageId=1&pageSize=-1&pageNumber=0&year=-1&reportTypes=Annual%20Report"
)


def feed_of(url: str) -> str:
    """Return the URL of the feed that the site of the page at *url* would have."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}{_PATH}"


class Feed(NamedTuple):
    """What a feed lists."""

    documents: tuple[Document, ...] = ()
    problem: str = ""
    """Why it is no feed."""


def read_feed(body: bytes, url: str) -> Feed:
    """Return the documents in the feed *body* from *url*."""
    try:
        data = json.loads(body[:MAX_BYTES])
    except (ValueError, RecursionError):
        return Feed(problem="the feed is not JSON")
    reports = data.get("GetFinancialReportListResult") if isinstance(data, dict) else None
    if not isinstance(reports, list):
        return Feed(problem="the feed has no list GetFinancialReportListResult")
    page = PageContext(url)
    return Feed(
        tuple(
            document
            for report in reports[:MAX_REPORTS]
            if isinstance(report, dict)
            for document in _documents(report, page)
        )
    )


def _documents(report: dict[str, Any], page: PageContext) -> Iterator[Document]:
    documents = report.get("Documents")
    if not isinstance(documents, list):
        return
    title = _text(report.get("ReportTitle"))
    heading = plain(f"{_year(report)} {_text(report.get('ReportSubType'))}")
    for document in documents[:_MAX_DOCUMENTS]:
        if isinstance(document, dict) and (url := _url(document, page.url)):
            is_pdf = "PDF" in {_text(document.get("DocumentFileType")).upper(), url[-3:].upper()}
            category = _text(document.get("DocumentCategory"))
            label = _text(document.get("DocumentTitle"))
            if category and category.lower() != "annual":
                label = f"{label} {category}"
            anchor = Anchor(url, plain(label), headings=(heading, plain(title)))
            yield assess(anchor, page, PDF if is_pdf else HTML)


def _url(document: dict[str, Any], base: str) -> str:
    """Return the absolute URL of a document, or an empty string."""
    try:
        return parse_url(urljoin(base, _text(document.get("DocumentPath"), 2_000)))
    except ValueError:
        return ""


def _year(report: dict[str, Any]) -> str:
    year = report.get("ReportYear")
    return str(year) if isinstance(year, int) and FIRST <= year <= LAST else ""


def _text(value: object, limit: int = 200) -> str:
    return value[:limit] if isinstance(value, str) else ""
