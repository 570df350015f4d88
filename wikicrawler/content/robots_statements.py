"""What a page asks of robots: ``noindex`` and ``nofollow`` in ``<meta>`` and in headers."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lxml.html import HtmlElement

NOINDEX, NOFOLLOW = "noindex", "nofollow"
ALL_ROBOTS = "robots"
"""The name by which a statement addresses every robot."""

_MEANING = {NOINDEX: (NOINDEX,), NOFOLLOW: (NOFOLLOW,), "none": (NOINDEX, NOFOLLOW)}
_MAX_TEXT = 2_000  # characters of a statement that are read
_MAX_STATEMENTS = 50
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,59}")
_SEPARATOR = re.compile(r"[,;\s]")
# Rules of X-Robots-Tag with a value: what stands before their colon is no robot's name.
_RULES_WITH_VALUE = frozenset(
    {"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"}
)
# What is in these is not part of the page. libxml2 reads some of it as elements.
_QUOTING = ("textarea", "template", "noscript", "xmp", "svg", "iframe")

Statements = dict[str, list[str]]
"""``noindex`` and ``nofollow``, sorted, by the lower-case name of the robot addressed."""


def read_meta(metas: Iterable[HtmlElement]) -> Statements:
    """Return what *metas*, the ``<meta>`` elements of a page, state."""
    found: dict[str, set[str]] = {}
    for el in metas:
        name = (el.get("name") or "")[:100].strip().lower()
        content = el.get("content")
        if not content or not _NAME.fullmatch(name):
            continue
        words = _words(_SEPARATOR.split(content[:_MAX_TEXT].lower()))
        if words and next(el.iterancestors(*_QUOTING), None) is None:
            found.setdefault(name, set()).update(words)
            if len(found) >= _MAX_STATEMENTS:
                break
    return _sorted(found)


def read_headers(values: Iterable[str]) -> Statements:
    """Return what headers ``X-Robots-Tag`` with these *values* state.

    A robot's name holds for what follows it in its header: ``otherbot: noindex, nofollow``.
    """
    found: dict[str, set[str]] = {}
    for value in islice(values, _MAX_STATEMENTS):
        robot = ALL_ROBOTS
        for part in value[:_MAX_TEXT].lower().split(","):
            name, colon, rest = part.partition(":")
            if colon and (name := name.strip()) not in _RULES_WITH_VALUE:
                if name != "*" and not _NAME.fullmatch(name):
                    continue
                robot = ALL_ROBOTS if name == "*" else name
            words = _words((rest if colon else part).split())
            if words:
                found.setdefault(robot, set()).update(words)
    return _sorted(found)


def is_nofollow(rel: str | None) -> bool:
    """Return True if the ``rel`` of a link asks robots not to follow it."""
    return bool(rel) and NOFOLLOW in (rel or "")[:_MAX_TEXT].lower().split()


def _words(parts: Iterable[str]) -> set[str]:
    return {word for part in parts for word in _MEANING.get(part, ())}


def _sorted(found: dict[str, set[str]]) -> Statements:
    return {name: sorted(words) for name, words in found.items()}
