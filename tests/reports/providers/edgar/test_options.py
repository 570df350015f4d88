"""Options of the provider, and the contact that SEC requires."""

from __future__ import annotations

from typing import Any

import pytest

from tests.reports.fetcher import AGENT
from wikicrawler.errors import ConfigError
from wikicrawler.reports.providers.edgar import SecEdgarProvider
from wikicrawler.reports.providers.edgar.options import EdgarOptions


def test_the_defaults_are_the_hosts_of_sec() -> None:
    found = EdgarOptions.read({})
    assert found == EdgarOptions(
        "https://www.sec.gov", "https://data.sec.gov", "https://efts.sec.gov", 8.0, 600.0
    )


def test_options_are_read() -> None:
    found = EdgarOptions.read(
        {"www": "http://127.0.0.1:8000/", "requests_per_second": 2, "silence": 0.5}
    )
    assert (found.www, found.requests_per_second, found.silence) == (
        "http://127.0.0.1:8000",
        2.0,
        0.5,
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rate": 1}, "^rate: is not an option of sec_edgar"),
        ({"requests_per_secnd": 1}, r"did you mean requests_per_second\?"),
        (
            {"requests_per_second": 11},
            "^requests_per_second: '11' is not a number above 0 and at most 8",
        ),
        ({"requests_per_second": 0}, "requests_per_second"),
        ({"requests_per_second": "8"}, "requests_per_second"),
        ({"requests_per_second": True}, "requests_per_second"),
        ({"requests_per_second": float("nan")}, "requests_per_second"),
        ({"silence": -1}, "^silence: '-1' is not a number above 0 and at most 86400"),
        ({"silence": None}, "silence"),
        (
            {"data": "data.sec.gov"},
            r"^data: 'data.sec.gov' is not an http or https URL \(like https",
        ),
        ({"efts": 1}, "efts: '1' is not"),
        ({"www": "https://www.sec.gov/?a=b"}, "www: a base URL has no query"),
        ({1: 2}, "^1: is not an option"),
    ],
)
def test_wrong_options_are_errors(options: dict[Any, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        SecEdgarProvider(1, options, user_agent=AGENT)


@pytest.mark.parametrize("agent", ["wikicrawler/0.1.0", "bot (+https://me.example/bot)", "", "@"])
def test_a_contact_is_required(agent: str) -> None:
    with pytest.raises(ConfigError, match=r"WIKICRAWLER_CONTACT=you@example\.org"):
        SecEdgarProvider(1, {}, user_agent=agent)


@pytest.mark.parametrize(
    "agent", ["bot (+me@example.org)", "Me me@example.org", "bot (+mailto:me@example.org)"]
)
def test_a_contact_is_an_address(agent: str) -> None:
    assert SecEdgarProvider(2, {}, user_agent=agent).tier == 2
