"""Texts of errors, logins and blocks that a server sends in place of a document."""

from __future__ import annotations

import re2

MAX_TEXT = 20_000
"""Characters of text beyond which a document is no error page."""
_START = 600

_OPTIONS = re2.Options()
_OPTIONS.case_sensitive = False
_OPTIONS.log_errors = False

_RATE_LIMIT = re2.compile(
    rb"request rate threshold exceeded|undeclared automated tool|too many requests", _OPTIONS
)
_ERROR = re2.compile(
    r"\b(http|error|status)( error| status)?( code)?:? ?-? ?[45][0-9]{2}\b|^\W{0,5}[45][0-9]{2}\b"
    r"|\b(page|file|document|resource|content)( you \w+( \w+)?)? (was |could |can ?)?"
    r"(not|no longer) (be )?(found|available|exists?|located)|\bno longer (exists|available)\b"
    r"|\b(access|permission) (is |was )?denied\b|\bforbidden\b|do(n.t| not) have permission"
    r"|\bnot found\b|\bno matching (filings|documents|results)\b|\bserver error\b"
    r"|\bservice (is )?(temporarily )?unavailable\b|\bbad gateway\b|\bgateway time-?out\b"
    r"|\b(down|closed) for (scheduled )?maintenance\b|\bscheduled maintenance\b"
    r"|\bunder maintenance\b"
    r"|\brequest rate threshold exceeded\b|undeclared automated tool|\btoo many requests\b"
    r"|\b(please )?(sign|log) ?in to (view|read|continue|access|download)\b"
    r"|\bverify (that )?you are (a )?human\b|\bchecking your browser\b|\benable javascript\b"
    r"|\bseite (wurde )?nicht gefunden\b|\bmelden sie sich (bitte )?an\b|\bzugriff verweigert\b"
    r"|\bpage (introuvable|non trouvée)\b|\baccès refusé\b|\bpágina no encontrada\b"
    r"|\bacceso denegado\b|\bpagina non trovata\b|\bpágina não encontrada\b"
    r"|\bpagina niet gevonden\b"
    r"|ページが見つかりません|页面不存在|找不到页面",
    _OPTIONS,
)
_TITLE = re2.compile(
    r"^\W*(404|403|500|502|503|sign in|log ?in|anmelden|anmeldung|connexion|error|access denied"
    r"|just a moment|maintenance|wartung|attention required)\b|not found|rate threshold",
    _OPTIONS,
)


def is_rate_limit_page(body: bytes) -> bool:
    """Return whether the *body* of an error says that requests come too fast."""
    return _RATE_LIMIT.search(body[: 64 * 1024]) is not None


def error_text(title: str, text: str, heading: str = "") -> str | None:
    """Return the words by which a document is an error, a login or a block page; None if it is not.

    :param heading: the first heading of an HTML document; empty for others
    """
    if len(text) > MAX_TEXT:
        return None
    found = _TITLE.search(title[:200]) or _TITLE.search(heading[:200])
    found = found or _ERROR.search(text[:_START])
    return None if found is None else str(found[0])
