"""What the audit log records of a tier's request."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, cast

from wikicrawler.audit.wire import plain_label
from wikicrawler.operations import PAGE
from wikicrawler.tiers.state import STATE, TIER, State

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scrapy import Request

    from wikicrawler.audit.record import Label
    from wikicrawler.tiers.tier import Tier


def label_of(tiers: Mapping[str, Tier], request: Request) -> Label:
    """Return what *request* is for: of a tier of *tiers*, of the spider with a tier's result, or of
    neither."""
    label = plain_label(request)
    state = cast("State | None", request.meta.get(STATE))
    tier = tiers.get(state["tier"] if state is not None else request.meta.get(TIER, ""))
    if tier is None:
        return label
    operation = tier.operation if label.operation == PAGE else label.operation
    page_url = state["url"] if state is not None else None
    return replace(label, operation=operation, engine=tier.name, page_url=page_url)
