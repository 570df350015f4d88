"""The proxy of a site, as ``proxy`` of ``domains`` says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from wikicrawler.credentials.references import SecretRef, read_secret_ref
from wikicrawler.text.safe import quoted
from wikicrawler.urls.addresses import parse_url

if TYPE_CHECKING:
    from wikicrawler.text.yaml import Value

_LIKE = "like http://proxy.internal:3128"
_KEYS = ("url", "user", "password")


@dataclass(frozen=True, slots=True)
class SiteProxy:
    """A proxy for the requests to a site."""

    url: str
    """``http://host:port``, without a login and without a slash at the end."""
    user: str | None = None
    password: SecretRef | None = None

    def __str__(self) -> str:
        return f"{self.url} (user {self.user}, {self.password})" if self.user else self.url


def read_proxy(value: Value) -> SiteProxy | None:
    """Return the proxy in *value*, a URL or a mapping; None if it is invalid."""
    if not value.is_mapping():
        url = _url(value)
        return SiteProxy(url) if url else None
    fields = value.fields(_KEYS, "a mapping")
    if "url" not in fields:
        value.wrong(f"has no url ({_LIKE})")
        return None
    url = _url(fields["url"])
    if ("user" in fields) != ("password" in fields):
        value.wrong("needs both user and password, or none")
        return None
    if "user" not in fields:
        return SiteProxy(url) if url else None
    user, password = _user(fields["user"]), read_secret_ref(fields["password"])
    return SiteProxy(url, user, password) if url and user and password else None


def _url(value: Value) -> str | None:
    text = value.text(f"the URL of a proxy ({_LIKE})")
    if text is None:
        return None
    if "@" in text:  # it is not shown: it may contain a password
        value.wrong("contains a login (write url, user and password: {env: NAME})")
        return None
    try:
        url = parse_url(text)
    except ValueError as error:
        value.wrong(f"{quoted(text)} {error}")
        return None
    parts = urlsplit(url)
    if parts.scheme != "http" or parts.path != "/" or "?" in text or "#" in text:
        value.wrong(f"{quoted(text)} is not the URL of an HTTP proxy ({_LIKE})")
        return None
    return f"http://{parts.netloc}"


def _user(value: Value) -> str | None:
    name = value.text("a user")
    if name is None:
        return None
    if not name or not name.isprintable() or ":" in name or len(name) > 200:
        value.wrong("is not a user of a proxy (printable, without a colon)")
        return None
    return name
