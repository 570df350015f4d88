"""One lxml tree to GitHub-flavoured Markdown.

The rules are markdownify's: :class:`Converter` is a ``MarkdownConverter``, and what becomes of a
heading, paragraph, quotation, list or link is looked up and answered there. What differs is the
walk. markdownify recurses over a BeautifulSoup tree and its rules for lists, tables and ``<pre>``
look around in it; here lxml's own ``iterwalk`` goes over the tree that was parsed, without
recursion, and the state that those rules need is kept on the way.

Chosen forms: footnote marks stay ``[1]`` and their list numbered, because ``[^1]`` is not in the
GFM specification and one-word notes would be read as link definitions; places on the page itself
(``#History``) are text; ``<sup>`` and ``<sub>`` are kept as the inline HTML that GFM renders, for
``10<sup>6</sup>`` is not 106; terms of definition lists are bold list items.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wikicrawler.content.markdown import emphasis, tables
from wikicrawler.content.markdown.inline import Inline
from wikicrawler.content.markdown.lists import Definitions, List

if TYPE_CHECKING:
    from collections.abc import Callable

    from lxml.html import HtmlElement

    from wikicrawler.content.links import Resolver
    from wikicrawler.content.markdown.walk import Closer

_BLOCKS = re.findall(
    r"\w+",
    "address article aside body center details dialog div fieldset figcaption figure footer form "
    "header hgroup html legend main nav optgroup option search section summary",
)
_CLOSING = re.compile(r"(?<!\S)#+$")
_RULES = ["p", "blockquote", "hr", *(f"h{level}" for level in range(1, 7))]


class Converter(Inline):
    """Converts one page; not to be used twice."""

    def __init__(self, resolver: Resolver) -> None:
        super().__init__(resolver)
        self._tables: list[tables.Table] = []
        self._lists: list[List | Definitions] = []
        self._last_list: tuple[HtmlElement | None, str] = None, ""
        self._item = 0  # depth
        self._starts |= {
            **dict.fromkeys(_BLOCKS, self._start_block),
            **dict.fromkeys(_RULES, self._start_rule),
            **dict.fromkeys(("ul", "ol", "menu", "dir"), self._start_list),
            **dict.fromkeys(("dt", "dd"), self._start_definition),
            **dict.fromkeys(("thead", "tbody", "tfoot"), self._start_group),
            **dict.fromkeys(("td", "th"), self._start_cell),
            "caption": self._start_caption,
            "dl": self._start_definitions,
            "li": self._start_item,
            "table": self._start_table,
            "tr": self._start_row,
        }

    # -- blocks -------------------------------------------------------------------------------

    def _start_block(self, el: HtmlElement) -> Closer | None:
        return self._start_line(el) if self._pre else self._open(self._end_block)

    def _open_bold(self, finish: Callable[[str], None]) -> Closer:
        """A line in bold, as terms and captions are."""
        outer, self._open_emphasis = self._open_emphasis, {emphasis.STRONG}
        self._heading += 1

        def close(_el: HtmlElement) -> None:
            self._out.append(emphasis.closer(emphasis.STRONG))
            text = " ".join(self._close().split())
            self._heading -= 1
            self._open_emphasis = outer
            finish(text)

        self._open(close)
        self._out.append(emphasis.STRONG)
        return close

    def _start_line(self, el: HtmlElement) -> Closer:
        """A block inside ``<pre>`` is a line."""
        self._end_line(el)
        return self._end_line

    def _end_line(self, _el: HtmlElement) -> None:
        if self._out and not self._out[-1].endswith("\n"):
            self._out.append("\n")

    def _end_block(self, el: HtmlElement) -> None:
        self._add(self._apply("div", el, self._close()))

    def _start_rule(self, el: HtmlElement) -> Closer | None:
        if self._pre:
            return self._start_line(el)
        closer = self._open(self._end_heading if el.tag[0] == "h" else self._end_rule)
        if el.tag[0] == "h" and el.tag != "hr":
            self._heading += 1
        return closer

    def _end_rule(self, el: HtmlElement) -> None:
        text = self._close()
        if self._cell and el.tag != "p":
            self._add(f"\n{text}\n")
        elif text:
            self._add("\n" + self._apply(el.tag, el, text))

    def _end_heading(self, el: HtmlElement) -> None:
        text = self._close()
        if el.tag == "hr":
            self._add("\n" if self._cell or self._heading else self._apply("hr", el, text))
            return
        self._heading -= 1
        if not text or self._heading:
            self._add(text)
        elif self._cell or self._item_of_definitions():
            self._add(f"\n{text}\n")
        else:
            # A closing sequence of hashes would be cut off.
            text = _CLOSING.sub(lambda match: "\\" + match[0], " ".join(text.split()))
            self._add(self._apply(el.tag, el, text))

    def _item_of_definitions(self) -> bool:
        return bool(self._lists) and isinstance(self._lists[-1], Definitions)

    # -- lists --------------------------------------------------------------------------------

    def _start_list(self, el: HtmlElement) -> Closer | None:
        if self._pre:
            return None
        self._lists.append(List.of(el, self._mark_before(el)))
        return self._open(self._end_list)

    def _mark_before(self, el: HtmlElement) -> str:
        """The mark of a list that *el* follows at once: with its own, they would be one list."""
        before, mark = self._last_list
        follows = before is not None and el.getprevious() is before and not _text(before.tail)
        return mark if follows else ""

    def _end_list(self, el: HtmlElement) -> None:
        text = self._close()
        current = self._lists.pop()
        if isinstance(current, List):
            self._last_list = el, current.mark
        if not text:
            return
        if el.getparent() is not None and el.getparent().tag in {"ul", "ol"}:
            # A list straight inside a list belongs to the item before it.
            self._add("\n" + List.indent(text, 2) + "\n")
        elif self._item and not text.startswith(tuple("023456789")):
            self._add(f"\n{text}\n")
        else:
            self._add(f"\n\n{text}\n\n")

    def _start_item(self, el: HtmlElement) -> Closer | None:
        if self._pre:
            return self._start_line(el)
        self._item += 1
        return self._open(self._end_item)

    def _end_item(self, el: HtmlElement) -> None:
        self._item -= 1
        text = self._close()
        current = self._lists[-1] if self._lists else None
        if not isinstance(current, List):
            current = List()
        if text:
            deep = len(self._lists)
            self._add(f"\n{current.item(text, el.get('value'), indented=deep <= List.MAX_DEPTH)}\n")

    def _start_definitions(self, el: HtmlElement) -> Closer | None:
        if self._pre:
            return None
        mark = "*" if self._mark_before(el) == "-" else "-"
        self._lists.append(Definitions(mark, indented=len(self._lists) < List.MAX_DEPTH))
        return self._open(self._end_definitions)

    def _end_definitions(self, el: HtmlElement) -> None:
        stray = self._close()
        current = self._lists.pop()
        self._add(f"\n\n{stray}\n\n" if stray else "")
        if isinstance(current, Definitions):
            self._last_list = el, current.mark
            self._add(current.render(in_item=bool(self._item), in_cell=bool(self._cell)))

    def _start_definition(self, el: HtmlElement) -> Closer | None:
        if self._pre or not self._item_of_definitions():
            return self._start_block(el)
        if el.tag == "dd":
            self._item += 1
            return self._open(self._end_definition)
        return self._open_bold(self._end_term)

    def _end_definition(self, _el: HtmlElement) -> None:
        self._item -= 1
        text = self._close()
        current = self._lists[-1]
        if text and isinstance(current, Definitions):
            current.add_definition(text)

    def _end_term(self, text: str) -> None:
        current = self._lists[-1]
        if text and isinstance(current, Definitions):
            current.add_term(text)

    # -- tables -------------------------------------------------------------------------------

    def _start_table(self, el: HtmlElement) -> Closer | None:
        if self._pre:
            return None
        self._tables.append(
            tables.Table(
                layout=not self._cell and tables.is_layout(el),
                infobox="infobox" in (el.get("class") or ""),
            )
        )
        return self._open(self._end_table)

    def _end_table(self, _el: HtmlElement) -> None:
        stray = self._close()
        table = self._tables.pop()
        self._add(f"\n\n{stray}\n\n" if stray else "")
        if table.layout:
            return
        text = tables.flatten(table) if self._cell else tables.render(table)
        self._add(f"\n\n{text}\n\n" if text else "")

    def _start_group(self, el: HtmlElement) -> None:
        if self._tables:
            self._tables[-1].start_group(head=el.tag == "thead")

    def _start_row(self, _el: HtmlElement) -> None:
        if self._tables:
            self._tables[-1].start_row()

    def _start_caption(self, el: HtmlElement) -> Closer | None:
        if not self._tables or self._tables[-1].layout:
            return self._start_block(el)
        return self._open_bold(self._end_caption)

    def _end_caption(self, text: str) -> None:
        self._tables[-1].caption = text

    def _start_cell(self, el: HtmlElement) -> Closer | None:
        if self._pre or not self._tables or self._tables[-1].layout:
            return self._start_block(el)
        self._cell += 1
        outer = self._open_emphasis
        self._open_emphasis = {emphasis.STRONG} if el.tag == "th" else set()
        return self._open(lambda el: self._end_cell(el, outer))

    def _end_cell(self, el: HtmlElement, outer: set[str]) -> None:
        text = self._close()
        if "\n" in text:
            text = "<br>".join(filter(None, map(str.strip, text.split("\n"))))
        self._cell -= 1
        self._open_emphasis = outer
        self._tables[-1].add(
            tables.Cell(
                text,
                header=el.tag == "th",
                colspan=tables.span(colspan) if (colspan := el.get("colspan")) else 1,
                rowspan=tables.span(rowspan) if (rowspan := el.get("rowspan")) else 1,
            )
        )


def _text(text: str | None) -> str:
    return (text or "").strip()
