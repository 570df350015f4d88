"""The outcome of each reason."""

from __future__ import annotations

import pytest

from wikicrawler.errors import Reason
from wikicrawler.learning.model.outcomes import OUTCOMES, Outcome, outcome_of


def test_every_reason_is_classified() -> None:
    assert set(OUTCOMES) == set(Reason)


def test_ok_is_a_success() -> None:
    assert outcome_of("ok") is Outcome.SUCCESS


@pytest.mark.parametrize("reason", ["timeout", "network", "browser_down", "error", "conversion"])
def test_network_errors_and_our_own_errors_are_no_evidence(reason: str) -> None:
    assert outcome_of(reason) is Outcome.NONE


@pytest.mark.parametrize("reason", ["blocked", "blocked_captcha"])
def test_blocks_are_bans(reason: str) -> None:
    assert outcome_of(reason) is Outcome.BAN


def test_a_final_failure_is_no_evidence() -> None:
    assert outcome_of("error_page") is Outcome.FAILURE
    assert outcome_of("error_page", final=True) is Outcome.NONE


def test_an_unknown_reason_is_refused() -> None:
    with pytest.raises(ValueError, match="teapot"):
        outcome_of("teapot")
