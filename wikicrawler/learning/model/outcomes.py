"""What an attempt says of its tier's ability: success, failure, ban, or nothing at all."""

from __future__ import annotations

from enum import StrEnum

from wikicrawler.errors import Reason

OK = "ok"
"""The word of an attempt that brought its page."""


class Outcome(StrEnum):
    """What an attempt is evidence of."""

    SUCCESS = "success"
    FAILURE = "failure"
    BAN = "ban"  # a failure that also puts our address at risk
    NONE = "none"  # says nothing of the tier: the network's, the page's, or our own doing


_MEANING = {
    Outcome.FAILURE: (
        Reason.HTTP_ERROR,
        Reason.BUSY,  # still so after the waits and the retries
        Reason.API_ERROR,
        Reason.API_OFF,
        Reason.CONSENT,
        Reason.LOGIN,
        Reason.ERROR_PAGE,
        Reason.REDIRECT,  # without end, which cookies may be all that it lacks
        Reason.EMPTY,
        Reason.JS_SHELL,
    ),
    Outcome.BAN: (Reason.BLOCKED, Reason.BLOCKED_CAPTCHA),
    Outcome.NONE: (
        # the way to the server: any tier would have met it
        Reason.NETWORK,
        Reason.TIMEOUT,
        # true of the page: no tier would have done better
        Reason.MISSING,
        Reason.INVALID_TITLE,
        Reason.NOT_HTML,
        Reason.TOO_LARGE,
        Reason.URL_LENGTH,
        # ours: the services of tiers, the conversion, what we decided
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
        Reason.ERROR,
    ),
}

OUTCOMES = {reason: outcome for outcome, reasons in _MEANING.items() for reason in reasons}
"""The outcome of every reason for which a tier fails."""


def outcome_of(reason: str, *, final: bool = False, risks_ban: bool = True) -> Outcome:
    """What an attempt that ended with *reason* (``ok``, or a :class:`Reason`) is evidence of.

    *final*: whether the tier said that its failure is true of the page itself (a soft 404).
    *risks_ban*: whether a block puts our own address at risk; else it is a failure like any other.

    Raises:
        ValueError: *reason* is no reason.
        KeyError: nobody has said yet what that reason means.
    """
    if reason == OK:
        return Outcome.SUCCESS
    if final:
        return Outcome.NONE
    outcome = OUTCOMES[Reason(reason)]
    return Outcome.FAILURE if outcome is Outcome.BAN and not risks_ban else outcome
