"""Page metadata from JSON-LD (https://schema.org)."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lxml.html import HtmlElement

MAX_CHARS = 2**20
"""Maximum length of a script in characters; longer ones are ignored."""

_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_PAGES = frozenset(
    {"BlogPosting", "CollectionPage", "FAQPage", "ItemPage", "Recipe", "Report", "TechArticle"}
    | {"WebPage"}
)


def page_nodes(scripts: Iterable[HtmlElement]) -> list[dict[str, Any]]:
    """Return the nodes in *scripts* that describe the page itself: articles, then web pages."""
    found = all_nodes(scripts)
    ranked = [(rank, node) for node in found if (rank := _rank(node)) is not None]
    return [node for _, node in sorted(ranked, key=lambda pair: pair[0])]


def all_nodes(scripts: Iterable[HtmlElement]) -> list[dict[str, Any]]:
    """Return the nodes that *scripts* state, without those inside of others."""
    found: list[dict[str, Any]] = []
    for script in scripts:
        kind = (script.get("type") or "").partition(";")[0].strip().lower()
        if kind == "application/ld+json" and script.text and len(script.text) <= MAX_CHARS:
            try:
                found += _nodes(json.loads(script.text, strict=False), 4)
            except (ValueError, RecursionError):
                continue
    return found


def _nodes(value: Any, depth: int) -> Iterator[dict[str, Any]]:
    if isinstance(value, list) and depth:
        for item in value[:1000]:
            yield from _nodes(item, depth - 1)
    elif isinstance(value, dict):
        yield value
        for name in ("@graph", "mainEntity"):
            if name in value and depth:
                yield from _nodes(value[name], depth - 1)


def _rank(node: dict[str, Any]) -> int | None:
    """Return 0 for an article, 1 for a web page, None for parts of a page (comment, video)."""
    names = kinds_of(node)
    if any(name.endswith("Article") for name in names) or names & (_PAGES - {"WebPage"}):
        return 0
    return 1 if "WebPage" in names else None


def kinds_of(node: dict[str, Any]) -> set[str]:
    """Return the names of the types of *node*, without the address of the vocabulary."""
    stated = node.get("@type")
    kinds = [kind for kind in (stated if isinstance(stated, list) else [stated]) if kind]
    return {str(kind).rpartition("/")[2] for kind in kinds}


def first_value(nodes: list[dict[str, Any]], name: str) -> Any:
    """Return the value of *name* from the first node that has one, else None."""
    return next((node[name] for node in nodes if node.get(name)), None)


def names_in(value: Any) -> list[str]:
    """Return the names in *value*: a person, an organisation, or a list of them."""
    values = value if isinstance(value, list) else [value]
    found = (item.get("name") if isinstance(item, dict) else item for item in values[:100])
    lines = (clean_line(name) for name in found if isinstance(name, str))
    return [line for line in lines if line]


def clean_line(text: str) -> str:
    """Return *text* on one line without control characters, which JSON escapes may contain."""
    return " ".join(_CONTROLS.sub(" ", text).split())


def url_in(value: Any) -> str:
    """Return the URL in *value*: a string, a node with ``url`` or ``@id``, or a list of these.

    Return an empty string if there is none.
    """
    if isinstance(value, list):
        value = next(iter(value), None)
    if isinstance(value, dict):
        value = value.get("url") or value.get("@id")
    return value if isinstance(value, str) else ""
