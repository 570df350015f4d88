"""What a shape of a company's site is."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

HTML, PDF, JSON, XML, TEXT = (
    "text/html; charset=utf-8",
    "application/pdf",
    "application/json",
    "application/xml",
    "text/plain",
)
WWW = "https://www.example.com"


@dataclass(frozen=True, slots=True)
class Reply:
    body: str = ""
    kind: str = HTML
    status: int = 200
    location: str = ""


def page(title: str, body: str, *, lang: str = "en", head: str = "") -> Reply:
    return Reply(
        f'<!doctype html><html lang="{lang}"><head><meta charset="utf-8"><title>{title}</title>'
        f"{head}</head><body>{body}</body></html>"
    )


def moved(to: str) -> Reply:
    return Reply(status=302, location=to)


def links(*entries: tuple[str, str]) -> str:
    """Return a list of links, each ``(href, text)``."""
    items = "".join(f'<li><a href="{href}">{text}</a></li>' for href, text in entries)
    return f"<ul>{items}</ul>"


def sitemap(*urls: str, index: bool = False) -> Reply:
    root, entry = ("sitemapindex", "sitemap") if index else ("urlset", "url")
    entries = "".join(f"<{entry}><loc>{url}</loc></{entry}>" for url in urls)
    return Reply(f'<?xml version="1.0"?><{root}>{entries}</{root}>', XML)


NOT_FOUND = Reply("<!doctype html><title>404 Not Found</title><h1>Not Found</h1>", status=404)
FORBIDDEN = Reply("<!doctype html><title>Access Denied</title><h1>Access Denied</h1>", status=403)
PDF_BODY = "%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n"


@dataclass(frozen=True, slots=True)
class Shape:
    """A site, and which document of it is right for a fiscal year.

    :param pages: reply by host and path with the query, like ``www.example.com/ir?year=2023``.
        A path that ends with ``.pdf`` is a PDF without being listed.
    :param answers: URL of the right document by year; None: the site has none of that year
    :param missing: what the site replies to any other path
    """

    name: str
    about: str
    pages: Mapping[str, Reply]
    answers: Mapping[int, str | None]
    website: str = WWW + "/"
    languages: tuple[str, ...] = ("en",)
    missing: Reply = field(default=NOT_FOUND)

    @property
    def is_held_back(self) -> bool:
        """True for about a fifth of all names."""
        return hashlib.sha256(self.name.encode()).digest()[0] % 5 == 0

    @property
    def hosts(self) -> frozenset[str]:
        return frozenset(place.partition("/")[0] for place in self.pages)

    def reply(self, host: str, path: str) -> Reply:
        found = self.pages.get(host + path)
        if found is None and path.partition("?")[0].lower().endswith(".pdf"):
            return Reply(PDF_BODY, PDF)
        return found or self.missing
