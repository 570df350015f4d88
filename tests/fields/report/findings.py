"""Findings and results of a page, as an extraction makes them."""

from __future__ import annotations

from typing import Any

from wikicrawler.fields.merging import FindingMerger
from wikicrawler.fields.models import Evidence, FieldDefinition, Finding, ScrapeResult

URL = "https://shop.example/books"


def found(
    text: str, field: str, value: Any, span: tuple[int, int], url: str = URL, **more: Any
) -> Finding:
    """A value that stands at ``text[start:end]``."""
    start, end = span
    evidence = Evidence(url=url, start=start, end=end, text=text[start:end])
    return Finding(field=field, value=value, url=url, evidence=evidence, **more)


def found_text(text: str, field: str, quote: str, url: str = URL, **more: Any) -> Finding:
    """A value that is the first *quote* in *text*."""
    start = text.index(quote)
    return found(text, field, more.pop("value", quote), (start, start + len(quote)), url, **more)


def result_of(
    findings: list[Finding], fields: list[FieldDefinition], url: str = URL, **more: Any
) -> ScrapeResult:
    merger = FindingMerger(fields)
    merger.add(findings)
    return ScrapeResult(
        **{
            "url": url,
            "success": True,
            "data": merger.data,
            "findings": tuple(findings),
            "conflicts": tuple(merger.conflicts),
            **more,
        }
    )
