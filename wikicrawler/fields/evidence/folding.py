"""One form for texts that are compared, with the way back to the original."""

from __future__ import annotations

import html
import re
import unicodedata
from array import array
from bisect import bisect_left, bisect_right
from functools import lru_cache
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_MAX_MARKS = 30
"""Combining marks that stay with their letter: the time to sort them grows with their square."""
_PLAIN = (
    "\\x20-\\x7eÀ-ÖØ-ÞàáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿΑ-ΡΣ-Ωα-ωА-яёЁא-תء-ي"
    "\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3"
)
"""Characters that have one form, and the same number of characters in lower case."""
_INLINE = r"a|abbr|b|bdi|bdo|cite|code|data|del|dfn|em|font|i|ins|kbd|mark|q|s|samp|small|span"
_SPECIAL = re.compile(
    # Rows of hyphens in tables, then what begins a line, then space and the borders of cells.
    r"(?P<space>(?:(?:\A|\n)[ \t|:-]++(?=\n|\Z)"
    r"|(?:\A|\n)[ \t]*+(?:\#{1,6}|[-+*>])(?=[ \t\n])"
    r"|[\s|])++)"
    # The destination of a link goes with the bracket before it.
    r"|(?P<link>\]\((?:[^()\s\\]|\\.|\([^()\s]{0,200}+\)){0,2000}+(?:[ ]\"[^\"\n]{0,200}+\")?\)"
    r"|\]\[[0-9]{1,9}\])"
    r"|(?P<sup><(?i:sup)>)"
    rf"|(?P<tag></?(?i:{_INLINE}|strong|sub|sup|time|tt|u|var|wbr)(?:[ ][^<>]{{0,500}}+)?/?>)"
    r"|(?P<block><(?:/?[A-Za-z]|!--)[^<>:@\"']{0,1000}+(?:[\"'][^<>]{0,1000}+)?>)"
    r"|(?P<entity>&(?:\#[0-9]{1,7}|\#[xX][0-9A-Fa-f]{1,6}|[A-Za-z]{2,31}[0-9]{0,2});)"
    r"|(?P<markup>(?:\\?[*_`\[\]<>]|~~)++)"
    r"|\\(?P<escaped>[!-/:-@\[-`{-~])"
    r"|(?P<control>[\x00-\x1f\x7f])"
    rf"|(?P<other>[^{_PLAIN}])"
)
_SAME = str.maketrans(
    dict.fromkeys('"`´‘’‚‛“”„‟«»‹›′″「」『』〝〞', "'")
    | dict.fromkeys("‐‑‒–—―−﹣", "-")
    | {"…": "...", "⁄": "/"}
)
_INVISIBLE = frozenset({"Cc", "Cf", "Cs"})
UNJOINED = 0x0E00
"""Scripts from here on (Thai, Chinese, Japanese …) put no space between words."""


class Span(NamedTuple):
    """Characters of a text: ``text[start:end]``."""

    start: int
    end: int


class Folded:
    """A text in the form in which texts are compared, with the way back.

    Case, compatibility forms of Unicode, white space, quotation marks and dashes have one spelling.
    Invisible characters, emphasis, destinations of links, escapes, tags and borders of tables are
    left out. A superscript has a caret, so that 10³ is not 103.

    A letter and its combining marks are one: no offset is between them. The time is linear in the
    length of the text.
    """

    def __init__(self, source: str) -> None:
        self._source = source
        self._pieces: list[str] = []
        self._starts, self._ends = array("i"), array("i")
        self._last = ""
        self._raised = False
        self._fold()
        self.text = "".join(self._pieces)
        """The folded text. Space is single spaces."""
        self._pieces.clear()

    def span(self, start: int, end: int) -> Span:
        """Return the characters of the source behind ``text[start:end]``, which is not empty."""
        return Span(self._starts[start], self._ends[end - 1])

    def offset(self, of: int) -> int:
        """Return the offset in ``text`` of the first character that comes from *of* or behind."""
        return bisect_left(self._starts, of)

    def _fold(self) -> None:
        source, at = self._source, 0
        while found := _SPECIAL.search(source, at):
            start = found.start()
            is_mark = found.lastgroup == "other" and _is_mark(found[0])
            if is_mark and start > at:
                start -= 1  # it belongs to the character before it
            self._add_plain(at, start)
            at = self._add_cluster(start) if is_mark else self._add_special(found)
        self._add_plain(at, len(source))

    def _add_special(self, found: re.Match[str]) -> int:
        """Add what a special place stands for, and return where it ends."""
        start, end = found.span()
        kind = found.lastgroup
        if kind in {"space", "block"}:
            self._add_space(start, end)
        elif kind == "markup":
            if self._last.isalnum() and self._source[end : end + 1].isalnum():
                self._add_space(start, end)  # 3*4 is not 34
        elif kind == "entity":
            self._add(_folded(html.unescape(found[0])), start, end)
        elif kind == "escaped":
            self._add(_folded(found[0][1:]), start, end)
        elif kind == "sup":
            self._add("^", start, end)
        elif kind == "other":
            end = self._add_cluster(start)
        return end

    def _add_plain(self, start: int, end: int) -> None:
        """Add characters that have one form but for their case."""
        if start < end:
            self._pieces.append(self._source[start:end].casefold().translate(_SAME))
            self._starts.extend(range(start, end))
            self._ends.extend(range(start + 1, end + 1))
            self._last, self._raised = self._source[end - 1], False

    def _add_cluster(self, start: int) -> int:
        """Add a letter with its combining marks."""
        source, end = self._source, start + 1
        limit = min(len(source), start + 1 + _MAX_MARKS)
        jamo = "\u1100" <= source[start] <= "\u11ff"
        while end < limit and source[end] > "\x7f" and _continues(source[end], jamo):
            end += 1
        text = _folded(source[start:end])
        raised = unicodedata.decomposition(source[start]).startswith("<super>")
        if raised and not self._raised:
            text = f"^{text}"
        if text.isspace():
            self._add_space(start, end)
        else:
            self._add(text, start, end)
            self._raised = raised
        return end

    def _add_space(self, start: int, end: int) -> None:
        if self._last != " ":
            self._add(" ", start, end)

    def _add(self, text: str, start: int, end: int) -> None:
        if text:
            self._pieces.append(text)
            self._starts.extend([start] * len(text))
            self._ends.extend([end] * len(text))
            self._last, self._raised = text[-1], False


def fold(text: str) -> str:
    """Return *text* as a page is folded, without space at its ends."""
    return Folded(text).text.strip()


def united(spans: Iterable[Span]) -> Iterator[Span]:
    """Yield *spans* in order, with those that overlap or touch as one."""
    last: Span | None = None
    for span in sorted(spans):
        if last is None or span.start > last.end:
            if last is not None:
                yield last
            last = span
        else:
            last = Span(last.start, max(last.end, span.end))
    if last is not None:
        yield last


def overlaps(span: Span, spans: Sequence[Span]) -> bool:
    """Return True if *span* has a character of *spans*, which are in order and apart."""
    at = bisect_right(spans, span.start, key=attrgetter("end"))
    return span.start < span.end and at < len(spans) and spans[at].start < span.end


def joined(left: str, right: str) -> bool:
    """Return True if a word goes on from the character *left* to *right*; either may be empty."""
    return left.isalnum() and right.isalnum() and ord(left) < UNJOINED and ord(right) < UNJOINED


def is_inside(text: str, offset: int) -> bool:
    """Return True if *offset* is between a character of *text* and its combining marks, or in a
    pair of surrogates."""
    if not 0 < offset < len(text):
        return False
    return _continues(text[offset], "\u1100" <= text[offset - 1] <= "\u11ff") or (
        "\ud800" <= text[offset - 1] <= "\udbff" and "\udc00" <= text[offset] <= "\udfff"
    )


@lru_cache(2**16)
def _continues(char: str, jamo: bool) -> bool:
    return _is_mark(char) or (jamo and "\u1160" <= char <= "\u11ff")


def _is_mark(char: str) -> bool:
    return unicodedata.category(char)[0] == "M"


@lru_cache(2**16)
def _folded(cluster: str) -> str:
    text = unicodedata.normalize("NFKC", cluster).casefold()
    text = unicodedata.normalize("NFKC", text).translate(_SAME)
    return "".join(char for char in text if unicodedata.category(char) not in _INVISIBLE)
