"""Parts of a whole, such as the tiers of a site: as one bar, and as bars in time."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup

from wikicrawler.dashboard.pictures.figure import (
    MAX_POINTS,
    WIDTH,
    Table,
    checked,
    figure,
    joined,
    name,
    nothing,
    svg,
)
from wikicrawler.dashboard.pictures.scales import (
    Moment,
    coordinate,
    finite,
    percent,
    plain,
    seconds,
    time_labels,
    time_of,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MAX_PARTS = 6
"""Parts that can be told apart. The smallest ones are summed up as ``other``."""
_OTHER = "other"
_BAR = 34
_HEIGHT, _TOP, _BOTTOM = 120, 8, 20
_COLUMNS = 60
_PATTERNS = (
    "",
    "M0 6L6 0",
    "M3 3h.1",
    "M0 3H6",
    "M0 0L6 6M0 6L6 0",
    "M3 0V6",
)
"""What is drawn over each part in squares of 6 units, so that parts differ without colour."""


class _Part(NamedTuple):
    number: int
    """From 1: selects the colour and the pattern."""
    name: str
    amount: float


def share_bar(amounts: Mapping[str, float], *, key: str, title: str, unit: str = "") -> Markup:
    """Return *amounts* by name as one bar, in descending order.

    :param key: begins the ids of the picture; unique in its page
    :param unit: of the amounts, for the table
    """
    parts = _parts(amounts)
    total = sum(part.amount for part in parts)
    if not parts:
        return nothing("shares", title=title, sentence="nothing counted yet.")
    body, x = [_defs(key)], 0.0
    for part in parts:
        wide = part.amount / total * WIDTH
        body.append(_piece(key, part.number, (x, 0, wide, _BAR)))
        label = name(part.name) if len(part.name) * 6.5 < wide - 6 else Markup("")
        if label:
            body.append(_label(label, x + wide / 2, _BAR / 2 + 4, part.name))
        x += wide
    image = svg(
        "shares",
        checked(key),
        title=title,
        description=_sentence(parts, total),
        size=(WIDTH, _BAR),
        body=joined(body),
    )
    rows = [
        (name(part.name), name(plain(part.amount, unit)), percent(part.amount, total))
        for part in parts
    ]
    table = Table((Markup("Name"), Markup("Amount"), Markup("Share")), rows)
    return figure("shares", image + _legend(key, parts, total), title=title, table=table)


def shares_over_time(
    rows: Sequence[tuple[Moment, Mapping[str, float]]], *, key: str, title: str, unit: str = ""
) -> Markup:
    """Return the shares of each of *rows* (the begin of an interval, and amounts by name) as bars.

    Of more than 60 intervals, neighbours are summed up. Bars are of equal width, and all are as
    high as the picture; an interval in which nothing was counted has none.

    :param key: begins the ids of the picture; unique in its page
    """
    known = _summed(sorted(((seconds(when), counts) for when, counts in rows), key=lambda r: r[0]))
    sums: dict[str, float] = {}
    for _, counts in known:
        for one, amount in counts.items():
            sums[one] = sums.get(one, 0.0) + amount
    parts = _parts(sums)
    if not parts:
        return nothing("shares-over-time", title=title, sentence="nothing counted yet.")
    total = sum(part.amount for part in parts)
    image = svg(
        "shares-over-time",
        checked(key),
        title=title,
        description=_sentence(parts, total),
        size=(WIDTH, _HEIGHT),
        body=_defs(key) + _columns(key, known, parts) + _times(known),
    )
    table = Table(
        (Markup("From"), *(name(part.name) for part in parts)),
        [
            (
                time_of(stamp),
                *(name(plain(amount, unit)) for amount in _amounts(counts, parts)),
            )
            for stamp, counts in known[:MAX_POINTS]
        ],
    )
    return figure("shares-over-time", image + _legend(key, parts, total), title=title, table=table)


def _parts(amounts: Mapping[str, float]) -> list[_Part]:
    known = [(one, float(amount)) for one, amount in amounts.items() if finite(amount)]
    ordered = sorted((one for one in known if one[1] > 0), key=lambda one: (-one[1], one[0]))
    if len(ordered) > MAX_PARTS:
        largest = [one for one in ordered if one[0] != _OTHER][: MAX_PARTS - 1]
        rest = sum(amount for one, amount in ordered if (one, amount) not in largest)
        ordered = [*largest, (_OTHER, rest)]
    return [_Part(number, *one) for number, one in enumerate(ordered, 1)]


def _amounts(counts: Mapping[str, float], parts: Sequence[_Part]) -> list[float]:
    """Return the amounts of *parts* in *counts*; what has no part of its own is in ``other``."""
    named = {part.name for part in parts}
    rest = sum(amount for one, amount in counts.items() if one not in named)
    found = [counts.get(part.name, 0.0) for part in parts]
    if rest:
        found[-1] += rest
    return found


def _summed(
    rows: Sequence[tuple[float, Mapping[str, float]]],
) -> list[tuple[float, dict[str, float]]]:
    every = -(-len(rows) // _COLUMNS) or 1
    summed = []
    for start in range(0, len(rows), every):
        sums: dict[str, float] = {}
        for _, counts in rows[start : start + every]:
            for one, amount in counts.items():
                if finite(amount) and amount > 0:
                    sums[one] = sums.get(one, 0.0) + float(amount)
        summed.append((rows[start][0], sums))
    return summed


def _columns(
    key: str, rows: Sequence[tuple[float, Mapping[str, float]]], parts: Sequence[_Part]
) -> Markup:
    across, room = WIDTH / len(rows), _HEIGHT - _TOP - _BOTTOM
    pieces = []
    for at, (_, counts) in enumerate(rows):
        amounts = _amounts(counts, parts)
        whole = sum(amounts)
        if not whole:
            continue
        edges = [0.0]
        for amount in amounts:
            edges.append(edges[-1] + amount / whole * room)
        for part, (low, high) in zip(parts, pairwise(edges), strict=True):
            if high > low:
                box = (at * across + 0.5, _HEIGHT - _BOTTOM - high, across - 1, high - low)
                pieces.append(_piece(key, part.number, box))
    return joined(pieces)


def _times(rows: Sequence[tuple[float, object]]) -> Markup:
    labels = time_labels(rows[0][0], rows[-1][0])
    ends = ("start", "middle", "end")
    return joined(
        Markup('<text class="picture-time" x="{}" y="{}" text-anchor="{}">{}</text>').format(
            at * WIDTH // 2, _HEIGHT - 6, ends[at], text
        )
        for at, (_, text) in enumerate(labels)
        if at != 1  # rows need not be of equal length, so the middle one has no time of its own
    )


def _piece(key: str, number: int, box: tuple[float, float, float, float]) -> Markup:
    edges = tuple(map(coordinate, box))
    shape = Markup('x="{}" y="{}" width="{}" height="{}"').format(*edges)
    over = ""
    if _PATTERNS[number - 1]:
        over = Markup('<rect {} fill="url(#{}-p{})"/>').format(shape, key, number)
    return Markup('<rect class="picture-part-{}" {}/>{}').format(number, shape, over)


def _label(label: Markup, x: float, y: float, text: str) -> Markup:
    """Return a name on a plate, which stays readable over any part."""
    wide = len(text) * 6.5 + 4
    return Markup(
        '<rect class="picture-plate" x="{}" y="{}" width="{}" height="14"/>'
        '<text class="picture-part-name" x="{}" y="{}">{}</text>'
    ).format(
        coordinate(x - wide / 2),
        coordinate(y - 11),
        coordinate(wide),
        coordinate(x),
        coordinate(y),
        label,
    )


def _defs(key: str) -> Markup:
    patterns = joined(
        Markup(
            '<pattern id="{}-p{}" width="6" height="6" patternUnits="userSpaceOnUse">'
            '<path class="picture-pattern" d="{}"/></pattern>'
        ).format(key, number, path)
        for number, path in enumerate(_PATTERNS, 1)
        if path
    )
    return Markup("<defs>{}</defs>").format(patterns)


def _legend(key: str, parts: Sequence[_Part], total: float) -> Markup:
    items = joined(
        Markup(
            '<li><svg class="picture-swatch" viewBox="0 0 12 12" aria-hidden="true" '
            'focusable="false">{}</svg> {} {}</li>'
        ).format(
            _piece(key, part.number, (0, 0, 12, 12)), name(part.name), percent(part.amount, total)
        )
        for part in parts
    )
    return Markup('<ul class="picture-legend">{}</ul>').format(items)


def _sentence(parts: Sequence[_Part], total: float) -> Markup:
    return Markup(", ").join(
        Markup("{} {}").format(name(part.name), percent(part.amount, total)) for part in parts
    )
