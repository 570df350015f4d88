"""Order of the tiers after a probe."""

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
def test_the_probes_failure_orders_the_remaining_tiers(
    reason: Reason, is_wiki: bool, expected: tuple[str, ...]
) -> None:
    rest = ("other", "browser", "mediawiki") if is_wiki else ("other", "browser")
    assert after_probe("http", reason, rest, TIERS, is_wiki=is_wiki) == expected


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [("http", ("http", "browser", "other")), ("browser", ("browser", "http", "other"))],
)
def test_after_a_time_out_the_probe_is_repeated_with_the_full_time_limit(
    chosen: str, expected: tuple[str, ...]
) -> None:
    rest = ("browser", "other")
    found = after_probe("http", Reason.TIMEOUT, rest, TIERS, is_wiki=False, chosen=chosen)
    assert found == expected
