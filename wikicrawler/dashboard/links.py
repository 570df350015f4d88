"""Links: to foreign pages, and to the pages of a source."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote, urlsplit

from markupsafe import Markup

from wikicrawler.dashboard.formats import shown
from wikicrawler.text.safe import hide_logins

if TYPE_CHECKING:
    from collections.abc import Mapping

_MAX_URL = 4_000
_SCHEMES = frozenset({"http", "https"})


def outside(url: object, limit: int = 120) -> Markup:
    """Return a foreign *url* as a link, or as text if it is not one of HTTP that can be opened.

    The other site does not learn where the link stood.

    :param limit: characters of the URL that are shown
    """
    text = str(url)
    if not _can_be_opened(text):
        return shown(text, limit)
    return Markup('<a href="{}" rel="noreferrer noopener">{}</a>').format(text, shown(text, limit))


def source_path(source_id: object, *rest: object, **query: object) -> str:
    """Return the path of the page of a source, or of a page below it.

    :param query: parameters; those that are None or empty are left out
    """
    path = "/".join(["/sources", *(quote(str(part), safe="") for part in (source_id, *rest))])
    return path + _query(query)


def _query(values: Mapping[str, object]) -> str:
    pairs = [
        f"{name}={quote(str(value).encode('utf-8', 'replace'), safe='')}"
        for name, value in values.items()
        if value not in (None, "")
    ]
    return f"?{'&'.join(pairs)}" if pairs else ""


def _can_be_opened(url: str) -> bool:
    if len(url) > _MAX_URL or not url.isprintable() or hide_logins(url) != url:
        return False
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme.lower() in _SCHEMES and bool(parts.hostname)
