"""The URL of a Redis: what is right, and what a message may show of it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from urllib.parse import SplitResult

_SCHEMES = frozenset({"redis", "rediss", "unix"})
_DATABASE = re.compile(r"/?[0-9]{0,9}")
RIGHT = (
    "give a URL as redis://HOST:6379/0 (with USER:PASSWORD@ before the host, where Redis wants a "
    "login), rediss://… for TLS, or unix:///PATH?db=0"
)


def check_form(parts: SplitResult) -> None:
    """
    :raises ValueError: redis-py would take the URL for another one
    """
    is_socket = parts.scheme == "unix"
    if parts.scheme not in _SCHEMES or (is_socket and not parts.path):
        raise ValueError
    if not is_socket and not _DATABASE.fullmatch(parts.path):
        raise ValueError
    if parse_qs(parts.query).keys() & {"username", "password"}:  # a log may show it
        raise ValueError


def shown_url(url: str) -> str:
    """Return *url* without its user, password and options; "Redis" where it is none, and its
    password may be anywhere in it."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", f":{parts.port}" if parts.port else ""
    except ValueError:
        return "Redis"
    if parts.scheme == "unix" and "@" not in parts.path:
        return one_line(f"unix://{parts.path}")
    if parts.scheme not in {"redis", "rediss"} or not host or not _DATABASE.fullmatch(parts.path):
        return "Redis"
    return one_line(f"{parts.scheme}://{f'[{host}]' if ':' in host else host}{port}{parts.path}")
