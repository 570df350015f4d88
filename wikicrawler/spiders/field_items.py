"""Items of the spider ``fields``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from wikicrawler.fields.estimate import Estimate
    from wikicrawler.fields.models import CrawlState, ScrapeResult, Usage


def page_item(result: ScrapeResult) -> dict[str, Any]:
    """Return the item of a page."""
    return {"type": "page", **result.model_dump(mode="json")}


def crawl_item(state: CrawlState, usage: Usage, partial: str | None) -> dict[str, Any]:
    """Return the item of a whole crawl.

    :param partial: why it ended early; None if it did not
    """
    return {
        "type": "crawl",
        "url": state.start_url,
        "data": state.merged_data,
        "is_complete": state.is_complete,
        "pages_scraped": state.pages_scraped,
        "findings": [
            one.model_dump(mode="json") for found in state.sources.values() for one in found
        ],
        "conflicts": [one.model_dump(mode="json") for one in state.conflicts],
        "usage": usage.model_dump(),
        "partial": partial,
    }


def estimate_item(found: Estimate) -> dict[str, Any]:
    """Return the item of an estimate."""
    return {
        "type": "estimate",
        "least": found.least.model_dump(),
        "likely": found.likely.model_dump(),
        "most": found.most.model_dump(),
        "pages": found.pages,
        "asked_pages": found.asked_pages,
        "chunks": found.chunks,
        "reasons": list(found.reasons),
    }
