"""What single elements of a page say: their text, address, title and level as a heading."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from wikicrawler.reports.providers.company_ir.words import MAX_LABEL

if TYPE_CHECKING:
    from lxml.html import HtmlElement

FRAMES = frozenset({"iframe", "embed", "object", "frame"})
HEADINGS = {f"h{level}": level for level in range(1, 7)} | dict.fromkeys(
    ("caption", "summary", "dt", "legend"), 7
)
"""Levels of headings, 1 is the highest."""
LEVEL_OF_BUTTON = 8
_MAX_NODES = 120
"""Elements of a row that are read."""
_ADDRESSES = ("href", "data-href", "data-url", "data-file", "data-link", "data-pdf")
_TITLED = frozenset({"div", "span", "strong"})
_TITLE_CLASSES = ("title", "heading", "year")


def text_of(element: HtmlElement, limit: int = MAX_LABEL) -> str:
    """Return the text of *element*, cut to *limit* characters, without reading more of it."""
    parts, size = [], 0
    for part in islice(element.itertext(), _MAX_NODES):
        parts.append(part[: limit - size].strip())
        size += len(parts[-1]) + 1
        if size >= limit:
            break
    return " ".join(filter(None, parts))


def level_of(element: HtmlElement) -> int:
    """Return the level of a heading that is a button or has the class of one; 0 if it is none."""
    if element.tag == "button":
        is_heading = bool(element.get("aria-expanded") or element.get("aria-controls"))
    else:
        is_heading = element.tag in _TITLED and _has_title_class(element)
    return LEVEL_OF_BUTTON if is_heading else 0


def rows_of(element: HtmlElement) -> int:
    """Return how many rows a cell spans."""
    stated = element.get("rowspan", "")[:4] if element.tag in {"td", "th"} else ""
    return int(stated) if stated.isascii() and stated.isdigit() else 1


def _has_title_class(element: HtmlElement) -> bool:
    names = (element.get("class") or "").lower()[:200]
    is_title = any(name in names for name in _TITLE_CLASSES)
    return is_title and len(element) <= 2 and element.find(".//a") is None


def address_of(element: HtmlElement) -> str:
    """Return what *element* leads to, as written; an empty string if it is no link."""
    if element.tag in FRAMES:
        return str(element.get("src") or element.get("data") or "")
    if element.tag == "link":
        is_alternate = element.get("rel") == "alternate" and element.get("hreflang")
        return str(element.get("href") or "") if is_alternate else ""
    return next((value for name in _ADDRESSES if (value := element.get(name))), "")


def title_of(element: HtmlElement) -> str:
    """Return what *element* says beside its text: in attributes and images."""
    stated = [element.get(name) or "" for name in ("title", "aria-label", "download")]
    stated += [image.get("alt") or "" for image in islice(element.iter("img"), 3)]
    return " ".join(dict.fromkeys(text.strip() for text in stated if text.strip()))[:MAX_LABEL]


def declared_of(element: HtmlElement) -> str:
    """Return the content type that a link declares, and the classes that may name one."""
    around = [element, *islice(element.iterancestors(), 1), *islice(element.iter("span", "i"), 3)]
    stated = [element.get("type") or "", *(part.get("class") or "" for part in around)]
    return " ".join(stated)[:MAX_LABEL].lower()


def has_other_links(element: HtmlElement, link: HtmlElement) -> bool:
    """Return True if *element* has a link to another address than *link*, or too many elements."""
    href = address_of(link)
    for number, inner in enumerate(element.iter()):
        if number >= _MAX_NODES:
            return True
        if inner.tag in {"a", "button"} and (other := address_of(inner)) and other != href:
            return True
    return False
