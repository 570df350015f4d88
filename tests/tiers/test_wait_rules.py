"""Rules for later retries."""

from __future__ import annotations

import pytest
from scrapy.settings import Settings

from wikicrawler.errors import ConfigError, Reason
from wikicrawler.options import LONGEST_WAIT
from wikicrawler.tiers.wait_rules import Wait, WaitCounts, WaitRules

MINUTES = 60.0
FIRST = WaitCounts()


@pytest.mark.parametrize("reason", [Reason.TIMEOUT, Reason.NETWORK])
def test_a_time_out_or_network_error_is_retried_once_after_five_minutes(reason: Reason) -> None:
    wait = WaitRules().after(reason, FIRST)
    assert wait == Wait(5 * MINUTES, WaitCounts(errors=1))
    assert WaitRules().after(reason, wait.waited) is None


@pytest.mark.parametrize("reason", [r for r in Reason if r not in {"timeout", "network"}])
def test_other_reasons_are_not_retried(reason: Reason) -> None:
    assert WaitRules().after(reason, FIRST) is None


def test_a_page_waits_for_three_pauses_of_its_site() -> None:
    rules, waited = WaitRules(), FIRST
    for pauses in (1, 2, 3):
        wait = rules.through_pause(10 * MINUTES, waited)
        assert wait == Wait(10 * MINUTES, WaitCounts(pauses=pauses))
        waited = wait.waited
    assert rules.through_pause(1, waited) is None


def test_a_page_does_not_wait_for_a_long_pause() -> None:
    assert WaitRules().through_pause(10 * MINUTES + 1, FIRST) is None
    assert WaitRules(3600).through_pause(3600, FIRST) is not None


def test_retries_and_pauses_are_counted_separately() -> None:
    rules = WaitRules()
    assert rules.after(Reason.TIMEOUT, WaitCounts(pauses=3)) == Wait(
        300, WaitCounts(errors=1, pauses=3)
    )
    assert rules.through_pause(60, WaitCounts(errors=1)) == Wait(60, WaitCounts(errors=1, pauses=1))


def test_no_wait_is_longer_than_the_setting() -> None:
    rules = WaitRules.from_settings(Settings({LONGEST_WAIT.name: "20"}))
    assert rules.after(Reason.NETWORK, FIRST) == Wait(20, WaitCounts(errors=1))
    assert rules.through_pause(21, FIRST) is None


def test_with_a_setting_of_0_no_page_waits() -> None:
    rules = WaitRules.from_settings(Settings({LONGEST_WAIT.name: 0}))
    assert rules.after(Reason.TIMEOUT, FIRST) is None
    assert rules.through_pause(0.1, FIRST) is None


def test_the_default_maximum_is_ten_minutes() -> None:
    assert WaitRules.from_settings(Settings()).longest == 600


@pytest.mark.parametrize("value", ["soon", -1, "nan", float("inf"), 86_401, True, [60]])
def test_a_wrong_setting_is_refused(value: object) -> None:
    with pytest.raises(
        ConfigError, match=rf"{LONGEST_WAIT.name} is .*: a number of seconds from 0"
    ):
        WaitRules.from_settings(Settings({LONGEST_WAIT.name: value}))
