"""What a probe says of the tiers that come after it."""

from __future__ import annotations

import pytest
from scrapy.settings import Settings

from wikicrawler.errors import Reason
from wikicrawler.tiers.adapting import after_probe
from wikicrawler.tiers.registry import TierRegistry

TIERS = TierRegistry.from_settings(Settings()).classes


@pytest.mark.parametrize(
    ("reason", "is_wiki", "expected"),
    [
        (Reason.JS_SHELL, False, ("browser", "other")),
        (Reason.BLOCKED_CAPTCHA, False, ("browser", "other")),
        (Reason.NETWORK, False, ("other", "browser")),
        (Reason.JS_SHELL, True, ("mediawiki", "other", "browser")),
    ],
)
def test_a_probe_says_how_to_go_on(
    reason: Reason, is_wiki: bool, expected: tuple[str, ...]
) -> None:
    rest = ("other", "browser", "mediawiki") if is_wiki else ("other", "browser")
    assert after_probe("http", reason, rest, TIERS, is_wiki=is_wiki) == expected


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [("http", ("http", "browser", "other")), ("browser", ("browser", "http", "other"))],
)
def test_a_page_that_was_only_slow_gets_its_time(chosen: str, expected: tuple[str, ...]) -> None:
    rest = ("browser", "other")
    found = after_probe("http", Reason.TIMEOUT, rest, TIERS, is_wiki=False, chosen=chosen)
    assert found == expected
