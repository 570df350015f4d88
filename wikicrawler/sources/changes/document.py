"""A document without noise, and its hashes."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from wikicrawler.sources.changes.characters import fold, without_invisible
from wikicrawler.sources.changes.data import looks_like_yaml, read_json, read_yaml, yaml
from wikicrawler.sources.changes.edges import without_visits
from wikicrawler.sources.changes.frame import without_frame
from wikicrawler.sources.changes.ignored import without_ignored
from wikicrawler.sources.changes.markdown import blocks
from wikicrawler.sources.changes.pages import with_markers, without_furniture
from wikicrawler.sources.changes.spellings import Spellings
from wikicrawler.sources.changes.xml import looks_like_xml, without_comments, xml

if TYPE_CHECKING:
    from wikicrawler.sources.changes.block import Block
    from wikicrawler.sources.changes.ignored import Patterns

RULES_VERSION = "4"
"""Version of the rules of :func:`normalise`. Hashes of different versions cannot be compared."""


def parse(body: str, ignore: Patterns = ()) -> list[Block]:
    """Return the blocks of *body* without noise, and without what the patterns *ignore* match."""
    found = _parse(body)
    return without_ignored(found, ignore) if ignore else found


def _parse(body: str) -> list[Block]:
    text = fold(with_markers(body)).strip("\n ")
    # Folded, a quotation mark of a text could be one of the format.
    raw = without_invisible(body).strip("\n ")
    if text[:1] in ("{", "["):
        found = read_json(raw)
        if found is None:  # spaces of another kind between the members
            found = read_json(text)
        if found is not None:
            return found
    stripped = raw.strip()
    if stripped[:1] == "<" and looks_like_xml(stripped):
        return list(xml(stripped))
    if looks_like_yaml(text):
        return read_yaml(raw) or list(yaml(text))
    markdown = without_furniture(without_comments(text))
    return without_visits(without_frame(list(blocks(markdown, Spellings(raw)))))


def normalise(body: str, ignore: Patterns = ()) -> str:
    """Return the text of *body* without noise, a block on a line.

    :param ignore: patterns of RE2 that match whole lines, or parts of lines, that are noise, too

    The result is for hashes and comparison: it is not Markdown that renders as *body* does.
    """
    return "\n".join(map(str, parse(body, ignore)))


def change_hash(body: str, ignore: Patterns = ()) -> str:
    """Return the hash of the normalised text, which decides whether a document has changed.

    :param ignore: as for :func:`normalise`; hashes of different patterns cannot be compared
    """
    return _hash(normalise(body, ignore))


def content_hash(body: str) -> str:
    """Return the hash of *body* as it is written.

    The text is hashed as UTF-8. A lone surrogate, which UTF-8 cannot express, is hashed as the
    three bytes that its number would have (``surrogatepass``), so different bodies never get the
    same hash for it.
    """
    return _hash(body)


def _hash(text: str) -> str:
    return f"sha256:{sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()}"
