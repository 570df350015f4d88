"""``list=search`` of the demonstration wiki: pages that have all words of a query."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wikicrawler.demo.recording import RecordedWiki

_TAG = re.compile(r"<style.*?</style>|<[^<>]*>", re.DOTALL)
_WORD = re.compile(r"\w+")
_BEFORE, _SNIPPET = 60, 160
_EDITED = "2024-01-01T00:00:00Z"


def search(recording: RecordedWiki, query: str, limit: int) -> dict[str, Any]:
    """Return ``search`` and ``searchinfo`` of an answer: pages of the main namespace, those with a
    word of *query* in their title first."""
    words = [word.casefold() for word in _WORD.findall(query)]
    found = []
    for page in recording.pages.values():
        if page.title.namespace or page.redirects or not words:
            continue
        title = page.title.text
        text = " ".join(html.unescape(_TAG.sub(" ", page.parse["text"])).split())
        whole = f"{title} {text}".casefold()
        if all(word in whole for word in words):
            in_title = sum(word in title.casefold() for word in words)
            row = {
                "ns": 0,
                "title": title,
                "pageid": page.parse["pageid"],
                "wordcount": len(text.split()),
                "snippet": _snippet(text, words),
                "timestamp": _EDITED,
            }
            found.append((-in_title, title, row))
    rows = [row for _, _, row in sorted(found, key=lambda one: one[:2])]
    return {"searchinfo": {"totalhits": len(rows)}, "search": rows[:limit]}


def _snippet(text: str, words: Iterable[str]) -> str:
    """Return the HTML of the text around the first word that was found."""
    match = re.search("|".join(map(re.escape, words)), text, re.IGNORECASE)
    start = max(match.start() - _BEFORE, 0) if match else 0
    shown = html.escape(text[start : start + _SNIPPET], quote=False)
    for word in words:
        shown = re.sub(
            f"({re.escape(word)})",
            r'<span class="searchmatch">\1</span>',
            shown,
            count=1,
            flags=re.IGNORECASE,
        )
    return shown
