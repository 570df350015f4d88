"""Which pages a crawl of the tests' wiki should find, from MediaWiki's own tables of links.

MediaWiki fills them when it parses the pages, so they know nothing of how we crawl.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path

_PREFIXES = {0: "", 3000: "Guide:"}  # the content namespaces
_Key = tuple[int, str]  # namespace and title as the database has it

_REDIRECTS = """
    SELECT page_namespace, page_title,
           iif(rd_interwiki = '', rd_namespace, -1), iif(rd_interwiki = '', rd_title, '')
    FROM page LEFT JOIN redirect ON rd_from = page_id WHERE page_is_redirect
"""
_LINKS = """
    SELECT page_namespace, page_title, pl_namespace, pl_title
    FROM page JOIN pagelinks ON pl_from = page_id
"""


class Expected(NamedTuple):
    """Titles as a reader sees them, with spaces and namespace."""

    pages: frozenset[str]
    """Content pages that links lead to from the Main Page, through content pages only."""
    redirects: dict[str, str]
    """Redirects on the way, each with the content page where it leads in the end."""
    dead_ends: frozenset[str]
    """Redirects on the way that lead to no content page: in a circle, to a missing page, a
    category, a special page or another wiki."""
    missing: frozenset[str]
    """Content pages that are linked to on the way and do not exist."""


def expected_of(database: Path) -> Expected:
    """What the links in the SQLite file *database* of a MediaWiki 1.39 say."""
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as db:
        pages: set[_Key] = set(db.execute("SELECT page_namespace, page_title FROM page"))
        redirects: dict[_Key, _Key] = {
            (namespace, title): (to_namespace, to_title)
            for namespace, title, to_namespace, to_title in db.execute(_REDIRECTS)
        }
        links: dict[_Key, list[_Key]] = {}
        for namespace, title, to_namespace, to_title in db.execute(_LINKS):
            links.setdefault((namespace, title), []).append((to_namespace, to_title))

    def end_of(key: _Key) -> _Key | None:
        """The content page where *key* leads; None where it leads to none."""
        seen = set()
        while key in redirects and key not in seen:
            seen.add(key)
            key = redirects[key]
        return key if key in pages and key not in redirects and key[0] in _PREFIXES else None

    met: dict[_Key, _Key | None] = {}
    waiting: list[_Key] = [(0, "Main_Page")]
    while waiting:
        key = waiting.pop()
        if key[0] in _PREFIXES and key not in met:
            met[key] = end = end_of(key)
            if end is not None:
                waiting += links.get(key, []) if end == key else [end]

    return Expected(
        pages=frozenset(_text(key) for key, end in met.items() if end == key),
        redirects={_text(key): _text(end) for key, end in met.items() if end and end != key},
        dead_ends=frozenset(_text(key) for key, end in met.items() if not end and key in pages),
        missing=frozenset(_text(key) for key in met if key not in pages),
    )


def _text(key: _Key) -> str:
    namespace, title = key
    return _PREFIXES[namespace] + title.replace("_", " ")
