"""A crawl learns what other crawls record while it runs."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any

import pytest
from scrapy import signals
from scrapy.utils.defer import deferred_f_from_coro_f
from scrapy.utils.test import get_crawler

from tests.crawling import project_settings
from tests.frontier.redis.test_crawls import Fleet
from tests.frontier.sites import ManyPages
from tests.learning.model.test_evidence import assert_same_as_brute_force
from tests.learning.pages import NOW, attempts, page
from tests.learning.stored import attempted, store, told
from tests.politeness.fleet.test_pauses import until
from tests.store.test_other_runs import OTHER, OWN, begin
from wikicrawler.learning.live import LiveLearner
from wikicrawler.learning.model.outcomes import Outcome
from wikicrawler.learning.model.sums import Changed, Observation
from wikicrawler.store.database import Database

if TYPE_CHECKING:
    from pathlib import Path

    from scrapy.crawler import Crawler

    from tests.servers.postgres import RealPostgres
    from tests.servers.redis import RealRedis
    from wikicrawler.learning.model.evidence import Evidence

A = page("https://www.a.example/x")


class Live:
    """The learner of a running crawl."""

    def __init__(self, url: str, seconds: float = 0.02) -> None:
        settings: dict[str, Any] = {
            "WIKICRAWLER_DATABASE_URL": url,
            "WIKICRAWLER_LEARN_SECONDS": seconds,
        }
        self.crawler: Crawler = get_crawler(settings_dict=project_settings(**settings))
        self.learner = LiveLearner(self.crawler)
        self.learner.leave_out(OWN)

    @property
    def evidence(self) -> Evidence:
        return self.learner._learner.evidence

    @property
    def learned(self) -> int:
        found: int = self.crawler.stats.get_value("learning/others_count", 0)
        return found

    async def end(self) -> None:
        await self.crawler.signals.send_catch_log_async(signals.spider_closed)


@pytest.fixture
def live(url: str, database: Database) -> Live:
    begin(database, OWN, OTHER)
    return Live(url)


@deferred_f_from_coro_f
async def test_it_is_as_if_it_had_seen_the_attempts_itself(live: Live, database: Database) -> None:
    now = time.time()
    made = [(features, row._replace(at=row.at - NOW + now)) for features, row in attempts(300, 7)]
    records = [attempted(features, row) for features, row in made]
    store(database, records[:100], run=OTHER)
    await live.learner.ready()
    store(database, records, run=OTHER)  # the first of them are there
    store(database, records[:50], run=OWN)
    await until(lambda: live.learned == len(made) - 100)
    assert_same_as_brute_force(live.evidence, made, [], now)
    await live.end()


@deferred_f_from_coro_f
async def test_a_change_that_two_crawls_find_counts_once(live: Live, database: Database) -> None:
    await live.learner.ready()
    for n in range(20):
        live.learner.learn(A, "http", Outcome.SUCCESS, NOW + n)
    found = None
    for n in range(20):
        lesson = live.learner.learn(A, "http", Outcome.FAILURE, NOW + 100 + n)
        found = found or lesson.changed
    assert found is not None
    before = live.evidence.sums(A, "http", NOW + 300)
    other = Changed(found.at + 60, "http", A.domain, 0.1)
    row = Observation(NOW + 290, "http", Outcome.FAILURE, A.named())
    store(database, [told(A, other), attempted(A, row)], run=OTHER)
    await until(lambda: live.learned == 1)
    after = live.evidence.sums(A, "http", NOW + 300)
    assert after[-1].failures == pytest.approx(before[-1].failures + 1, rel=1e-3)
    await live.end()


@deferred_f_from_coro_f
async def test_a_change_that_another_crawl_finds_takes_the_weight_of_what_was_known(
    live: Live, database: Database
) -> None:
    await live.learner.ready()
    for n in range(20):
        live.learner.learn(A, "http", Outcome.SUCCESS, NOW + n)
    rows = [Observation(NOW + 100 + n, "http", Outcome.FAILURE, A.named()) for n in range(5)]
    change = told(A, Changed(NOW + 99, "http", A.domain, 0.1))
    store(database, [change, *(attempted(A, row) for row in rows)], run=OTHER)
    await until(lambda: live.learned == len(rows))
    sums = live.evidence.sums(A, "http", NOW + 200)[-1]
    assert sums.successes == pytest.approx(1, rel=0.01)
    assert sums.failures == pytest.approx(5, rel=0.01)
    await live.end()


@deferred_f_from_coro_f
async def test_nothing_is_read_after_the_end_or_where_it_is_switched_off(
    live: Live, url: str, database: Database
) -> None:
    off = Live(url, seconds=0)
    await live.learner.ready()
    await off.learner.ready()
    await live.end()
    store(database, [attempted(*one) for one in attempts(10, 1)], run=OTHER)
    await asyncio.sleep(0.2)
    assert live.learned == off.learned == 0


@deferred_f_from_coro_f
async def test_a_database_that_is_not_there_yet_is_read_when_it_is(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/db.sqlite"
    live = Live(url)
    await live.learner.ready()
    await asyncio.sleep(0.1)
    assert not (tmp_path / "db.sqlite").exists()
    database = Database(url, tmp_path)
    begin(database, OTHER)
    store(database, [attempted(*one) for one in attempts(10, 1)], run=OTHER)
    await until(lambda: live.learned == 10)
    await live.end()
    database.close()


def test_each_worker_of_a_fleet_learns_what_the_others_do(
    redis: RealRedis, postgres: RealPostgres, tmp_path: Path
) -> None:
    settings = {
        "WIKICRAWLER_DATABASE_URL": postgres.empty_database(),
        "WIKICRAWLER_TIER_POLICY": "learned",
        "WIKICRAWLER_LEARN_SECONDS": 0.2,
    }
    arguments = [part for name, value in settings.items() for part in ("-s", f"{name}={value}")]
    with ManyPages(60, delay=0.02) as site:
        fleet = Fleet(redis, tmp_path, f"{site.url}/0")
        try:
            with site.held():
                numbers = [fleet.start(*arguments) for _ in range(2)]
                for number in numbers:
                    fleet.wait_for_log(number, "Spider opened")
            assert [fleet.end(number) for number in numbers] == [0, 0]
        finally:
            fleet.stop()
        assert set(fleet.written()) == site.urls()
    for worker in fleet.workers:
        assert "'learning/others_count': " in worker.log
        assert "Traceback" not in worker.log
