"""The search and download of reports for programs without an event loop."""

from __future__ import annotations

import logging
import threading
from itertools import permutations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.reports.sources import APPLE, report, source
from wikicrawler.reports.errors import (
    DocumentNotFoundError,
    Outcome,
    RateLimitExceededError,
    RequestTimeoutError,
)
from wikicrawler.reports.multi_source import MultiSourceCrawler
from wikicrawler.reports.providers.base import BaseDataProvider

if TYPE_CHECKING:
    from wikicrawler.reports.models import CompanyRef, CompanyReport, SourceRef

FAILURES: tuple[Exception, ...] = (
    DocumentNotFoundError("404"),
    RateLimitExceededError("503"),
    RequestTimeoutError("too late"),
    OSError("connection reset"),
)


class Provider(BaseDataProvider):
    """Offers one candidate; its download fails with *failure*, if there is one."""

    def __init__(self, name: str, failure: Exception | None = None, **facts: Any) -> None:
        self.name = name
        self.failure = failure
        self.facts = facts
        self.searched: list[tuple[CompanyRef, int, int]] = []
        self.downloaded: list[SourceRef] = []

    def search(self, company: CompanyRef, year: int, tier: int) -> list[SourceRef]:
        self.searched.append((company, year, tier))
        url = f"https://{self.name}.example/report.pdf"
        return [source(**{"provider": self.name, "tier": tier, "url": url} | self.facts)]

    def download(self, source_ref: SourceRef, company: CompanyRef, year: int) -> CompanyReport:
        self.downloaded.append(source_ref)
        if self.failure is not None:
            raise self.failure
        return report(Path(self.name), source_ref, year)


class Answering(Provider):
    """Answers a search with *answer*, or raises it."""

    def __init__(self, name: str, answer: Any) -> None:
        super().__init__(name)
        self.answer = answer

    def search(self, company: CompanyRef, year: int, tier: int) -> list[SourceRef]:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer  # type: ignore[no-any-return]


def names(found: list[SourceRef]) -> list[str]:
    return [one.provider for one in found]


def test_all_providers_of_all_tiers_are_asked_with_their_tier() -> None:
    one, two, three = Provider("one"), Provider("two"), Provider("three")
    found = MultiSourceCrawler(tiers=[[one, two], [three]]).search_company_reports(APPLE, 2023)
    assert names(found) == ["one", "two", "three"]
    assert [p.searched for p in (one, two, three)] == [[(APPLE, 2023, t)] for t in (1, 1, 2)]


def test_a_disabled_provider_is_not_asked(caplog: pytest.LogCaptureFixture) -> None:
    off = Provider("off")
    off.enabled = False
    with caplog.at_level(logging.INFO):
        found = MultiSourceCrawler(tiers=[[off, Provider("on")]]).search_company_reports(
            APPLE, 2023
        )
    assert (names(found), off.searched) == (["on"], [])
    assert "Skipping disabled provider: off" in caplog.messages


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (RuntimeError("broken"), "RuntimeError: broken"),
        (RateLimitExceededError("wait"), "wait"),
        (None, "returned NoneType, not a list of SourceRef"),
        ("https://x.example/", "returned str, not a list of SourceRef"),
        (["https://x.example/"], "returned non-SourceRef: str"),
    ],
)
def test_a_provider_that_fails_is_a_warning_and_the_others_are_asked(
    answer: Any, said: str, caplog: pytest.LogCaptureFixture
) -> None:
    tiers = [[Answering("bad", answer), Provider("good")], [Provider("other")]]
    found = MultiSourceCrawler(tiers=tiers).search_company_reports(APPLE, 2023)
    assert names(found) == ["good", "other"]
    warnings = [one.getMessage() for one in caplog.records if one.levelno == logging.WARNING]
    assert warnings == [f"Provider bad search failed: {said}"]


@pytest.mark.parametrize("order", list(permutations(range(4))))
def test_every_order_of_failing_providers_leaves_what_the_good_one_offers(
    order: tuple[int, ...],
) -> None:
    everyone = [
        Answering("raises", ValueError("no")),
        Answering("wrong", 5),
        Answering("limited", RateLimitExceededError("wait")),
        Provider("good"),
    ]
    crawler = MultiSourceCrawler(tiers=[[everyone[at] for at in order]])
    assert names(crawler.search_company_reports(APPLE, 2023)) == ["good"]


def test_a_provider_that_hangs_is_given_up() -> None:
    release = threading.Event()

    class Hanging(Provider):
        def search(self, company: CompanyRef, year: int, tier: int) -> list[SourceRef]:
            release.wait(60)
            return []

    crawler = MultiSourceCrawler(tiers=[[Hanging("slow"), Provider("good")]], search_seconds=0.5)
    try:
        with pytest.raises(RuntimeError) as raised:
            MultiSourceCrawler(tiers=[[Hanging("slow")]], search_seconds=0.1).download_best_report(
                APPLE, 2023
            )
        assert names(crawler.search_company_reports(APPLE, 2023)) == ["good"]
    finally:
        release.set()
    notes = raised.value.searches  # type: ignore[attr-defined]
    assert [(note.provider, note.outcome) for note in notes] == [("slow", Outcome.TIMEOUT)]


def test_providers_are_asked_at_the_same_time() -> None:
    barrier = threading.Barrier(3, timeout=30)

    class Meeting(Provider):
        def search(self, company: CompanyRef, year: int, tier: int) -> list[SourceRef]:
            barrier.wait()  # raises, if the others are not asked meanwhile
            return super().search(company, year, tier)

    tiers = [[Meeting("a"), Meeting("b")], [Meeting("c")]]
    assert len(MultiSourceCrawler(tiers=tiers).search_company_reports(APPLE, 2023)) == 3


@pytest.mark.parametrize("count", range(1, 6))
def test_after_n_failures_the_next_candidate_is_downloaded(count: int) -> None:
    for failing in range(count + 1):
        everyone = [
            Provider(f"p{at}", FAILURES[at % 4] if at < failing else None) for at in range(count)
        ]
        crawler = MultiSourceCrawler(tiers=[everyone])
        if failing == count:
            with pytest.raises(RuntimeError, match="Failed to download report for Apple Inc") as e:
                crawler.download_best_report(APPLE, 2023)
            assert f"(2023) after trying {count} candidates. Last error: " in str(e.value)
            assert str(FAILURES[(count - 1) % 4]) in str(e.value)
            assert all(one.downloaded for one in everyone)
            continue
        found = crawler.download_best_report(APPLE, 2023)
        assert found.local_path == Path(f"p{failing}")
        assert [bool(one.downloaded) for one in everyone] == [at <= failing for at in range(count)]
        outcomes = [attempt.outcome for attempt in found.attempts]
        assert outcomes[-1] is Outcome.OK
        assert len(outcomes) == failing + 1
        assert len(found.candidates) == count


def test_the_best_candidate_is_downloaded_first_whatever_the_order_of_the_providers() -> None:
    good, better, best = (
        Provider("good", priority_score=50),
        Provider("better", priority_score=20),
        Provider("best", priority_score=5),
    )
    for order in permutations((good, better, best)):
        assert MultiSourceCrawler(tiers=[order]).download_best_report(
            APPLE, 2023
        ).local_path == Path("best")


def test_without_candidates_the_error_says_how_many_were_asked() -> None:
    tiers = [[Answering("a", [])], [Answering("b", []), Answering("c", [])]]
    with pytest.raises(RuntimeError) as raised:
        MultiSourceCrawler(tiers=tiers).download_best_report(APPLE, 2023)
    assert str(raised.value) == (
        "No report candidates found for Apple Inc. (2023). Searched 3 providers across 2 tiers."
    )


def test_a_provider_that_returns_no_report_is_a_failure() -> None:
    class Wrong(Provider):
        def download(self, source_ref: SourceRef, company: CompanyRef, year: int) -> CompanyReport:
            return "report.pdf"  # type: ignore[return-value]

    crawler = MultiSourceCrawler(tiers=[[Wrong("wrong")], [Provider("good")]])
    found = crawler.download_best_report(APPLE, 2023)
    assert found.attempts[0].detail == ("TypeError: the provider returned str, not a CompanyReport")


def test_a_candidate_named_after_another_provider_is_downloaded_by_who_offers_it() -> None:
    one, two = Provider("one", provider="two"), Provider("two", FAILURES[0])
    found = MultiSourceCrawler(tiers=[[two, one]]).download_best_report(APPLE, 2023)
    assert found.local_path == Path("one")


def test_a_document_that_two_providers_offer_is_downloaded_once() -> None:
    url = "https://x.example/same.pdf"
    one, two = Provider("one", FAILURES[0], url=url), Provider("two", url=url, priority_score=5)
    found = MultiSourceCrawler(tiers=[[one], [two]]).download_best_report
    with pytest.raises(RuntimeError, match="after trying 1 candidates"):
        found(APPLE, 2023)
    assert (len(one.downloaded), len(two.downloaded)) == (1, 0)


def test_there_are_at_most_three_tiers() -> None:
    with pytest.raises(ValueError, match="4 tiers"):
        MultiSourceCrawler(tiers=[[], [], [], []])
