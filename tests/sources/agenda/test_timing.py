"""The time zone and the off-peak hours that settings name."""

from __future__ import annotations

from typing import Any

import pytest
from scrapy.settings import Settings

from tests.sources.watching import read_source, source
from wikicrawler.errors import ConfigError
from wikicrawler.sources.agenda.timing import timing_of
from wikicrawler.sources.schedule.rule import Rule
from wikicrawler.sources.schedule.timing import DEFAULT_TIMING


def test_without_settings_it_is_the_default() -> None:
    assert timing_of(Settings()) == DEFAULT_TIMING


def test_settings_are_read_as_the_command_line_gives_them() -> None:
    timing = timing_of(
        Settings(
            {
                "WIKICRAWLER_TIME_ZONE": "Europe/Berlin",
                "WIKICRAWLER_OFF_PEAK_START": "22",
                "WIKICRAWLER_OFF_PEAK_END": "4",
                "WIKICRAWLER_OFF_PEAK_HOSTS": "gov,example.org",
            }
        )
    )
    assert (timing.time_zone, timing.off_peak_start, timing.off_peak_end) == (
        "Europe/Berlin",
        22,
        4,
    )
    watched = read_source(source("https://www.example.org/rules"))
    assert Rule.of(watched, timing).by_night
    assert not Rule.of(watched).by_night


def test_no_host_has_off_peak_hours_if_none_is_named() -> None:
    timing = timing_of(Settings({"WIKICRAWLER_OFF_PEAK_HOSTS": ""}))
    assert not Rule.of(read_source(source("https://www.hud.gov/")), timing).by_night


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("WIKICRAWLER_TIME_ZONE", "New York", "'New York' is unknown"),
        ("WIKICRAWLER_TIME_ZONE", "../../etc/passwd", "is unknown"),
        ("WIKICRAWLER_TIME_ZONE", "off_peak_end: x", "is unknown"),
        ("WIKICRAWLER_OFF_PEAK_START", "24", "24 is not an hour"),
        ("WIKICRAWLER_OFF_PEAK_END", 2, "2 is off_peak_start too"),
        ("WIKICRAWLER_OFF_PEAK_HOSTS", "*.gov", "is not a host"),
    ],
)
def test_a_wrong_value_is_reported_by_its_setting(name: str, value: Any, says: str) -> None:
    with pytest.raises(ConfigError, match=rf"^{name} is .*{says}"):
        timing_of(Settings({name: value}))
