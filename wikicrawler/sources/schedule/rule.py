"""The rule by which a source is due."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from wikicrawler.sources.schedule.cron import Cron
from wikicrawler.sources.schedule.defaults import Described, default_frequency
from wikicrawler.sources.schedule.timing import DEFAULT_TIMING, Timing
from wikicrawler.sources.schedule.windows import Window
from wikicrawler.urls.sites import host_of

if TYPE_CHECKING:
    from typing import Self


class Frequency(StrEnum):
    """The frequencies of a manifest."""

    DAILY = "daily"
    WEEKLY = "weekly"
    BIWEEKLY = "biweekly"
    MONTHLY = "monthly"
    CRON = "cron"
    ADAPTIVE = "adaptive"


_WINDOWS = {
    Frequency.DAILY: Window.DAY,
    Frequency.WEEKLY: Window.WEEK,
    Frequency.BIWEEKLY: Window.TWO_WEEKS,
    Frequency.MONTHLY: Window.MONTH,
}


class Watched(Described, Protocol):
    """A source of a manifest."""

    @property
    def id(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Rule:
    """When one source is due."""

    source_id: str
    frequency: Frequency
    timing: Timing = DEFAULT_TIMING
    by_night: bool = False
    """Whether the source is visited in the off-peak hours only. A cron expression stands as it
    is."""
    cron: Cron | None = None
    """With the frequency ``cron``."""
    shortest: timedelta = timedelta(hours=24)
    """Bounds of the interval with the frequency ``adaptive``."""
    longest: timedelta = timedelta(days=30)

    def __post_init__(self) -> None:
        """Check that the parts belong together.

        :raises ValueError: they do not
        """
        if (self.frequency == Frequency.CRON) != (self.cron is not None):
            raise ValueError(f"{self.source_id}: the frequency cron and an expression need another")
        if not timedelta(hours=1) <= self.shortest <= self.longest:
            raise ValueError(f"{self.source_id}: shortest must be 1 hour to longest")

    @classmethod
    def of(cls, source: Watched, timing: Timing = DEFAULT_TIMING) -> Self:
        """Return the rule of *source*.

        :param timing: decisions of the operator
        :raises ValueError: the schedule of the source is invalid
        """
        fields = source.fields
        frequency = Frequency(fields.get("frequency") or default_frequency(source))
        schedule = fields.get("schedule") or {}
        cron = None
        bounds = {}
        if frequency == Frequency.CRON:
            cron = Cron(schedule["cron"], schedule["time_zone"])
        elif frequency == Frequency.ADAPTIVE:
            bounds = {
                "shortest": timedelta(hours=schedule["shortest_hours"]),
                "longest": timedelta(hours=schedule["longest_hours"]),
            }
        return cls(
            source_id=source.id,
            frequency=frequency,
            timing=timing,
            by_night=cron is None and timing.is_off_peak_host(host_of(str(fields["url"]))),
            cron=cron,
            **bounds,
        )

    def window(self, reduced: int = 0) -> Window | None:
        """Return the kind of window in which the source is visited once; None with ``cron`` and
        ``adaptive``.

        :param reduced: by how many steps the frequency is lowered
        """
        normal = _WINDOWS.get(self.frequency)
        return None if normal is None else Window(min(normal + reduced, max(Window)))
