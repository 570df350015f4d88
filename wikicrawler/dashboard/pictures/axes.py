"""The axes of pictures with values over time or over classes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup

from wikicrawler.dashboard.pictures.figure import WIDTH, joined, name
from wikicrawler.dashboard.pictures.scales import coordinate, plain

if TYPE_CHECKING:
    from collections.abc import Sequence


class Margins(NamedTuple):
    """Space around the plot, in units of the picture."""

    left: int
    right: int
    top: int
    bottom: int


PLOT = Margins(left=44, right=86, top=16, bottom=20)


def x_of(stamp: float, span: tuple[float, float]) -> float:
    """Return where *stamp* stands between the left and the right edge of the plot."""
    first, last = span
    share = (stamp - first) / (last - first) if last > first else 0.5
    return PLOT.left + share * (WIDTH - PLOT.left - PLOT.right)


def y_of(value: float, heights: tuple[float, float], height: int) -> float:
    """Return where *value* stands between the bottom and the top edge of the plot."""
    low, high = heights
    return height - PLOT.bottom - (value - low) / (high - low) * (height - PLOT.top - PLOT.bottom)


def frame(
    height: int,
    heights: tuple[float, float],
    unit: str,
    labels: Sequence[tuple[float, str]],
    span: tuple[float, float],
) -> Markup:
    """Return the lines at the bottom, the middle and the top, with their values and *labels*."""
    low, high = heights
    right = WIDTH - PLOT.right
    parts = []
    for value in (low, (low + high) / 2, high):
        y = coordinate(y_of(value, heights, height))
        parts.append(
            Markup(
                '<path class="picture-grid" d="M{0} {1}H{2}"/>'
                '<text class="picture-scale" x="{3}" y="{1}" dy="3">{4}</text>'
            ).format(
                PLOT.left,
                y,
                right,
                PLOT.left - 4,
                plain(value),
            )
        )
    if unit:
        parts.append(
            Markup('<text class="picture-unit" x="{}" y="10" text-anchor="start">{}</text>').format(
                PLOT.left, name(unit)
            )
        )
    for place, (stamp, text) in enumerate(labels):
        kind = "start" if place == 0 < len(labels) - 1 else "middle"
        if place and place == len(labels) - 1:
            kind = "end"
        parts.append(
            Markup('<text class="picture-time" x="{}" y="{}" text-anchor="{}">{}</text>').format(
                coordinate(x_of(stamp, span)), height - 6, kind, text
            )
        )
    return joined(parts)
