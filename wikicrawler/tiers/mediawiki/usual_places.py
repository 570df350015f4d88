"""Usual places of a MediaWiki's API, for a wiki whose pages cannot be read."""

from __future__ import annotations

from urllib.parse import parse_qs, urljoin, urlsplit

MAX_PLACES = 5
"""Maximum number of places that are tried on a host."""

# Wikipedia, Fandom and wiki.gg, old installations.
_USUAL = ("/w/api.php", "/api.php", "/wiki/api.php", "/mediawiki/api.php")


def usual_apis(url: str) -> tuple[str, ...]:
    """Return the URLs of ``api.php`` to try for the page at *url*, the most likely first.

    Empty if *url* does not look like a wiki's page: ``/wiki/…``, ``index.php/…``,
    ``index.php?title=…``.
    """
    parts = urlsplit(url)
    path = parts.path
    before, script, title = path.partition("/index.php")
    names_title = script and (title.startswith("/") or "title" in parse_qs(parts.query[:2000]))
    places: tuple[str, ...]
    if names_title:
        places = (f"{before}/api.php", *_USUAL)
    elif path.startswith(("/wiki/", "/w/")) and len(path.rstrip("/")) > len("/wiki"):
        places = _USUAL
    else:
        return ()
    return tuple(urljoin(url, place) for place in dict.fromkeys(places))[:MAX_PLACES]
