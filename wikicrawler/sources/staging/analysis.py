"""What the workers compute of a document: pure functions, which take seconds for a long text.

The conversion workers import this module, so it imports only what they need
(:mod:`wikicrawler.sources.visits.analysis` calls it).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wikicrawler.sources.changes import compare
from wikicrawler.sources.citations import cross_references, page_context

if TYPE_CHECKING:
    from collections.abc import Sequence


def change_between(old: str, new: str, ignore: Sequence[str] = ()) -> dict[str, Any] | None:
    """Return the change from the body *old* to *new* as JSON-serialisable values; None if nothing
    has changed but noise, and lines that the patterns *ignore* match."""
    found = compare(old, new, ignore=ignore)
    return None if found is None else found.as_dict()


def references_in(body: str, url: str | None, title: str | None, citation: str | None) -> list[str]:
    """Return the citations of other documents in *body*, the body of the page at *url*."""
    context = page_context(url, title, citation)
    return cross_references(body, part=context.part, title=context.title)
