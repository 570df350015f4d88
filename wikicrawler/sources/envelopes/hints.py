"""What an envelope says of its body, for the pipeline that reads it (``processing``)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

_FENCE = re.compile(r"^ {0,3}(`{3,}+|~{3,}+)", re.MULTILINE)
_HEADING = re.compile(r"^#{1,6} \S", re.MULTILINE)
_TABLE = re.compile(r"^\|[ :|-]+\|$", re.MULTILINE)
_LIST = re.compile(r"^ {0,12}(?:[-*+]|\d{1,9}[.)]) \S", re.MULTILINE)
_SECTIONS = 2  # headings from which a text is cut at them
_LONG = 40_000  # characters
_SHORT = 4_000
_TABLES = 3


def token_estimate(text: str) -> int:
    """Return the approximate number of a language model's tokens: a quarter of the characters."""
    return len(text) // 4


def processing_hints(
    body: str, body_format: str, links: Iterable[str], references: list[str]
) -> dict[str, Any]:
    """Return the ``processing`` part of an envelope.

    - ``suggested_chunk_strategy``: ``section_aware`` for Markdown with two headings or more,
      ``fixed_size`` for raw data, else ``paragraph``.
    - ``estimated_complexity``: ``complex`` from 40,000 characters or three tables, ``simple`` below
      4,000 characters without a table, else ``medium``.

    :param references: citations of other documents that the body has
    """
    is_markdown = body_format == "markdown"
    prose = _without_code(body) if is_markdown else ""
    headings, tables = len(_HEADING.findall(prose)), len(_TABLE.findall(prose))
    if body_format == "raw":
        strategy = "fixed_size"
    else:
        strategy = "section_aware" if headings >= _SECTIONS else "paragraph"
    if len(body) >= _LONG or tables >= _TABLES:
        complexity = "complex"
    else:
        complexity = "simple" if len(body) < _SHORT and not tables else "medium"
    return {
        "suggested_chunk_strategy": strategy,
        "has_tables": tables > 0 if is_markdown else None,
        "has_lists": bool(_LIST.search(prose)) if is_markdown else None,
        "has_code_blocks": bool(_FENCE.search(body)) if is_markdown else None,
        "has_embedded_pdfs": any(_is_pdf(url) for url in links) if is_markdown else None,
        "cross_references": references,
        "estimated_complexity": complexity,
    }


def _is_pdf(url: str) -> bool:
    return url.partition("?")[0].lower().endswith(".pdf")


def _without_code(body: str) -> str:
    """Return *body* without its fenced code blocks."""
    kept, fence = [], ""
    for line in body.split("\n"):
        found = _FENCE.match(line)
        if fence:
            if found and line.strip().startswith(fence) and not line.strip().strip(fence[0]):
                fence = ""
        elif found:
            fence = found[1]
        else:
            kept.append(line)
    return "\n".join(kept)
