"""Limits on the number of pages, which the workers of a Redis share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.frontier.contract import drain, pop
from tests.frontier.redis.test_frontier import LEASE_SECONDS
from wikicrawler.frontier.page_limits import KEY_SIZE, MOST_OF_SITE, PAGE, WRITTEN, PageLimits

if TYPE_CHECKING:
    from tests.frontier.redis.workers import Workers
    from wikicrawler.frontier.redis.frontier import RedisFrontier

SITE = "a.org"


class Refused(list[str]):
    """URLs of which a worker has learned that their site has no place."""


def add(
    worker: RedisFrontier, *names: str, site: str = SITE, of_site: int | None = None, **limits: bool
) -> None:
    """Add requests for pages that have no place yet."""
    for name in names:
        worker.push(
            site,
            0,
            name.encode,
            fingerprint=f"{site}/{name}".encode(),
            kind=PAGE,
            url=name,
            limits=PageLimits(of_site, **limits),
        )


def write(worker: RedisFrontier, lease: int, name: str, site: str = SITE) -> None:
    """Have the page *name* its record, and its request done."""
    worker.note(WRITTEN, name.encode().ljust(KEY_SIZE) + site.encode(), after=lease)
    assert worker.done(lease)


async def open_two(workers: Workers, most: int | None) -> tuple[RedisFrontier, RedisFrontier]:
    one, other = [await workers.open() for _ in range(2)]
    for worker in (one, other):
        worker.pages.limit(most, Refused().append)
    return one, other


async def fetched(worker: RedisFrontier) -> list[str]:
    """Fetch all there is, each page of which gets its record, and return the names."""
    names = []
    while (found := await pop(worker)) is not None:
        write(worker, *found)
        names.append(found[1])
    return names


async def skip(worker: RedisFrontier, skipped: str) -> list[str]:
    """Lease all there is, have the page *skipped* end without a record, and return the others."""
    names = []
    while (found := await pop(worker)) is not None:
        if found[1] == skipped:
            number = found[0]
        else:
            names.append(found[1])
    worker.done(number)
    return names


@deferred_f_from_coro_f
async def test_all_workers_together_have_the_pages_of_the_limit(workers: Workers) -> None:
    one, other = await open_two(workers, 4)
    add(one, "a", "b", "c")
    await one.prefetch()
    add(other, "d", "e", "f")
    assert await fetched(other) == ["d"]
    assert await fetched(one) == ["a", "b", "c"]
    assert await fetched(other) == []
    assert not one.has_pending()
    assert not other.has_pending()
    assert (other.pages.taken, other.pages.written, other.pages.waiting) == (4, 4, 2)


@deferred_f_from_coro_f
async def test_a_page_without_a_record_leaves_its_place_to_what_waited_longest(
    workers: Workers,
) -> None:
    one, other = await open_two(workers, 1)
    add(one, "a", "b")
    add(other, "c")
    await one.prefetch()
    await other.prefetch()
    lease = one.pop()
    assert lease is not None
    one.done(lease.number)
    assert one.has_pending()  # before the exchange by which the other one begins
    await one.renew()
    assert await fetched(other) == ["b"]
    assert await fetched(one) == []
    assert not one.has_pending()


@deferred_f_from_coro_f
async def test_a_redirect_takes_the_place_along(workers: Workers) -> None:
    one, other = await open_two(workers, 1)
    add(one, "a", "b")
    found = await pop(one)
    assert found is not None
    one.push(SITE, 0, b"target".decode().encode, fingerprint=b"target", kind=PAGE)
    assert await fetched(other) == []
    one.done(found[0])
    await one.renew()
    assert await fetched(other) == ["target"]
    assert await fetched(one) == []


@deferred_f_from_coro_f
async def test_a_request_that_was_added_before_takes_no_place(workers: Workers) -> None:
    one, other = await open_two(workers, 2)
    add(one, "a")
    await one.prefetch()
    add(other, "a", "b", "c")
    await other.prefetch()
    assert other.pages.taken == 2
    assert sorted([*await drain(one), *await drain(other)]) == ["a", "b"]


@deferred_f_from_coro_f
async def test_what_waits_is_not_asked_for_again(workers: Workers) -> None:
    one, other = await open_two(workers, 1)
    add(one, "a", "b")
    await one.prefetch()
    add(other, "b")
    await other.prefetch()
    assert other.pages.waiting == 1


@pytest.mark.parametrize("moment", ["leased", "redirected", "written"])
@deferred_f_from_coro_f
async def test_a_worker_that_dies_neither_frees_nor_keeps_a_place(
    workers: Workers, moment: str
) -> None:
    """At any moment: its page is fetched by another worker, and one page is written at the end."""
    one, other = await open_two(workers, 1)
    add(one, "a", "b", "c")
    found = await pop(one)
    assert found is not None
    if moment == "redirected":  # the new request has arrived, what it came from is not done
        one.push(SITE, 0, b"target".decode().encode, fingerprint=b"target", kind=PAGE)
        await one.renew()
    elif moment == "written":  # what was written is known, and that it is done
        write(one, *found)
    await one.renew()
    workers.lose(one)
    workers.clock.move(LEASE_SECONDS)
    await other.prefetch()
    written = 1 if moment == "written" else 0
    while (again := await pop(other)) is not None:
        if moment == "redirected" and again[1] == "a":
            other.push(SITE, 0, b"target".decode().encode, fingerprint=b"target", kind=PAGE)
            other.done(again[0])
        else:
            write(other, *again)
            written += 1
    assert written == 1
    assert not other.has_pending()


@deferred_f_from_coro_f
async def test_a_page_that_is_given_up_leaves_its_place(workers: Workers) -> None:
    one, _ = await open_two(workers, 1)
    add(one, "killer", "b")
    await one.prefetch()
    await one.close()
    for _ in range(4):
        worker = await workers.open()
        worker.pages.limit(1, Refused().append)
        assert await pop(worker) is not None
        await worker.renew()
        workers.lose(worker)
        workers.clock.move(LEASE_SECONDS)
    worker = await workers.open()
    worker.pages.limit(1, Refused().append)
    await worker.prefetch()
    assert worker.dead == 1
    assert await fetched(worker) == ["b"]


@deferred_f_from_coro_f
async def test_two_addresses_of_one_page_have_one_place(workers: Workers) -> None:
    one, other = await open_two(workers, 2)
    add(one, "a")
    await one.prefetch()
    add(other, "alias", "b")
    both = await pop(one), await pop(other)
    for worker, found in zip((one, other), both, strict=True):
        assert found is not None
        write(worker, found[0], "a")
        await worker.renew()
    assert await fetched(other) == ["b"]
    assert other.pages.written == 2


@deferred_f_from_coro_f
async def test_a_site_has_the_pages_of_its_limit_over_all_workers(workers: Workers) -> None:
    one, other = await open_two(workers, None)
    refused = Refused()
    other.pages.limit(None, refused.append)
    add(one, "a", of_site=2)
    add(one, "x", site="b.org")
    await one.prefetch()
    add(other, "b", "c", of_site=2)
    add(other, "y", site="b.org")
    await other.prefetch()
    assert refused == ["c"]
    assert await skip(one, "a") == ["x"]
    await one.renew()
    assert sorted([*await drain(one), *await drain(other)]) == ["b", "c", "y"]


@deferred_f_from_coro_f
async def test_what_has_a_place_of_its_site_waits_for_one_of_the_crawl(workers: Workers) -> None:
    one, _ = await open_two(workers, 2)
    add(one, "a", "b", of_site=1)
    add(one, "x", "y", site="b.org")
    assert await skip(one, "a") == ["x"]  # frees both places: y has waited longer
    assert await drain(one) == ["y"]
    assert one.pages.waiting == 1


@deferred_f_from_coro_f
async def test_a_link_that_may_not_wait_is_dropped_and_may_come_again(workers: Workers) -> None:
    one, other = await open_two(workers, 1)
    add(one, "a")
    add(one, "b", waits=False)
    assert await drain(one) == ["a"]
    assert (one.pages.waiting, one.has_pending()) == (0, False)
    other.pages.limit(2, Refused().append)
    add(other, "b", waits=False)
    assert await drain(other) == ["b"]


@deferred_f_from_coro_f
async def test_so_many_wait_for_a_site_and_no_more_are_sent(workers: Workers) -> None:
    one, _ = await open_two(workers, None)
    refused = Refused()
    one.pages.limit(None, refused.append)
    add(one, *(str(n) for n in range(MOST_OF_SITE + 1)), of_site=1)
    await one.prefetch()
    assert one.pages.has_room(SITE)
    add(one, "more", of_site=1)
    await one.prefetch()
    assert not one.pages.has_room(SITE)
    assert one.pages.has_room("b.org")
    assert len(refused) == MOST_OF_SITE + 1
    workers.clock.move(5)
    assert one.pages.has_room(SITE)


@deferred_f_from_coro_f
async def test_a_higher_limit_lets_begin_what_waited(workers: Workers) -> None:
    one, other = await open_two(workers, 1)
    add(one, "a", "b", "c")
    assert await fetched(one) == ["a"]
    assert not one.has_pending()
    await other.prefetch()
    other.pages.limit(2, Refused().append)
    assert other.has_pending()
    assert await fetched(other) == ["b"]
    assert not other.has_pending()


@deferred_f_from_coro_f
async def test_a_worker_that_does_not_know_the_limit_lets_nothing_begin(workers: Workers) -> None:
    one, _ = await open_two(workers, 1)
    add(one, "a", "b")
    await one.prefetch()
    await one.close()
    stranger = await workers.open()
    found = await pop(stranger)
    assert found is not None
    stranger.done(found[0])
    assert await drain(stranger) == []
    assert await drain((await open_two(workers, 1))[0]) == ["b"]
