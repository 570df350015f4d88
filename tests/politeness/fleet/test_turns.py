"""Turns that several workers take at the sites, in a Redis."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from tests.servers.faults import FaultyProxy
from wikicrawler.errors import StoreError
from wikicrawler.politeness.fleet.turns import PREFIX, RedisTurns
from wikicrawler.politeness.turns import Asked, Note

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.servers.redis import RealRedis

    MakeTurns = Callable[..., RedisTurns]

SITE = "agency.example"


@pytest.fixture
def turns(redis: RealRedis) -> Iterator[MakeTurns]:
    made: list[RedisTurns] = []

    def make(*, lease: float = 60.0, url: str = "") -> RedisTurns:
        made.append(RedisTurns(url or redis.url, longest=60.0, lease=lease))
        return made[-1]

    yield make
    for one in made:
        if one._client is not None:
            one._client.close()


def ask(
    number: int,
    site: str = SITE,
    delay: float = 0.0,
    at_once: int = 3,
    base: float | None = None,
) -> Asked:
    return Asked(number, site, delay, at_once, base)


def sent(number: int, site: str = SITE) -> Note:
    return Note(site, number)


def ended(number: int, site: str = SITE, wait: float = 0.0, raised: float | None = None) -> Note:
    return Note(site, number, is_ended=True, wait=wait, raised=raised)


def test_a_turn_whose_answer_was_lost_is_given_again(redis: RealRedis, turns: MakeTurns) -> None:
    with FaultyProxy(redis.port) as proxy:
        one = turns(url=f"redis://127.0.0.1:{proxy.port}/0")
        one.exchange([], [sent(0, "other.example")])  # the script is there now
        proxy.lose_reply()
        with pytest.raises(StoreError, match="Redis"):
            one.exchange([ask(1, at_once=1)], [])
        assert one.exchange([ask(1, at_once=1)], []).numbers == {1}


def test_requests_to_a_site_at_once_are_counted_over_all_workers(turns: MakeTurns) -> None:
    one, two = turns(), turns()
    assert one.exchange([ask(1, at_once=2)], []).numbers == {1}
    assert two.exchange([ask(1, at_once=2)], [sent(1)]).numbers == set(), "the first may be unsent"
    one.exchange([], [sent(1)])
    assert two.exchange([ask(2, at_once=2)], []).numbers == {2}
    two.exchange([], [sent(2)])
    assert one.exchange([ask(2, at_once=2)], []).numbers == set()
    assert two.exchange([], [ended(2)]).numbers == set()
    assert one.exchange([ask(3, at_once=2)], []).numbers == {3}


def test_the_delay_begins_when_a_request_of_any_worker_was_sent_and_ended(
    turns: MakeTurns,
) -> None:
    one, two = turns(), turns()
    assert one.exchange([ask(1, delay=50)], []).numbers == {1}
    for number, note in enumerate((sent(1), ended(1))):
        one.exchange([], [note])
        given = two.exchange([ask(number, delay=50)], [])
        assert given.numbers == set()
        assert given.look_again is not None
        assert 40 < given.look_again <= 50
    assert two.exchange([ask(9, "other.example", delay=50)], []).numbers == {9}


def test_a_worker_waits_for_the_pause_that_another_learned(turns: MakeTurns) -> None:
    one, two = turns(), turns()
    one.exchange([ask(1)], [])
    one.exchange([], [ended(1, wait=30)])
    given = two.exchange([ask(1, delay=1)], [])
    assert given.numbers == set()
    assert given.look_again is not None
    assert 20 < given.look_again <= 30


def raised(turns: RedisTurns, number: int, site: str = SITE) -> float | None:
    """Take a turn, and return the raised delay that comes with it."""
    given = turns.exchange([ask(number, site)], [])
    assert given.numbers == {number}
    return given.raised.get(number)


def test_a_delay_that_one_worker_raised_is_that_of_all(turns: MakeTurns) -> None:
    one, two = turns(), turns()
    assert raised(one, 1) is None
    one.exchange([], [ended(1, raised=8.0)])
    for own in (1.0, 20.0):  # what another worker has found before does not count
        given = two.exchange([ask(1, delay=own, base=1.0)], [sent(9, "other.example")])
        assert given.numbers == set()
        assert given.look_again is not None
        assert 7 < given.look_again <= 8
        two = turns()
    given = two.exchange([ask(1, delay=20.0, base=10.0)], [])
    assert given.look_again is not None
    assert 9 < given.look_again <= 10, "its robots.txt asks for more"


def test_a_raised_delay_is_lowered_by_whoever_finds_that_the_site_answers(
    redis: RealRedis, turns: MakeTurns
) -> None:
    one, two = turns(), turns()
    raised(one, 1)
    one.exchange([], [ended(1, raised=0.05)])
    for turn, (worker, lower) in enumerate([(two, 0.04), (one, 0.03), (two, 0.0)], 2):
        time.sleep(0.06)
        assert raised(worker, turn) is not None
        worker.exchange([], [ended(turn, raised=lower)])
    assert raised(one, 9) == 0.0


def test_a_request_that_was_under_way_at_the_last_raise_does_not_lower_the_delay(
    turns: MakeTurns,
) -> None:
    one, two = turns(), turns()
    raised(one, 1)
    one.exchange([], [sent(1)])
    raised(two, 1)
    one.exchange([], [ended(1, raised=0.02)])
    two.exchange([], [ended(1, raised=0.01)])
    one.exchange([], [Note(SITE, raised=0.0)])  # a notice without a request
    time.sleep(0.03)
    assert raised(one, 2) == 0.02
    one.exchange([], [Note(SITE, raised=0.04)])
    one.exchange([], [ended(2, raised=0.02)])
    time.sleep(0.05)
    assert raised(two, 2) == 0.04


def test_a_raised_delay_is_forgotten_when_nobody_has_asked_for_an_hour(
    redis: RealRedis, turns: MakeTurns
) -> None:
    one = turns()
    raised(one, 1)
    one.exchange([], [ended(1, raised=0.01)])
    time.sleep(0.02)
    with redis.client() as client:
        last = int(client.hget(f"{PREFIX}{SITE}", "last"))
        client.hset(f"{PREFIX}{SITE}", "last", last - 3_590_000_000)
        assert raised(one, 2) == 0.01
        one.exchange([], [ended(2)])
        last = int(client.hget(f"{PREFIX}{SITE}", "last"))
        client.hset(f"{PREFIX}{SITE}", "last", last - 3_600_000_000)
    assert raised(one, 3) is None


def test_no_pause_is_longer_than_the_longest(turns: MakeTurns) -> None:
    one, two = turns(), turns()
    one.exchange([ask(1)], [])
    one.exchange([], [ended(1, wait=1e6)])
    given = two.exchange([ask(1)], [])
    assert given.look_again is not None
    assert given.look_again <= 60


def test_a_site_is_not_asked_for_before_its_time_unless_there_is_news_of_it(
    redis: RealRedis, turns: MakeTurns
) -> None:
    one = turns()
    one.exchange([ask(1)], [])
    given = one.exchange([ask(2, delay=30)], [ended(1)])
    assert given.look_again is not None
    with redis.client() as client:
        before = client.info("commandstats")["cmdstat_evalsha"]["calls"]
        again = one.exchange([ask(2, delay=30)], [])
        assert client.info("commandstats")["cmdstat_evalsha"]["calls"] == before
    assert again.numbers == set()
    assert again.look_again is not None
    assert again.look_again <= given.look_again


def test_turns_that_are_not_renewed_are_free_and_their_last_request_counts(
    turns: MakeTurns,
) -> None:
    lost, alive, other = turns(lease=2), turns(lease=2), turns()
    lost.exchange([ask(1)], [])
    alive.exchange([ask(1, "b.example")], [])
    give_up = time.monotonic() + 2.5
    while time.monotonic() < give_up:
        alive.exchange([], [])
        time.sleep(0.02)
    given = other.exchange([ask(1, delay=50), ask(2, "b.example", at_once=1)], [])
    assert given.numbers == set()
    given = other.exchange([ask(3, delay=50)], [])
    assert given.look_again is not None
    assert 40 < given.look_again <= 50


def test_the_end_gives_all_turns_back(redis: RealRedis, turns: MakeTurns) -> None:
    one = turns()
    one.exchange([ask(1), ask(2, "b.example")], [])
    one.end([ended(1)])
    with redis.client() as client:
        assert set(client.hgetall(f"{PREFIX}{SITE}")) == {"last", "before"}
        assert set(client.hgetall(f"{PREFIX}b.example")) == {"last", "before"}
        assert 0 < client.ttl(f"{PREFIX}b.example") <= 86_400


def test_a_redis_that_is_away_is_an_error_and_nothing_is_given(turns: MakeTurns) -> None:
    away = turns(url="redis://127.0.0.1:1/0")
    with pytest.raises(StoreError, match="Redis: "):
        away.exchange([ask(1)], [])


def test_a_turn_is_held_until_it_lapses(redis: RealRedis, turns: MakeTurns) -> None:
    one = turns(lease=0.3)
    one.exchange([ask(1)], [])
    assert one.holds(1)
    time.sleep(0.3)
    assert not one.holds(1)
    one.exchange([], [])  # comes too late to renew it
    assert not one.holds(1)
    assert turns().exchange([ask(1)], []).numbers == {1}


def test_a_turn_that_is_renewed_is_held_for_longer(redis: RealRedis, turns: MakeTurns) -> None:
    one = turns(lease=1.2)
    one.exchange([ask(1)], [])
    for _ in range(3):
        time.sleep(0.5)
        one.exchange([], [])
    assert one.holds(1)
    one.exchange([], [ended(1)])
    assert not one.holds(1)


def test_turns_that_redis_has_lost_are_there_again_when_it_answers(
    redis: RealRedis, turns: MakeTurns
) -> None:
    with FaultyProxy(redis.port) as proxy:
        one, other = turns(url=f"redis://127.0.0.1:{proxy.port}/0"), turns()
        one.exchange([ask(1)], [])
        proxy.is_away = True
        with pytest.raises(StoreError):
            one.exchange([], [sent(1)])
        redis.empty()
        proxy.is_away = False
        one.exchange([], [sent(1)])
        assert not other.exchange([ask(1, at_once=1)], []).numbers
        proxy.is_away = True
        with pytest.raises(StoreError):
            one.exchange([], [ended(1)])
        proxy.is_away = False
        one.exchange([], [ended(1)])
    assert other.exchange([ask(2, at_once=1)], []).numbers
