"""The tree that a browser builds of a page, by the HTML standard's tree construction.

turbohtml builds it and lxml receives it element by element. The tree is not serialised for
libxml2 to parse: libxml2's own rules of nesting would change it again.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lxml import etree
from turbohtml.saxparse import SaxHandler, sax_parse

from wikicrawler.content.flattening import flatten

if TYPE_CHECKING:
    from lxml.html import HtmlElement, HTMLParser

MAX_COPIES = 1_000_000
"""Maximum number of copies of unclosed formatting elements that a page may ask for. The standard
opens all of them anew in each paragraph, so that a page of a megabyte can ask for millions."""
MAX_DEPTH = 500
"""Depth from which a tree is not as the page says: turbohtml opens no element below the 511th, so
that the end tags of those below close others."""
# The list of formatting elements holds three of a kind, and one <a> or <nobr>.
_OF_A_KIND = 3
_FORMATTING = re.compile(
    rb"</?(?:b|big|code|em|font|i|s|small|strike|strong|tt|u)(?:[\s/][^<>]*)?>", re.IGNORECASE
)
MAX_ROOT_TAGS = 100
"""Maximum number of ``<html>`` and ``<body>`` tags. The attributes of each are compared with those
of all others."""
_ROOT_TAG = re.compile(rb"<(?:html|body)(?=[\s/>])", re.IGNORECASE)


def browser_tree(source: bytes, parser: HTMLParser) -> HtmlElement | None:
    """Return the root of the tree that a browser without scripts builds of *source* (UTF-8).

    The tree has no comments. Contents of ``template`` and ``noscript`` are elements in it, and
    names of elements are in lower case. *parser* makes the elements. A page as deep as
    :data:`MAX_DEPTH` loses its formatting, and is flattened.
    """
    source = _ROOT_TAG.sub(_Counter(MAX_ROOT_TAGS), source)
    tags = source.count(b"<")
    if tags > MAX_COPIES // 512:
        kinds = {tag for tag in _FORMATTING.findall(source) if tag[1:2] != b"/"}
        if tags * _OF_A_KIND * len(kinds) > MAX_COPIES:
            source = _FORMATTING.sub(b"", source)
    handler = _handled(source, parser)
    if handler.depth >= MAX_DEPTH:
        handler = _handled(flatten(_FORMATTING.sub(b"", source)), parser)
    root: HtmlElement = handler.builder.close()
    return root


def _handled(source: bytes, parser: HTMLParser) -> _Handler:
    text = source.decode("utf-8", "replace")
    handler = _Handler(parser)
    try:
        sax_parse(text, handler)
    except ValueError:  # a character that lxml rejects
        handler = _CarefulHandler(parser)
        sax_parse(text, handler)
    return handler


class _Counter:
    """Replaces matches after the first *most* by the start of a tag without a meaning."""

    def __init__(self, most: int) -> None:
        self._left = most

    def __call__(self, tag: re.Match[bytes]) -> bytes:
        self._left -= 1
        return tag[0] if self._left >= 0 else b"<wbr"


class _Handler(SaxHandler):
    """Hands the events of turbohtml to the builder of an lxml tree."""

    def __init__(self, parser: HTMLParser) -> None:
        self.builder = etree.TreeBuilder(parser=parser)
        self._start = self.builder.start
        self._end = self.builder.end
        self._names = _Names()
        self._level = 0
        self.depth = 0
        """The most elements that were open at once."""
        self.characters = self.builder.data  # type: ignore[method-assign]

    def start_element(self, tag: str, attrs: tuple[tuple[str, str | None], ...]) -> None:
        self._level += 1
        self.depth = max(self.depth, self._level)
        # lxml would take "{" for the start of a namespace.
        self._start(
            self._names[tag], {name: value or "" for name, value in attrs if name[0] != "{"}
        )

    def end_element(self, tag: str) -> None:
        self._level -= 1
        self._end(self._names[tag])


class _CarefulHandler(_Handler):
    """The same without characters that lxml rejects, which references can stand for."""

    def __init__(self, parser: HTMLParser) -> None:
        super().__init__(parser)
        self.characters = lambda data: self.builder.data(_printable(data))  # type: ignore[method-assign]

    def start_element(self, tag: str, attrs: tuple[tuple[str, str | None], ...]) -> None:
        printable = ((_printable(name), _printable(value or "")) for name, value in attrs)
        super().start_element(tag, tuple(pair for pair in printable if pair[0]))


def _printable(text: str) -> str:
    return _UNPRINTABLE.sub("", text)


_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")


class _Names(dict[str, str]):
    """The name of an element in the tree for its name in the page.

    It is in lower case in foreign content, too, and has no character that lxml rejects.
    """

    def __missing__(self, tag: str) -> str:
        name = self[tag] = "unknown" if _REJECTED.search(tag) else tag.lower()
        return name


_REJECTED = re.compile(r"""[&<>/"'{}\s\x00-\x1f\x7f\ud800-\udfff\ufffe\uffff]""")
