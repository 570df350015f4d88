"""The text of a page in the data with which its script builds it.

The data is JSON: in ``<script type="application/json">`` (``__NEXT_DATA__``, ``__NUXT_DATA__``),
assigned to a variable (``window.__remixContext = {…}``) or in the rows that React streams. Most of
it is no text of the page: settings, translations, teasers. The text counts that stands in one
object with the page's title or address, or that begins as the page's description does.
"""

from __future__ import annotations

import json
import re
from collections import deque
from contextlib import suppress
from html import escape
from typing import TYPE_CHECKING, Any

from wikicrawler.content.deferred.prose import as_html, is_prose, plain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.html import HtmlElement

MAX_VALUES = 500_000
"""Values that are searched in the data of a page."""
MIN_TEXT = 400
"""Characters of the shortest text that is taken for the page's."""
_MIN_TITLE = 8
_MAX_TITLE = 500
_DESCRIBED = 40
"""Characters of the page's description with which a text begins."""
_DEPTH = 3
"""Levels of objects from the one with the title to its text."""
_TEXT_KEYS = frozenset(
    {"articleBody", "blocks", "body", "content", "document", "html", "markdown", "paragraphs"}
    | {"rendered", "text", "value"}
)
_KIND_KEYS = ("style", "nodeType", "type", "tag")
_HEADING = re.compile(r"(?:heading-?|h)([1-6])")
_ITEM_KEYS = ("headline", "slug", "title")
"""Keys of objects that are pages of their own."""
_ADDRESS_KEYS = frozenset({"canonical", "link", "permalink", "url"})
MAX_ASSIGNED = 100
"""Variables of a page whose values are read."""

_ASSIGNED = re.compile(
    r"(?:(?:window|self|globalThis)(?:\.[\w$]{1,100}+|\[[\"'][\w$.-]{1,100}+[\"']\])"
    r"|(?:var|let|const)\s++[\w$]{1,100}+)\s*+=\s*+(JSON\.parse\(\s*+(?=\")|(?=[{\[]))"
)
_DECODER = json.JSONDecoder(strict=False)


def state_text(
    scripts: list[HtmlElement],
    rows: dict[str, Any],
    url: str,
    stated: tuple[str, str],
    limit: int,
) -> str:
    """Return the text of the page in the data of its *scripts*, as HTML, or an empty string.

    :param rows: that React streams (:mod:`~wikicrawler.content.deferred.flight`)
    :param url: of the page, without fragment
    :param stated: the page's title and description
    :param limit: characters of texts that are read
    """
    title, description = stated
    found = _Search(url, _folded(title), _folded(description), limit)
    for value in _values(scripts):
        found.search(value)
    found.search(list(rows.values()))
    return found.best()


class _Search:
    """A search for the text of a page in its data."""

    def __init__(self, url: str, title: str, description: str, limit: int) -> None:
        self.url = url
        self.title = title
        self.start = description[:_DESCRIBED] if len(description) >= _DESCRIBED else ""
        self._found: list[tuple[bool, str]] = []
        self._values = MAX_VALUES
        self._chars = limit

    def best(self) -> str:
        """Return the longest text found: of those under a key that says so, if there are any."""
        return max(self._found, key=lambda found: (found[0], len(found[1])), default=(False, ""))[1]

    def search(self, value: Any) -> None:
        """Search *value*, and all that is in it."""
        waiting = deque([value])
        seen: set[int] = set()
        while waiting and self._spend():
            node = waiting.popleft()
            if id(node) in seen:  # as in data with references
                continue
            seen.add(id(node))
            children = node.values() if isinstance(node, dict) else node
            waiting += (child for child in children if isinstance(child, (dict, list)))
            if not isinstance(node, dict):
                continue
            title = self._title_of(node)
            if title or self._is_address_of(node):
                heading = f"<h1>{escape(title, quote=False)}</h1>" if title else ""
                self._found += ((said, heading + html) for said, html in self._texts(node))
            elif self.start:
                texts = (text for text in node.values() if self._is_described(text))
                self._found += ((True, as_html(text)) for text in texts if self._is_prose(text))

    def _spend(self, chars: int = 0, values: int = 1) -> bool:
        """Return False if values or characters enough have been searched."""
        self._values -= values
        self._chars -= chars
        return self._values > 0 and self._chars > 0

    def _title_of(self, node: dict[str, Any]) -> str:
        """Return the value in *node* that is the page's title, or an empty string."""
        if not self._spend(values=len(node)):
            return ""
        stated = node.get("title")
        inner = stated.values() if isinstance(stated, dict) else ()
        return next(filter(self._is_title, (*node.values(), *inner)), "")

    def _is_title(self, value: Any) -> bool:
        if not isinstance(value, str) or not _MIN_TITLE <= len(value) <= _MAX_TITLE:
            return False
        name = _folded(value)
        return name == self.title or (name in self.title and 2 * len(name) >= len(self.title))

    def _is_address_of(self, node: dict[str, Any]) -> bool:
        return any(node.get(key) == self.url for key in _ADDRESS_KEYS)

    def _is_described(self, value: Any) -> bool:
        if not isinstance(value, str) or len(value) < MIN_TEXT:
            return False
        return _folded(plain(value[: 10 * _DESCRIBED])).startswith(self.start)

    def _is_prose(self, text: str) -> bool:
        return len(text) >= MIN_TEXT and self._spend(len(text)) and is_prose(text, MIN_TEXT)

    def _texts(self, node: dict[str, Any]) -> Iterator[tuple[bool, str]]:
        """Yield the texts of an object of the page, as HTML, with True if their key says so."""
        waiting = deque([(node, _DEPTH, False)])
        while waiting:
            inner, depth, named = waiting.popleft()
            for key, value in inner.items():
                if not self._spend():
                    return
                said = named or key in _TEXT_KEYS
                if isinstance(value, str):
                    if (said or inner is node) and self._is_prose(value):
                        yield said, as_html(value)
                elif isinstance(value, dict):
                    if depth and (not _is_item(value) or self._title_of(value)):
                        waiting.append((value, depth - 1, said))
                elif isinstance(value, list) and said:
                    html = self._blocks(value)
                    if is_prose(html, MIN_TEXT):
                        yield said, html

    def _blocks(self, items: list[Any]) -> str:
        """Return the text of a list of blocks as HTML; nothing if its items are pages."""
        html = []
        for item in items:
            if not self._spend():
                break
            if not isinstance(item, dict) or _is_item(item):
                return ""
            if text := " ".join("".join(self._strings(item)).split()):
                kinds = (item.get(key) for key in _KIND_KEYS)
                tag = next(filter(None, map(_heading, kinds)), "p")
                html.append(f"<{tag}>{text}</{tag}>")
        return "".join(html)

    def _strings(self, block: dict[str, Any]) -> Iterator[str]:
        """Yield the strings of a block, as HTML, in their order."""
        waiting: list[tuple[str, Any]] = [("", block)]
        while waiting and self._spend():
            key, value = waiting.pop()
            if isinstance(value, str):
                if key in _TEXT_KEYS and self._spend(len(value)):
                    yield value if "<" in value else escape(value, quote=False)
            elif isinstance(value, list):
                waiting += ((key, part) for part in reversed(value))
            elif isinstance(value, dict):
                waiting += reversed(value.items())


def _is_item(node: dict[str, Any]) -> bool:
    return any(key in node for key in _ITEM_KEYS)


def _heading(kind: Any) -> str:
    """Return the tag of a block of that *kind* if it is a heading."""
    found = _HEADING.fullmatch(kind) if isinstance(kind, str) else None
    return f"h{found[1]}" if found else ""


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()


def _values(scripts: list[HtmlElement]) -> Iterator[Any]:
    """Yield the values of the data in *scripts*."""
    for script in scripts:
        text = script.text or ""
        if (script.get("type") or "").partition(";")[0].strip().lower() == "application/json":
            with suppress(ValueError, RecursionError):
                yield _with_references(_DECODER.decode(text))
        else:
            yield from _assigned(text)


def _assigned(text: str) -> Iterator[Any]:
    """Yield the values that a script assigns to variables, if they are JSON."""
    position = 0
    for _ in range(MAX_ASSIGNED):
        found = _ASSIGNED.search(text, position)
        if found is None:
            return
        position = found.end()
        with suppress(ValueError, RecursionError):
            value, position = _DECODER.raw_decode(text, position)
            if found[1]:
                value = _DECODER.decode(value)
            yield value


def _with_references(value: Any) -> Any:
    """Return *value*; if it is a list whose objects refer to its items by number, as Nuxt has it,
    with the items in place."""
    if not isinstance(value, list) or not value or isinstance(value[0], (str, bool, type(None))):
        return value
    dicts = [item for item in value if isinstance(item, dict)]
    if not dicts or not all(type(n) is int for item in dicts for n in item.values()):
        return value

    def item_at(number: Any) -> Any:
        valid = type(number) is int and 0 <= number < len(value)
        return value[number] if valid else number

    for item in value:
        if isinstance(item, dict):
            item.update({name: item_at(number) for name, number in item.items()})
        elif isinstance(item, list):
            item[:] = map(item_at, item)
    return value
