"""Sessions: signed cookies with a name, a CSRF token and a message for the next page."""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass
from time import time
from typing import TYPE_CHECKING, Any

from itsdangerous import BadSignature, URLSafeTimedSerializer

if TYPE_CHECKING:
    from starlette.responses import Response

MAX_AGE = 12 * 3600
"""Seconds after which a person has to log in again."""
_MAX_COOKIE = 3_000
_MAX_MESSAGE = 600


@dataclass(slots=True)
class Session:
    """What the cookie of a browser says."""

    csrf: str
    user: str = ""
    """Who logged in; empty if nobody did."""
    said: str = ""
    """Message for the next page."""
    is_error: bool = False
    began: float = 0.0
    is_changed: bool = False
    """Whether the cookie has to be sent anew."""

    def say(self, message: str, *, is_error: bool = False) -> None:
        """Keep *message* for the next page."""
        self.said, self.is_error, self.is_changed = message[:_MAX_MESSAGE], is_error, True

    def heard(self) -> tuple[str, bool]:
        """Return the message, which is forgotten, and whether it is an error."""
        said = self.said, self.is_error
        if self.said:
            self.said, self.is_error, self.is_changed = "", False, True
        return said

    def has_csrf(self, given: str) -> bool:
        """Return whether *given* is the CSRF token of this session."""
        return hmac.compare_digest(given.encode(), self.csrf.encode())


class Sessions:
    """Reads and writes the cookies.

    :param key: signs them
    :param mark: of the passwords; a session with another one is over
    :param port: of the server; browsers share cookies among the ports of a host
    """

    def __init__(self, key: str, mark: str, port: int) -> None:
        self._signer = URLSafeTimedSerializer(key, salt=f"dashboard {mark}")
        self.cookie = f"wikicrawler_{port}"

    def read(self, cookie: str | None) -> Session:
        """Return the session of *cookie*; a new one if there is none, or it is over."""
        if cookie and len(cookie) <= _MAX_COOKIE:
            try:
                data: Any = self._signer.loads(cookie, max_age=2 * MAX_AGE)
                session = Session(*data)
            except (BadSignature, TypeError, ValueError):
                return new_session()
            if 0 <= time() - session.began < MAX_AGE:
                return session
        return new_session()

    def write(self, response: Response, session: Session, *, secure: bool) -> None:
        """Send *session* with *response*.

        :param secure: whether the browser came by HTTPS
        """
        data = (session.csrf, session.user, session.said, session.is_error, session.began)
        response.set_cookie(
            self.cookie,
            str(self._signer.dumps(data)),
            max_age=MAX_AGE,
            httponly=True,
            secure=secure,
            samesite="lax",
        )


def new_session(user: str = "") -> Session:
    """Return a session that begins now."""
    return Session(secrets.token_urlsafe(24), user, began=time(), is_changed=True)
