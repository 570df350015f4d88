"""Conversion of an lxml tree to GitHub-flavoured Markdown.

:class:`PageConverter` writes headings, paragraphs and quotations as markdownify's
``MarkdownConverter`` does. The traversal differs. markdownify recurses over a BeautifulSoup tree,
and its rules for lists, tables and ``<pre>`` inspect the surrounding elements. This class walks the
parsed tree in document order, without recursion, and tracks the state that its own rules for these
need.

Choices of Markdown:

- Footnote marks stay ``[1]`` and footnotes a numbered list: ``[^1]`` is not in the GFM
  specification, and one-word notes would be read as link definitions.
- Links within the page (``#History``) become text.
- ``<sup>`` and ``<sub>`` are kept as inline HTML, which GFM renders: ``10<sup>6</sup>`` is not 106.
- Terms of definition lists become bold list items.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wikicrawler.content.markdown import emphasis, spans, tables
from wikicrawler.content.markdown.inline import INLINE, INLINE_STARTS, InlineRules
from wikicrawler.content.markdown.lists import MAX_DEPTH, DefinitionList, MarkdownList

if TYPE_CHECKING:
    from collections.abc import Callable

    from lxml.html import HtmlElement

    from wikicrawler.content.links import LinkResolver
    from wikicrawler.content.markdown.link_forms import InlineLinks
    from wikicrawler.content.markdown.walk import Closer, Start

_BLOCKS = re.findall(
    r"\w+",
    "address article aside body center details dialog div fieldset figcaption figure footer form "
    "header hgroup html legend main nav optgroup option search section summary",
)
_CLOSING = re.compile(r"(?<!\S)#+$")
_ANCHOR = " \u200b"
"""Spaces of a heading's edge: links to headings show a zero-width one."""
_SPACE = " \t\r\n"
_RULES = ["p", "blockquote", "hr", *(f"h{level}" for level in range(1, 7))]


class PageConverter(InlineRules):
    """Converts one page. Create a new converter for each page.

    :param with_images: whether to write images and the texts that stand for them
    :param links: the form of links; None: their text only
    """

    def __init__(
        self,
        resolver: LinkResolver,
        *,
        with_images: bool = True,
        links: InlineLinks | None = INLINE,
    ) -> None:
        super().__init__(_STARTS, resolver, with_images=with_images, links=links)
        self._tables: list[tables.Table] = []
        self._outer_emphasis: list[set[str]] = []  # what is open around each open cell
        self._lists: list[MarkdownList | DefinitionList] = []
        self._last_list: tuple[HtmlElement | None, str] = None, ""
        self._item_depth = 0

    # -- blocks -------------------------------------------------------------------------------

    def _start_block(self, el: HtmlElement) -> Closer | None:
        return self._start_line(el) if self._pre_depth else self._push_frame(self._end_block)

    def _open_bold(self, finish: Callable[[str], None]) -> Closer:
        """Start a line in bold (a term or caption); *finish* receives its text."""
        outer, self._open_emphasis = self._open_emphasis, {emphasis.STRONG}
        self._heading_depth += 1

        def close(_el: HtmlElement) -> None:
            self._pieces.append(emphasis.closer(emphasis.STRONG))
            text = " ".join(self._pop_text().split())
            self._heading_depth -= 1
            self._open_emphasis = outer
            finish(text)

        self._push_frame(close)
        self._pieces.append(emphasis.STRONG)
        return close

    def _start_line(self, el: HtmlElement) -> Closer:
        """Start a line for a block inside ``<pre>``."""
        self._end_line(el)
        return self._end_line

    def _end_line(self, _el: HtmlElement) -> None:
        if self._pieces and not self._pieces[-1].endswith("\n"):
            self._pieces.append("\n")

    def _end_block(self, _el: HtmlElement) -> None:
        self._add(self._block(self._pop_text()))

    def _start_rule(self, el: HtmlElement) -> Closer | None:
        if self._pre_depth:
            return self._start_line(el)
        closer = self._push_frame(self._end_heading if el.tag[0] == "h" else self._end_rule)
        if el.tag[0] == "h" and el.tag != "hr":
            self._heading_depth += 1
        return closer

    def _end_rule(self, el: HtmlElement) -> None:
        text = self._pop_text()
        if self._cell_depth and el.tag != "p":
            self._add(f"\n{text}\n")
        elif text:
            self._add("\n" + (self._block(text, _SPACE) if el.tag == "p" else self._quote(text)))

    def _quote(self, text: str) -> str:
        # Imported here because few pages need it, and its libraries take as long as thirty pages.
        from wikicrawler.content.markdown.quotations import quotation  # noqa: PLC0415

        return quotation(text, inline=bool(self._heading_depth))

    def _end_heading(self, el: HtmlElement) -> None:
        text = self._pop_text().strip(_ANCHOR)
        if el.tag == "hr":
            if self._cell_depth or self._heading_depth:
                self._add("\n")
            else:
                # After the mark of an item, dashes and asterisks would make the line a rule.
                self._add("\n\n___\n\n" if self._item_depth else "\n\n---\n\n")
            return
        self._heading_depth -= 1
        if not text or self._heading_depth:
            self._add(text)
        elif self._cell_depth or self._is_in_definition_list():
            self._add(f"\n{text}\n")
        else:
            # Renderers remove hashes at the end of a heading.
            text = _CLOSING.sub(lambda match: "\\" + match[0], " ".join(text.split()))
            self._add(f"\n\n{'#' * int(el.tag[1])} {text}\n\n")

    def _is_in_definition_list(self) -> bool:
        return bool(self._lists) and isinstance(self._lists[-1], DefinitionList)

    # -- lists --------------------------------------------------------------------------------

    def _start_list(self, el: HtmlElement) -> Closer | None:
        if self._pre_depth:
            return None
        self._lists.append(MarkdownList.of(el, self._mark_before(el)))
        return self._push_frame(self._end_list)

    def _mark_before(self, el: HtmlElement) -> str:
        """Return the mark of the list directly before *el*, or an empty string.

        With the same mark, the two would be read as one list.
        """
        before, mark = self._last_list
        follows = before is not None and el.getprevious() is before and not _text(before.tail)
        return mark if follows else ""

    def _end_list(self, el: HtmlElement) -> None:
        text = self._pop_text()
        current = self._lists.pop()
        if isinstance(current, MarkdownList):
            self._last_list = el, current.mark
        if not text:
            return
        if el.getparent() is not None and el.getparent().tag in {"ul", "ol"}:
            # A list directly inside a list belongs to the preceding item.
            self._add("\n" + MarkdownList.indent(text, 2) + "\n")
        elif self._item_depth and not text.startswith(tuple("023456789")):
            self._add(f"\n{text}\n")
        else:
            self._add(f"\n\n{text}\n\n")

    def _start_item(self, el: HtmlElement) -> Closer | None:
        if self._pre_depth:
            return self._start_line(el)
        self._item_depth += 1
        return self._push_frame(self._end_item)

    def _end_item(self, el: HtmlElement) -> None:
        self._item_depth -= 1
        text = self._pop_text()
        current = self._lists[-1] if self._lists else None
        if not isinstance(current, MarkdownList):
            current = MarkdownList()
        if text:
            indented = len(self._lists) <= MAX_DEPTH
            self._add(f"\n{current.item(text, el.get('value'), indented=indented)}\n")

    def _start_definitions(self, el: HtmlElement) -> Closer | None:
        if self._pre_depth:
            return None
        mark = "*" if self._mark_before(el) == "-" else "-"
        self._lists.append(DefinitionList(mark, indented=len(self._lists) < MAX_DEPTH))
        return self._push_frame(self._end_definitions)

    def _end_definitions(self, el: HtmlElement) -> None:
        stray = self._pop_text()
        current = self._lists.pop()
        self._add(f"\n\n{stray}\n\n" if stray else "")
        if isinstance(current, DefinitionList):
            self._last_list = el, current.mark
            self._add(
                current.render(in_item=bool(self._item_depth), in_cell=bool(self._cell_depth))
            )

    def _start_definition(self, el: HtmlElement) -> Closer | None:
        if self._pre_depth or not self._is_in_definition_list():
            return self._start_block(el)
        if el.tag == "dd":
            self._item_depth += 1
            return self._push_frame(self._end_definition)
        return self._open_bold(self._end_term)

    def _end_definition(self, _el: HtmlElement) -> None:
        self._item_depth -= 1
        text = self._pop_text()
        current = self._lists[-1]
        if text and isinstance(current, DefinitionList):
            current.add_definition(text)

    def _end_term(self, text: str) -> None:
        current = self._lists[-1]
        if text and isinstance(current, DefinitionList):
            current.add_term(text)

    # -- tables -------------------------------------------------------------------------------

    def _start_table(self, el: HtmlElement) -> Closer | None:
        if self._pre_depth:
            return None
        self._tables.append(
            tables.Table(
                layout=not self._cell_depth and tables.is_layout(el),
                infobox="infobox" in (el.get("class") or ""),
            )
        )
        return self._push_frame(self._end_table)

    def _end_table(self, _el: HtmlElement) -> None:
        stray = self._pop_text()
        table = self._tables.pop()
        self._add(f"\n\n{stray}\n\n" if stray else "")
        if table.layout:
            return
        text = tables.flatten(table) if self._cell_depth else tables.render(table)
        self._add(f"\n\n{text}\n\n" if text else "")

    def _start_group(self, el: HtmlElement) -> None:
        if self._tables:
            self._tables[-1].start_group(head=el.tag == "thead")

    def _start_row(self, _el: HtmlElement) -> None:
        if self._tables:
            self._tables[-1].start_row()

    def _start_caption(self, el: HtmlElement) -> Closer | None:
        if not self._tables or self._tables[-1].layout:
            return self._start_layout_cell(el)
        return self._open_bold(self._end_caption)

    def _end_caption(self, text: str) -> None:
        self._tables[-1].caption = text

    def _start_layout_cell(self, el: HtmlElement) -> Closer | None:
        """Start a block for a cell, which is in bold if it is a title."""
        in_text = self._pre_depth or self._code_depth or self._heading_depth
        if el.tag == "td" or in_text or not self._tables or tables.has_blocks(el):
            return self._start_block(el)
        return self._open_bold(lambda text: self._add(f"\n\n{text}\n\n" if text else ""))

    def _start_cell(self, el: HtmlElement) -> Closer | None:
        if self._pre_depth or not self._tables or self._tables[-1].layout:
            return self._start_layout_cell(el)
        self._cell_depth += 1
        self._outer_emphasis.append(self._open_emphasis)
        self._open_emphasis = {emphasis.STRONG} if el.tag == "th" else set()
        self._frames.append(self._pieces)
        self._pieces = []
        return self._end_cell

    def _end_cell(self, el: HtmlElement) -> None:
        text = self._pop_text()
        if "\n" in text:
            text = "<br>".join(filter(None, map(str.strip, text.split("\n"))))
        self._cell_depth -= 1
        self._open_emphasis = self._outer_emphasis.pop()
        self._tables[-1].add(
            spans.Cell(
                text,
                el.tag == "th",
                tables.span(colspan) if (colspan := el.get("colspan")) else 1,
                tables.span(rowspan) if (rowspan := el.get("rowspan")) else 1,
            )
        )


_STARTS: dict[str, Start] = {
    **INLINE_STARTS,
    **dict.fromkeys(_BLOCKS, PageConverter._start_block),
    **dict.fromkeys(_RULES, PageConverter._start_rule),
    **dict.fromkeys(("ul", "ol", "menu", "dir"), PageConverter._start_list),
    **dict.fromkeys(("dt", "dd"), PageConverter._start_definition),
    **dict.fromkeys(("thead", "tbody", "tfoot"), PageConverter._start_group),
    **dict.fromkeys(("td", "th"), PageConverter._start_cell),
    "caption": PageConverter._start_caption,
    "dl": PageConverter._start_definitions,
    "li": PageConverter._start_item,
    "table": PageConverter._start_table,
    "tr": PageConverter._start_row,
}
"""The same with those of blocks, lists and tables."""


def _text(text: str | None) -> str:
    return (text or "").strip()
