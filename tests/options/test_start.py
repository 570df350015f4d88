"""A wrong value of any setting ends a crawl at its start, with an error that names it."""

from __future__ import annotations

import runpy
from typing import Any

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f

import wikicrawler.settings
from tests.crawling import project_settings, run
from wikicrawler import options
from wikicrawler.errors import ConfigError
from wikicrawler.options.kinds import Component, FilePath, Setting, Text
from wikicrawler.spiders.wiki import WikiSpider

CHECKED_ELSEWHERE = (Text, FilePath, Component)  # any text is one: what it names is what is wrong
EVERYTHING = {  # in use
    "CRAWL4AI_URL": "http://127.0.0.1:1",
    "WIKICRAWLER_TIER_POLICY": "split",
    "WIKICRAWLER_DATABASE_URL": "sqlite:////nowhere/db.sqlite",
}


@pytest.mark.parametrize(
    "setting",
    [setting for setting in options.ALL if not isinstance(setting, CHECKED_ELSEWHERE)],
    ids=lambda setting: setting.name,
)
@deferred_f_from_coro_f
async def test_a_wrong_value_ends_the_start(setting: Setting[Any]) -> None:
    used = dict(EVERYTHING)
    if setting is options.RECORD_ATTEMPTS:  # a policy that learns records anyway
        used[options.TIER_POLICY.name] = "static"
    settings = project_settings(**used, **{setting.name: "may/be"})
    with pytest.raises(ConfigError, match=rf"^{setting.name}\b.*(may/be|is not JSON)"):
        await run(WikiSpider, settings, seeds="http://127.0.0.1:1/")


def test_the_project_takes_its_pace_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    rate = options.DOMAIN_THROTTLE_REQUESTS_PER_MINUTE
    assert rate.name not in runpy.run_path(wikicrawler.settings.__file__)
    monkeypatch.setenv(rate.environment, "30")
    assert runpy.run_path(wikicrawler.settings.__file__)[rate.name] == "30"
