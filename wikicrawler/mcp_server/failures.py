"""Why a call has no answer.

::

    Exception
    └── CallFailed         the message is for the agent
        └── PageFailed     a page was not read (has a Failure and the attempts)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikicrawler.console.safe_log import hide_secrets
from wikicrawler.errors import Reason
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wikicrawler.items import Attempt
    from wikicrawler.pages import Failure

SHOWN_ATTEMPTS = 20
"""The last attempts at a page that an answer has."""
SHOWN_URL = 2000
"""Characters of a URL in an answer."""
_DETAIL = 300

_ADVICE = {
    Reason.ROBOTS: "The site does not allow robots there. Do not try again; read another page.",
    Reason.PRIVATE_ADDRESS: "The operator of this server allows private hosts with the setting "
    "WIKICRAWLER_PRIVATE_HOSTS.",
    Reason.MISSING: "There is no such page. Check the URL, or search for it.",
    Reason.INVALID_TITLE: "The wiki cannot have a page of that title. Check the URL.",
    Reason.NO_TITLE: "The URL is not that of a page of the wiki. Check it.",
    Reason.BUSY: "The site is busy. Try again in a few minutes.",
    Reason.TIMEOUT: "The site does not answer in time. Try again later, or read another page.",
    Reason.NETWORK: "The host cannot be reached. Check the name, or try again later.",
    Reason.PAUSED: "The site blocks this server and is left alone for a while.",
    Reason.BLOCKED: "The site refuses this server. Do not try again soon.",
    Reason.BLOCKED_CAPTCHA: "The site asks for a CAPTCHA. Do not try again soon.",
    Reason.LOGIN: "The page needs a login, which this server does not have.",
    Reason.JS_SHELL: "The page needs a browser: the operator of this server can name one with the "
    "setting CRAWL4AI_URL.",
    Reason.NOT_HTML: "Only HTML pages can be read.",
    Reason.TOO_LARGE: "The page is larger than this server reads.",
}


class CallFailed(Exception):  # noqa: N818 - it is the outcome of a call, not a mistake
    """A call has no answer; the message says why, and what to do."""


class PageFailed(CallFailed):
    """The page at *url* was not read."""

    def __init__(self, url: str, failure: Failure, attempts: Iterable[Attempt] = ()) -> None:
        self.url = url
        self.failure = failure
        self.attempts = tuple(attempts)
        super().__init__(self._message())

    def _message(self) -> str:
        lines = [f"Not read: {shown_url(self.url)}", f"Reason: {reason_text(self.failure)}"]
        if self.attempts:
            lines.append("Tried: " + "; ".join(map(attempt_text, self.attempts[-SHOWN_ATTEMPTS:])))
        if advice := _ADVICE.get(self.failure.reason):
            lines.append(advice)
        return "\n".join(lines)


def shown_url(url: str) -> str:
    """Return *url* as an answer has it: one line, without a login."""
    return one_line(url, SHOWN_URL)


def detail_text(detail: str) -> str:
    """Return *detail* of an attempt or a failure as an answer has it."""
    return hide_secrets(one_line(detail, _DETAIL))


def reason_text(failure: Failure) -> str:
    """Return the reason of *failure*, with its detail, in one line."""
    detail = detail_text(failure.detail)
    return f"{failure.reason.value} ({detail})" if detail else failure.reason.value


def attempt_text(attempt: Attempt) -> str:
    """Return one *attempt* of a tier in one line."""
    status = f" HTTP {attempt['status']}" if attempt["status"] is not None else ""
    detail = detail_text(attempt["detail"])
    return f"{attempt['tier']}: {attempt['reason']}{status}{f' ({detail})' if detail else ''}"
