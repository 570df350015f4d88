"""XML documents as blocks: a paragraph for each text between two elements."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wikicrawler.sources.changes.addresses import HIDDEN_EMAIL, canonical, decode_email
from wikicrawler.sources.changes.block import Block
from wikicrawler.sources.changes.characters import fold, one_space
from wikicrawler.sources.changes.data import NOISE_KEY
from wikicrawler.sources.changes.inline import DASHES, bare_addresses
from wikicrawler.sources.changes.noise import without_noise
from wikicrawler.text.references import unescape

if TYPE_CHECKING:
    from collections.abc import Iterator

_DOCUMENT = re.compile(r"<(?:\?xml\b|!DOCTYPE\b|[A-Za-z_][\w:.-]*(?:\s[^<>]*+)?/?>)", re.IGNORECASE)
_MARKUP = re.compile(
    r"<(/?)([A-Za-z_][\w:.-]*+)((?:[^<>\"']|\"[^\"<]*+\"|'[^'<]*+')*+)>|<[?!][^<>]*+>"
)
_ATTRIBUTE = re.compile(r"([\w:.-]++)\s*+=\s*+(?:\"([^\"]*+)\"|'([^']*+)')")
_INLINE = frozenset(
    [
        "i",
        "b",
        "e",
        "em",
        "strong",
        "a",
        "sup",
        "sub",
        "span",
        "su",
        "u",
        "ac",
        "fr",
        "sc",
        "small",
        "font",
        "mark",
    ]
)
_DROPPED = frozenset(["script", "style", "noscript", "dcterms:created", "dcterms:modified"])
_NOISE_ATTRIBUTE = re.compile(
    r"class|style|nonce|integrity|border|cellpadding|cellspacing|width|height|align|valign|bgcolor|hierarchy_metadata|data-cfemail|xsi:schemalocation|xmlns(?::\w+)?|js-\w+",
    re.IGNORECASE,
)
_TITLES = frozenset(["heading", "subject", "title"])
"""Elements that are the heading of the element that they are in, whose depth is their level."""
_NUMBERS = frozenset(["num", "enum"])
_MAX_LEVEL = 40
_FEED = re.compile(r"http://www\.w3\.org/2005/Atom|<rss\b")
_START = 2_000
_HIDDEN = re.compile(r"\btype\s*=\s*[\"']hidden[\"']", re.IGNORECASE)
_HTML_HEADING = re.compile(r"h([1-6])$", re.IGNORECASE)
_DIVISION = re.compile(r"div([1-9])$", re.IGNORECASE)
_SOURCE = re.compile(r"\bSOURCE\s*=\s*[\"']HD([1-6])[\"']")
_CFEMAIL = re.compile(r"\bdata-cfemail\s*=\s*[\"']([0-9a-fA-F]+)[\"']")


def looks_like_xml(text: str) -> bool:
    return bool(_DOCUMENT.match(text)) and text.endswith(">")


def xml(text: str) -> Iterator[Block]:  # noqa: C901, PLR0912, PLR0915 - one pass over the markup
    """Yield the blocks of *text*, in which markup need not be well-formed."""
    text = _without(without_comments(text), "<?", "?>").replace("]]>", "").replace("<![CDATA[", "")
    pending: list[str] = []
    heading, level, depth, number, dropped, end = 0, 1, 0, "", "", 0
    is_feed = bool(_FEED.search(text[:_START]))
    always_dropped = _DROPPED | {"generator", "pubdate"} if is_feed else _DROPPED

    def flush() -> Iterator[Block]:
        nonlocal number
        written = unescape("".join(pending))
        words = one_space(fold(written)).translate(DASHES)
        if "://" in words:
            words = bare_addresses(words)
        pending.clear()
        if heading and words:
            written = f"{number} {one_space(written)}".strip()
            yield Block("heading", f"{number} {words}".strip(), "#" * heading, written)
            number = ""
        elif words := without_noise(words):
            yield Block("paragraph", words)

    for found in _MARKUP.finditer(text):
        if not dropped:
            pending.append(text[end : found.start()])
        end = found.end()
        closing, name, rest = found[1], (found[2] or "").lower(), found[3] or ""
        if dropped:
            dropped = "" if closing and name == dropped else dropped
            continue
        if not name:
            continue
        if name in _INLINE:
            pending.append(_inline(closing, rest))
            continue
        if closing and name in _NUMBERS and not number:
            number = one_space(fold(unescape("".join(pending))))  # of the heading that follows
            pending.clear()
        elif number and name not in _TITLES:
            yield Block("paragraph", number)
            number = ""
        yield from flush()
        if name == "item":  # above the first one stand the times of the feed
            always_dropped = always_dropped - {"pubdate"}
        depth = max(0, depth + (-1 if closing else 0 if rest.endswith("/") else 1))
        if closing:
            heading = 0
            continue
        if (name in always_dropped or NOISE_KEY.fullmatch(name)) and not rest.endswith("/"):
            dropped = name
            depth -= 1  # its end is not seen
        elif not (name == "input" and _HIDDEN.search(rest)):
            if division := _DIVISION.match(name):
                level = int(division[1])
            heading = _heading(name, rest, level, depth)
            yield from _tag(found[2], rest, is_heading=bool(heading))
    if number:
        yield Block("paragraph", number)
    if not dropped:
        pending.append(text[end:])
    yield from flush()


def _heading(name: str, rest: str, level: int, depth: int) -> int:
    """The level of the heading that the element *name* is, or 0."""
    if name in _TITLES:
        return 0 if rest.endswith("/") else min(depth, _MAX_LEVEL)
    if found := _HTML_HEADING.match(name):
        return int(found[1])
    if name == "head":
        return level
    if name == "hd":
        source = _SOURCE.search(rest)
        return int(source[1]) + 1 if source else 1  # HD1 is below HED
    return 0


def _tag(name: str, rest: str, *, is_heading: bool) -> Iterator[Block]:
    attributes = sorted(
        (found[1], one_space(fold(unescape(found[2] or found[3] or ""))))
        for found in _ATTRIBUTE.finditer(rest)
        if not _NOISE_ATTRIBUTE.fullmatch(found[1]) and not NOISE_KEY.fullmatch(found[1])
    )
    if is_heading:
        return
    words = [
        f'{key}="{canonical(value) if "://" in value else value}"' for key, value in attributes
    ]
    yield Block("void" if rest.endswith("/") else "tag", f"<{' '.join([name, *words])}>")


def _inline(closing: str, rest: str) -> str:
    if closing or "=" not in rest:
        return ""
    if found := _CFEMAIL.search(rest):
        return f" {decode_email(found[1]) or HIDDEN_EMAIL} "
    for found in _ATTRIBUTE.finditer(rest):
        if found[1].lower() == "href":
            address = canonical(unescape(found[2] or found[3] or ""))
            return f" ({address}) " if address else ""
    return ""


def without_comments(text: str) -> str:
    """Return *text* without comments (``<!-- -->``)."""
    return _without(text, "<!--", "-->")


def _without(text: str, start: str, end: str) -> str:
    """Return *text* without each part from *start* to *end*."""
    first = text.find(start)
    if first < 0:
        return text
    parts, at = [], 0
    while first >= 0:
        last = text.find(end, first + len(start))
        if last < 0:
            break
        parts.append(text[at:first])
        at = last + len(end)
        first = text.find(start, at)
    return "".join(parts) + text[at:]
