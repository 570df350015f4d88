"""Normalisation of page titles, like MediaWiki's MediaWikiTitleCodec."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

_BIDI = re.compile("[\u200e\u200f\u202a-\u202e]")
_SPACES = re.compile("[ _\u00a0\u1680\u180e\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")
_ILLEGAL = re.compile(
    r"[\x00-\x1f\x7f\ufffd\ud800-\udfff<>\[\]{}|]"
    r"|%[0-9A-Fa-f]{2}|&[A-Za-z0-9\x80-\U0010ffff]+;|~~~"
    r"|^\.{1,2}(/|$)|/\.{1,2}(/|$)"
)


class TitleError(ValueError):
    """The title is invalid: no page can have it."""


@dataclass(frozen=True, slots=True)
class Title:
    """A normalised title."""

    namespace: int
    text: str
    """The title with its namespace prefix and with spaces."""

    @property
    def key(self) -> str:
        """The title with underscores, as in URLs and continuations."""
        return self.text.replace(" ", "_")

    @property
    def url(self) -> str:
        """:attr:`key`, percent-encoded as by MediaWiki."""
        return quote(self.key, safe=";@$!*(),/~:", errors="replace")

    @property
    def can_exist(self) -> bool:
        """False for Special and Media, and for a bare ``#fragment``."""
        return self.namespace >= 0 and self.text != ""


class TitleNormaliser:
    """Normalises titles according to the namespaces of a wiki.

    *siteinfo* is the ``query`` member of a siteinfo response in formatversion 2, with
    ``namespaces``, ``namespacealiases`` and ``interwikimap``.
    """

    def __init__(self, siteinfo: dict[str, Any]) -> None:
        self._names: dict[int, str] = {}
        self._numbers: dict[str, int] = {}
        for namespace in siteinfo["namespaces"].values():
            number = namespace["id"]
            self._names[number] = namespace["name"]
            for name in (namespace["name"], namespace.get("canonical", "")):
                if name:
                    self._numbers[name.lower()] = number
        for alias in siteinfo["namespacealiases"]:
            self._numbers[alias["alias"].lower()] = alias["id"]
        self._interwiki = {entry["prefix"] for entry in siteinfo["interwikimap"]}

    @property
    def numbers(self) -> set[int]:
        """Numbers of the wiki's namespaces."""
        return set(self._names)

    def normalise(self, text: str) -> Title:
        """Return the title for *text* (in Unicode normalisation form C), without a ``#fragment``.

        :raises TitleError: no page of this wiki can have the title.
        """
        text = _SPACES.sub(" ", _BIDI.sub("", text)).strip()
        if not text:
            raise TitleError("empty")
        namespace = 0
        if text.startswith(":"):
            text = text[1:].strip()
        prefix, colon, rest = text.partition(":")
        if colon and (number := self._numbers.get(prefix.strip().lower())) is not None:
            namespace, text = number, rest.strip()
        elif colon and prefix.strip().lower() in self._interwiki:
            raise TitleError("a page of another wiki")
        text, fragment, _ = text.partition("#")
        text = text.rstrip()
        if _ILLEGAL.search(text) or text.startswith(":") or len(text.encode()) > 255:
            raise TitleError("illegal characters, a relative path, or too long")
        if not text and (namespace or not fragment):
            raise TitleError("empty")
        text = text[:1].upper() + text[1:]
        name = self._names[namespace]
        return Title(namespace, f"{name}:{text}" if name else text)
