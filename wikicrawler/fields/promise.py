"""Which links of a site promise the fields that are missing."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wikicrawler.fields.models import FieldDefinition

_WORD = re.compile(r"[^\W\d_]+")
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_MAX_TEXT = 2_000
"""Characters of a URL, or of a description, in which words are looked for."""
_LEAST = 3
"""Letters of a word that counts."""
_COMMON = frozenset(
    {
        *("the", "and", "for", "with", "from", "that", "this", "what", "which", "are", "was"),
        *(
            "name",
            "list",
            "all",
            "any",
            "its",
            "has",
            "have",
            "how",
            "page",
            "html",
            "www",
            "index",
        ),
        *("value", "number", "string", "text", "each", "who", "when", "where", "php", "com"),
    }
)
_RELATED = (
    frozenset({"price", "pricing", "plan", "cost", "fee", "rate", "buy", "shop", "tariff"}),
    frozenset(
        {"team", "people", "staff", "member", "leadership", "management", "board", "founder"}
    ),
    frozenset({"ceo", "cto", "cfo", "founder", "leadership", "management", "executive", "team"}),
    frozenset({"email", "mail", "phone", "telephone", "fax", "address", "contact", "imprint"}),
    frozenset({"address", "location", "headquarter", "office", "contact", "city", "country"}),
    frozenset({"company", "about", "founded", "history", "mission", "profile", "organisation"}),
    frozenset({"employee", "career", "job", "about", "company", "team", "size"}),
    frozenset({"description", "about", "overview", "summary", "intro"}),
    frozenset({"hour", "opening", "open", "visit", "contact", "location", "time"}),
    frozenset({"product", "feature", "service", "solution", "catalog", "catalogue", "shop"}),
    frozenset({"license", "licence", "legal", "term", "copying"}),
    frozenset({"privacy", "legal", "policy", "gdpr", "imprint"}),
    frozenset({"release", "version", "changelog", "download", "new"}),
    frozenset({"event", "date", "schedule", "programme", "program", "calendar"}),
)
"""Words of which one in a URL promises a field with another one."""


class LinkPromise:
    """Ranks links by the words that they share with fields."""

    def __init__(self, fields: Iterable[FieldDefinition]) -> None:
        self._named = {field.name: _words(field.name) for field in fields}
        self._described = {field.name: _words(field.description) for field in fields}

    def of(self, url: str, missing: Iterable[str]) -> int:
        """Return how much the page at *url* promises of the fields named *missing*; 0 is
        nothing."""
        parts = urlsplit(url[:_MAX_TEXT])
        words = _words(unquote(f"{parts.path} {parts.query}"))
        if not words:
            return 0
        return max((self._score(words, name) for name in missing), default=0)

    def _score(self, words: frozenset[str], field: str) -> int:
        named, described = self._named[field], self._described[field]
        if words & named:
            return 3
        if any(words & group and named & group for group in _RELATED):
            return 2
        return int(bool(words & described))


def _words(text: str) -> frozenset[str]:
    """Return the words of *text* in lower case and without the plural's s."""
    found = (
        word.lower()
        for piece in _WORD.findall(text[:_MAX_TEXT])
        for word in _HUMP.split(piece)
        if len(word) >= _LEAST
    )
    stems = (w[:-1] if w.endswith("s") and not w.endswith("ss") else w for w in found)
    return frozenset(stem for stem in stems if stem not in _COMMON)
