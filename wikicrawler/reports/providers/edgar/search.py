"""Reads answers of the full-text search: which companies they name."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from wikicrawler.reports.providers.edgar import values

MAX_HITS = 100
_DISPLAYED = re.compile(r"\s*\([^()]*\)\s*\(CIK\s+[0-9]{1,10}\)\s*$|\s*\(CIK\s+[0-9]{1,10}\)\s*$")


def read_hits(body: bytes) -> tuple[tuple[int, str], ...]:
    """Return CIK and name of the companies that have hits, those with the most hits first.

    :raises AnswerError: it has another shape
    """
    hits = values.mapping(values.parse(body).get("hits"), "hits")
    counts: Counter[int] = Counter()
    names: dict[int, str] = {}
    for hit in values.rows(hits.get("hits"), "hits.hits")[:MAX_HITS]:
        for cik, name in _companies(hit):
            counts[cik] += 1
            names.setdefault(cik, name)
    return tuple((cik, names[cik]) for cik, _ in counts.most_common())


def _companies(hit: Any) -> list[tuple[int, str]]:
    source = hit.get("_source") if isinstance(hit, dict) else None
    if not isinstance(source, dict):
        return []
    ciks, shown = source.get("ciks"), source.get("display_names")
    if not isinstance(ciks, list) or not isinstance(shown, list) or len(ciks) != len(shown):
        return []
    pairs = ((values.cik(cik), _name(name)) for cik, name in zip(ciks, shown, strict=True))
    return [(cik, name) for cik, name in pairs if cik and name]


def _name(shown: object) -> str:
    """Return the name in ``Demo Inc.  (DMO)  (CIK 0000000042)``."""
    return _DISPLAYED.sub("", values.text(shown))
