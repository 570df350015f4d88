"""Pairs of versions of documents that nobody looked at while the rules were written.

Each file of ``documents/`` has one document (``body``), edits that are only noise (``noise``) and
changes (``changes``), each with its label. Each entry makes a pair:

- an edit of ``noise`` alone, and all of them together: ``unchanged``
- a change, with the noise that it names: its ``label`` and ``sections``

Documents of the format ``html`` go through the converter, as a crawled page does. A document and
all of its pairs belong to one split, by a hash of the document's name (or of its ``family``, for
versions of one text), so that a rule that is mended for one split has not seen the other.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from wikicrawler.content.conversion import convert

DOCUMENTS = Path(__file__).parent / "documents"

Sections = frozenset[tuple[tuple[str, ...], str]]


class Pair(NamedTuple):
    name: str
    split: str
    labels: frozenset[str]
    """The labels that are right, usually one."""
    old: str
    new: str
    sections: tuple[Sections, ...]
    """The sets of sections that are right; empty if they are not judged."""


def read(documents: Path = DOCUMENTS) -> list[Pair]:
    """Return all pairs of the folder *documents*, in the order of their names."""
    pairs: list[Pair] = []
    for path in sorted(documents.glob("*.yml")):
        pairs += _read_document(path)
    return pairs


def split_of(document: str) -> str:
    """Return the split of the document or family with this name: ``dev`` or ``held_out``."""
    return "held_out" if hashlib.sha256(document.encode()).digest()[0] % 2 else "dev"


def _read_document(path: Path) -> list[Pair]:
    document = yaml.safe_load(path.read_text(encoding="utf-8"))
    name, body, noises = path.stem, document["body"], document.get("noise") or {}
    split = split_of(document.get("family", name))
    old = _text(document, body)
    pairs = []

    def add(suffix: str, new: str, labels: set[str], sections: tuple[Sections, ...] = ()) -> None:
        pairs.append(Pair(f"{name}/{suffix}", split, frozenset(labels), old, new, sections))

    for key, edits in noises.items():
        add(f"noise-{key}", _text(document, _edit(body, edits)), {"unchanged"})
    if len(noises) > 1:
        everything = body
        for edits in noises.values():
            everything = _edit(everything, edits)
        add("noise-all", _text(document, everything), {"unchanged"})
    for change in document["changes"]:
        new = change.get("after") or _patch(body, change.get("lines", []))
        for key in change.get("noise", ()):
            new = _edit(new, noises[key])
        new = _edit(new, change.get("edits", {}))
        labels = {change["label"]} | ({change["or_label"]} if "or_label" in change else set())
        expected = tuple(
            frozenset(
                (tuple(document.get(part, part) for part in where), action)
                for where, action in change[key]
            )
            for key in ("sections", "or_sections")
            if key in change
        )
        add(change["id"], _text(document, new), labels, expected)
    return pairs


def _text(document: dict[str, Any], body: str) -> str:
    if document["format"] == "html":
        return convert(body, document["url"]).markdown
    return body


def _edit(body: str, edits: dict[str, str]) -> str:
    for old, new in edits.items():
        assert body.count(old) == 1, (body.count(old), old)
        body = body.replace(old, new)
    return body


def _patch(body: str, hunks: list[Any]) -> str:
    lines = body.splitlines(keepends=True)  # a form feed ends a line, too, and has to stay
    for start, end, new in reversed(hunks):
        lines[start:end] = [f"{line}\n" for line in new.splitlines()]
    return "".join(lines)


def plain_headings(sections: Sections) -> Sections:
    """Return *sections* with plain spaces and straight quotation marks in the headings."""
    return frozenset(
        (tuple(re.sub(r"\s+", " ", heading.replace("’", "'")) for heading in headings), action)
        for headings, action in sections
    )
