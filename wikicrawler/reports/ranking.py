"""The order of candidates."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wikicrawler.reports.models import SourceRef

logger = logging.getLogger(__name__)
_LOGGED = 5


def prioritize(candidates: Iterable[SourceRef]) -> list[SourceRef]:
    """Return the candidates, best first: by quality tier, then by priority score, both ascending.

    Equal ones keep their order.
    """
    ranked = sorted(candidates, key=lambda one: (one.tier, one.priority_score))
    if ranked:
        logger.debug("Prioritized %d candidates:", len(ranked))
    for place, one in enumerate(ranked[:_LOGGED], 1):
        logger.debug(
            "  %d. Tier %d, Priority %d - %s", place, one.tier, one.priority_score, one.provider
        )
    return ranked


def merge_equal(candidates: Iterable[SourceRef]) -> list[SourceRef]:
    """Return the candidates without those whose document is offered at a better place.

    Two candidates are equal if they have the same address and content type, and belong to the same
    filing, if to any: the facts of a company have one address for all of its filings. The best one
    is kept, where the first of them stands.
    """
    best: dict[tuple[object, ...], SourceRef] = {}
    for one in candidates:
        if one.url is None and one.path is None:
            best[(id(one),)] = one
            continue
        key = (one.url, one.path, one.content_type, one.accession)
        known = best.get(key)
        if known is None or (one.tier, one.priority_score) < (known.tier, known.priority_score):
            best[key] = one
    return list(best.values())
