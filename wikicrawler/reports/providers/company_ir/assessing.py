"""What a link leads to: which kind of document, of which fiscal year, in which language."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from wikicrawler.reports.models import HTML, PDF
from wikicrawler.reports.providers.company_ir.kinds import Kind, annual_span, kind_of
from wikicrawler.reports.providers.company_ir.languages import language_code, language_of
from wikicrawler.reports.providers.company_ir.words import name_of, path_of, plain
from wikicrawler.reports.providers.company_ir.years import Mention, year_of_filing, years_in

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

    from wikicrawler.reports.providers.company_ir.anchors import Anchor

_NO_DOCUMENT = re.compile(
    r"\.(?:xlsx?|xlsm|csv|zip|docx?|pptx?|rtf|mp[34]|m4a|wav|ics|jpe?g|png|gif|svg|webp|xml|xsd"
    r"|xbrl|xhtml|json|js|css|epub|txt)$"
)
_NEUTRAL_WORDS = """
    a an and as at by click complete copy display document doc download downloadable en eng english
    entire file for format from full get here html http icon in is kb latest link mb more new now of
    on online open opens or our page pdf print read report see size tab the this to version view web
    whole window your bericht herunterladen telecharger descargar
"""
_NEUTRAL = frozenset(_NEUTRAL_WORDS.split())
"""Words that say nothing of a document."""
_UPLOAD = re.compile(
    r"(?:^| )(?:wp content|uploads?|files(?! doc financials)|media|assets) (?:\w+ ){0,2}"
    r"(?:19|20)\d\d"
)
_NEWS_FOLDERS = re.compile(r"\b(?:news|press|media releases?|blog|announcements?|stories)\b")
_PDF_IN_QUERY = re.compile(r"\.pdf(?:$|[&;/])")


@dataclass(frozen=True, slots=True)
class Document:
    """A link to a document, or to a page that is or has one."""

    url: str
    content_type: str
    label: str
    """What a person reads, in words."""
    kind: Kind | None = None
    kind_from: str = ""
    """Where the kind is stated."""
    year: int | None = None
    other_year: int | None = None
    """The fiscal year that it may be as well."""
    year_from: str = ""
    is_derived: bool = False
    """The year is derived from the date of publication."""
    period_end: date | None = None
    published: date | None = None
    language: str = ""
    page_language: str = ""
    is_page: bool = False
    """It may be a page: its type is known when it is requested."""
    page: str = ""
    """URL of the page that links it."""

    @property
    def telling(self) -> tuple[bool, bool, bool, int]:
        """How much the link says of the document, to compare it with others to the same."""
        return self.kind is not None, self.year is not None, not self.is_derived, len(self.label)


@dataclass(frozen=True, slots=True)
class PageContext:
    """The page that has the links."""

    url: str
    title: str = ""
    """Words of its title and first heading."""
    language: str = ""


def documents_in(anchors: list[Anchor], page: PageContext) -> Iterator[Document]:
    """Yield the documents and the pages about one that *anchors* lead to."""
    for anchor in anchors:
        content_type = _content_type(anchor)
        if not content_type:
            continue
        found = assess(anchor, page, content_type)
        if content_type == PDF or (found.kind is not None and found.kind_from in _OWN):
            yield found


def assess(anchor: Anchor, page: PageContext, content_type: str) -> Document:
    """Return what *anchor*, a link on *page*, leads to."""
    label, name = _label_of(anchor), _name_of(anchor)
    evidence = _Evidence(anchor, page, label, name)
    kind, kind_from = evidence.kind()
    found = Document(
        url=anchor.url,
        content_type=content_type,
        label=label,
        kind=kind,
        kind_from=kind_from,
        language=language_code(anchor.hreflang) or language_of(anchor.url, label, name),
        page_language=page.language,
        is_page=content_type == HTML,
        page=page.url,
    )
    return evidence.dated(found)


class _Evidence:
    """The texts that say something of a link, nearest first."""

    def __init__(self, anchor: Anchor, page: PageContext, label: str, name: str) -> None:
        self._anchor = anchor
        self._page = page
        self._label = label
        self._name = name
        self._is_neutral = is_neutral(label)

    def kind(self) -> tuple[Kind | None, str]:
        anchor = self._anchor
        for place, text in (("link", self._label), ("file", self._name), ("column", anchor.column)):
            if found := kind_of(text, file_name=place == "file"):
                return self._checked(found), _PLACES[place]
        if found := kind_of(anchor.row):
            return self._checked(found), _PLACES["row"]
        if not self._is_neutral:
            return None, ""
        for place, text in self._around():
            if found := kind_of(text):
                return self._checked(found), _PLACES[place]
        return None, ""

    def _checked(self, kind: Kind) -> Kind:
        """Return *kind*, or news if an HTML page is in a folder of news."""
        if kind.is_annual and _NEWS_FOLDERS.search(path_of(self._anchor.url)):
            is_pdf = _content_type(self._anchor) == PDF
            return kind if is_pdf and self._name and kind_of(self._name) else Kind("news")
        return kind

    def _around(self) -> Iterator[tuple[str, str]]:
        yield "panel", self._anchor.panel
        for heading in self._anchor.headings[:3]:
            yield "heading", heading
        yield "page", self._page.title

    def dated(self, found: Document) -> Document:
        """Return *found* with its fiscal year."""
        label, row = years_in(self._label), years_in(self._anchor.row)
        name = years_in(self._name)
        published = label.published or row.published or name.published
        found = replace(found, published=published)
        mention = label.nearest(annual_span(self._label))
        if mention is not None:
            return _with_year(found, mention, "link")
        for place, text in (("row", row), ("file", name)):
            mention = text.only()
            if place == "file" and mention is None:
                mention = name.nearest(annual_span(self._name, file_name=True))
            if mention is not None:
                return _with_year(found, mention, place)
        for place, around in (("column", self._anchor.column), *self._around()):
            mention = years_in(around).only()
            if mention is not None and not _is_of_publication(mention, published):
                return _with_year(found, mention, place)
        return self._derived(found)

    def _derived(self, found: Document) -> Document:
        """Return *found* with the year that its path or its date of publication suggests."""
        folders = path_of(self._anchor.url)
        mention = None if _UPLOAD.search(folders) else years_in(folders).only()
        if mention is not None:
            return _with_year(found, mention, "path")
        if found.published is None:
            return found
        year, other = year_of_filing(found.published)
        return replace(
            found, year=year, other_year=other, year_from=_PLACES["date"], is_derived=True
        )


_PLACES = {
    "link": "the link's text",
    "file": "the file's name",
    "column": "the head of the column",
    "row": "the text beside the link",
    "panel": "the tab",
    "heading": "the heading above",
    "page": "the page's title",
    "path": "the path",
    "date": "the date of publication",
}
_OWN = frozenset(_PLACES[place] for place in ("link", "file", "column", "row"))
DISTANT = frozenset(_PLACES[place] for place in ("panel", "heading", "page", "path"))
"""Evidence that stands far from the link."""


def _is_of_publication(mention: Mention, published: date | None) -> bool:
    """Return True if the year of a heading is the one in which its documents were published."""
    return published is not None and published.year == mention.year and not mention.is_explicit


def is_neutral(label: str) -> bool:
    """Return True if *label* says neither what the document is nor what it is about."""
    return all(word in _NEUTRAL or word.isdigit() for word in label.split())


def _with_year(found: Document, mention: Mention, place: str) -> Document:
    return replace(
        found,
        year=mention.year,
        other_year=mention.other,
        period_end=mention.period_end,
        year_from=_PLACES[place],
    )


def _label_of(anchor: Anchor) -> str:
    title = "" if anchor.title.lower().endswith(".pdf") else plain(anchor.title)
    if not title or title in anchor.text:
        return anchor.text
    return title if anchor.text in title else f"{anchor.text} {title}".strip()


def _name_of(anchor: Anchor) -> str:
    if anchor.title.lower().endswith(".pdf"):
        return plain(anchor.title[:-4])
    return name_of(anchor.url)


def _content_type(anchor: Anchor) -> str:
    """Return the content type that the link suggests; empty if it is no document to read."""
    parts = urlsplit(anchor.url)
    path = unquote(parts.path[-300:]).lower()
    if path.endswith(".pdf") or ".pdf/" in path or _PDF_IN_QUERY.search(parts.query[:300].lower()):
        return PDF
    if _NO_DOCUMENT.search(path):
        return ""
    if "pdf" in anchor.declared or anchor.title.lower().endswith(".pdf"):
        return PDF
    return PDF if "pdf" in anchor.text.split() and "html" not in path else HTML
