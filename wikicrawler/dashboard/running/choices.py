"""Which sources and sites a form is about."""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from wikicrawler.control.selection import CATEGORIES, Selection, category_of
from wikicrawler.dashboard.forms import text_of
from wikicrawler.errors import ControlRefused
from wikicrawler.text.safe import one_line, quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starlette.datastructures import FormData

    from wikicrawler.sources.manifest.model import Source

MAX_VALUES = 100
"""Values of a field that a list offers, the most frequent ones."""
MAX_IDS = 100_000
"""Characters of ids that a form may have."""
PAUSES = (
    (900, "15 minutes"),
    (3_600, "1 hour"),
    (21_600, "6 hours"),
    (86_400, "1 day"),
    (604_800, "7 days"),
    (2_592_000, "30 days"),
)
"""How long a site may be paused: seconds, and what a person reads."""


class Category(NamedTuple):
    """A field by which sources are chosen, with the number of sources of each value."""

    field: str
    values: list[tuple[str, str, int]]
    """A value, as it is shown, and its number."""


def categories(sources: Sequence[Source]) -> list[Category]:
    """Return what the sources can be chosen by."""
    found = []
    for field in CATEGORIES:
        counts = Counter(category_of(source, field) for source in sources)
        del counts[""]
        if counts:
            most = counts.most_common(MAX_VALUES)
            values = [(value, one_line(value, 80), count) for value, count in most]
            found.append(Category(field, values))
    return found


def selection_of(form: FormData) -> Selection:
    """Return the sources that *form* names: ``which`` is ``ids`` (also without it), ``category`` or
    ``all``.

    :raises ControlRefused: it names none
    """
    which = text_of(form, "which") or "ids"
    if which == "all":
        return Selection(everything=True)
    if which == "category":
        field, _, value = text_of(form, "category").partition("=")
        if not value:
            raise ControlRefused("choose a category of the list")
        return Selection(category=(field, value))
    given = " ".join(str(one) for one in form.getlist("ids"))[:MAX_IDS]
    ids = tuple(dict.fromkeys(given.replace(",", " ").split()))
    if not ids:
        raise ControlRefused("name sources by their ids, or choose a category or all")
    return Selection(ids=ids)


def moment_of(form: FormData) -> float:
    """Return the field ``at`` of *form*, a local time in the zone of the field ``zone``, in
    seconds since the epoch.

    :raises ControlRefused: it is none
    """
    given, zone = text_of(form, "at", 40), text_of(form, "zone", 60) or "UTC"
    try:
        at = datetime.fromisoformat(given)
        return at.replace(tzinfo=at.tzinfo or ZoneInfo(zone)).timestamp()
    except (ValueError, OverflowError, OSError, ZoneInfoNotFoundError):
        raise ControlRefused(
            f"{quoted(given, 40)} is not a time (choose a day and a time, like 2026-12-01T03:00)"
        ) from None


def seconds_of(form: FormData) -> float:
    """Return the field ``seconds`` of *form*.

    :raises ControlRefused: it is no number
    """
    given = text_of(form, "seconds", 20)
    if not (given.isascii() and given.isdecimal()):
        raise ControlRefused("choose how long the site is paused")
    return float(given)
