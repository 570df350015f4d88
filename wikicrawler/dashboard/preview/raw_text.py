"""A text as it is written, with numbers of lines."""

from __future__ import annotations

from markupsafe import Markup

from wikicrawler.dashboard.visible import visible

MAX_CHARACTERS = 200_000
MAX_LINES = 5_000


def raw(text: str, *, what: str = "text", limit: int = MAX_CHARACTERS) -> Markup:
    """Return *text* as a numbered list of lines, up to *limit* characters and 5,000 lines.

    Characters that cannot be seen are escaped.

    :param what: names the text in the notice about what is left out
    """
    lines = text[:limit].replace("\r\n", "\n").split("\n")
    if lines and not lines[-1]:
        lines.pop()
    if not lines:
        return Markup('<p class="preview-empty">The {} is empty.</p>').format(visible(what))
    shown = lines[:MAX_LINES]
    items = Markup("").join(
        Markup('<li class="preview-line"><code>{}</code></li>').format(visible(line))
        for line in shown
    )
    notice = ""
    if len(text) > limit or len(lines) > MAX_LINES:
        kept = limit if len(lines) <= MAX_LINES else sum(map(len, shown)) + len(shown)
        notice = Markup(
            '<p class="preview-notice">The {} is cut at {} of {} characters.</p>'
        ).format(visible(what), kept, len(text))
    return Markup('{}<ol class="preview-raw">{}</ol>').format(notice, items)
