"""Text of links, headings and file names as words that can be compared."""

from __future__ import annotations

import re
import unicodedata
from urllib.parse import unquote, urlsplit

MAX_LABEL = 300
"""Characters of a text that are read."""
_MAX_NAME = 200
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_BOUNDARY = re.compile(r"(?<=[^\W\d])(?=\d)|(?<=\d)(?=[^\W\d])")
_SEPARATORS = re.compile(r"[\W_]+")
_RANDOM = re.compile(r"[0-9a-f]{8}(?:-?[0-9a-f]{4,}){0,5}", re.IGNORECASE)
"""A UUID or a hash, which says nothing."""


def plain(text: str) -> str:
    """Return the first :data:`MAX_LABEL` characters of *text* as lower-case words without accents.

    Words are separated by one space each; numbers are words of their own: ``FY23`` is ``fy 23``,
    ``10-K`` is ``10 k``.
    """
    text = _CAMEL.sub(" ", text[:MAX_LABEL])
    if not text.isascii():
        decomposed = unicodedata.normalize("NFKD", text)
        bare = "".join(c for c in decomposed if not unicodedata.combining(c))
        text = unicodedata.normalize("NFC", bare)
    return _SEPARATORS.sub(" ", _BOUNDARY.sub(" ", text)).strip().lower()


def name_of(url: str) -> str:
    """Return the words of the file name in *url*, without its extension."""
    path = unquote(urlsplit(url).path[-2 * _MAX_NAME :]).rstrip("/")
    name = path.rpartition("/")[2][-_MAX_NAME:]
    stem, dot, extension = name.rpartition(".")
    if dot and len(extension) <= 5:
        name = stem
    return "" if _RANDOM.fullmatch(name) else plain(name)


def path_of(url: str) -> str:
    """Return the words of the folders in the path of *url* and its query."""
    parts = urlsplit(url)
    folders = unquote(parts.path[:_MAX_NAME]).rpartition("/")[0]
    return plain(f"{folders} {unquote(parts.query[:_MAX_NAME])}")
