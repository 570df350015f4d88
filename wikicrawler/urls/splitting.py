"""URLs in their parts, where strangers wrote them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from urllib.parse import SplitResult

MAX_AUTHORITY = 2_000
"""Maximum length of login, host and port in characters."""

PLAIN_ORIGIN = re.compile(r"\Ahttps?://([a-z0-9.-]+(?::[1-9][0-9]{0,4})?)(?=[/?#]|\Z)")
"""A pattern for the beginning of most URLs. Host and port (group 1) are those of ``urlsplit()``,
which takes ten times as long."""
_AUTHORITY = re.compile(r"[^/?#]*+//([^/?#]*+)")


def split_url(url: str) -> SplitResult:
    """Return :func:`urllib.parse.urlsplit` of *url*, in time linear in its length.

    ``urlsplit`` normalises a host that is not ASCII, which takes quadratic time for a series of
    combining characters: 17 seconds for 128,000 of them.

    :raises ValueError: the host is invalid or too long
    """
    if not url.isascii():
        authority = _AUTHORITY.match(url)
        if authority and len(authority[1]) > MAX_AUTHORITY:
            raise ValueError("has an invalid host name (it is too long)")
        if authority is None and ("\n" in url or "\t" in url or "\r" in url):
            return split_url(re.sub("[\t\r\n]", "", url))  # as urlsplit() does
    return urlsplit(url)
