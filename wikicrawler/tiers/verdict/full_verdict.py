"""The complete verdict on a response, before and after the conversion, as in the HTTP tier."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikicrawler.content import convert
from wikicrawler.errors import ContentError, Reason
from wikicrawler.tiers.verdict.judge import (
    Verdict,
    explain_early,
    explain_page,
    explain_response,
)

if TYPE_CHECKING:
    from collections.abc import Mapping


def full_verdict(
    status: int, headers: Mapping[str, str], body: bytes, url: str = "https://page.invalid/"
) -> Verdict:
    """Return the verdict on a response. Converts in this process; a crawl uses worker processes.

    :param headers: headers with lower-case names
    """
    verdict = explain_early(status, headers, body)
    if verdict.reason is not None:
        return verdict
    try:
        content = convert(body, url)
        text, is_shown = content.text, "revid" in content.metadata
    except ContentError as error:
        if error.reason is not Reason.EMPTY:
            verdict = explain_response(status, headers, body)
            if verdict.reason is not None:
                return verdict
            return Verdict(error.reason, "conversion", evidence=(error.detail,), final=True)
        text, is_shown = "", False
    return explain_page(status, headers, body, text, is_shown=is_shown)
