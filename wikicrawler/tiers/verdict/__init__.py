"""What came back: a page, or something that only looks like one.

One judge for all tiers. Its rules are data (``rules.yml`` in this folder), and go by facts that a
page *about* the same subject does not show: headers, statuses, the real scripts, forms and ids of
a challenge, and how little text there is; never by words alone.

``python -m wikicrawler.tiers.verdict FILE`` explains the verdict on a saved page.
"""

from wikicrawler.tiers.verdict.judge import (
    Verdict,
    explain_response,
    explain_text,
    judge_early,
    judge_page,
    judge_response,
    judge_status,
    judge_text,
    says_enough,
    shows_enough,
)

__all__ = [
    "Verdict",
    "explain_response",
    "explain_text",
    "judge_early",
    "judge_page",
    "judge_response",
    "judge_status",
    "judge_text",
    "says_enough",
    "shows_enough",
]
