"""A year by weeks: on which days something changed."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING

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
from wikicrawler.dashboard.pictures.scales import coordinate, day_of

if TYPE_CHECKING:
    from collections.abc import Mapping

_WEEKS = 53
_LEFT, _TOP = 24, 14
_STEP = (WIDTH - _LEFT) / _WEEKS
_HEIGHT = 80
_SIZES = (0, 2.6, 3.8, 5.0, 6.2)
"""Edge of a day's square at each level: the size says what the lightness says."""
_DAYS = ("Mon", "", "Wed", "", "Fri", "", "")


def change_calendar(
    counts: Mapping[date, int], *, key: str, title: str, until: date, what: str = "changes"
) -> Markup:
    """Return the 53 weeks up to *until* with a column for each week, Monday at the top.

    A day's square is larger and darker the more it has: 4 levels, in quarters of the maximum.

    :param key: begins the ids of the picture; unique in its page
    :param counts: days (in UTC) and how often something changed on them
    :param what: what is counted, in the plural
    """
    try:
        first = until - timedelta(days=until.weekday(), weeks=_WEEKS - 1)
    except OverflowError:
        raise ValueError(f"the calendar has to end later than in the year 2: {until}") from None
    days = [first + timedelta(days=at) for at in range((until - first).days + 1)]
    filled = {day: counts[day] for day in days if counts.get(day, 0) > 0}
    if not filled:
        sentence = f"no {what} from {first.isoformat()} to {until.isoformat()}."
        return nothing("calendar", title=title, sentence=sentence)
    most = max(filled, key=lambda day: filled[day])
    description = name(
        f"{sum(filled.values())} {what} on {len(filled)} days, {first} to {until}"
    ) + Markup("; most on {}: {}").format(most.isoformat(), filled[most])
    image = svg(
        "calendar",
        checked(key),
        title=title,
        description=description,
        size=(WIDTH, _HEIGHT),
        body=_names(days) + _empty(days) + _squares(days, filled, what),
    )
    rows = [
        (day_of(day), Markup("{}").format(count))
        for day, count in sorted(filled.items(), reverse=True)
    ]
    columns = (Markup("Day"), name(what[:1].upper() + what[1:]))
    return figure("calendar", image, title=title, table=Table(columns, rows))


def _place(number: int) -> tuple[float, float]:
    """Return the middle of the day with this *number*, counted from the first Monday."""
    week, weekday = divmod(number, 7)
    return _LEFT + (week + 0.5) * _STEP, _TOP + (weekday + 0.5) * _STEP


def _names(days: list[date]) -> Markup:
    parts = [
        Markup('<text class="picture-day" x="{}" y="{}" dy="3">{}</text>').format(
            _LEFT - 3, coordinate(_place(number)[1]), text
        )
        for number, text in enumerate(_DAYS)
        if text
    ]
    for number in range(0, len(days), 7):
        month = days[min(number + 6, len(days) - 1)]
        if month.day <= 7 and number // 7 < _WEEKS - 1:
            parts.append(
                Markup('<text class="picture-month" x="{}" y="9">{}</text>').format(
                    coordinate(_place(number)[0] - _STEP / 2),
                    month.strftime("%Y") if month.month == 1 else month.strftime("%m"),
                )
            )
    return joined(parts)


def _empty(days: list[date]) -> Markup:
    """Return a dot for each day."""
    dots = "".join(f"M{coordinate(x)} {coordinate(y)}h.1" for x, y in map(_place, range(len(days))))
    return Markup('<path class="picture-level-0" d="{}"/>').format(dots)


def _squares(days: list[date], filled: Mapping[date, int], what: str) -> Markup:
    highest = max(filled.values())
    parts = []
    for number, day in enumerate(days):
        count = filled.get(day, 0)
        if not count:
            continue
        level = min(-(-4 * count // highest), 4)
        (x, y), edge = _place(number), _SIZES[level]
        parts.append(
            Markup(
                '<rect class="picture-level-{}" x="{}" y="{}" width="{}" height="{}">'
                "<title>{}: {} {}</title></rect>"
            ).format(
                level,
                coordinate(x - edge / 2),
                coordinate(y - edge / 2),
                edge,
                edge,
                day.isoformat(),
                count,
                name(what),
            )
        )
    return joined(parts)
