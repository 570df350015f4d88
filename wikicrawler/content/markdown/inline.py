"""Markdown rules for inline elements: emphasis, links, images, superscript, quotes, breaks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wikicrawler.content.images.marking import IMAGE
from wikicrawler.content.links import is_red, markdown_url
from wikicrawler.content.markdown import emphasis, escape
from wikicrawler.content.markdown.code import CODE_STARTS, CodeRules
from wikicrawler.content.markdown.emphasis import BREAK
from wikicrawler.content.markdown.link_forms import InlineLinks
from wikicrawler.content.markdown.linked_code import LinkedCode

if TYPE_CHECKING:
    from lxml.html import HtmlElement

    from wikicrawler.content.links import LinkResolver
    from wikicrawler.content.markdown.walk import Closer, Start

_EMPHASIS = {
    **dict.fromkeys(("b", "strong"), emphasis.STRONG),
    **dict.fromkeys(("i", "em", "cite", "dfn", "var"), emphasis.EM),
    **dict.fromkeys(("s", "strike", "del"), emphasis.DEL),
}
_LINK_LINE = re.compile(r"(#{1,6} )?(?! *(?:[|>`]|[-+*] |\d+\. ))(.+)")
_BRACKET = re.compile(r"(`+).*?\1|\\.|[][]")
_ANY_BRACKET = re.compile(r"\\.|[][]")
_NOT_IN_AUTOLINK = re.compile(r"[\s<>]")
_LINK_DEFINITION = re.compile(r"(?:[^][\\]|\\.)*\]:")
_BREAKS = re.compile(f" *{BREAK}[{BREAK} ]*")
_IMAGE_OR_EMPHASIS = frozenset("!") | emphasis.MARKS
INLINE = InlineLinks()
_BREAK_BEFORE_BRACKET = re.compile(f"{BREAK}(?=[{''.join(emphasis.MARKS)} ]*\\[)")


class InlineRules(CodeRules):
    """Rules for inline elements, and for links around blocks."""

    def __init__(
        self,
        starts: dict[str, Start],
        resolver: LinkResolver,
        *,
        with_images: bool,
        links: InlineLinks | None,
    ) -> None:
        super().__init__(starts)
        self._resolver = resolver
        self._links = links
        self._with_images = with_images
        self._open_emphasis: set[str] = set()
        self._link_url = ""  # of the open link

    def _start_emphasis(self, el: HtmlElement) -> Closer | None:
        kind = _EMPHASIS[el.tag]
        if self._pre_depth or self._code_depth or kind in self._open_emphasis:
            return None
        if el.tag == "cite" and "citation" in el.get("class", ""):
            return None  # a wiki's whole citation; only the title in it is in italics
        self._open_emphasis.add(kind)
        self._pieces.append(kind)
        return self._end_emphasis

    def _end_emphasis(self, el: HtmlElement) -> None:
        kind = _EMPHASIS[el.tag]
        self._open_emphasis.discard(kind)
        self._pieces.append(emphasis.closer(kind))

    def _start_break(self, _el: HtmlElement) -> None:
        self._pieces.append("\n" if self._pre_depth else BREAK)

    def _start_quote(self, _el: HtmlElement) -> Closer:
        self._pieces.append('"')
        return lambda _el: self._pieces.append('"')

    def _start_script(self, el: HtmlElement) -> Closer | None:
        if self._pre_depth or self._code_depth:
            return None
        text = (el.text or "").strip() or next(filter(None, map(str.strip, el.itertext())), "")
        if not text or text[0] == "[":  # a footnote mark
            return None
        self._pieces.append(f"<{el.tag}>")
        return lambda el: self._pieces.append(f"</{el.tag}>")

    def convert_tree(self, root: HtmlElement) -> str:
        markdown = super().convert_tree(root)
        return self._links.finish(markdown) if self._links else markdown

    # -- images -------------------------------------------------------------------------------

    def _start_image(self, el: HtmlElement) -> Closer | None:
        """Write an image that has an address; the text of any other stands in its place."""
        if not self._with_images:
            return self._push_frame(self._drop_image)
        if not el.get("src") or self._pre_depth or self._code_depth:
            return None
        return self._push_frame(self._end_image)

    def _drop_image(self, _el: HtmlElement) -> None:
        self._pop_pieces()

    def _end_image(self, el: HtmlElement) -> None:
        self._pop_pieces()
        text = el.text or ""  # what it stands for, or nothing, with the spaces around it
        self._add(" " if text.startswith(" ") else "")
        self._add(image_markup(el.get("alt") or "", el.get("src") or ""))
        self._add(" " if text.endswith(" ") else "")

    # -- links --------------------------------------------------------------------------------

    def _start_link(self, el: HtmlElement) -> Closer | None:
        href = el.get("href")
        if not href or self._pre_depth or self._link_url or self._links is None:
            return None
        url = self._resolver.link_url(href)
        if not url or (el.get("class") and is_red(el, wiki=self._resolver.wiki)):
            return None
        self._link_url = url
        self._frames.append(self._pieces)
        self._pieces = []
        return self._end_link

    def _end_link(self, _el: HtmlElement) -> None:
        url, self._link_url = self._link_url, ""
        pieces, self._pieces = self._pieces, self._frames.pop()
        text = "".join(pieces)
        if self._code_depth:
            self._add(text if "\n" in text else LinkedCode(text, url))
        elif text.isprintable():
            self._add_line_link(text, url)
        elif "\n" in text:
            self._add_block_link(self._join(pieces, text), url)
        else:
            self._add_marked_link(text, url)

    def _add_line_link(self, text: str, url: str) -> None:
        """Add a link with *text*, which contains no marks, breaks or blocks, as most do."""
        out = self._pieces
        if text[:1] == " ":
            out.append(" ")
        if shown := text.strip(" "):
            if out and out[-1][-1] in _IMAGE_OR_EMPHASIS:
                self._escape_image_mark()
            out.append(self._link_markup(shown, url))
            if text[-1] == " ":
                out.append(" ")

    def _add_marked_link(self, text: str, url: str) -> None:
        shown = text.strip()  # also strips BREAK, which is white space
        if not shown or not (shown.isprintable() or emphasis.strip_marks(shown).strip()):
            self._add_gap(text)
            return
        start = text.index(shown)
        self._add_gap(text[:start])
        self._escape_image_mark()
        end = text[start + len(shown) :]
        if BREAK in shown:
            # A blank line would end the link. A bracket at the start of a line could be escaped
            # without its counterpart.
            shown = _BREAK_BEFORE_BRACKET.sub(" ", _BREAKS.sub(BREAK, shown))
        self._pieces.append(self._link_markup(shown, url))
        self._add_gap(end)

    def _add_gap(self, space: str) -> None:
        self._add(BREAK if BREAK in space else " " if space else "")

    def _add_block_link(self, text: str, url: str) -> None:
        """Add a link around blocks: link the first line if possible, else drop the link."""
        first, newline, rest = text.partition("\n")
        match = _LINK_LINE.fullmatch(first.rstrip())
        if match and not self._heading_depth and not match[2].startswith("["):
            first = (match[1] or "") + self._link_markup(match[2], url)
        self._add(f"\n\n{first}{newline}{rest}\n\n")

    def _link_markup(self, text: str, url: str) -> str:
        if ":" in text and _is_autolink(text, url):
            return f"<{url}>"
        if "]" in text or "[" in text:
            text = _balance(text)
            if _LINK_DEFINITION.match(text) and self._at_line_start():
                return text  # the brackets are in code, but would define a link here
        return self._links.link(text, url) if self._links else text

    def _at_line_start(self) -> bool:
        before = self._last_text().rstrip(" ")
        return not (self._cell_depth or self._heading_depth) and before[-1:] in {"", "\n", BREAK}


INLINE_STARTS: dict[str, Start] = {
    **CODE_STARTS,
    **dict.fromkeys(_EMPHASIS, InlineRules._start_emphasis),
    **dict.fromkeys(("sup", "sub"), InlineRules._start_script),
    "a": InlineRules._start_link,
    IMAGE: InlineRules._start_image,
    "br": InlineRules._start_break,
    "q": InlineRules._start_quote,
}
"""The same with those of inline elements."""


def image_markup(alt: str, url: str) -> str:
    """Return an image as Markdown, on one line. *alt* is plain text."""
    text = escape.escape_text(escape.collapse(alt)).strip(" ")
    text = _ANY_BRACKET.sub(lambda m: "\\" + m[0] if m[0] in "[]" else m[0], text)
    return f"![{text}]({markdown_url(url)})"


def _is_autolink(text: str, url: str) -> bool:
    return text.replace("\\", "") in {url, url.removesuffix("/")} and not _NOT_IN_AUTOLINK.search(
        url
    )


def _balance(text: str) -> str:
    """Return link *text*, with its brackets escaped if they are unbalanced."""
    depth = 0
    for match in _BRACKET.finditer(text):
        depth += {"[": 1, "]": -1}.get(match[0], 0)
        if depth < 0:
            break
    if depth == 0:
        return text
    return _BRACKET.sub(lambda m: "\\" + m[0] if m[0] in "[]" else m[0], text)
