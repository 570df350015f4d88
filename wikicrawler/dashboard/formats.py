"""Filters of the templates: values as people read them.

Whatever a page, a server or a manifest said goes through :func:`shown`: control characters become
visible, and marks of writing directions cannot turn what stands beside them.
"""

from __future__ import annotations

from datetime import UTC, datetime
from math import isfinite
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Callable

_UNITS = ((86_400.0, "d"), (3_600.0, "h"), (60.0, "min"))
_BYTES = ("bytes", "kB", "MB", "GB", "TB")


def shown(text: object, limit: int = 300) -> Markup:
    """Return foreign text as one line of at most *limit* characters, isolated from its
    surroundings."""
    return Markup("<bdi>{}</bdi>").format(one_line(text, limit))


def lines(text: object, limit: int = 4_000) -> Markup:
    """Return foreign text of several lines."""
    cut = str(text)[:limit]
    return Markup("<br>").join(shown(line, limit) for line in cut.splitlines())


def moment(at: float | datetime | None, *, seconds: bool = False) -> Markup:
    """Return a time in UTC, which a script replaces by that of the viewer's zone.

    :param at: seconds since the epoch, or an aware datetime
    """
    if at is None:
        return Markup('<span class="none">never</span>')
    try:
        when = at.astimezone(UTC) if isinstance(at, datetime) else datetime.fromtimestamp(at, UTC)
    except (ValueError, OverflowError, OSError):
        return Markup('<span class="none">unknown</span>')
    text = when.strftime("%Y-%m-%d %H:%M:%S" if seconds else "%Y-%m-%d %H:%M")
    return Markup('<time datetime="{}" title="{} UTC">{} UTC</time>').format(
        when.strftime("%Y-%m-%dT%H:%M:%SZ"), when.strftime("%Y-%m-%d %H:%M:%S"), text
    )


def number(value: float | None, digits: int = 0) -> str:
    """Return *value* with thousands separated."""
    if value is None:
        return "–"
    return f"{value:,.{digits}f}" if isfinite(value) else "–"


def share(value: float | None) -> str:
    """Return a share of 1 in per cent."""
    return "–" if value is None else f"{100 * value:.0f} %"


def duration(seconds: float | None) -> str:
    """Return a number of seconds like ``3.2 h``."""
    if seconds is None:
        return "–"
    for size, unit in _UNITS:
        if abs(seconds) >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds:.3g} s"


def size(count: float | None) -> str:
    """Return a number of bytes like ``3.2 MB``."""
    if count is None:
        return "–"
    value = float(count)
    for unit in _BYTES[:-1]:
        if abs(value) < 999.5:  # which rounds to 1000
            return f"{value:.3g} {unit}"
        value /= 1000
    return f"{value:.3g} {_BYTES[-1]}"


def short_hash(text: str | None) -> Markup:
    """Return the first characters of a hash, with the whole of it behind."""
    if not text:
        return Markup('<span class="none">none</span>')
    bare = text.rpartition(":")[2]
    return Markup('<code title="{}">{}</code>').format(one_line(text, 100), one_line(bare[:12]))


_BADGES = {
    "ok": "●",
    "changed": "▲",
    "failed": "✖",
    "pending": "○",
    "paused": "❚❚",
    "running": "▶",
    "warning": "!",
    "info": "i",
    "high": "✖",
    "resolved": "✔",
    "open": "○",
}


def badge(status: str, word: str = "") -> Markup:
    """Return a status as a word with a shape: colour alone says nothing."""
    kind = status if status in _BADGES else "info"
    return Markup(
        '<span class="badge badge-{}"><span aria-hidden="true">{}</span> {}</span>'
    ).format(kind, _BADGES[kind], escape(one_line(word or status, 60)))


FILTERS: dict[str, Callable[..., object]] = {
    "shown": shown,
    "lines": lines,
    "moment": moment,
    "number": number,
    "share": share,
    "duration": duration,
    "size": size,
    "short_hash": short_hash,
    "badge": badge,
}
