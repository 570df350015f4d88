"""HTML from the elements in the rows that React streams.

An element is ``["$", TYPE, KEY, PROPERTIES]``. Of HTML elements the server sends tags and
properties; of components, only a browser knows what they show, except for their children. A page
whose outermost component is not rendered on the server has all of its text in rows.
"""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

MAX_NODES = 200_000
"""Nodes that are written; rows may refer to each other again and again."""

_TAG = re.compile(r"[a-z][a-z0-9-]{0,40}")
_REFERENCE = re.compile(r"\$L?([0-9a-f]{1,12})")
_UNSHOWN = frozenset({"head", "link", "meta", "script", "style", "title"})
_VOID = frozenset({"area", "br", "col", "embed", "hr", "img", "input", "source", "track", "wbr"})
_WHOLE_PAGE = frozenset({"html", "body"})
_ATTRIBUTES = {
    "alt": "alt",
    "aria-hidden": "aria-hidden",
    "aria-label": "aria-label",
    "className": "class",
    "colSpan": "colspan",
    "dateTime": "datetime",
    "hidden": "hidden",
    "href": "href",
    "id": "id",
    "itemProp": "itemprop",
    "lang": "lang",
    "role": "role",
    "rowSpan": "rowspan",
    "src": "src",
    "start": "start",
}


class _End(NamedTuple):
    """What stands behind the content of an element or a row that is being written."""

    html: str
    row: str = ""


def as_elements(rows: Mapping[str, Any], limit: int) -> str:
    """Return the HTML of the elements with the most text in one of *rows*, or an empty string.

    :param rows: the values of the rows by their ids
    :param limit: characters of text that are written
    """
    writer = _Writer(rows, limit)
    found = (
        "".join(writer.written(element))
        for value in rows.values()
        for element in writer.outermost(value)
    )
    return max(found, key=len, default="")


class _Writer:
    """Writes elements as HTML, within its limits."""

    def __init__(self, rows: Mapping[str, Any], limit: int) -> None:
        self._rows = rows
        self._chars = limit
        self._nodes = MAX_NODES

    def _spend(self, chars: int = 0) -> bool:
        self._nodes -= 1
        self._chars -= chars
        return self._nodes > 0 and self._chars > 0

    def outermost(self, value: Any) -> Iterator[list[Any]]:
        """Yield the elements in *value* that are not in others."""
        waiting = [value]
        while waiting and self._spend():
            node = waiting.pop()
            if _is_element(node):
                yield node
            elif isinstance(node, (list, dict)):
                children = node.values() if isinstance(node, dict) else node
                waiting += (child for child in children if isinstance(child, (list, dict)))

    def written(self, element: list[Any]) -> Iterator[str]:
        """Yield the HTML of *element* in parts."""
        waiting: list[Any] = [element]
        inside: set[str] = set()  # rows, so that none is written in itself
        while waiting and self._spend():
            node = waiting.pop()
            if isinstance(node, _End):
                inside.discard(node.row)
                yield node.html
            elif _is_element(node):
                yield from self._begun(node, waiting)
            elif isinstance(node, list):
                waiting += reversed(node)
            elif isinstance(node, str) and (found := _REFERENCE.fullmatch(node)):
                if found[1] not in inside:
                    inside.add(found[1])
                    waiting += (_End("", found[1]), self._rows.get(found[1]))
            else:
                yield self._text(node)

    def _begun(self, element: list[Any], waiting: list[Any]) -> Iterator[str]:
        """Yield the begin of *element*, and add what follows to *waiting*."""
        tag, properties = element[1], element[3]
        if tag in _UNSHOWN:
            return
        if _TAG.fullmatch(tag) and tag not in _WHOLE_PAGE:
            yield f"<{tag}{''.join(_attributes(properties))}>"
            if tag in _VOID:
                return
            waiting.append(_End(f"</{tag}>"))
            if html := self._raw(properties):
                yield html
                return
        waiting.append(properties.get("children"))

    def _text(self, value: Any) -> str:
        if isinstance(value, str) and (not value.startswith("$") or value.startswith("$$")):
            text = value.removeprefix("$")
            return escape(text, quote=False) if self._spend(len(text)) else ""
        return str(value) if type(value) in (int, float) else ""

    def _raw(self, properties: dict[str, Any]) -> str:
        """Return the HTML that is the content of an element, or an empty string."""
        inner = properties.get("dangerouslySetInnerHTML")
        html = inner.get("__html") if isinstance(inner, dict) else None
        if isinstance(html, str) and (found := _REFERENCE.fullmatch(html)):
            html = self._rows.get(found[1])
        return html if isinstance(html, str) and self._spend(len(html)) else ""


def _is_element(value: Any) -> bool:
    return (
        isinstance(value, list)
        and len(value) > 3
        and value[0] == "$"
        and isinstance(value[1], str)
        and isinstance(value[3], dict)
    )


def _attributes(properties: dict[str, Any]) -> Iterator[str]:
    for name, value in properties.items():
        attribute = _ATTRIBUTES.get(name)
        if attribute and value is True:
            yield f' {attribute}=""'
        elif attribute and isinstance(value, (str, int)) and value not in {False, "$undefined"}:
            yield f' {attribute}="{escape(str(value))}"'
