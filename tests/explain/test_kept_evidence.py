"""Explanations for a program that gives many."""

from __future__ import annotations

from threading import Thread
from time import time
from typing import TYPE_CHECKING

import pytest
from scrapy.settings import Settings

from tests.store.samples import attempt
from wikicrawler.explain.kept_evidence import PageExplanations
from wikicrawler.explain.queries import explain_pages
from wikicrawler.store.attempts import add_attempts

if TYPE_CHECKING:
    from wikicrawler.store.database import Database

URL = "https://en.wiki.example.org/wiki/Page"
NOW = time() - 60


def fill(database: Database, run: int, **facts: object) -> None:
    with database.write() as connection:
        add_attempts(connection, run, enumerate([attempt(at=NOW, heuristics=(), **facts)] * 5, 1))


def settings_of(url: str) -> Settings:
    return Settings({"WIKICRAWLER_DATABASE_URL": url})


def test_an_explanation_is_the_one_of_the_command(
    database: Database, reader: Database, url: str
) -> None:
    fill(database, 1)
    (expected,), _ = explain_pages(settings_of(url), [URL], 3)
    found = PageExplanations(settings_of(url), reader).explain(URL, 3)
    assert found.static_order == expected.static_order
    assert found.attempts[0].url == expected.attempts[0].url
    assert len(found.attempts) == 3
    assert [one.success.mean for one in found.tiers] == pytest.approx(
        [one.success.mean for one in expected.tiers]
    )


def test_without_a_database_there_is_no_evidence(reader: Database, url: str) -> None:
    found = PageExplanations(settings_of(url), reader).explain(URL, 3)
    assert found.attempts == ()
    assert found.budget.is_known is False


def test_the_evidence_is_kept_for_a_multiple_of_the_time_it_took(
    database: Database, reader: Database, url: str
) -> None:
    clock = [0.0]

    def ticking() -> float:  # reading takes two seconds
        clock[0] += 2.0
        return clock[0]

    fill(database, 1)
    kept = PageExplanations(settings_of(url), reader, ticking)
    fill(database, 2, tier="browser", ok=False, reason="blocked")

    def seen() -> float:
        one = kept.explain(URL, 0)
        return next(tier.levels[-1].seen.successes for tier in one.tiers if tier.tier == "http")

    first = seen()  # read at 2, ended at 4: good until 14
    fill(database, 3)
    assert seen() == pytest.approx(first)
    clock[0] = 20.0
    assert seen() > first


def test_threads_take_turns(database: Database, reader: Database, url: str) -> None:
    fill(database, 1)
    kept = PageExplanations(settings_of(url), reader)
    found: list[int] = []
    threads = [
        Thread(target=lambda: found.append(len(kept.explain(URL, 2).attempts))) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [2] * 8
