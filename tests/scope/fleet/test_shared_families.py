"""Families of URLs whose pages several workers fetch, over a Redis."""

from __future__ import annotations

from itertools import cycle
from typing import TYPE_CHECKING

import pytest
from scrapy.utils.test import get_crawler

from tests.scope.test_families import HOST
from tests.servers.traps import MONTHS, prose
from wikicrawler.content.sketch import sketch_of
from wikicrawler.scope.families import LONG, PATIENCE, Families, FamilyNote
from wikicrawler.scope.fleet.families_store import MOST_HASHES, MOST_PAGES, FamiliesStore
from wikicrawler.scope.link_guard import LinkGuard

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.servers.redis import RealRedis

WORKERS = 3


class Worker:
    """A worker that exchanges after each page; what it closes is given to the others."""

    def __init__(self, redis: RealRedis, job: str = "wiki:docs") -> None:
        self.families = Families()
        self.store = FamiliesStore(redis.url, job)
        self.closed: list[bytes] = []
        self.families.resume([], self.closed.append)
        self._notes: list[FamilyNote] = []
        self.families.share = self._notes.append

    def judge(self, path: str, text: str, depth: int = 3, *, leads_on: bool = False) -> None:
        self.families.judge(HOST + path, sketch_of(text), depth, leads_on=leads_on)
        self.exchange()

    def exchange(self) -> None:
        for counts in self.store.exchange(self._notes):
            self.families.counted(counts)
        self._notes.clear()

    def is_closed(self, path: str) -> bool:
        return self.families.is_closed(HOST + path)


@pytest.fixture
def make(redis: RealRedis) -> Iterator[Callable[..., Worker]]:
    made: list[Worker] = []

    def make_one(job: str = "wiki:docs") -> Worker:
        made.append(Worker(redis, job))
        return made[-1]

    yield make_one
    for worker in made:
        worker.store.close()


def fetched(workers: list[Worker], pages: list[tuple[str, str]]) -> int:
    """How many of *pages*, each found by the one before, are fetched by the workers in turn."""
    for number, (worker, (path, text)) in enumerate(zip(cycle(workers), pages, strict=False)):
        if worker.is_closed(path):
            return number
        worker.judge(path, text, number)
        for other in workers:
            other.families.learn(worker.closed)
    return len(pages)


def test_a_trap_is_found_that_no_worker_alone_would_find(make: Callable[..., Worker]) -> None:
    workers = [make() for _ in range(WORKERS)]
    pages = [(f"/list?page={n}", f"Page {n} of our lamps and chairs.") for n in range(1_000)]
    found = fetched(workers, pages)
    assert found <= PATIENCE + 3 + WORKERS
    assert found / WORKERS < PATIENCE / 2
    assert all(worker.is_closed("/list?page=9") for worker in workers)
    assert not any(worker.is_closed("/list?item=9") for worker in workers)


def test_what_one_worker_has_read_is_nothing_new_from_another(make: Callable[..., Worker]) -> None:
    one, two = make(), make()
    for n in range(30):
        one.judge(f"/i?ware={n}", prose(f"ware {n}"))
    for n in range(PATIENCE + 10):
        two.judge(f"/i?ware={n % 30}&sort=price", prose(f"ware {n % 29 + 1}"))
    assert two.is_closed("/i?ware=1&sort=name")
    assert not two.is_closed("/i?ware=1")


def test_pages_with_a_thing_each_are_fetched_to_the_last(make: Callable[..., Worker]) -> None:
    pages = [(f"/list?page={n}", prose(f"thing-{n}")) for n in range(300)]
    assert fetched([make() for _ in range(WORKERS)], pages) == 300


def test_a_calendar_ends_about_where_one_worker_ends_it(make: Callable[..., Worker]) -> None:
    pages = [
        (f"/cal/{2026 + n // 12}/{n % 12 + 1}", f"# {MONTHS[n % 12]} {2026 + n // 12}\n\nNothing.")
        for n in range(1_000)
    ]
    assert fetched([make() for _ in range(WORKERS)], pages) < 60


def test_a_page_that_leads_on_at_any_worker_keeps_the_family_open(
    make: Callable[..., Worker],
) -> None:
    one, two = make(), make()
    for n in range(100):
        one.judge(f"/list?page={n}", "The same.")
        if n % 10 == 0:
            two.judge(f"/list?page={n}", "The same.", leads_on=True)
    assert not one.is_closed("/list?page=100")


def test_parameters_are_given_up_sooner_where_the_place_was_idle_for_long(
    make: Callable[..., Worker],
) -> None:
    workers = [make() for _ in range(2)]
    paths = [f"/shop?{chr(97 + n // 26)}{chr(97 + n % 26)}=1" for n in range(26)]
    for n in range(LONG + 60):
        workers[n % 2].judge(f"{paths[n // 2 % 10]}&n={n}", "The same.")
    assert workers[0].is_closed(f"{paths[0]}&n=7")
    assert workers[1].is_closed(f"{paths[0]}&n=7")


def test_links_are_left_out_when_another_worker_has_closed_their_family() -> None:
    crawler = get_crawler()
    guard, notes = LinkGuard(crawler.settings, crawler.stats), Families()
    news: list[bytes] = []
    guard.begin([], lambda _: None, lambda: news)
    notes.resume([], news.append)
    for n in range(PATIENCE + 3):
        notes.judge(f"{HOST}/list?page={n}", sketch_of("The same."), 3, leads_on=False)
    assert not guard.is_closed(f"{HOST}/list?page=99")
    guard.counted([])
    assert guard.is_closed(f"{HOST}/list?page=99")


def test_most_families_have_one_page_and_cost_nothing(
    make: Callable[..., Worker], redis: RealRedis
) -> None:
    one = make()
    for n in range(50):
        one.judge(f"/{prose(n, 2).split()[-1]}{n}/{chr(97 + n % 26)}{chr(97 + n // 26)}-7", "Text.")
    with redis.client() as client:
        assert client.keys("*") == []


def test_another_job_counts_for_itself_and_nothing_is_kept_for_ever(
    make: Callable[..., Worker], redis: RealRedis
) -> None:
    one, other = make(), make("wiki:other")
    for n in range(PATIENCE + 5):
        one.judge(f"/list?page={n}", "The same.")
    other.judge("/list?page=1", "The same.")
    other.judge("/list?page=2", "The same.")
    assert one.is_closed("/list?page=1")
    assert not other.is_closed("/list?page=1")
    with redis.client() as client:
        keys = client.keys("*")
        jobs = {key.partition("}:families:")[0] for key in keys}
        assert jobs == {"{wikicrawler:wiki:docs", "{wikicrawler:wiki:other"}
        assert {client.ttl(key) > 0 for key in keys} == {True}


def test_memory_is_bounded_whatever_sites_say(
    make: Callable[..., Worker], redis: RealRedis
) -> None:
    store = make().store
    for place in range(200):
        hashes = {place * 7919 + n * 104_729 for n in range(1_000)}
        names = frozenset(str(place))
        store.exchange([FamilyNote(str(place), names, hashes, 1, hashes, 1, leads_on=False)])
    note = FamilyNote("0", frozenset(), set(), 1, set(), 1, leads_on=False)
    store.exchange([note._replace(names=frozenset({str(n)})) for n in range(2_000)])
    with redis.client() as client:
        texts = client.keys("*}:families:words:*")
        assert len(texts) <= 64
        assert sum(client.strlen(text) for text in texts) <= 64 * 2**15
        assert max(client.hlen(key) for key in client.keys("*}:families:place:*")) <= 1_202


def test_many_pages_are_sent_in_parts(make: Callable[..., Worker]) -> None:
    store = make().store
    note = FamilyNote("place", frozenset(), set(range(MOST_HASHES)), 1, set(), 1, leads_on=False)
    counts = store.exchange([note] * 3 + [note._replace(words=set())] * 2 * MOST_PAGES)
    assert [one[2:] for one in counts] == [(1, 2 * MOST_PAGES + 2, 2 * MOST_PAGES + 2)]
