"""The verdict on a response: a page, or something that only looks like one.

All tiers share it. Its rules are data (``rules.yml`` in this folder). They match features that an
article *about* the same subject does not have: headers, statuses, the scripts, forms and ids of a
real challenge, and a small amount of text; never words alone.

``python -m wikicrawler.tiers.verdict FILE`` explains the verdict on a saved response.
"""

from wikicrawler.tiers.verdict.judge import (
    Verdict,
    explain_response,
    explain_text,
    has_enough_content,
    has_enough_text,
    judge_early,
    judge_page,
    judge_response,
    judge_status,
    judge_text,
)
from wikicrawler.tiers.verdict.rules import shipped_rules

__all__ = [
    "Verdict",
    "explain_response",
    "explain_text",
    "has_enough_content",
    "has_enough_text",
    "judge_early",
    "judge_page",
    "judge_response",
    "judge_status",
    "judge_text",
    "shipped_rules",
]
