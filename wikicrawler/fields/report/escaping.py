"""Text of strangers in a page of HTML."""

from __future__ import annotations

import json
import re
from html import escape
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from wikicrawler.text.safe import hide_logins

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_VALUE = 300
"""Characters of a value, an evidence or a message that are shown."""
MAX_LINK = 2_000
"""Characters of a URL that is a link."""
_UNSEEN = re.compile(
    # Controls but line end and tab, a parser would change or drop; lone surrogates, which have no
    # UTF-8; marks that turn the direction of what follows; spaces and letters without a width, in
    # which text is hidden; and what is no character.
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u061c\u180e\u200b\u200e\u200f\u2028-\u202e"
    "\u2060-\u206f\ufdd0-\ufdef\ufeff\ufff0-\ufffb\ufffe\uffff\U000e0000-\U000e0fff]"
    # The last two characters of each plane are none either.
    "|["
    + "".join(chr((plane << 16) + low) for plane in range(1, 17) for low in (65534, 65535))
    + "]"
)


def shown(text: str) -> str:
    """Return *text* with the name of each character that cannot be seen: ``\\u202e``.

    This is the text that a reader of the page sees, before it is HTML.
    """
    return _UNSEEN.sub(_name, text)


def html_of(text: str) -> str:
    """Return *text* as HTML for an element or an attribute in quotes. Names of characters that
    cannot be seen stand in it as in :func:`shown`."""
    return escape(shown(text), quote=True)


def short(text: str, limit: int = MAX_VALUE) -> str:
    """Return *text* as HTML, with how many characters are left out if it has more than *limit*."""
    if len(text) <= limit:
        return html_of(text)
    return f"{html_of(text[:limit])}… {note(f'{len(text) - limit:,} more characters')}"


def note(text: str) -> str:
    """Return *text* as HTML for a remark of the report itself."""
    return f'<span class="note">{html_of(text)}</span>'


def text_of(value: Any) -> str:
    """Return a value as a person reads it: a text itself, anything else as JSON."""
    if isinstance(value, str):
        return value
    try:
        return json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        return f"a {type(value).__name__} that has no text"


def page_link(url: str) -> str:
    """Return *url* as HTML: a link if it is one of HTTP without a login, else its text."""
    text = short(hide_logins(url))
    if not _is_link(url):
        return text
    return f'<a href="{html_of(url)}" rel="noopener noreferrer nofollow">{text}</a>'


def table(caption: str, columns: Iterable[str], body: Iterable[str]) -> str:
    """Return a table of HTML.

    :param caption: a text
    :param columns: texts
    :param body: HTML of the rows
    """
    name = html_of(caption)
    head = "".join(f'<th scope="col">{html_of(one)}</th>' for one in columns)
    return (
        f'<div class="wide" role="region" aria-label="{name}" tabindex="0">'
        f"<table><caption>{name}</caption><thead><tr>{head}</tr></thead>"
        f"<tbody>{''.join(body)}</tbody></table></div>"
    )


def row(head: str, *cells: str) -> str:
    """Return a row of a table from the HTML of its cells, of which the first is its header."""
    return f'<tr><th scope="row">{head}</th>{"".join(f"<td>{cell}</td>" for cell in cells)}</tr>\n'


def _is_link(url: str) -> bool:
    if len(url) > MAX_LINK or shown(url) != url or not url.isprintable() or " " in url:
        return False
    try:
        parts = urlsplit(url)
        _ = parts.port  # raises ValueError
    except ValueError:
        return False
    return parts.scheme in {"http", "https"} and bool(parts.hostname) and "@" not in parts.netloc


def _name(found: re.Match[str]) -> str:
    return found[0].encode("unicode_escape").decode()
