"""Items of the spider ``sources``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from wikicrawler.pages import Failure


def document_item(source: str, url: str, tier: str | None, status: int | None) -> dict[str, Any]:
    """Return the item of a document, before it is known what became of it."""
    return {
        "type": "document",
        "source": source,
        "url": url,
        "change_type": None,
        "change_class": None,
        "content_hash": None,
        "path": None,
        "tier": tier,
        "status": status,
        "reason": None,
        "detail": None,
    }


def failed_document(source: str, url: str, problem: Failure) -> dict[str, Any]:
    """Return the item of a document that was not fetched."""
    return document_item(source, url, None, problem.status) | {
        "reason": problem.reason.value,
        "detail": one_line(problem.detail),
    }
