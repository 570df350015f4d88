"""A small line without axes, as wide as a few words, for a row of a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from markupsafe import Markup

from wikicrawler.dashboard.pictures.figure import (
    MAX_POINTS,
    Table,
    checked,
    figure,
    joined,
    name,
    nothing,
    svg,
)
from wikicrawler.dashboard.pictures.scales import coordinate, finite, plain

if TYPE_CHECKING:
    from collections.abc import Sequence

_WIDTH, _HEIGHT, _EDGE = 120, 24, 3


def sparkline(
    values: Sequence[float | None],
    *,
    key: str,
    title: str,
    unit: str = "",
    labels: Sequence[str] = (),
    table: bool = True,
) -> Markup:
    """Return *values* in their order as a line; None is a gap.

    Of more than 400 values, each 400th part is shown by its highest one.

    :param key: begins the ids of the picture; unique in its page
    :param labels: what each value belongs to, such as a day, for the table
    :param table: False leaves out the table, for rows of a page that links to the data
    """
    points = _points(values, labels)
    known = [value for _, value in points if value is not None]
    if not known:
        return nothing("sparkline", title=title, sentence="no values yet.")
    low, high = min(known), max(known)
    last = known[-1]
    description = name(
        f"{len(known)} values, lowest {plain(low, unit)}, highest {plain(high, unit)}, "
        f"last {plain(last, unit)}"
    )
    image = svg(
        "sparkline",
        checked(key),
        title=title,
        description=description,
        size=(_WIDTH, _HEIGHT),
        body=_body([value for _, value in points], low, high),
    )
    rows = [
        (name(label), name("–" if value is None else plain(value, unit))) for label, value in points
    ]
    columns = (Markup("At") if labels else Markup("Number"), Markup("Value"))
    return figure("sparkline", image, title=title, table=Table(columns, rows) if table else None)


def _points(
    values: Sequence[float | None], labels: Sequence[str]
) -> list[tuple[str, float | None]]:
    every = -(-len(values) // MAX_POINTS) or 1
    points: list[tuple[str, float | None]] = []
    for start in range(0, len(values), every):
        part = [value for value in values[start : start + every] if finite(value)]
        label = labels[start] if start < len(labels) else str(start + 1)
        points.append((label, max((v for v in part if v is not None), default=None)))
    return points


def _body(values: Sequence[float | None], low: float, high: float) -> Markup:
    across = (_WIDTH - 2 * _EDGE) / max(len(values) - 1, 1)
    scale = (_HEIGHT - 2 * _EDGE) / (high - low) if high > low else 0
    middle = 0 if high > low else (_HEIGHT - 2 * _EDGE) / 2
    lines: list[list[str]] = [[]]
    end = ("0", "0")
    for at, value in enumerate(values):
        if value is None:
            lines.append([])
            continue
        x = coordinate(_EDGE + at * across)
        y = coordinate(_HEIGHT - _EDGE - middle - (value - low) * scale)
        lines[-1].append(f"{x} {y}")
        end = (x, y)
    paths = "".join(f"M{'L'.join(line)}{'h.1' if len(line) == 1 else ''}" for line in lines if line)
    return joined(
        [
            Markup('<path class="picture-line picture-series-1" d="{}"/>').format(paths),
            Markup('<circle class="picture-last" cx="{}" cy="{}" r="2"/>').format(*end),
        ]
    )
