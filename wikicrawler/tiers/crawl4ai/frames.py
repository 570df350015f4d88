"""Frames of the page's own origin, as a part of its document."""

from __future__ import annotations

import re
from html import unescape
from string import ascii_lowercase, ascii_uppercase
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urljoin, urlsplit

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MAX_HTML = 2**20
"""Characters of a document in which frames are looked for."""
MAX_FRAME = 2**18
"""Characters of a frame that are inserted."""
_MAX_DEPTH = 3
_LOWER = str.maketrans(ascii_uppercase, ascii_lowercase)  # str.lower() may change the length

_FRAME = re.compile(
    r"<iframe((?:\s++[^\s=>\"']++(?:=(?:\"[^\"]*+\"|'[^']*+'|[^\s>\"']*+))?+)*+)\s*+/?>",
    re.IGNORECASE,
)
_ATTRIBUTE = re.compile(r"\s([^\s=>\"']++)(?:=(?:\"([^\"]*+)\"|'([^']*+)'|([^\s>\"']*+)))?+")
_TINY = re.compile(r"[01](?:px)?")
_HIDDEN = re.compile(r"display\s*+:\s*+none|visibility\s*+:\s*+hidden", re.IGNORECASE)


class Frame(NamedTuple):
    """A frame in a document, and what is in it."""

    start: int
    end: int
    url: str
    """URL of its document; empty if the page contains the document."""
    html: str = ""


def readable_frames(html: str, url: str, most: int) -> list[Frame]:
    """Return the first *most* visible frames of the page's own origin in *html*.

    :param url: URL of the page
    """
    frames: list[Frame] = []
    position = 0
    text = html[:MAX_HTML]
    lower = text.translate(_LOWER)
    while len(frames) < most and (position := lower.find("<iframe", position)) >= 0:
        found = _FRAME.match(text, position)
        if found is None:
            position += 7
            continue
        end = lower.find("</iframe", found.end())
        end = text.find(">", end) + 1 if end >= 0 else found.end()
        frame = _frame(found, max(end, found.end()), url)
        if frame is not None:
            frames.append(frame)
        position = max(end, found.end())
    return frames


def _frame(found: re.Match[str], end: int, page_url: str) -> Frame | None:
    values = {
        m[1].lower(): unescape(m[2] or m[3] or m[4] or "") for m in _ATTRIBUTE.finditer(found[1])
    }
    hidden = "hidden" in values or _HIDDEN.search(values.get("style", ""))
    if hidden or any(_TINY.fullmatch(values.get(name, "")) for name in ("width", "height")):
        return None
    if "srcdoc" in values:
        return Frame(found.start(), end, "", values["srcdoc"])
    try:
        address = urljoin(page_url, values.get("src", "").strip()).partition("#")[0]
        same_origin = urlsplit(address)[:2] == urlsplit(page_url)[:2]
    except ValueError:
        return None
    if not values.get("src") or not same_origin or address == page_url.partition("#")[0]:
        return None
    return Frame(found.start(), end, address)


def insert_frames(
    html: str, frames: Sequence[Frame], documents: Mapping[str, str], depth: int = 0
) -> str:
    """Return *html* with the content of *frames* in their places.

    :param documents: documents by URL
    """
    parts, position = [], 0
    for frame in frames:
        content = _body(frame.html or documents.get(frame.url, ""))
        if frame.html and depth + 1 < _MAX_DEPTH:
            inner = [f for f in readable_frames(content, "about:srcdoc", len(frames)) if f.html]
            content = insert_frames(content, inner, {}, depth + 1)
        if content:
            parts += [html[position : frame.start], "<div>", content, "</div>"]
            position = frame.end
    return "".join([*parts, html[position:]])


def _body(document: str) -> str:
    """Return what is in the body of *document*."""
    document = document[:MAX_FRAME]
    lower = document.translate(_LOWER)
    start = lower.find("<body")
    start = document.find(">", start) + 1 if start >= 0 else 0
    end = lower.rfind("</body")
    return document[start : end if end >= start else len(document)]
