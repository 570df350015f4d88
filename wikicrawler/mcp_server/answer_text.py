"""The answers of the tools as text.

What a page says is between two marks with a number that the page cannot know.
"""

from __future__ import annotations

from secrets import token_hex
from typing import TYPE_CHECKING

from wikicrawler.mcp_server.answers import NOTICE
from wikicrawler.mcp_server.failures import SHOWN_ATTEMPTS, attempt_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from wikicrawler.items import Attempt
    from wikicrawler.mcp_server.answers import (
        CrawlSiteAnswer,
        ExplainAnswer,
        ReadPageAnswer,
        SearchWikiAnswer,
    )


def page_text(answer: ReadPageAnswer, attempts: Sequence[Attempt]) -> str:
    """Return *answer* as text."""
    end = answer.offset + len(answer.page_says.text)
    lines = [
        f"Page: {answer.final_url}",
        *([f"Asked for: {answer.url}"] if answer.url != answer.final_url else []),
        f"Fetched: {answer.fetched_at} by the tier {answer.tier or 'none'}"
        + (" (read before by this server)" if answer.from_cache else ""),
        "Attempts: " + "; ".join(map(attempt_text, attempts[-SHOWN_ATTEMPTS:])),
        *([f"Revision: {answer.revid}"] if answer.revid is not None else []),
        f"Content hash: {answer.content_hash}",
        f"Characters {answer.offset:,} to {end:,} of {answer.total_chars:,}",
        f"Next part: offset={answer.next_offset}, content_hash={answer.content_hash}"
        if answer.next_offset is not None
        else "This is the end of the page.",
    ]
    says = answer.page_says
    stated = [f"Title: {says.title}"]
    if says.license:
        stated.append(f"Licence: {says.license}")
    return "\n".join([*lines, "", *marked([*stated, "", says.text])])


def search_text(answer: SearchWikiAnswer) -> str:
    """Return *answer* as text."""
    total = "" if answer.total_hits is None else f" of {answer.total_hits:,}"
    lines = [f"{len(answer.results)}{total} pages found by {answer.api}"]
    stated = []
    if answer.suggestion:
        stated += [f"The wiki suggests: {answer.suggestion}", ""]
    for number, hit in enumerate(answer.results, 1):
        stated += [f"{number}. {hit.page_says.title}", f"   {hit.url}"]
        if hit.page_says.snippet:
            stated.append(f"   {hit.page_says.snippet}")
    return "\n".join([*lines, "", *marked(stated)])


def crawl_text(answer: CrawlSiteAnswer) -> str:
    """Return *answer* as text."""
    lines = [
        f"{answer.read} pages read from {answer.seed}; the crawl ended: {answer.stopped}",
        f"{answer.links_left:,} links were not followed. read_page reads a page of the list "
        "without requesting it again.",
    ]
    if answer.omitted:
        lines.append(f"{answer.omitted} more pages were read and have no room in this list.")
    if answer.skipped_count:
        lines.append(f"{answer.skipped_count} pages were not read or are not listed:")
        lines += [f"- {one.url}: {one.reason}" for one in answer.skipped]
    stated = []
    for number, page in enumerate(answer.pages, 1):
        stated += [
            f"{number}. {page.page_says.title}",
            f"   {page.url} ({page.total_chars:,} characters, tier {page.tier}, "
            f"depth {page.depth})",
            f"   {page.page_says.description}",
        ]
    return "\n".join([*lines, "", *marked(stated)])


def explain_text(answer: ExplainAnswer) -> str:
    """Return *answer* as text."""
    lines = [f"Page: {answer.url}", "Tiers of this server, in the order in which they are tried:"]
    lines += [
        f"- {one.tier}: {'usable' if one.usable else f'not usable ({one.missing})'}"
        for one in answer.tiers
    ]
    if not answer.requests:
        lines.append("This server has not requested the page.")
    for one in answer.requests:
        how = {
            "read": f"read by {one.tier} in {one.seconds:g} s",
            "cached": "answered from the cache",
            "failed": f"not read in {one.seconds:g} s: {one.reason}"
            + (f" ({one.detail})" if one.detail else ""),
            "cancelled": f"cancelled after {one.seconds:g} s",
        }
        lines.append(f"{one.at}: {how.get(one.outcome, one.outcome)}")
        for tier in one.attempts:
            status = f" HTTP {tier.status}" if tier.status is not None else ""
            detail = f" ({tier.detail})" if tier.detail else ""
            lines.append(f"  {tier.tier}: {tier.reason}{status}{detail}")
    if answer.evidence:
        lines += ["", answer.evidence]
    return "\n".join(lines)


def marked(lines: Iterable[str]) -> list[str]:
    """Return *lines*, which pages state, between two marks that no page can know."""
    number = token_hex(8)
    return [
        f"{NOTICE} It is between the two marks with the number {number}.",
        f"<<<PAGE {number}>>>",
        *lines,
        f"<<<END OF PAGE {number}>>>",
    ]
