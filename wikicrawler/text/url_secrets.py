"""What in the URL of a notification service may be secret."""

from __future__ import annotations

import re
from urllib.parse import unquote

_PARTS = re.compile(r"[/?&=:@+,]")
_MIN_PART = 8
"""Minimum length of a part to hide; shorter ones match ordinary words."""


def secret_parts(url: str) -> set[str]:
    """Return the texts to hide: all of *url* after its scheme, the password of its login, and each
    long part, because many services have a key in the place of the host or in the path."""
    rest = url.partition("://")[2] or url
    login, at, _ = rest.partition("@")
    found = {rest}
    if at and ":" in login:
        found.add(login.partition(":")[2])
    # The names of hosts are no secrets, and they are in other messages.
    found |= {part for part in _PARTS.split(rest) if len(part) >= _MIN_PART and "." not in part}
    return {text for part in found for text in (part, unquote(part)) if text}


def hide_parts(text: str, url: str) -> str:
    """Return *text* with ``***`` for what is secret in *url*."""
    for part in sorted(secret_parts(url), key=len, reverse=True):
        text = text.replace(part, "***")
    return text
