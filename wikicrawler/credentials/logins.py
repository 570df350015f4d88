"""How to log in to a wiki, as ``login`` of ``mediawiki_sites`` says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from wikicrawler.credentials.references import SecretRef, read_secret_ref
from wikicrawler.urls.addresses import DEFAULT_PORTS
from wikicrawler.urls.splitting import split_url

if TYPE_CHECKING:
    from wikicrawler.text.yaml import Value

_MAX_USER = 255  # bytes, as in MediaWiki
_KEYS = ("user", "password", "token")


@dataclass(frozen=True, slots=True)
class WikiLogin:
    """The log-in of a wiki: a user and a password, or an access token."""

    user: str | None
    """``Name@bot`` of a bot password, or the name of an account; None with an access token."""
    secret: SecretRef

    @property
    def kind(self) -> str:
        """``bot password``, ``account`` or ``access token``."""
        if self.user is None:
            return "access token"
        return "bot password" if self.is_bot else "account"

    @property
    def is_bot(self) -> bool:
        # MediaWiki allows no @ in the name of an account.
        return self.user is not None and "@" in self.user

    def __str__(self) -> str:
        who = f"{self.kind} {self.user}" if self.user else self.kind
        return f"{who} ({self.secret})"


def read_login(value: Value) -> WikiLogin | None:
    """Return the log-in in *value*; None if it is invalid."""
    fields = value.fields(_KEYS, "a mapping (with user and password, or token)")
    if not value.is_mapping():
        return None
    if "token" in fields:
        if len(fields) > 1:
            value.wrong("has a token and a user or password (keep one of the two)")
            return None
        secret = read_secret_ref(fields["token"])
        return WikiLogin(None, secret) if secret else None
    if set(fields) != {"user", "password"}:
        value.wrong("needs user and password, or token")
        return None
    user, secret = _user(fields["user"]), read_secret_ref(fields["password"])
    return WikiLogin(user, secret) if user and secret else None


def _user(value: Value) -> str | None:
    name = value.text("a user (like Name@bot)")
    if name is None:
        return None
    bare, at, bot = name.partition("@")
    if not name.isprintable() or not bare.strip() or (at and not bot) or "@" in bot:
        value.wrong("is not a user (like Name@bot of a bot password, or the name of an account)")
    elif len(name.encode()) > _MAX_USER:
        value.wrong(f"has more than {_MAX_USER} bytes")
    else:
        return name
    return None


def origin_of(url: str) -> str:
    """Return scheme, host and port of *url* in lower case; empty if it is no URL of HTTP."""
    try:
        parts = split_url(url)
        port = parts.port or DEFAULT_PORTS[parts.scheme]
    except (ValueError, KeyError):
        return ""
    host = (parts.hostname or "").rstrip(".")
    host = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{host}:{port}" if host else ""
