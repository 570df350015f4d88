"""Lines of code that are elements: each gets the newline that a browser shows for it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wikicrawler.content.listings.numbers import classes_of

if TYPE_CHECKING:
    from lxml.html import HtmlElement

_LINE_CLASS = re.compile(r"(?:^|[\s_-])(?:code-?)?line(?:$|[\s_\d-])", re.IGNORECASE)
_LINE_STYLE = re.compile(r"display\s*:\s*(?:block|flex|grid|table-row)")
_LINE_BLOCKS = frozenset({"div", "li", "p"})


def break_lines(block: HtmlElement) -> None:
    """End each line of *block* with a newline where an element is a line."""
    holder, lines = _lines(block)
    if not lines or _has_own_text(holder) or any(el.tag != lines[0].tag for el in lines):
        return
    if lines[0].tag in _LINE_BLOCKS:
        holder.text = None
        for el in lines:
            el.tail = None
            for inside in list(el.iter(*_LINE_BLOCKS)):
                inside.tag = "span"
            end_line(el)
    elif lines[1:] and not any(el.tail for el in lines) and all(map(_is_line, lines)):
        for el in lines[:-1]:
            end_line(el)


def _lines(block: HtmlElement) -> tuple[HtmlElement, list[HtmlElement]]:
    """Return the children of the innermost element around all of *block*, and that element."""
    holder, lines = block, _children(block)
    while len(lines) == 1 and not _has_own_text(holder):
        inner = _children(lines[0])
        if lines[0].tag in _LINE_BLOCKS and not all(el.tag in _LINE_BLOCKS for el in inner):
            break
        if not inner:
            break
        holder, lines = lines[0], inner
    return holder, lines


def _children(el: HtmlElement) -> list[HtmlElement]:
    """Return the children of *el* without an empty one that only marks the start."""
    children = list(el)
    if children and not (
        len(children[0]) or children[0].text or children[0].tail or children[0].attrib
    ):
        del children[0]
    return children


def _has_own_text(el: HtmlElement) -> bool:
    return bool((el.text or "").strip() or any((child.tail or "").strip() for child in el))


def _is_line(el: HtmlElement) -> bool:
    if el.tag == "code" or "data-line" in el.attrib:
        return True
    style = el.get("style")
    return bool(_LINE_CLASS.search(classes_of(el)) or (style and _LINE_STYLE.search(style)))


def end_line(line: HtmlElement) -> None:
    """Put a newline at the end of *line*, unless it ends with one or with ``<br>``."""
    if not line.text_content().strip():  # with a space, so that it has a height
        line.clear()
        line.text = "\n"
        return
    last = line
    while len(last):
        last = last[-1]
        if last.tail:
            if not last.tail.endswith("\n"):
                last.tail += "\n"
            return
    if last.tag == "br":
        return
    if last is line or last.text:
        last.text = (last.text or "").removesuffix("\n") + "\n"
    else:
        last.tail = "\n"
