"""Mistyped names of settings are reported; names of other software are left alone."""

from __future__ import annotations

import logging

import pytest
from scrapy.settings import Settings

from wikicrawler import options
from wikicrawler.errors import ConfigError
from wikicrawler.process.setting_names import check_setting_names


def warned(caplog: pytest.LogCaptureFixture, *names: str) -> list[str]:
    with caplog.at_level(logging.INFO):
        check_setting_names(Settings(dict.fromkeys(names, 1)))
    return caplog.messages


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("WIKICRAWLER_CONTCT", "WIKICRAWLER_CONTACT"),
        ("WIKICRAWLER_PRIVATE_HOST", "WIKICRAWLER_PRIVATE_HOSTS"),
        ("WIKICRAWLER_CRAWL4AI_URL", "CRAWL4AI_URL"),
        ("WIKICRAWLER_DOMAIN_THROTTLE_ENABLED", "DOMAIN_THROTTLE_ENABLED"),
        ("DOMAIN_THROTTLE_ENABLE", "DOMAIN_THROTTLE_ENABLED"),
    ],
)
def test_a_mistyped_name_with_a_prefix_of_ours_is_an_error(name: str, meant: str) -> None:
    with pytest.raises(ConfigError) as found:
        check_setting_names(Settings({name: 1, "WIKICRAWLER_TIER": 1}))
    assert set(str(found.value).splitlines()) == {
        f"{name} is not a setting of wikicrawler: did you mean {meant}?",
        "WIKICRAWLER_TIER is not a setting of wikicrawler: did you mean WIKICRAWLER_TIERS?",
    }


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("WIKICRAWLER_MARKDOWN", "did you mean WIKICRAWLER_MARKDOWN_ENABLED?"),
        ("WIKICRAWLER_MY_TIERS_KEY", "docs/settings.md has their names"),
        ("CRAWL4AI_TOKEN", "did you mean CRAWL4AI_API_TOKEN?"),
        ("CRAWL4A_URL", "did you mean CRAWL4AI_URL?"),
        ("DOMAIN_THROTLE_ENABLED", "did you mean DOMAIN_THROTTLE_ENABLED?"),
        ("RATE_LIMIT_REQUESTS_PER_MINUTE", "did you mean DOMAIN_THROTTLE_REQUESTS_PER_MINUTE?"),
        ("RATE_LIMIT_REQUEST_PER_MINUTE", "did you mean DOMAIN_THROTTLE_REQUESTS_PER_MINUTE?"),
    ],
)
def test_a_name_that_may_be_anothers_is_a_warning(
    name: str, hint: str, caplog: pytest.LogCaptureFixture
) -> None:
    assert warned(caplog, name) == [f"{name} is not a setting of wikicrawler: {hint}"]


def test_names_of_scrapy_and_of_other_software_are_left_alone(
    caplog: pytest.LogCaptureFixture,
) -> None:
    others = ("RATE_LIMIT_ENABLED", "CRAWL4AI_HOOKS_ENABLED", "CRAWL4AI_BASE_URL", "ZYTE_API_URL")
    ours = (setting.name for setting in options.ALL)
    assert warned(caplog, *others, *ours) == []  # and Scrapy's own, which are in every Settings


@pytest.mark.parametrize(
    ("variable", "meant"),
    [
        ("RATE_LIMIT_REQUEST_PER_MINUTE", "RATE_LIMIT_REQUESTS_PER_MINUTE"),
        ("CRAWL4AI_API_TOKN", "CRAWL4AI_API_TOKEN"),
    ],
)
def test_a_mistyped_environment_variable_is_a_warning(
    variable: str, meant: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRAWL4AI_ALLOW_INTERNAL_URLS", "true")  # of the server
    monkeypatch.setenv(variable, "1")
    (message,) = warned(caplog)
    assert message == f"The environment variable {variable} is not read: did you mean {meant}?"
    monkeypatch.setenv(meant, "1")
    caplog.clear()
    assert warned(caplog) == []
