"""The walk over one lxml tree and the text that comes of it; the rules are in
:mod:`wikicrawler.content.markdown`.

Text goes up as *pieces*. A piece that starts with a newline is a block: its leading and trailing
newlines are the blank lines it asks for, of which the larger number wins, as in markdownify. All
other pieces are inline; a run of them becomes a paragraph when its block ends, and only then are
its line starts escaped and its emphasis written, because only then are the neighbours known.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lxml import etree
from markdownify import MarkdownConverter

from wikicrawler.content import emphasis, escape
from wikicrawler.content.emphasis import BREAK

if TYPE_CHECKING:
    from collections.abc import Callable

    from lxml.html import HtmlElement

    Closer = Callable[[HtmlElement], None]
    Start = Callable[[HtmlElement], Closer | None]

_DELS = (emphasis.DEL, emphasis.closer(emphasis.DEL))
# On a line of its own at the start of a paragraph, it would make raw HTML of the paragraph.
_TAG_ALONE = re.compile(r"^(</?su[bp]>)  \n")
_BREAKS = re.compile(f" *{BREAK}[{BREAK} ]*")


class Walk(MarkdownConverter):
    """Goes over a tree without recursion and calls the start of each tag, and what it returns at
    its end."""

    class Options:
        heading_style = "atx"
        bullets = "-"

    def __init__(self) -> None:
        super().__init__()
        self._starts: dict[str, Start] = {}
        self._out: list[str] = []
        self._frames: list[list[str]] = []
        # depth of what we are in
        self._pre = self._code = self._cell = self._heading = 0

    def convert_tree(self, root: HtmlElement) -> str:
        """The Markdown of *root*, without a newline at the end."""
        closers: list[Closer | None] = []
        for event, el in etree.iterwalk(root, events=("start", "end")):
            if event == "start":
                start = self._starts.get(el.tag)
                closers.append(start(el) if start else None)
                text = el.text
            else:
                close = closers.pop()
                if close:
                    close(el)
                text = el.tail if closers else None
            if text:
                self._add_text(text)
        return self._join(self._out).strip("\n")

    # -- text ---------------------------------------------------------------------------------

    def _add_text(self, text: str) -> None:
        if self._pre:
            self._out.append(escape.preformatted(text))
            return
        text = escape.collapse(text)
        if text == " ":
            if self._out and self._out[-1][-1] not in " \n":
                self._out.append(text)
            return
        if not self._code:
            text = escape.escape_text(text)
            of_link = text[0] == "(" and self._before().endswith("]")
            if of_link or (text.lstrip()[:1] == "~" and self._after_strike()):
                text = text.replace(text.lstrip(), "\\" + text.lstrip(), 1)
        self._out.append(text)

    def _after_strike(self) -> bool:
        """Whether a mark of struck text, and only other marks and space, stand since the text."""
        for piece in reversed(self._out):
            if piece in _DELS:
                return True
            if piece not in emphasis.MARKS and piece.strip():
                return False
        return False

    def _before(self) -> str:
        """The last piece that is no mark of emphasis."""
        return next((piece for piece in reversed(self._out) if piece not in emphasis.MARKS), "")

    def _finish_run(self, text: str) -> str:
        """A run of inline pieces as one paragraph, or more where ``<br><br>`` parts it."""
        if self._code:
            return text
        if self._heading:
            return _single_spaced(emphasis.resolve(text.replace(BREAK, " ")))
        if self._cell:
            text = _BREAKS.sub(lambda _: "<br>", text.strip(f" {BREAK}"))
        if BREAK not in text:
            line = _single_spaced(emphasis.resolve(text))
            return line if self._cell else escape.escape_line(line)
        text = _BREAKS.sub(lambda match: "\n" if match[0].count(BREAK) == 1 else "\n\n", text)
        paragraphs = []
        for paragraph in text.split("\n\n"):
            lines = map(_single_spaced, emphasis.resolve(paragraph).split("\n"))
            whole = "  \n".join(filter(None, map(escape.escape_line, lines)))
            paragraphs.append(_TAG_ALONE.sub(r"\1", whole))
        return "\n\n".join(filter(None, paragraphs))

    def _join(self, pieces: list[str]) -> str:
        """Inline pieces to paragraphs, and all of them to one text."""
        if len(pieces) == 1 and pieces[0][0] != "\n":
            return self._finish_run(pieces[0])
        text: list[str] = []
        run: list[str] = []
        gap = 0
        for piece in [*pieces, "\n"]:
            if piece[0] != "\n":
                run.append(piece)
                continue
            if run:
                paragraph = self._finish_run("".join(run))
                run.clear()
                if paragraph:
                    text += ["\n\n" if text else "", paragraph]
                    gap = 0
            body = piece.strip("\n")
            if body:
                lead = len(piece) - len(piece.lstrip("\n"))
                text += ["\n" * min(2, max(gap, lead)) if text else "", body]
                gap = len(piece) - len(piece.rstrip("\n"))
        return "".join(text)

    # -- frames -------------------------------------------------------------------------------

    def _push(self) -> None:
        self._frames.append(self._out)
        self._out = []

    def _pop(self) -> list[str]:
        pieces, self._out = self._out, self._frames.pop()
        return pieces

    def _add(self, piece: str) -> None:
        if piece:
            self._out.append(piece)

    def _parent_tags(self) -> set[str]:
        """What markdownify's rules ask of their surroundings."""
        tags = {"_inline"} if self._heading else set()
        if self._code:
            tags.add("_noformat")
        return tags

    def _apply(self, tag: str, el: HtmlElement, text: str) -> str:
        """markdownify's rule for *tag*."""
        rule = self.get_conv_fn_cached(tag)  # type: ignore[attr-defined]
        return str(rule(el, text, parent_tags=self._parent_tags())) if rule else text


def _single_spaced(line: str) -> str:
    return re.sub(" {2,}", " ", line).strip()
