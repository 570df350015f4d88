"""What a rendered page looks like: whether it is one, and whether it may be unfinished."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from wikicrawler.errors import Reason
from wikicrawler.tiers.verdict import judge_response
from wikicrawler.tiers.verdict.markup import MAX_BYTES, read_markup

if TYPE_CHECKING:
    from wikicrawler.tiers.crawl4ai.protocol import Rendered

LITTLE_TEXT = 600
"""Characters. A page with scripts and less visible text may be unfinished."""
_GROWTH = 1.05
_FORBIDDEN = 403
_UNFINISHED = {
    *(Reason.BLOCKED, Reason.BLOCKED_CAPTCHA, Reason.BUSY, Reason.EMPTY, Reason.JS_SHELL),
    Reason.ERROR_PAGE,
}
_BUSY = re.compile(rb' aria-busy="true"| role="progressbar"', re.IGNORECASE)
_LATE_SCRIPT = re.compile(
    rb"setTimeout|setInterval|requestAnimationFrame|fetch\(|XMLHttpRequest|EventSource|WebSocket"
)
_INSERTS = re.compile(
    rb"innerHTML|innerText|textContent|append|insertAdjacent|replaceWith|replaceChild|document\.write"
)
_SHADOW_HOST = re.compile(rb"^<[a-z][a-z0-9]*+-[^\n]* />$", re.MULTILINE)
"""An empty custom element, in a line of the start tags of a document."""


class Look(NamedTuple):
    """What a rendered page looks like."""

    page: Rendered
    text: int
    """Characters of visible text, in the part that is examined."""
    failed: bool
    """True if it is no page: a challenge, a shell, an empty page."""
    unfinished: bool
    """True if it has scripts and may be unfinished."""
    busy: bool
    """True if it says so, or has a script that inserts text later."""
    shadows: bool
    """True if it has elements whose content may be in a shadow root."""
    vendor: str
    """Vendor of the challenge; empty if there is none."""
    flat: bool
    """True if its shadow roots are part of its HTML."""


def look_at(page: Rendered, *, flat: bool = False) -> Look:
    """Return what *page* looks like.

    :param flat: its shadow roots are part of its HTML
    """
    body = page.html.encode("utf-8", "replace")[:MAX_BYTES]
    failure = judge_response(page.status, page.headers, body)
    markup = read_markup(body)
    tags = markup.tags
    has_script = b"<script" in tags
    failed = failure is not None and failure.reason in _UNFINISHED
    late = bool(_LATE_SCRIPT.search(markup.scripts) and _INSERTS.search(markup.scripts))
    busy = has_script and (late or bool(_BUSY.search(tags)))
    little = markup.length < LITTLE_TEXT
    final = failure is not None and not failed
    # A challenge that solves itself may have given way already: the status is still its own.
    unfinished = (
        busy or (has_script and (failed or little)) or (failed and page.status == _FORBIDDEN)
    )
    return Look(
        page,
        markup.length,
        failed or (markup.length == 0 and has_script),
        unfinished and not final,
        busy,
        bool(_SHADOW_HOST.search(tags)) and not final,
        failure.vendor if failure is not None else "",
        flat,
    )


def has_grown(former: Look, later: Look) -> bool:
    """Return True if *later* has more text than *former*, by more than a twentieth."""
    return later.text > former.text * _GROWTH


def passed(former: Look, later: Look) -> Look:
    """Return *later*, as a page if the challenge of *former* gave way to it.

    crawl4ai reports the status and the headers of the challenge.
    """
    if not (former.failed and former.vendor and later.failed):
        return later
    if not has_grown(former, later):
        return later
    kind = {k: v for k, v in later.page.headers.items() if k == "content-type"}
    page = replace(later.page, status=200, headers=kind, error="")
    now = look_at(page, flat=later.flat)
    return later if now.failed or now.vendor else now


def better(former: Look, later: Look) -> Look:
    """Return the look with the page; of two the one with more text."""
    if former.failed != later.failed:
        return later if former.failed else former
    return later if later.text >= former.text else former
