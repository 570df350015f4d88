"""Values in time: one line for each series."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup

from wikicrawler.dashboard.pictures.axes import PLOT, frame, x_of, y_of
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
    plain,
    seconds,
    time_labels,
    time_of,
    top,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_SERIES = 6
_HEIGHT = 150
_LABEL = 11
"""Height of a label."""
_MARK = (
    "m-2 0a2 2 0 1 0 4 0a2 2 0 1 0 -4 0",
    "m-2 -2h4v4h-4z",
    "m0 -3l3 5h-6z",
    "m0 -3l3 3l-3 3l-3 -3z",
    "m-2 -2l4 4m-4 0l4 -4",
    "m-3 0h6m-3 -3v6",
)
"""Marks at the points of each series, which tell lines apart without colour."""


class Series(NamedTuple):
    """Values of one kind, in any order."""

    name: str
    points: Sequence[tuple[Moment, float]]


_Points = list[tuple[float, float]]


def timeline(series: Sequence[Series], *, key: str, title: str, unit: str = "") -> Markup:
    """Return up to 6 *series* as lines over one axis of time in UTC, from 0 up to their maximum.

    A series of more than its share of 400 points is shown by the lowest and the highest value of
    each interval. Values that are not finite are left out.

    :param key: begins the ids of the picture; unique in its page
    """
    known = [one for one in map(_known, series) if one[1]]
    shown, hidden = known[:MAX_SERIES], len(known) - MAX_SERIES
    if not shown:
        return nothing("timeline", title=title, sentence="no values yet.")
    each = MAX_POINTS // len(shown)
    drawn = [(label, _thinned(points, each)) for label, points in shown]
    stamps = [stamp for _, points in drawn for stamp, _ in points]
    values = [value for _, points in drawn for _, value in points]
    span = (min(stamps), max(stamps))
    heights = (-top([-value for value in values]) if min(values) < 0 else 0.0, top(values))
    total = sum(len(points) for _, points in shown)
    notes = []
    if total > len(stamps):
        notes.append(
            f"{len(stamps)} of {total} values are shown: "
            "the lowest and the highest of each interval."
        )
    if hidden > 0:
        notes.append(f"{hidden} more series are not shown.")
    image = svg(
        "timeline",
        checked(key),
        title=title,
        description=joined(_described(label, points, unit) for label, points in drawn),
        size=(WIDTH, _HEIGHT),
        body=frame(_HEIGHT, heights, unit, time_labels(*span), span)
        + joined(
            _line(number, points, span, heights) for number, (_, points) in enumerate(drawn, 1)
        )
        + _labels([(label, points[-1][1]) for label, points in drawn], heights),
    )
    rows = [
        (time_of(stamp), label, name(plain(value, unit)))
        for label, points in drawn
        for stamp, value in points
    ]
    columns = (Markup("Time"), Markup("Series"), Markup("Value"))
    return figure("timeline", image, title=title, table=Table(columns, rows, " ".join(notes)))


def _known(series: Series) -> tuple[Markup, _Points]:
    points = [(seconds(when), float(value)) for when, value in series.points if finite(value)]
    return name(series.name), sorted(points)


def _thinned(points: _Points, limit: int) -> _Points:
    """Return at most *limit* of *points*: the lowest and highest of equal intervals of time."""
    if len(points) <= limit:
        return points
    intervals = max(limit // 2, 1)
    first, last = points[0][0], points[-1][0]
    lows: dict[int, tuple[float, float]] = {}
    highs: dict[int, tuple[float, float]] = {}
    for point in points:
        part = min(int((point[0] - first) / (last - first or 1) * intervals), intervals - 1)
        lows[part] = min(lows.get(part, point), point, key=lambda one: one[1])
        highs[part] = max(highs.get(part, point), point, key=lambda one: one[1])
    return sorted({*lows.values(), *highs.values()})


def _described(label: Markup, points: _Points, unit: str) -> Markup:
    values = [value for _, value in points]
    return Markup("{}: {} values, lowest {}, highest {}, last {}. ").format(
        label,
        len(values),
        name(plain(min(values), unit)),
        name(plain(max(values), unit)),
        name(plain(values[-1], unit)),
    )


def _line(
    number: int, points: _Points, span: tuple[float, float], heights: tuple[float, float]
) -> Markup:
    places = [
        f"{coordinate(x_of(stamp, span))} {coordinate(y_of(value, heights, _HEIGHT))}"
        for stamp, value in points
    ]
    every = max(len(places) // 12, 1)
    marks = "".join(f"M{place}{_MARK[number - 1]}" for place in [*places[::every], places[-1]])
    return Markup(
        '<path class="picture-line picture-series-{0}" d="M{1}"/>'
        '<path class="picture-mark picture-series-{0}" d="{2}"/>'
    ).format(number, "L".join(places), marks)


def _labels(ends: list[tuple[Markup, float]], heights: tuple[float, float]) -> Markup:
    """Return the names of the lines beside their ends, moved apart where they would overlap."""
    wanted = sorted(
        (y_of(value, heights, _HEIGHT), number, label)
        for number, (label, value) in enumerate(ends, 1)
    )
    texts, lowest = [], PLOT.top - 1.0
    room = _HEIGHT - PLOT.bottom
    for left, (height, number, label) in zip(range(len(wanted), 0, -1), wanted, strict=True):
        y = min(max(height, lowest + _LABEL), room - (left - 1) * _LABEL)
        lowest = y
        short = label.unescape()
        texts.append(
            Markup('<text class="picture-name picture-name-{}" x="{}" y="{}">{}</text>').format(
                number,
                WIDTH - PLOT.right + 6,
                coordinate(y + 3),
                short if len(short) <= 14 else short[:13] + "…",
            )
        )
    return joined(texts)
