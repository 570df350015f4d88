"""Pages that are not there, though their site replies with status 200."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from wikicrawler.reports.providers.company_ir.page_facts import PageFacts

SIMILAR = 0.9
"""Share of common words from which two pages are the same."""
_FEW_DOCUMENTS = 2


def impossible_url(url: str) -> str:
    """Return a URL on the host of *url* that cannot exist; the same one each time."""
    parts = urlsplit(url)
    name = sha256(parts.netloc.encode()).hexdigest()[:16]
    return f"{parts.scheme}://{parts.netloc}/{name}-does-not-exist"


def says_missing(page: PageFacts) -> bool:
    """Return True if the title or heading of *page* says that it does not exist."""
    return page.says_missing and len(page.documents) <= _FEW_DOCUMENTS


def is_like(page: PageFacts, other: PageFacts) -> bool:
    """Return True if *page* is the reply *other* to a URL that cannot exist, or leads to the same
    place."""
    if page.url == other.url:
        return True
    if page.title != other.title:
        return False
    everything = page.words | other.words
    return not everything or len(page.words & other.words) / len(everything) >= SIMILAR
