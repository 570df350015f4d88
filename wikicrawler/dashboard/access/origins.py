"""The addresses under which the dashboard may be reached.

A request that names another host is refused: a page of a stranger whose name was made to point to
this machine (DNS rebinding) would have the rights of the operator's browser.
"""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import ip_address
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from wikicrawler import options
from wikicrawler.errors import ConfigError
from wikicrawler.text.safe import quoted

if TYPE_CHECKING:
    from collections.abc import Iterable

_LOOPBACK_NAMES = ("localhost", "127.0.0.1", "[::1]")
_ANY = ("0.0.0.0", "::")  # noqa: S104 - to recognise them
_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Origins:
    """Exact origins like ``http://127.0.0.1:8765``."""

    names: frozenset[str]

    @classmethod
    def of(cls, host: str, port: int, more: Iterable[str] = ()) -> Origins:
        """Return the origins of a server at *host* and *port*, and those in *more*.

        :raises ConfigError: an entry of *more* is no origin, or *host* is an address for all
            networks and *more* is empty
        """
        own = _LOOPBACK_NAMES if is_loopback(host) else (_in_url(host),)
        if host in _ANY:
            own = _LOOPBACK_NAMES
        named = [_origin(one) for one in more]
        if host in _ANY and not named:
            raise ConfigError(
                f"--host {host} serves all networks: {options.DASHBOARD_ORIGINS.name} has to name "
                "the addresses that browsers use, like http://10.0.0.5:8765"
            )
        return cls(frozenset([*(_normal("http", name, port) for name in own), *named]))

    def of_host(self, host: str) -> str | None:
        """Return the origin that a request with the header ``Host: host`` is for; None if it is for
        another server."""
        for scheme in ("https", "http"):
            if f"{scheme}://{host.lower()}" in self.names:
                return f"{scheme}://{host.lower()}"
        return None


def is_loopback(host: str) -> bool:
    """Return whether *host*, an address or name to listen on, is of this machine alone."""
    if host.lower() == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _origin(text: str) -> str:
    try:
        parts = urlsplit(text.strip())
        is_origin = parts.scheme in _PORTS and bool(parts.hostname) and parts.username is None
        is_origin = is_origin and parts.path in {"", "/"} and not (parts.query or parts.fragment)
        port = parts.port or _PORTS.get(parts.scheme, 0)
    except ValueError:
        is_origin = False
    if not is_origin:
        raise ConfigError(
            f"{options.DASHBOARD_ORIGINS.name}: {quoted(text)} is no origin "
            "(right would be https://crawls.example.org)"
        )
    return _normal(parts.scheme, _in_url(str(parts.hostname)), port)


def _normal(scheme: str, host: str, port: int) -> str:
    """Return the origin as browsers write it: without the port that the scheme has anyway."""
    shown = "" if _PORTS[scheme] == port else f":{port}"
    return f"{scheme}://{host.lower()}{shown}"


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host and not host.startswith("[") else host
