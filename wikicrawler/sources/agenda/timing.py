"""The operator's decisions about hours and time zones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wikicrawler import options
from wikicrawler.errors import ConfigError
from wikicrawler.sources.schedule.timing import Timing

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

    from wikicrawler.options.kinds import Setting

_SETTINGS: dict[str, Setting[Any]] = {
    "time_zone": options.TIME_ZONE,
    "off_peak_start": options.OFF_PEAK_START,
    "off_peak_end": options.OFF_PEAK_END,
    "off_peak_hosts": options.OFF_PEAK_HOSTS,
}


def timing_of(settings: BaseSettings) -> Timing:
    """Return the time zone and the off-peak hours that *settings* name.

    :raises ConfigError: one of them is wrong
    """
    values = {name: setting.read(settings) for name, setting in _SETTINGS.items()}
    try:
        return Timing(**values)
    except ValueError as error:
        name, _, why = str(error).partition(": ")
        if not why or name not in _SETTINGS:
            name, why = "time_zone", str(error)
        raise ConfigError(f"{_SETTINGS[name].name} is {values[name]!r}: {why}") from None
