"""Which tiers are tried for a page, in which order, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from wikicrawler.explain.page_text import left_out_text
from wikicrawler.text.safe import quoted
from wikicrawler.urls.addresses import parse_url, redact

if TYPE_CHECKING:
    from wikicrawler.explain.facts import PageExplanation

_UNUSABLE = {"no_server", "only_ours", "no_wiki"}


class Step(NamedTuple):
    """A tier in the order in which a crawl tries them."""

    tier: str
    is_usable: bool
    why: str


def asked_url(text: str) -> str:
    """Return the URL *text* as Scrapy requests it.

    :raises ValueError: it is none; the message is a sentence
    """
    try:
        return parse_url(text)
    except ValueError as error:
        raise ValueError(f"{quoted(redact(text), 120)} {error}") from None


def steps_of(page: PageExplanation) -> list[Step]:
    """Return what a crawl tries; nothing if a policy of the project decides."""
    if page.decided_by == "learned":
        order = page.decision.order if page.decision else ()
    elif page.decided_by == "static":
        order = page.static_order
    else:
        return []
    left_out = {out.tier: left_out_text(out) for out in page.left_out if out.why in _UNUSABLE}
    estimates = {
        one.tier: f"brings {one.success.mean:.1%} of such pages, at {one.cost_index:,.2f} plain "
        "GETs each"
        for one in page.tiers
    }
    return [
        Step(tier, tier not in left_out, left_out.get(tier) or estimates.get(tier, ""))
        for tier in order
    ]
