"""Wiki engines and site generators that a page shows, and which of their URLs are no content.

The engines are data: ``engines.yml`` in this folder, whose comment describes the format.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cache
from html import unescape
from importlib.resources import files
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urljoin, urlsplit
from weakref import WeakKeyDictionary

import re2
import yaml

from wikicrawler.text.lazy_pattern import LazyPattern
from wikicrawler.text.safe import one_line, quoted
from wikicrawler.text.yaml import Problems, Value, compose
from wikicrawler.urls.splitting import PLAIN_ORIGIN

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scrapy.http import Response

HEAD = 64 * 1024
"""Bytes of a page that are searched for its engine."""
_QUICK = 8 * 1024
_MAX_URL = 8_000

_KEYS = (
    *("id", "name", "page", "root", "chrome", "root_chrome", "lists", "root_lists", "defaults"),
    *("canonical", "alias", "index_file", "marks_external"),
)
_STATED = ("root", "canonical", "alias")
_MARKUP = (*_STATED, "defaults")
_TEXTS = ("id", "name", "index_file")
_OPTIONS = re2.Options()
_OPTIONS.log_errors = False  # RE2 would log to stderr
_SEPARATORS = (("?", "%3F"), ("&", "%26"), (";", "%3B"))
# Escaped in a query, these separate no parameters.
_KEPT = (("%26", "%2526"), ("%3B", "%253B"), ("%3b", "%253B"), ("%3D", "%253D"), ("%3d", "%253D"))


class Kind(Enum):
    """What a URL of an engine is, if it is no content."""

    CHROME = "chrome"
    LIST = "list"
    """A list of pages, whose links are followed."""


@dataclass(frozen=True, slots=True)
class Engine:
    """An engine, by its entry in ``engines.yml``."""

    id: str
    name: str
    page: tuple[str, ...]
    root: Any
    chrome: Any
    root_chrome: Any
    lists: Any
    root_lists: Any
    defaults: Any
    canonical: Any
    alias: Any
    marks_external: bool
    index_file: str = ""


class EnginePage:
    """A page that an engine made.

    :param url: its URL
    :param head: its first bytes, at most :data:`HEAD` of which are read
    """

    def __init__(self, engine: Engine, url: str, head: bytes) -> None:
        self.engine = engine
        head = head[:HEAD]
        self._place = _origin(url)
        root = self._stated(engine.root, url, head)
        self._root = root if root is None or root.endswith("/") else root + "/"
        canonical = self._stated(engine.canonical, url, head)
        if canonical is None and (alias := self._stated(engine.alias, url, head)) is not None:
            canonical = min(alias, url)  # on either page the same of the two
        self.canonical = canonical
        """The URL that stands for the page, as its engine states it in a way of its own."""
        self.has_defaults = engine.defaults is not None and _has(engine.defaults, head)
        """True if what the page states to robots is the engine's default, not a wish."""

    def _stated(self, pattern: Any, url: str, head: bytes) -> str | None:
        """Return the absolute URL on the page's host that *pattern* finds; None without one."""
        found = pattern.search(head) if pattern is not None else None
        if found is None:
            return None
        relative = found[found.lastindex].decode("utf-8", "replace").replace("\\/", "/")
        try:
            stated = urljoin(url, unescape(relative) or "./")
        except ValueError:
            return None
        return stated if _origin(stated) == self._place else None

    def other_name(self, url: str) -> str | None:
        """Return the other URL of the page at *url*: with the name of the index file, or without;
        None if there is none."""
        name = self.engine.index_file
        if not name or "?" in url or _origin(url) != self._place:
            return None
        if url.endswith("/"):
            return url + name
        return url.removesuffix(name) if url.endswith(f"/{name}") else None

    def kind_of(self, url: str) -> Kind | None:
        """Return what *url* is for the engine; None for content and URLs of other hosts."""
        if _origin(url) != self._place or len(url) > _MAX_URL:
            return None
        engine = self.engine
        subject = _subject(url)
        if _has(engine.lists, subject):
            return Kind.LIST
        if _has(engine.chrome, subject):
            return Kind.CHROME
        if self._root is not None and url.startswith(self._root):
            rest = url[len(self._root) :].encode("utf-8", "replace")
            if _has(engine.root_lists, rest):
                return Kind.LIST
            if _has(engine.root_chrome, rest):
                return Kind.CHROME
        return None


def engine_of(response: Response) -> EnginePage | None:
    """Return the page *response* as a page of its engine; None if none is recognised.

    It is looked for once in each response.
    """
    if response not in _of_responses:
        _of_responses[response] = engine_page(response.url, response.body)
    return _of_responses[response]


_of_responses: WeakKeyDictionary[Response, EnginePage | None] = WeakKeyDictionary()


def engine_page(url: str, body: bytes) -> EnginePage | None:
    """Return the page at *url* as a page of its engine; None if none is recognised."""
    head = body[:HEAD]
    engines, fingerprints = shipped_engines()
    number = fingerprints.first_in(head)
    return None if number is None else EnginePage(engines[number], url, head)


class Fingerprints:
    """The patterns for the pages of *engines*, compiled."""

    def __init__(self, engines: Sequence[Engine]) -> None:
        self._owners: list[int] = []
        self._all = re2.Set.SearchSet(_OPTIONS)
        for number, engine in enumerate(engines):
            for pattern in engine.page:
                self._all.Add(pattern.encode())
                self._owners.append(number)
        self._all.Compile()
        first = "|".join(f"(?:{pattern})" for pattern in engines[0].page)
        self._first = re2.compile(first.encode(), _OPTIONS)

    def first_in(self, head: bytes) -> int | None:
        """Return the number of the first engine with a pattern that matches *head*; None if none
        does."""
        # Most pages of the first engine show it soon, and no other has to be looked for then.
        if self._first.search(head[:_QUICK]):
            return 0
        found = self._all.Match(head)
        return min(self._owners[number] for number in found) if found else None


@cache
def shipped_engines() -> tuple[tuple[Engine, ...], Fingerprints]:
    """Return the engines of ``engines.yml``, and their fingerprints."""
    name = "engines.yml"
    data = files("wikicrawler.scope").joinpath(name).read_bytes()
    engines = parse_engines(data, name, tested=True)
    return engines, Fingerprints(engines)


def parse_engines(data: bytes, name: str, *, tested: bool = False) -> tuple[Engine, ...]:
    """Parse the engines in a YAML file's *data*.

    :param tested: as that of :class:`~wikicrawler.text.yaml.Problems`: patterns are not compiled
        before they are used
    :raises ConfigError: the file is invalid; the message lists all errors with their lines
    """
    problems = Problems(name, tested=tested)
    top = compose(data, problems)
    engines = [_engine(value) for value in _entries(top)] if top is not None else []
    names = [engine.id for engine in engines]
    if top is not None and len(set(names)) != len(names):
        top.wrong("an id is not unique")
    problems.raise_if_any()
    return tuple(engines)


def _engine(value: Value) -> Engine:
    fields = value.fields(_KEYS, "an engine")
    for key in ("id", "name", "page"):
        if key not in fields:
            value.wrong(f"lacks {key}")
    texts = {key: fields[key].text("text") or "" for key in _TEXTS if key in fields}
    flag = fields["marks_external"].flag() if "marks_external" in fields else False
    page = fields.get("page")
    return Engine(
        id=texts.get("id", ""),
        name=texts.get("name", ""),
        page=tuple(map(_any_quotes, _patterns(page))) if page is not None else (),
        root=_compiled(fields, "root"),
        chrome=_compiled(fields, "chrome"),
        root_chrome=_compiled(fields, "root_chrome"),
        lists=_compiled(fields, "lists"),
        root_lists=_compiled(fields, "root_lists"),
        defaults=_compiled(fields, "defaults"),
        canonical=_compiled(fields, "canonical"),
        alias=_compiled(fields, "alias"),
        marks_external=bool(flag),
        index_file=texts.get("index_file", ""),
    )


def _entries(value: Value) -> list[Value]:
    if not isinstance(value.node, yaml.SequenceNode):
        value.wrong("is not a list")
        return []
    return [
        Value(node, f"{value.key}[{index}]", value.problems)
        for index, node in enumerate(value.node.value)
    ]


def _patterns(value: Value) -> Iterable[str]:
    """Yield the valid patterns of a list; report the others."""
    for entry in _entries(value):
        text = entry.text("a regular expression (put it in quotes)")
        if text is not None and _compile(text, entry) is not None:
            yield text


def _any_quotes(pattern: str) -> str:
    """Return *pattern* for attributes with any quotes or none, as minified pages have them: each
    quote outside of brackets matches those."""
    found, in_brackets = "", False
    for character in pattern:
        escaped = found.endswith("\\")
        if character in "[]" and not escaped:
            in_brackets = character == "["
        found += "[\"']?" if character == '"' and not in_brackets else character
    return found


def _compiled(fields: dict[str, Value], key: str) -> Any:
    """Return a pattern, or the alternatives of a list of them, compiled; None without the key."""
    value = fields.get(key)
    if value is None:
        return None
    if isinstance(value.node, yaml.SequenceNode):
        text = "|".join(f"(?:{pattern})" for pattern in _patterns(value))
    else:
        text = value.text("a regular expression (put it in quotes)") or ""
    pattern = _compile(_any_quotes(text) if key in _MARKUP else text, value)
    if key in _STATED and not value.problems.tested and pattern is not None and not pattern.groups:
        value.wrong('needs a group for the URL, like \'href="([^"]*)"\'')
    return pattern


def _compile(text: str, value: Value) -> Any:
    if value.problems.tested:
        return LazyPattern(text.encode(), _OPTIONS)
    try:
        return re2.compile(text.encode(), _OPTIONS)
    except re2.error as error:
        value.wrong(f"{quoted(text)} is not an RE2 pattern: {one_line(error, 120)}")
        return None


def _has(pattern: Any, text: bytes) -> bool:
    return pattern is not None and pattern.search(text) is not None


def _subject(url: str) -> bytes:
    """Return path and query of *url* with their letters decoded, in UTF-8."""
    parts = urlsplit(url)
    query = parts.query
    if "%" in query:
        for escaped, kept in _KEPT:
            query = query.replace(escaped, kept)
        query = unquote(query)
    path = unquote(parts.path)
    for separator, escaped in _SEPARATORS:  # what is one in a query is none in a path
        path = path.replace(separator, escaped)
    return (f"{path}?{query}" if query else path).encode("utf-8", "replace")


def _origin(url: str) -> str:
    if plain := PLAIN_ORIGIN.match(url):
        return plain[1]
    try:
        return urlsplit(url).netloc
    except ValueError:
        return ""
