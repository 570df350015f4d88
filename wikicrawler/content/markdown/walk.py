"""Walk over an lxml tree and assembly of its text.

The rules for elements are in :mod:`wikicrawler.content.markdown.converter`. They produce *pieces*
of text. A piece that starts with a newline is a block. Its leading and trailing newlines are the
blank lines that it requests; between two blocks the larger number applies, as in markdownify. All
other pieces are inline. A run of inline pieces becomes a paragraph when its block ends. Line starts
are escaped and emphasis is written only then, when all neighbouring characters are known.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from wikicrawler.content.markdown import emphasis, escape
from wikicrawler.content.markdown.emphasis import BREAK
from wikicrawler.content.markdown.escape import may_need_escape

if TYPE_CHECKING:
    from collections.abc import Callable

    from lxml.html import HtmlElement

    Closer = Callable[[HtmlElement], None]
    Start = Callable[[Any, HtmlElement], Closer | None]

_STARTS = escape.STARTS | {"<"}
"""First characters of lines that :func:`_as_paragraph` may change."""
_DELS = (emphasis.DEL, emphasis.closer(emphasis.DEL))
_SPACES = re.compile(" {2,}")
# A tag alone on the first line of a paragraph would turn the paragraph and the next block into raw
# HTML. A paragraph of tags only, which surround a block, has no effect and is dropped.
_TAG_ALONE = re.compile(r"^(</?su[bp]>)  \n")
_TAGS = re.compile(r"(?:</?su[bp]>\s*)+")
_BREAKS = re.compile(f" *{BREAK}[{BREAK} ]*")


class TreeWalk:
    """Walks a tree without recursion.

    It calls the start handler of each element's tag, and at the end of the element the closer that
    the handler returned.

    :param starts: by tag: the method for the start of an element
    """

    def __init__(self, starts: dict[str, Start]) -> None:
        self._starts = starts
        self._pieces: list[str] = []
        self._frames: list[list[str]] = []
        # Number of open elements of each kind.
        self._pre_depth = self._code_depth = self._cell_depth = self._heading_depth = 0

    def convert_tree(self, root: HtmlElement) -> str:
        """Return the Markdown of *root*, without a newline at the end."""
        starts, add_text = self._starts, self._add_text
        opened = [root]
        start = starts.get(root.tag)
        closers = [start(self, root) if start else None]
        if root.text:
            add_text(root.text)
        # An element ends where one begins that is not in it: iterwalk says so, too, but it takes
        # twice the time.
        for el in root.iterdescendants("*"):
            parent = el.getparent()
            while (last := opened[-1]) is not parent:
                del opened[-1]
                if close := closers.pop():
                    close(last)
                if text := last.tail:
                    add_text(text)
            opened.append(el)
            start = starts.get(el.tag)
            closers.append(start(self, el) if start else None)
            if text := el.text:
                add_text(text)
        while opened:
            last = opened.pop()
            if close := closers.pop():
                close(last)
            if opened and (text := last.tail):
                add_text(text)
        return self._join(self._pieces, "".join(self._pieces)).strip("\n")

    # -- text ---------------------------------------------------------------------------------

    def _add_text(self, text: str) -> None:
        out = self._pieces
        if self._pre_depth:
            out.append(escape.preformatted(text))
            return
        if text != "\n":
            if text.isalnum():  # a word alone, which needs nothing
                out.append(text)
                return
            if "  " in text or not text.isprintable():
                text = escape.collapse(text)
            if text != " ":
                if not self._code_depth:
                    if may_need_escape(text):
                        text = self._escape(text)
                    if text[0] == "(" and self._last_text().endswith("]"):
                        text = "\\" + text  # would be read as a link
                out.append(text)
                return
        if out and out[-1][-1] not in " \n":
            out.append(" ")

    def _escape(self, text: str) -> str:
        text = escape.escape_text(text)
        if text.lstrip(" ")[:1] == "~" and self._is_after_strike():
            return text.replace("~", "\\~", 1)
        return text

    def _is_after_strike(self) -> bool:
        """Return True if a strike-through mark and no other text precedes, apart from space."""
        for piece in reversed(self._pieces):
            if piece in _DELS:
                return True
            if piece not in emphasis.MARKS and piece.strip():
                return False
        return False

    def _last_text(self) -> str:
        """Return the last piece that is not a mark of emphasis."""
        return next((piece for piece in reversed(self._pieces) if piece not in emphasis.MARKS), "")

    def _escape_image_mark(self) -> None:
        """Escape a preceding exclamation mark, which would turn the next link into an image."""
        for place in range(len(self._pieces) - 1, -1, -1):
            if self._pieces[place] not in emphasis.MARKS:
                if self._pieces[place].endswith("!"):
                    self._pieces[place] = self._pieces[place][:-1] + "\\!"
                return

    def _make_paragraphs(self, text: str) -> str:
        """Return a run of inline pieces as a paragraph, or several if it contains ``<br><br>``."""
        if self._code_depth:
            return text
        one_line = bool(self._cell_depth or self._heading_depth)
        if text.isprintable():  # no marks of emphasis or breaks
            line = _single_spaced(text)
            return line if one_line else _as_paragraph(line)
        if self._heading_depth:
            text = _BREAKS.sub(" ", text) if BREAK in text else text
        elif self._cell_depth:
            text = text.strip(f" {BREAK}")
            text = _BREAKS.sub("<br>", text) if BREAK in text else text
        if BREAK not in text:
            line = _single_spaced(emphasis.resolve(text))
            return line if one_line else _as_paragraph(line)
        text = _BREAKS.sub(lambda match: "\n" if match[0].count(BREAK) == 1 else "\n\n", text)
        paragraphs = []
        for paragraph in text.split("\n\n"):
            lines = map(_single_spaced, emphasis.resolve(paragraph).split("\n"))
            whole = "  \n".join(filter(None, map(escape.escape_line, lines)))
            if not _TAGS.fullmatch(whole):
                paragraphs.append(_TAG_ALONE.sub(r"\1", whole))
        return "\n\n".join(filter(None, paragraphs))

    def _join(self, pieces: list[str], joined: str) -> str:
        """Combine runs of inline pieces to paragraphs, and join paragraphs and blocks.

        :param joined: *pieces* as one string
        """
        if "\n" not in joined:  # contains no block
            return self._make_paragraphs(joined)
        text: list[str] = []
        run: list[str] = []
        gap = False
        for piece in [*pieces, "\n"]:
            if piece[0] != "\n":
                run.append(piece)
                continue
            if run:
                inline = "".join(run)
                run.clear()
                # Most often it is the space between two blocks.
                blank = inline == " " and not self._code_depth
                if not blank and (paragraph := self._make_paragraphs(inline)):
                    text += ["\n\n" if text else "", paragraph]
                    gap = False
            if body := piece.strip("\n"):
                wide = gap or piece[1] == "\n"
                text += [("\n\n" if wide else "\n") if text else "", body]
                gap = piece.endswith("\n\n")
        return "".join(text)

    # -- frames -------------------------------------------------------------------------------

    def _push_frame(self, closer: Closer) -> Closer:
        """Collect the following pieces in a frame of their own, until *closer* pops it."""
        self._frames.append(self._pieces)
        self._pieces = []
        return closer

    def _pop_text(self) -> str:
        """Pop the frame of the last :meth:`_push_frame` and return its text."""
        pieces, self._pieces = self._pieces, self._frames.pop()
        text = "".join(pieces)
        if not text.isprintable():  # it contains blocks, breaks or marks of emphasis
            return self._join(pieces, text)
        if self._code_depth:
            return text
        text = _single_spaced(text)
        if text and text[0] in _STARTS and not self._cell_depth and not self._heading_depth:
            return _as_paragraph(text)
        return text

    def _pop_pieces(self) -> list[str]:
        pieces, self._pieces = self._pieces, self._frames.pop()
        return pieces

    def _add(self, piece: str) -> None:
        if piece:
            self._pieces.append(piece)

    def _block(self, text: str, space: str | None = None) -> str:
        """Return *text*, without *space* around it, as a block, or as words in a heading."""
        text = text.strip(space)
        if self._heading_depth:
            return f" {text} "
        return f"\n\n{text}\n\n" if text else ""


def _as_paragraph(line: str) -> str:
    """Return *line* as a paragraph, empty if it consists of tags only."""
    return "" if line[:1] == "<" and _TAGS.fullmatch(line) else escape.escape_line(line)


def _single_spaced(line: str) -> str:
    if "  " in line:
        line = _SPACES.sub(" ", line)
    return line.strip()
