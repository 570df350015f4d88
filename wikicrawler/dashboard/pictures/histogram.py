"""How often values of each size occur, such as the latencies of a site."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup

from wikicrawler.dashboard.pictures.figure import (
    WIDTH,
    Table,
    checked,
    figure,
    joined,
    name,
    nothing,
    svg,
)
from wikicrawler.dashboard.pictures.scales import coordinate, finite, percent, plain, top

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

LATENCIES = (0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0)
"""Edges of classes in seconds, from a cache's answer to a browser's time-out."""
MAX_BINS = 40
_HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 150, 44, 8, 14, 30


class Bin(NamedTuple):
    """A class of values from *low* up to, but without, *high*; None is no end."""

    low: float
    high: float | None
    total: int


def bins_of(values: Iterable[float], edges: Sequence[float] = LATENCIES) -> list[Bin]:
    """Return the numbers of *values* in the classes between *edges*, which ascend.

    The last class has no end. Values below the first edge and those that are not finite are left
    out, and so are empty classes at both ends.
    """
    counts = [0] * len(edges)
    for value in values:
        if finite(value) and value >= edges[0]:
            counts[bisect_right(edges, value) - 1] += 1
    filled = [at for at, count in enumerate(counts) if count]
    if not filled:
        return []
    highs: list[float | None] = [*edges[1:], None]
    return [Bin(edges[at], highs[at], counts[at]) for at in range(filled[0], filled[-1] + 1)]


def histogram(bins: Sequence[Bin], *, key: str, title: str, unit: str = "s") -> Markup:
    """Return up to 40 *bins* in ascending order as bars of equal width, with their counts on them.

    The class of the median is marked.

    :param key: begins the ids of the picture; unique in its page
    """
    bins = list(bins[:MAX_BINS])
    total = sum(one.total for one in bins)
    if not total:
        return nothing("histogram", title=title, sentence="no values yet.")
    median = _median(bins, total)
    highest = max(bins, key=lambda one: one.total)
    description = name(f"{total} values, the median is {_range(bins[median], unit)}") + Markup(
        "; most often {} ({} times)"
    ).format(name(_range(highest, unit)), highest.total)
    image = svg(
        "histogram",
        checked(key),
        title=title,
        description=description,
        size=(WIDTH, _HEIGHT),
        body=_bars(bins, median, unit),
    )
    rows = [
        (
            name(_range(one, unit)),
            Markup("{}").format(one.total),
            percent(one.total, total),
        )
        for one in bins
    ]
    columns = (Markup("Class"), Markup("Count"), Markup("Share"))
    return figure("histogram", image, title=title, table=Table(columns, rows))


def _median(bins: Sequence[Bin], total: int) -> int:
    seen = 0
    for at, one in enumerate(bins):
        seen += one.total
        if 2 * seen >= total:
            return at
    return len(bins) - 1


def _range(one: Bin, unit: str) -> str:
    if one.high is None:
        return f"{plain(one.low, unit)} or more"
    return f"{plain(one.low)} to {plain(one.high, unit)}"


def _bars(bins: Sequence[Bin], median: int, unit: str) -> Markup:
    limit = top([float(one.total) for one in bins])
    across = (WIDTH - _LEFT - _RIGHT) / len(bins)
    floor = _HEIGHT - _BOTTOM
    parts = [
        Markup(
            '<path class="picture-grid" d="M{0} {1}H{2}"/>'
            '<text class="picture-scale" x="{3}" y="{1}" dy="3">{4}</text>'
        ).format(_LEFT, coordinate(y), WIDTH - _RIGHT, _LEFT - 4, plain(value))
        for value, y in ((0, floor), (limit, _TOP))
    ]
    # One label for each class as long as there is room, else for each second or third one.
    every = -(-len(bins) // 12)
    for at, one in enumerate(bins):
        x, tall = _LEFT + at * across, one.total / limit * (floor - _TOP)
        marked = " picture-median" if at == median else ""
        if one.total:
            parts.append(
                Markup(
                    '<rect class="picture-bar{}" x="{}" y="{}" width="{}" height="{}">'
                    "<title>{}: {}</title></rect>"
                ).format(
                    marked,
                    coordinate(x + 1),
                    coordinate(floor - tall),
                    coordinate(max(across - 2, 1)),
                    coordinate(max(tall, 1)),
                    name(_range(one, unit)),
                    one.total,
                )
            )
        if one.total and len(bins) <= 16:
            parts.append(
                Markup('<text class="picture-count" x="{}" y="{}">{}</text>').format(
                    coordinate(x + across / 2), coordinate(floor - tall - 3), one.total
                )
            )
        if at % every == 0:
            parts.append(
                Markup('<text class="picture-class" x="{}" y="{}">{}</text>').format(
                    coordinate(x + 1), floor + 12, plain(one.low)
                )
            )
    middle = coordinate(_LEFT + (median + 0.5) * across)
    parts.append(
        Markup('<text class="picture-median-name" x="{}" y="{}">median</text>').format(
            middle, _HEIGHT - 5
        )
    )
    if unit:
        parts.append(
            Markup('<text class="picture-unit" x="{}" y="{}" text-anchor="end">{}</text>').format(
                _LEFT - 4, floor + 12, name(unit)
            )
        )
    return joined(parts)
