"""What is known of a company's site, for all years that are asked for."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from wikicrawler.reports.providers.company_ir.navigation import PageLink
from wikicrawler.text.safe import one_line
from wikicrawler.urls.sites import site_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wikicrawler.reports.errors import ReportError
    from wikicrawler.reports.providers.company_ir.assessing import Document
    from wikicrawler.reports.providers.company_ir.page_facts import PageFacts

MAX_OTHER_SITES = 3
"""Sites beside the company's own whose pages are read."""
MAX_DOCUMENTS = 5_000
_MAX_WAITING = 5_000
_MAX_NOTES = 8
_HOMEPAGE = 100  # promise


@dataclass(slots=True)
class Survey:
    """What is known of a site. A page is requested once, for whichever year."""

    homepage: str
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held by a search: the next one finds what it has read."""
    pages_read: int = 0
    documents: dict[str, Document] = field(default_factory=dict)
    waiting: dict[str, PageLink] = field(default_factory=dict)
    """Pages that were not requested, by URL."""
    asked: set[str] = field(default_factory=set)
    absent: dict[str, PageFacts | None] = field(default_factory=dict)
    """By host: the reply to a URL that cannot exist; None if it is an error, as it should be."""
    feeds: set[str] = field(default_factory=set)
    sites: set[str] = field(default_factory=set)
    has_maps: bool = False
    """The sitemaps were read."""
    has_guesses: bool = False
    """The places where reports often are have been added."""
    notes: list[str] = field(default_factory=list)
    """What failed, one line each."""
    failure: ReportError | None = None
    """The first failure."""

    def __post_init__(self) -> None:
        self.sites.add(site_of(self.homepage))
        self.waiting[self.homepage] = PageLink(self.homepage, "", _HOMEPAGE)

    def add_documents(self, documents: Iterable[Document]) -> None:
        """Add *documents*; of the same URL, the one that says more is kept."""
        for document in documents:
            known = self.documents.get(document.url)
            if known is None and len(self.documents) >= MAX_DOCUMENTS:
                continue
            if known is None or document.telling > known.telling:
                self.documents[document.url] = document

    def add_pages(self, pages: Iterable[PageLink]) -> None:
        """Add *pages* that were not requested yet, unless they are of one site too many."""
        for page in pages:
            known = self.waiting.get(page.url)
            if page.url in self.asked or (known and known.promise >= page.promise):
                continue
            if (known or len(self.waiting) < _MAX_WAITING) and self._may_visit(page.url):
                self.waiting[page.url] = page

    def take(self, page: PageLink) -> None:
        """Mark *page* as requested."""
        self.waiting.pop(page.url, None)
        self.asked.add(page.url)
        self.sites.add(site_of(page.url))

    def give_back(self, page: PageLink) -> None:
        """Mark *page* as not requested after all."""
        self.asked.discard(page.url)
        self.waiting[page.url] = page

    def note(self, url: str, error: Exception) -> None:
        """Keep why *url* was of no use."""
        if len(self.notes) < _MAX_NOTES:
            self.notes.append(one_line(f"{url}: {error}", 200))

    def _may_visit(self, url: str) -> bool:
        return site_of(url) in self.sites or len(self.sites) <= MAX_OTHER_SITES
