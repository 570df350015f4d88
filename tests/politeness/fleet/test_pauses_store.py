"""What workers tell each other of sites that block, in a Redis."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from wikicrawler.errors import StoreError
from wikicrawler.politeness.fleet.pauses_store import PREFIX, WINDOW, PausesStore
from wikicrawler.politeness.pauses import PauseNote, SharedPause

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.servers.redis import RealRedis

    MakeStore = Callable[[], PausesStore]

SITE = "site.example"


@pytest.fixture
def store(redis: RealRedis) -> Iterator[MakeStore]:
    made: list[PausesStore] = []

    def make() -> PausesStore:
        made.append(PausesStore(redis.url))
        return made[-1]

    yield make
    for one in made:
        one.close()


def test_blocked_pages_add_up_over_all_workers(store: MakeStore) -> None:
    one, two = store(), store()
    one.exchange([PauseNote(SITE, 1, 1)])
    assert two.exchange([PauseNote(SITE, 1, 0)]) == [SharedPause(SITE, 2, 1, 0, 0.0)]
    assert one.exchange([]) == [SharedPause(SITE, 2, 1, 0, 0.0)]
    assert one.exchange([]) == two.exchange([]) == []
    assert store().exchange([]) == [SharedPause(SITE, 2, 1, 0, 0.0)]


def test_a_pause_that_two_find_at_the_same_time_is_one(store: MakeStore) -> None:
    one, two = store(), store()
    one.exchange([PauseNote(SITE, 2, 2)])
    for worker in (one, two):
        worker.exchange([PauseNote(SITE, risk_level=1, pause=600.0)])
    one.exchange([PauseNote(SITE, 1, 1)])  # it was on its way
    (known,) = store().exchange([])
    assert known[:4] == (SITE, 0, 0, 1)
    assert 590 < known.remaining <= 600


def test_a_site_that_answers_is_as_new(store: MakeStore) -> None:
    one, two = store(), store()
    one.exchange([PauseNote(SITE, risk_level=3, pause=2400.0)])
    one.exchange([PauseNote("other.example", 1, 1)])
    two.exchange([PauseNote(SITE, is_over=True)])
    assert one.exchange([]) == [SharedPause(SITE, 0, 0, 0, 0.0)]
    assert store().exchange([])[-1] == SharedPause(SITE, 0, 0, 0, 0.0)


def test_many_changes_come_some_at_a_time(store: MakeStore) -> None:
    one, two = store(), store()
    names = [f"{n}.example" for n in range(WINDOW + 1)]
    one.exchange([PauseNote(name, 1, 1) for name in names])
    first, has_more = two.exchange([]), two.has_more
    second = two.exchange([])
    assert [known.site for known in (*first, *second)] == names
    assert (has_more, two.has_more, len(second)) == (True, False, 1)


def test_a_redis_that_was_emptied_begins_anew(redis: RealRedis, store: MakeStore) -> None:
    one, two = store(), store()
    for _ in range(3):
        one.exchange([PauseNote(SITE, 1, 1)])
    redis.empty()
    two.exchange([PauseNote("other.example", 1, 1)])
    assert one.exchange([]) == [SharedPause("other.example", 1, 1, 0, 0.0)]


def test_redis_forgets_everything_in_time(redis: RealRedis, store: MakeStore) -> None:
    store().exchange([PauseNote(SITE, risk_level=1, pause=600.0), PauseNote("b.example", 1, 0)])
    with redis.client() as client:
        lives = {key.removeprefix(PREFIX): client.ttl(key) for key in client.scan_iter()}
    assert set(lives) == {f"site:{SITE}", "site:b.example", "changed", "count"}
    assert all(86_000 < seconds <= 3 * 86_400 for seconds in lives.values())


def test_a_redis_that_is_away_is_an_error() -> None:
    with pytest.raises(StoreError, match="Redis: "):
        PausesStore("redis://127.0.0.1:1/0").exchange([])
