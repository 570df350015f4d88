"""The verdict on an answer as the HTTP tier comes to it: before and after the conversion."""

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


def explain(
    status: int, headers: Mapping[str, str], body: bytes, url: str = "https://page.invalid/"
) -> Verdict:
    """What the answer is: it is judged by its head, converted in this process, judged by its text.

    *headers* have lower-case names. A crawl converts in processes of their own instead.
    """
    verdict = explain_early(status, headers, body)
    if verdict.reason is not None:
        return verdict
    try:
        text = convert(body, url).markdown
    except ContentError as error:
        if error.reason is not Reason.EMPTY:
            verdict = explain_response(status, headers, body)
            if verdict.reason is not None:
                return verdict
            return Verdict(error.reason, "conversion", evidence=(error.detail,), final=True)
        text = ""
    return explain_page(status, headers, body, text)
