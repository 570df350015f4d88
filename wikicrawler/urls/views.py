"""URLs of other views of a page: for printers, for phones, in another skin, without a skin."""

from __future__ import annotations

import re

_QUICK = ("printable=", "useskin=", "mobileaction=", "action=render", "print")
_ANY_PAGE = re.compile(
    r"(?<=[?&])(?:printable=(?:yes|true|1)|useskin=[^&#]*|mobileaction=[^&#]*)(?=[&#]|\Z)&?"
)
_RENDER = re.compile(r"(?<=[?&])action=render(?=[&#]|\Z)&?")
_WIKI = re.compile(r"[?&]title=[^&#]|/wiki/[^?#]|/index\.php/[^?#]")
_JOOMLA = re.compile(r"(?<=[?&])(?:tmpl=component|print=1)(?=[&#]|\Z)&?")
_PHPBB = re.compile(r"(?<=[?&])view=print(?=[&#]|\Z)&?")


def page_of_view(url: str) -> str:
    """Return the URL of the page of which *url* is another view; *url* itself if it is none.

    The views are those whose parameters mean nothing else: MediaWiki's ``printable``, ``useskin``,
    ``mobileaction`` and ``action=render``, Joomla's and phpBB's print views.
    """
    if "?" not in url or not any(part in url for part in _QUICK):
        return url
    plain = _ANY_PAGE.sub("", url)
    if "action=render" in plain and _WIKI.search(plain):
        plain = _RENDER.sub("", plain)
    if "tmpl=component" in plain and "print=1" in plain:
        plain = _JOOMLA.sub("", plain)
    if "/viewtopic.php?" in plain:
        plain = _PHPBB.sub("", plain)
    return url if plain == url else plain.rstrip("?&")
