"""Each alert says what to do."""

from __future__ import annotations

from pathlib import Path

from wikicrawler.sources.alerts.advice import ADVICE, advice_for
from wikicrawler.sources.alerts.events import AlertEvent

DOCS = Path(__file__).parents[3] / "docs" / "alerts.md"


def test_each_event_has_advice() -> None:
    assert set(ADVICE) == set(AlertEvent)
    assert all(one.meaning and one.steps for one in ADVICE.values())


def test_an_event_of_another_version_has_none() -> None:
    assert advice_for("blocked") is ADVICE[AlertEvent.BLOCKED]
    assert advice_for("<script>") is None


def test_the_documentation_says_the_same() -> None:
    text = " ".join(DOCS.read_text("utf-8").replace("`", "").split())
    for advice in ADVICE.values():
        for step in advice.steps:
            assert step in text
