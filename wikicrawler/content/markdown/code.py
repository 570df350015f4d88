"""Markdown rules for inline code and for code blocks with their language."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from wikicrawler.content.languages import language_of
from wikicrawler.content.markdown import escape
from wikicrawler.content.markdown.emphasis import BREAK
from wikicrawler.content.markdown.linked_code import LinkedCode
from wikicrawler.content.markdown.walk import TreeWalk

if TYPE_CHECKING:
    from lxml.html import HtmlElement

    from wikicrawler.content.markdown.walk import Closer, Start

_WORD = re.compile(r"\w")
_PARTS = 20
"""Elements of ``<code>`` among which a ``<pre>`` makes it the wrapper of a code block."""
_NEWLINES = re.compile("\n+")


class CodeRules(TreeWalk):
    """Rules for ``<code>``, ``<pre>`` and similar elements."""

    def _start_code(self, el: HtmlElement) -> Closer | None:
        if self._pre_depth or self._code_depth:
            return None
        if len(el) and any(part.tag == "pre" for part in islice(el.iter(), _PARTS)):
            return None  # the code block in it says more
        self._code_depth += 1
        return self._push_frame(self._end_code)

    def _end_code(self, el: HtmlElement) -> None:
        self._code_depth -= 1
        pieces = self._pop_pieces()
        text = "".join(pieces)
        if "\n" in text:  # contains blocks, so it is a code block with a line for each
            text = _NEWLINES.sub("\n", text).replace(BREAK, "\n")
            self._add(self._fence(el, text))
        elif url := _only_link(pieces):
            span = escape.code_span(text.replace(BREAK, " "))
            self._add(" " if text[:1] == " " else "")
            self._escape_image_mark()
            self._add(self._link_markup(span, url) if span else "")
            self._add(" " if text[-1:] == " " else "")
        else:
            self._add_span(text)

    def _link_markup(self, text: str, url: str) -> str:
        raise NotImplementedError

    def _add_span(self, text: str) -> None:
        lead = " " if text[:1] == " " else ""
        trail = " " if text[-1:] == " " else ""
        spans = BREAK.join(filter(None, map(escape.code_span, text.split(BREAK))))
        if spans and self._last_text().lstrip(" ").startswith("`"):
            lead = " "  # two adjacent code spans would be read as one
        self._add(lead + spans + trail)

    def _start_pre(self, _el: HtmlElement) -> Closer | None:
        if self._pre_depth:
            return None
        self._pre_depth += 1
        return self._push_frame(self._end_pre)

    def _end_pre(self, el: HtmlElement) -> None:
        self._pre_depth -= 1
        self._add(self._fence(el, "".join(self._pop_pieces())))

    def _fence(self, el: HtmlElement, text: str) -> str:
        text = text.strip("\n").rstrip()
        if not text.strip():
            return ""
        if self._cell_depth or self._heading_depth:
            lines = filter(None, map(escape.code_span, text.split("\n")))
            return " ".join(lines) if self._heading_depth else "\n" + "\n".join(lines) + "\n"
        fence = "`" * max(3, escape.longest_run(text) + 1)
        return f"\n\n{fence}{language_of(el)}\n{text}\n{fence}\n\n"


CODE_STARTS: dict[str, Start] = {
    **dict.fromkeys(("code", "kbd", "samp", "tt"), CodeRules._start_code),
    **dict.fromkeys(("pre", "listing", "xmp", "plaintext"), CodeRules._start_pre),
}
"""By tag: the method for the start of an element."""


def _only_link(pieces: list[str]) -> str:
    """Return the URL of the links in *pieces* of code, or an empty string.

    It is empty if they have several, or if a word stands outside them: Markdown has no links in
    code, so that the code would be split to keep them.
    """
    urls = {piece.url for piece in pieces if isinstance(piece, LinkedCode)}
    others = "".join(piece for piece in pieces if not isinstance(piece, LinkedCode))
    return urls.pop() if len(urls) == 1 and not _WORD.search(others) else ""
