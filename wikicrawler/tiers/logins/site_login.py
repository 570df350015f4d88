"""The log-in to one wiki in one crawl."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from dataclasses import replace
from enum import Enum
from time import monotonic
from typing import TYPE_CHECKING, NoReturn

from wikicrawler.errors import Reason
from wikicrawler.pages import Failure
from wikicrawler.tiers.logins.errors import SiteLoginError
from wikicrawler.tiers.mediawiki.login import (
    is_stale,
    login_form,
    read_login,
    read_token,
    token_url,
)
from wikicrawler.tiers.response_headers import headers_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from scrapy.http import Response
    from scrapy.statscollectors import StatsCollector

    from wikicrawler.config import WikiConfig
    from wikicrawler.guard.site_credentials import SiteSession

logger = logging.getLogger(__name__)

REFUSED_SECONDS = 600.0
"""Seconds for which no log-in is tried after one that was refused."""
FAILED_SECONDS = 30.0
"""Seconds for which no log-in is tried after one that got no answer."""
MAX_LOGINS = 5
"""Maximum number of log-ins in :data:`REFUSED_SECONDS`."""


class Kind(Enum):
    """Kinds of answers. A session may be valid for one of them only."""

    API = "the API"
    HTML = "HTML pages"


class SiteLogin:
    """Logs in to one wiki, and knows whether that is worth another try.

    :param session: what the log-in fills
    :param send: sends a request of a log-in: URL, and whether it is the POST
    """

    def __init__(
        self,
        wiki: WikiConfig,
        session: SiteSession,
        send: Callable[[str, bool], Awaitable[Response | Failure]],
        stats: StatsCollector,
    ) -> None:
        assert wiki.login is not None  # noqa: S101 - only wikis with a log-in have one
        self._wiki, self._login = wiki, wiki.login
        self.session = session
        self._send = send
        self._stats = stats
        self._lock = asyncio.Lock()
        self._failure: Failure | None = None
        self._until = 0.0
        self._begun: deque[float] = deque(maxlen=MAX_LOGINS)
        self._renewed: set[Kind] = set()
        """The kinds for which the last log-in was made, and which no answer has confirmed since."""
        self._reported = False

    async def ready(self) -> None:
        """Return when there is a session. Concurrent callers wait for the same log-in.

        :raises SiteLoginError: there is none, and no log-in is tried now
        """
        if self.session.is_token:
            self._raise_failure()
            return
        if self.session.is_open:
            return
        async with self._lock:
            if self.session.is_open:
                return
            self._raise_failure()
            now = monotonic()
            if len(self._begun) == MAX_LOGINS and now - self._begun[0] < REFUSED_SECONDS:
                detail = f"{MAX_LOGINS} sessions ended in less than {REFUSED_SECONDS / 60:.0f} min"
                self._fail(Failure(Reason.LOGIN, detail))
            self._begun.append(now)
            failure = await self._log_in()
            if failure is not None and (is_stale(failure) or failure.reason is Reason.NETWORK):
                # A kept connection may have been lost, of which a POST is not repeated.
                failure = await self._log_in()
            if failure is not None:
                self._fail(failure)
            self.session.open()
            self._stats.inc_value("site_login/success_count")
            logger.info("Logged in to %s (%s)", self._wiki.api, self._login)

    def confirm(self, kind: Kind, number: int) -> None:
        """Note that session *number* is valid for *kind*."""
        if number == self.session.number:
            self._renewed.discard(kind)

    def has_ended(self, kind: Kind, number: int, denial: str, *, repeated: bool) -> bool:
        """Note that an answer of *kind* to a request of session *number* shows that nobody is
        logged in; return True if the request is to be repeated after :meth:`ready`.

        :param denial: the word or code in the answer
        :param repeated: whether it was repeated already
        :raises SiteLoginError: the session is of no use, and no log-in is tried now
        """
        if self.session.is_token:
            self._give_up(kind, denial)
            return False
        if number != self.session.number or not self.session.is_open:
            return True  # another request has noticed it
        if kind in self._renewed:
            self._give_up(kind, denial)
            return False
        if repeated:
            return False  # the session is valid for other pages
        self.session.begin()
        self._renewed.add(kind)
        self._stats.inc_value("site_login/ended_count")
        logger.info("The session of %s has ended (%s)", self._wiki.api, denial)
        return True

    def _give_up(self, kind: Kind, denial: str) -> None:
        if kind is Kind.HTML:
            if not self._reported:
                self._reported = True
                logger.warning(
                    "%s does not accept the %s for its HTML pages (%s), only for its API%s",
                    self._wiki.api,
                    self._login.kind,
                    denial,
                    "" if self._login.kind == "account" else ", as usual",
                )
            return
        what = "the access token" if self.session.is_token else "the new session"
        self.session.begin()
        self._fail(Failure(Reason.LOGIN, f"the API does not accept {what}: {denial}"))

    def _fail(self, failure: Failure) -> NoReturn:
        """
        :raises SiteLoginError: always
        """
        failure = replace(failure, detail=self.session.hide(failure.detail))
        refused = failure.reason is Reason.LOGIN
        seconds = max(REFUSED_SECONDS if refused else FAILED_SECONDS, failure.retry_after or 0.0)
        self._failure, self._until = failure, monotonic() + seconds
        self._stats.inc_value(f"site_login/failed_count/{failure.reason}")
        logger.error(
            "Not logged in to %s (%s): %s%s. The next log-in is tried in %.0f s",
            self._wiki.api,
            self._login,
            failure.reason,
            f" ({failure.detail})" if failure.detail else "",
            seconds,
        )
        raise self._error(failure, seconds)

    def _raise_failure(self) -> None:
        if self._failure is None:
            return
        remaining = self._until - monotonic()
        if remaining <= 0:
            self._failure = None
            return
        raise self._error(self._failure, remaining)

    @staticmethod
    def _error(failure: Failure, seconds: float) -> SiteLoginError:
        detail = f"not logged in: {failure.detail or failure.reason}"
        return SiteLoginError(failure.reason, detail, seconds)

    async def _log_in(self) -> Failure | None:
        session, api = self.session, self._wiki.api
        session.begin()
        answer = await self._send(token_url(api), False)
        if isinstance(answer, Failure):
            return answer
        token = read_token(*_parts(answer))
        if isinstance(token, Failure):
            return token
        if not session.is_wired:
            return Failure(
                Reason.LOGIN, "the project's own DOWNLOAD_HANDLERS cannot send the password"
            )
        session.fill_in(*login_form(self._login, api, token))
        answer = await self._send(api, True)
        return answer if isinstance(answer, Failure) else read_login(*_parts(answer))


def _parts(answer: Response) -> tuple[bytes, Mapping[str, str], int]:
    return answer.body, headers_of(answer), answer.status
