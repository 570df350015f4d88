"""Parts of a content in HTML that a browser does not render: attributes, scripts, templates."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wikicrawler.fields.evidence.folding import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_SPANS = 5000
_TAG = re.compile(
    r"<(?P<end>/?)(?P<name>[A-Za-z][A-Za-z0-9-]{0,30})(?=[\s/>])"
    r"(?P<attributes>(?:[^<>\"']|\"[^\"]{0,5000}+\"|'[^']{0,5000}+'){0,5000}+)>"
)
_ATTRIBUTE = re.compile(
    r"(?P<name>[A-Za-z_:@][\w:.-]{0,60}+)\s{0,20}+=\s{0,20}+"
    r"(?P<value>\"[^\"]*+\"|'[^']*+'|[^\s\"'>]++)"
)
_SEEN = frozenset({"datetime", "href", "src"})
"""Attributes whose value the element shows in another form, or leads to."""
_RAW = frozenset({"script", "style", "template", "noscript", "noframes", "iframe", "svg"})
"""Elements whose content no browser shows that runs scripts, or that it shows as a picture."""


def is_html(text: str) -> bool:
    """Return True if *text* is a document or fragment of HTML, not Markdown."""
    start = text.lstrip("\ufeff \t\r\n")[:15].lower()
    return start.startswith("<!doctype") or bool(_TAG.match(text.lstrip("\ufeff \t\r\n"), 0, 2000))


def unrendered_spans(text: str) -> Iterator[Span]:
    """Yield the values of attributes, and the contents of elements that are not rendered, in order.
    The time is linear in the length of *text*."""
    opened: tuple[str, int] | None = None
    count = 0
    for tag in _TAG.finditer(text):
        name = tag["name"].lower()
        if opened is not None:
            if not tag["end"] or name != opened[0]:
                continue
            if tag.start() > opened[1]:
                yield Span(opened[1], tag.start())
                count += 1
            opened = None
            continue
        for attribute in _ATTRIBUTE.finditer(text, *tag.span("attributes")):
            if attribute["name"].lower() not in _SEEN:
                yield Span(*attribute.span("value"))
                count += 1
        if count >= MAX_SPANS:
            return
        if not tag["end"] and name in _RAW:
            opened = (name, tag.end())
    if opened is not None and opened[1] < len(text):
        yield Span(opened[1], len(text))
