"""Names, passwords and tokens of those who may use the dashboard."""

from __future__ import annotations

import hmac
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from wikicrawler import options
from wikicrawler.errors import ConfigError
from wikicrawler.text.safe import one_line, quoted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scrapy.settings import BaseSettings

OPERATOR = "operator"
"""Name of the user whose password is ``WIKICRAWLER_DASHBOARD_PASSWORD``."""
TOKEN = "token"  # noqa: S105 - a name
"""Name of whoever has the token."""
MAX_SECRET = 1_000
"""Maximum length of a password or token in characters; a longer one is wrong."""
MIN_PASSWORD = 8
MIN_TOKEN = 20
_MAX_NAME = 64
_HASHER = PasswordHasher()


@dataclass(frozen=True, slots=True)
class People:
    """Who may use the dashboard.

    :param hashes: argon2 hashes of passwords by name
    :param token: for programs; empty if there is none
    """

    hashes: Mapping[str, str] = field(default_factory=dict)
    token: str = field(default="", repr=False)
    _unknown: str = field(default="", repr=False)

    @classmethod
    def from_settings(cls, settings: BaseSettings) -> People:
        """Read the settings.

        :raises ConfigError: a hash is not argon2's, or a secret is too short
        """
        hashes = {}
        for name, given in options.DASHBOARD_USERS.read(settings).items():
            hashes[_name(str(name))] = _hash(str(name), str(given))
        if password := options.DASHBOARD_PASSWORD.read(settings):
            _require(options.DASHBOARD_PASSWORD.source(settings), password, MIN_PASSWORD)
            if OPERATOR in hashes:
                raise ConfigError(
                    f"{options.DASHBOARD_USERS.name} and {options.DASHBOARD_PASSWORD.name} both "
                    f"have a password of the user {OPERATOR}: remove one"
                )
            hashes[OPERATOR] = hash_password(password)
        token = options.DASHBOARD_TOKEN.read(settings)
        if token:
            _require(options.DASHBOARD_TOKEN.source(settings), token, MIN_TOKEN)
        return cls(hashes, token, hash_password("nobody's") if hashes else "")

    @property
    def is_closed(self) -> bool:
        """Whether a person has to log in."""
        return bool(self.hashes or self.token)

    @property
    def mark(self) -> str:
        """A text that changes when a password or the token does, so that older sessions end."""
        known = [*sorted(self.hashes.items()), ("", self.token)]
        return sha256(repr(known).encode()).hexdigest()

    def log_in(self, name: str, secret: str) -> str | None:
        """Return the name of who has this password or token, or None.

        Takes some 0.2 s and 64 MB, also for a name that does not exist: call it in a thread.
        """
        if len(secret) > MAX_SECRET:
            return None
        if self.has_token(secret):
            return TOKEN
        known = self.hashes.get(name, "")
        is_right = _is_right(known or self._unknown, secret) if self.hashes else False
        return name if known and is_right else None

    def has_token(self, secret: str) -> bool:
        """Return whether *secret* is the token, in a time that does not depend on it."""
        return bool(self.token) and hmac.compare_digest(secret.encode(), self.token.encode())


def hash_password(password: str) -> str:
    """Return the argon2id hash of *password*."""
    return _HASHER.hash(password)


def _is_right(known: str, password: str) -> bool:
    try:
        return _HASHER.verify(known, password)
    except (VerificationError, InvalidHashError):
        return False


def _name(name: str) -> str:
    if not name or len(name) > _MAX_NAME or not name.isprintable() or name == TOKEN:
        raise ConfigError(
            f"{options.DASHBOARD_USERS.name}: {quoted(name)} is no name for a user (1 to "
            f"{_MAX_NAME} printable characters, not {TOKEN!r})"
        )
    return name


def _hash(name: str, given: str) -> str:
    try:
        _HASHER.check_needs_rehash(given)
    except InvalidHashError:
        raise ConfigError(
            f"{options.DASHBOARD_USERS.name}: the entry of {one_line(name, 80)} is no argon2 hash "
            "(scrapy dashboard --hash-password prints one)"
        ) from None
    return given


def _require(where: str, secret: str, least: int) -> None:
    if not least <= len(secret) <= MAX_SECRET:
        raise ConfigError(f"{where}: {least} to {MAX_SECRET} characters are needed")
