"""Reads a page in a worker process: what the rest needs to know of it, in bounded size."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from zlib import crc32

from wikicrawler.content.parse import parse, utf8
from wikicrawler.reports.providers.company_ir.anchors import Anchor, anchors_in, text_of
from wikicrawler.reports.providers.company_ir.assessing import Document, PageContext, documents_in
from wikicrawler.reports.providers.company_ir.languages import language_code
from wikicrawler.reports.providers.company_ir.navigation import PageLink, page_link
from wikicrawler.reports.providers.company_ir.words import plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lxml.html import HtmlElement

MAX_HTML = 4 * 2**20
"""Characters of a page that are read."""
MAX_DOCUMENTS = 1_000
"""Documents of a page that are kept."""
MAX_PAGES = 300
"""Links to other pages that are kept."""
_MAX_WORDS = 600
_MAX_SCRIPT_URLS = 300
_SCRIPT_PDF = re.compile(r"""https?:\\?/\\?/[^"'\s<>]{4,500}?\.pdf(?=["'?#\\])""", re.IGNORECASE)
_WORD = re.compile(r"\w+")
_Q4 = re.compile(r"q4cdn\.com|q4app\.com|q4inc\.com|FinancialReport\.svc", re.IGNORECASE)
_MISSING = re.compile(
    r"\b404\b|\bnot (?:be )?found\b|\b(?:could not|couldn t|cannot|can t) (?:be found|find)\b"
    r"|\bno longer (?:exists|available)\b|\bdoes ?n[o t]+ exist\b|\bnicht gefunden\b"
    r"|\bintrouvable\b|\bno encontrada\b|\bnon trovata\b|\bniet gevonden\b"
)


@dataclass(frozen=True, slots=True)
class PageFacts:
    """What a page says of reports."""

    url: str
    title: str
    """Words of its title and its first heading."""
    language: str = ""
    documents: tuple[Document, ...] = ()
    pages: tuple[PageLink, ...] = ()
    is_q4: bool = False
    """It is a page of Q4's platform, which has a feed."""
    says_missing: bool = False
    """Its title or heading says that the page does not exist."""
    words: frozenset[int] = field(default=frozenset())
    """Hashes of its words, to compare it with other pages."""


def read_page(html: str, url: str) -> PageFacts:
    """Return what the page *html* at *url* says.

    :raises ContentError: it cannot be parsed
    """
    html = html[:MAX_HTML]
    root = parse(utf8(html)) if html.strip() else None
    if root is None:
        return PageFacts(url, "")
    titles = _titles(root)
    page = PageContext(url, plain(" ".join(titles)), language_code(root.get("lang") or ""))
    anchors = list(anchors_in(root, url))
    documents = _unique(documents_in([*anchors, *_in_scripts(html, anchors)], page))
    pages = (found for anchor in anchors if (found := page_link(anchor, page)))
    return PageFacts(
        url,
        page.title,
        page.language,
        tuple(documents.values()),
        _best_pages(pages),
        bool(_Q4.search(html)),
        any(_MISSING.search(plain(title)) for title in titles),
        _words(root),
    )


def _titles(root: HtmlElement) -> list[str]:
    found = (root.find(f".//{name}") for name in ("title", "h1"))
    return [text_of(element, 150) for element in found if element is not None]


def _unique(documents: Iterable[Document]) -> dict[str, Document]:
    """Return up to :data:`MAX_DOCUMENTS` documents by URL, each as the link describes it that says
    more."""
    found: dict[str, Document] = {}
    for document in documents:
        known = found.get(document.url)
        if known is None and len(found) >= MAX_DOCUMENTS:
            continue
        if known is None or document.telling > known.telling:
            found[document.url] = document
    return found


def _best_pages(pages: Iterator[PageLink]) -> tuple[PageLink, ...]:
    best: dict[str, PageLink] = {}
    for page in pages:
        known = best.get(page.url)
        if known is None or page.promise > known.promise:
            best[page.url] = page
    return tuple(sorted(best.values(), key=lambda page: -page.promise)[:MAX_PAGES])


def _in_scripts(html: str, anchors: list[Anchor]) -> Iterator[Anchor]:
    """Yield the PDF files that only scripts or the page's data name."""
    known = {anchor.url for anchor in anchors}
    for number, found in enumerate(_SCRIPT_PDF.finditer(html)):
        if number >= _MAX_SCRIPT_URLS:
            break
        url = found[0].replace("\\/", "/").replace("\\", "")
        if url not in known:
            known.add(url)
            yield Anchor(url, "", in_menu=True)


def _words(root: HtmlElement) -> frozenset[int]:
    text = text_of(root, 20_000)
    return frozenset(crc32(word.encode()) for word in _WORD.findall(text.lower())[:_MAX_WORDS])
