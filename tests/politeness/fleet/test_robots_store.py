"""What workers tell each other of robots.txt, in a Redis."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

import pytest
from scrapy.exceptions import DownloadTimeoutError

from tests.servers.faults import FaultyProxy
from wikicrawler.errors import StoreError
from wikicrawler.politeness.fetch_errors import CANCELLED, NETWORK_ERRORS, TIMEOUTS
from wikicrawler.politeness.fleet.robots_store import (
    LEASE,
    MAX_STORED,
    PREFIX,
    AskedRobots,
    RobotsStore,
)
from wikicrawler.politeness.robots_answer import DISALLOW_ALL, LIFETIME, MAX_BODY, RobotsAnswer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.servers.redis import RealRedis

    MakeStore = Callable[..., RobotsStore]

ORIGIN = "https://agency.example"
RULES = b"User-agent: *\nDisallow: /private\n"
ALWAYS = float("inf")


@pytest.fixture
def store(redis: RealRedis) -> Iterator[MakeStore]:
    made: list[RobotsStore] = []

    def make(*, url: str = "", lease: float = LEASE, max_stored: int = MAX_STORED) -> RobotsStore:
        made.append(RobotsStore(url or redis.url, lease=lease, max_stored=max_stored))
        return made[-1]

    yield make
    for one in made:
        one.close()


def ask(store: RobotsStore, origin: str = ORIGIN, longest: float = ALWAYS) -> RobotsAnswer | bool:
    (answer,) = store.exchange([AskedRobots(origin, longest)])
    return answer


def put(store: RobotsStore, answer: RobotsAnswer, origin: str = ORIGIN) -> None:
    store.exchange([], fetched={origin: answer})


def test_one_worker_fetches_and_all_have_its_answer(store: MakeStore) -> None:
    one, two = store(), store()
    assert (ask(one), ask(two), ask(one)) == (True, False, True)
    put(one, RobotsAnswer(RULES))
    for worker in (one, two, store()):
        answer = ask(worker)
        assert isinstance(answer, RobotsAnswer)
        assert (answer.body, answer.unreachable, answer.cause) == (RULES, "", None)
        assert 0 <= answer.age < 60
        assert LIFETIME - 60 < answer.left <= LIFETIME


def test_each_host_and_scheme_is_fetched_by_itself(store: MakeStore) -> None:
    one, two = store(), store()
    assert ask(one, "https://a.example") is True
    assert ask(two, "http://a.example") is True
    assert ask(two, "https://a.example:8443") is True


def test_what_is_given_up_is_fetched_by_another(store: MakeStore) -> None:
    one, two, three = store(), store(), store()
    ask(one)
    three.exchange([], given_up=[ORIGIN])
    assert ask(two) is False, "it was not the third one's"
    one.exchange([], given_up=[ORIGIN])
    assert ask(two) is True


def test_a_worker_that_is_not_heard_of_loses_what_it_was_fetching(store: MakeStore) -> None:
    lost, alive, other = store(lease=0.5), store(lease=0.5), store()
    ask(lost)
    ask(alive, "https://b.example")
    give_up = time.monotonic() + 1.5
    while time.monotonic() < give_up:
        alive.exchange([], renewed=["https://b.example"])
        time.sleep(0.02)
    assert ask(other, "https://b.example") is False
    assert ask(other) is True
    put(lost, RobotsAnswer(b"old"))
    assert ask(lost) is False, "the other one fetches it"
    put(other, RobotsAnswer(RULES))
    put(lost, RobotsAnswer(b"old"))
    answer = ask(lost)
    assert isinstance(answer, RobotsAnswer)
    assert answer.body == RULES


def test_a_claim_that_lapsed_while_redis_was_away_is_renewed_unless_another_has_it(
    store: MakeStore,
) -> None:
    one, two = store(), store()
    one.exchange([], renewed=[ORIGIN])
    assert ask(two) is False
    two.exchange([], renewed=[ORIGIN])
    assert (ask(one), ask(two)) == (True, False)


@pytest.mark.parametrize(
    "kinds", [TIMEOUTS, CANCELLED, NETWORK_ERRORS], ids=lambda k: k[0].__name__
)
def test_a_failure_is_known_to_all_with_its_kind(
    store: MakeStore, kinds: tuple[type[Exception], ...]
) -> None:
    put(store(), RobotsAnswer(DISALLOW_ALL, "TimeoutError: é", kinds[0]("é"), left=1800.0))
    answer = ask(store())
    assert isinstance(answer, RobotsAnswer)
    assert (answer.body, answer.unreachable) == (DISALLOW_ALL, "TimeoutError: é")
    assert isinstance(answer.cause, kinds)
    assert 1700 < answer.left <= 1800


def test_a_failure_without_a_response_counts_up_to_the_age_that_is_asked_for(
    store: MakeStore,
) -> None:
    one, two = store(), store()
    put(one, RobotsAnswer(DISALLOW_ALL, "away", DownloadTimeoutError("away"), left=1800.0))
    put(one, RobotsAnswer(DISALLOW_ALL, "status 503", left=1800.0), "https://b.example")
    time.sleep(0.01)
    assert isinstance(ask(one, longest=60), RobotsAnswer)
    assert isinstance(ask(one, "https://b.example", longest=-1), RobotsAnswer)
    assert (ask(one, longest=-1), ask(two, longest=-1)) == (True, False)
    assert isinstance(ask(two), RobotsAnswer), "who may know the old one need not wait"
    put(one, RobotsAnswer(RULES))
    answer = ask(two, longest=-1)
    assert isinstance(answer, RobotsAnswer)
    assert answer.body == RULES


def test_an_answer_is_forgotten_when_its_time_has_passed(store: MakeStore) -> None:
    one, two = store(), store()
    put(one, RobotsAnswer(RULES, left=0.2))
    give_up = time.monotonic() + 10
    while (answer := ask(two)) is not True and time.monotonic() < give_up:
        assert isinstance(answer, RobotsAnswer)
        time.sleep(0.02)
    assert answer is True


def test_the_oldest_go_when_there_is_no_room(redis: RealRedis, store: MakeStore) -> None:
    body = os.urandom(10_000)  # cannot be compressed
    one = store(max_stored=35_000)
    for name in "abc":
        put(one, RobotsAnswer(body), f"https://{name}.example")
    put(one, RobotsAnswer(body), "https://d.example")
    known = [name for name in "abcd" if ask(one, f"https://{name}.example") is not True]
    assert known == ["b", "c", "d"]
    put(one, RobotsAnswer(os.urandom(40_000)), "https://e.example")
    with redis.client() as client:
        assert client.hgetall(f"{PREFIX}sizes") == {"all": "0"}
        assert client.zcard(f"{PREFIX}stored") == 0


def test_many_small_ones_have_a_bound_too(redis: RealRedis, store: MakeStore) -> None:
    one = store(max_stored=10_000)
    one.exchange([], fetched={f"https://{n}.example": RobotsAnswer(b"") for n in range(100)})
    with redis.client() as client:
        assert 10 < client.zcard(f"{PREFIX}stored") < 20


def test_a_long_one_is_stored_short_and_read_up_to_the_bound(
    redis: RealRedis, store: MakeStore
) -> None:
    one = store()
    put(one, RobotsAnswer(b"a" * MAX_BODY))
    put(one, RobotsAnswer(b"a" * (MAX_BODY + 1)), "https://b.example")
    for origin in (ORIGIN, "https://b.example"):
        answer = ask(one, origin)
        assert isinstance(answer, RobotsAnswer)
        assert answer.body == b"a" * MAX_BODY
    with redis.client(decoded=False) as client:
        assert len(client.hget(f"{PREFIX}{ORIGIN}", "body")) < 2000


def test_redis_forgets_everything_in_time(redis: RealRedis, store: MakeStore) -> None:
    one = store()
    put(one, RobotsAnswer(RULES))
    ask(one, "https://b.example")
    with redis.client() as client:
        lives = {key.removeprefix(PREFIX): client.ttl(key) for key in client.scan_iter()}
    assert set(lives) == {ORIGIN, "claim:https://b.example", "stored", "sizes"}
    assert all(0 < seconds <= LIFETIME for seconds in lives.values())
    assert lives["claim:https://b.example"] <= LEASE


def test_a_claim_whose_answer_was_lost_is_given_again(redis: RealRedis, store: MakeStore) -> None:
    with FaultyProxy(redis.port) as proxy:
        one = store(url=f"redis://127.0.0.1:{proxy.port}/0")
        ask(one, "https://other.example")  # the script is there now
        proxy.lose_reply()
        with pytest.raises(StoreError, match="Redis"):
            ask(one)
        assert ask(one) is True


def test_a_redis_that_is_away_is_an_error(store: MakeStore) -> None:
    with pytest.raises(StoreError, match="Redis: "):
        ask(store(url="redis://127.0.0.1:1/0"))
