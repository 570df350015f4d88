"""The verdict on the labelled corpus."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.tiers.verdict.labelled import FOLDER, HALVES, LabelledPage, half, load
from tests.tiers.verdict.scoring import Score, score
from wikicrawler.tiers.verdict.rules import shipped_rules


@pytest.fixture(scope="module")
def pages() -> list[LabelledPage]:
    return load()


@pytest.fixture(scope="module")
def scores(pages: list[LabelledPage]) -> dict[str, Score]:
    return {name: score(page for page in pages if page.half == name) for name in HALVES}


@pytest.mark.parametrize("name", HALVES)
def test_recall_and_false_positives(scores: dict[str, Score], name: str) -> None:
    wrong = [(page.name, page.reason, verdict.word) for page, verdict in scores[name].wrong]
    assert scores[name].recall >= 0.98, wrong
    assert scores[name].false_positives <= 0.01, wrong
    assert len(wrong) <= 0.02 * len(scores[name].verdicts), wrong


def test_every_rule_decides_on_some_page(scores: dict[str, Score]) -> None:
    decided = {verdict.rule for result in scores.values() for _, verdict in result.verdicts}
    assert {rule.id for rule in shipped_rules().all} - decided == set()


def test_every_verdict_has_evidence(scores: dict[str, Score]) -> None:
    for result in scores.values():
        for page, verdict in result.verdicts:
            assert (verdict.word == "ok") == (verdict.rule == ""), page.name
            assert all(line.isprintable() for line in verdict.evidence), page.name
            assert verdict.evidence or verdict.word == "ok", page.name


def test_the_corpus_is_large_mixed_and_labelled(pages: list[LabelledPage]) -> None:
    assert {page.name for page in pages} == {path.name for path in FOLDER.glob("*.html")}
    for name in HALVES:
        reasons = Counter(page.reason for page in pages if page.half == name)
        assert sum(reasons.values()) >= 65
        assert reasons["ok"] >= sum(reasons.values()) / 3
    reasons = Counter(page.reason for page in pages)
    assert {word for word, count in reasons.items() if count < 3} == set()
    assert {rule.reason for rule in shipped_rules().all} <= set(reasons)


def test_a_page_stays_in_its_half() -> None:
    assert half("anubis-fast-200.html") == "tuning"
    assert half("stub-onetrust-banner.html") == "tuning"
    assert half("article-captcha.html") == "held-back"
    assert half("late-502-explained.html") == "tuning"
