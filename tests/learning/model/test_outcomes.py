"""What each reason is evidence of."""

from __future__ import annotations

import pytest

from wikicrawler.errors import Reason
from wikicrawler.learning.model.outcomes import OUTCOMES, Outcome, outcome_of


def test_every_reason_is_classified() -> None:
    assert set(OUTCOMES) == set(Reason)


def test_a_page_is_a_success() -> None:
    assert outcome_of("ok") is Outcome.SUCCESS


@pytest.mark.parametrize("reason", ["timeout", "network", "browser_down", "error", "conversion"])
def test_the_networks_faults_and_ours_are_not_the_tiers(reason: str) -> None:
    assert outcome_of(reason) is Outcome.NONE


@pytest.mark.parametrize("reason", ["blocked", "blocked_captcha"])
def test_blocks_are_bans(reason: str) -> None:
    assert outcome_of(reason) is Outcome.BAN


def test_what_is_true_of_the_page_says_nothing_of_the_tier() -> None:
    assert outcome_of("error_page") is Outcome.FAILURE
    assert outcome_of("error_page", final=True) is Outcome.NONE


def test_an_unknown_word_is_refused() -> None:
    with pytest.raises(ValueError, match="teapot"):
        outcome_of("teapot")
