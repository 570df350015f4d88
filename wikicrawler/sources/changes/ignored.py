"""Leaves out the lines that the operator of a source has named, before documents are compared.

A pattern has to match a whole normalised line, or a whole part of one: a cell, what stands between
two separators, or a sentence. So it cannot cut a value out of a longer sentence. Patterns are of
RE2, which takes linear time.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from wikicrawler.urls.patterns import compile_pattern

if TYPE_CHECKING:
    from wikicrawler.sources.changes.block import Block

MAX_PATTERNS = 50
MAX_PATTERN = 500
"""Characters of a pattern."""
_MAX_LINE = 4_000
"""Characters of a line that is matched; a longer one is text."""
_MAX_FINGERPRINT = 12
_SEPARATORS = re.compile(r"( ?[|·•»›] ?)")
_SENTENCES = re.compile(r"(?<=[.!?]) (?=[A-ZÀ-Ý\d\"'\[*¿¡])")
_FACTS = ("The limit is $806,500 as of January 1, 2025.", "Fee: 45", "§ 1024.5")
"""What a pattern must not match all of: it would hide any change."""

Patterns = Sequence[str]


def check_pattern(pattern: str) -> None:
    """Raise ValueError if *pattern* cannot be used; the message has what is wrong."""
    if len(pattern) > MAX_PATTERN:
        raise ValueError(f"has {len(pattern):,} characters (at most {MAX_PATTERN})")
    compiled = compile_pattern(pattern)
    if compiled.fullmatch(b"") is not None:
        raise ValueError("matches an empty line (write the words of the line that changes)")
    if all(compiled.fullmatch(fact.encode()) is not None for fact in _FACTS):
        raise ValueError("matches any line, so that no change would be seen (name its words)")


def fingerprint(patterns: Patterns) -> str:
    """Return a name of the set of *patterns*, in whatever order; empty if there are none."""
    if not patterns:
        return ""
    found = sha256(json.dumps(sorted(set(patterns))).encode()).hexdigest()
    return found[:_MAX_FINGERPRINT]


def without_ignored(blocks: Sequence[Block], patterns: Patterns) -> list[Block]:
    """Return *blocks* without the lines, and the parts of lines, that *patterns* match."""
    compiled = _compiled(tuple(patterns))
    kept = []
    for block in blocks:
        text = _kept(block, compiled)
        if text == block.text:
            kept.append(block)
        elif text:
            kept.append(block._replace(text=text))
    return kept


def parts_of(block: Block) -> list[str]:
    """Return the parts of *block* that a pattern may match: sentences and what stands between
    separators."""
    if len(block.text) > _MAX_LINE:
        return [block.text]
    segments = (part.strip() for part in _SEPARATORS.split(block.text)[::2])
    return [part for segment in segments if segment for part in _SENTENCES.split(segment)]


def is_match(pattern: str, text: str) -> bool:
    """Return True if *pattern* matches all of *text*."""
    return _matches(_compiled((pattern,)), text)


@lru_cache(maxsize=64)
def _compiled(patterns: tuple[str, ...]) -> tuple[Any, ...]:
    return tuple(map(compile_pattern, patterns))


def _matches(patterns: Sequence[Any], text: str) -> bool:
    encoded = text.encode("utf-8", "replace")
    return any(pattern.fullmatch(encoded) is not None for pattern in patterns)


def _kept(block: Block, patterns: Sequence[Any]) -> str:
    text = block.text
    if len(text) > _MAX_LINE:
        return text
    if _matches(patterns, text):
        return ""
    parts = _SEPARATORS.split(text)
    kept = [_without_sentences(part, patterns) for part in parts[::2]]
    if kept == parts[::2]:
        return text
    if block.kind == "row":  # the place of a value among the cells counts
        parts[::2] = kept
        return "".join(parts)
    found = [
        separator + segment
        for separator, segment in zip(["", *parts[1::2]], kept, strict=True)
        if segment
    ]
    return "".join(found).lstrip(" |·•»›")


def _without_sentences(segment: str, patterns: Sequence[Any]) -> str:
    if not segment.strip() or _matches(patterns, segment.strip()):
        return "" if segment.strip() else segment
    sentences = _SENTENCES.split(segment)
    if len(sentences) == 1:
        return segment
    kept = [sentence for sentence in sentences if not _matches(patterns, sentence.strip())]
    return segment if len(kept) == len(sentences) else " ".join(kept)
