"""What an attempt is evidence of: success, failure, ban, or nothing."""

from __future__ import annotations

from enum import StrEnum

from wikicrawler.errors import Reason

OK = "ok"
"""Reason of a successful attempt."""


class Outcome(StrEnum):
    """What an attempt is evidence of."""

    SUCCESS = "success"
    FAILURE = "failure"
    BAN = "ban"  # a failure that also puts our address at risk
    NONE = "none"  # no evidence about the tier: caused by the network, the page or ourselves


_MEANING = {
    Outcome.FAILURE: (
        Reason.HTTP_ERROR,
        Reason.BUSY,  # even after waits and retries
        Reason.API_ERROR,
        Reason.API_OFF,
        Reason.CONSENT,
        Reason.LOGIN,
        Reason.ERROR_PAGE,
        Reason.REDIRECT,  # a loop, perhaps for want of cookies: another tier may succeed
        Reason.EMPTY,
        Reason.JS_SHELL,
    ),
    Outcome.BAN: (Reason.BLOCKED, Reason.BLOCKED_CAPTCHA),
    Outcome.NONE: (
        # network errors, independent of the tier
        Reason.NETWORK,
        Reason.TIMEOUT,
        # properties of the page, independent of the tier
        Reason.MISSING,
        Reason.INVALID_TITLE,
        Reason.NOT_HTML,
        Reason.TOO_LARGE,
        Reason.URL_LENGTH,
        # our own: services of tiers, conversion, decisions
        Reason.BROWSER_DOWN,
        Reason.BROWSER_CONFIG,
        Reason.BROWSER_ADDRESS,
        Reason.SERVICE_DOWN,
        Reason.SERVICE_CONFIG,
        Reason.CPU_LIMIT,
        Reason.MEMORY_LIMIT,
        Reason.CONVERSION,
        Reason.ROBOTS,
        Reason.PRIVATE_ADDRESS,
        Reason.PAUSED,
        Reason.NO_TITLE,
        Reason.NO_TIER,
        Reason.DUPLICATE,
        Reason.OFFSITE,
        Reason.NAMESPACE,
        Reason.NOINDEX,
        Reason.CHROME,
        Reason.UNREADABLE,
        Reason.ERROR,
    ),
}

OUTCOMES = {reason: outcome for outcome, reasons in _MEANING.items() for reason in reasons}
"""The outcome for each reason of a failed attempt."""


def outcome_of(reason: str, *, final: bool = False, risks_ban: bool = True) -> Outcome:
    """Return the outcome of an attempt with *reason* (``ok``, or a :class:`Reason`).

    :param final: True if the failure is the page's own (a soft 404)
    :param risks_ban: True if a block puts our own address at risk; if False, a block is an ordinary
        failure
    :raises ValueError: *reason* is not a reason
    :raises KeyError: the reason has no outcome yet
    """
    if reason == OK:
        return Outcome.SUCCESS
    if final:
        return Outcome.NONE
    outcome = OUTCOMES[Reason(reason)]
    return Outcome.FAILURE if outcome is Outcome.BAN and not risks_ban else outcome
