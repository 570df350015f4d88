"""Markdown rules for inline code and for code blocks with their language."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from wikicrawler.content.languages import language_of
from wikicrawler.content.markdown import escape
from wikicrawler.content.markdown.emphasis import BREAK
from wikicrawler.content.markdown.walk import TreeWalk

if TYPE_CHECKING:
    from lxml.html import HtmlElement

    from wikicrawler.content.markdown.walk import Closer


class LinkedCode(str):
    """A link inside code. In Markdown it becomes code inside a link, between code spans."""

    text: str

    def __new__(cls, markdown: str, text: str) -> LinkedCode:
        self = super().__new__(cls, markdown)
        self.text = text
        return self


class CodeRules(TreeWalk):
    """Rules for ``<code>``, ``<pre>`` and similar elements."""

    def __init__(self) -> None:
        super().__init__()
        self._start_handlers |= {
            **dict.fromkeys(("code", "kbd", "samp", "tt"), self._start_code),
            **dict.fromkeys(("pre", "listing", "xmp", "plaintext"), self._start_pre),
        }

    def _start_code(self, _el: HtmlElement) -> Closer | None:
        if self._pre_depth or self._code_depth:
            return None
        self._code_depth += 1
        return self._push_frame(self._end_code)

    def _end_code(self, el: HtmlElement) -> None:
        self._code_depth -= 1
        pieces = self._pop_pieces()
        text = "".join(getattr(piece, "text", piece) for piece in pieces)
        if "\n" in text:  # contains blocks, so it is a code block
            self._add(self._fence(el, text.replace(BREAK, "\n")))
            return
        for linked, run in groupby(pieces, lambda piece: isinstance(piece, LinkedCode)):
            if linked:
                self._escape_image_mark()
                self._pieces.extend(run)
            else:
                self._add_span("".join(run))

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
