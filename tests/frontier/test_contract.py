"""The sentences of the frontier's protocol, for every implementation."""

from __future__ import annotations

import random
from collections import Counter
from itertools import chain, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from scrapy import Request
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.frontier.contract import (
    IMPLEMENTATIONS,
    LEASE_SECONDS,
    SHARED,
    Downloader,
    Implementation,
    drain,
    implementation,
    is_known,
    opened,
    pop,
    push,
)
from wikicrawler.frontier.protocol import Delayed, Frontier, FrontierError, KnownFeed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@pytest.fixture(params=IMPLEMENTATIONS)
def state(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Implementation]:
    yield from implementation(request, tmp_path)


@pytest.fixture(params=SHARED)
def shared(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Implementation]:
    yield from implementation(request, tmp_path)


def refuse() -> bytes:
    raise ValueError("cannot be encoded")


async def exchange_and_push(worker: Frontier, name: str) -> None:
    await worker.prefetch()
    push(worker, "a.org", name)


# Opening and closing


@deferred_f_from_coro_f
async def test_the_first_worker_begins_and_later_ones_resume(state: Implementation) -> None:
    first = await opened(state)
    assert not first.resumed
    await first.close()
    assert (await opened(state)).resumed


CALLS: dict[str, Callable[[Frontier], Any]] = {
    "commit": lambda worker: worker.commit(),
    "push": lambda worker: worker.push("a.org", 0, bytes),
    "pop": lambda worker: worker.pop(),
    "tried": lambda worker: worker.tried(1),
    "done": lambda worker: worker.done(1),
    "waiting": lambda worker: worker.waiting(),
    "has_pending": lambda worker: worker.has_pending(),
    "counts": lambda worker: worker.counts("page"),
    "delayed": lambda worker: worker.delayed(),
    "next_due_in": lambda worker: worker.next_due_in(),
    "hold": lambda worker: worker.hold("a.org", 1),
    "set_pace": lambda worker: worker.set_pace("a.org", 1),
    "note": lambda worker: worker.note("name", b"value"),
    "noted": lambda worker: worker.noted("name"),
    "has_noted": lambda worker: worker.has_noted("name", b"value"),
    "feed": lambda worker: worker.feed("feed"),
    "add_feed": lambda worker: worker.add_feed("feed", 0),
    "resize_feed": lambda worker: worker.resize_feed(1, 1),
    "add_record": lambda worker: worker.add_record(1, b"key"),
    "remove_record": lambda worker: worker.remove_record(1, b"key"),
}


def test_every_synchronous_call_is_tested() -> None:
    never = {"name", "is_open", "resumed", "may_lack_writes", "lease_seconds", "feed_name"}
    never |= {"give_up", "pages"}
    awaitable = {"open", "close", "prefetch", "renew"}
    calls = {name for name in vars(Frontier) if not name.startswith("_")}
    assert set(CALLS) == calls - never - awaitable


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
@deferred_f_from_coro_f
async def test_a_frontier_that_is_not_open_raises(
    state: Implementation, call: Callable[[Frontier], Any]
) -> None:
    worker = state.worker()
    assert not worker.is_open
    with pytest.raises(FrontierError):
        call(worker)
    await worker.open(Downloader())
    assert worker.is_open
    call(worker)
    worker.give_up()
    assert not worker.is_open
    with pytest.raises(FrontierError):
        call(worker)
    await worker.close()
    with pytest.raises(FrontierError):
        call(worker)


@deferred_f_from_coro_f
async def test_giving_up_and_closing_again_are_harmless(state: Implementation) -> None:
    worker = await opened(state)
    for _ in range(2):
        worker.give_up()
        await worker.close()
        await worker.close()
    assert worker.name
    assert worker.resumed is False
    assert worker.feed_name(Path("pages.jsonl"))
    unopened = state.worker()
    for frontier in (worker, unopened):
        await frontier.prefetch()
        await frontier.renew()
        await frontier.close()


@deferred_f_from_coro_f
async def test_a_frontier_that_fails_is_not_open_any_more(state: Implementation) -> None:
    worker = await opened(state)
    push(worker, "a.org", "a")
    worker.commit()
    state.damage()
    with pytest.raises(FrontierError) as failed:
        await exchange_and_push(worker, "b")  # a shared frontier knows from the exchange on
    assert str(failed.value)
    assert not worker.is_open
    await worker.close()


@deferred_f_from_coro_f
async def test_closing_commits_and_hands_back_what_is_not_done(state: Implementation) -> None:
    worker = await opened(state)
    push(worker, "a.org", "a", "b", "c")
    found = await pop(worker)
    assert found is not None
    assert worker.done(found[0])
    assert await pop(worker) is not None
    await worker.close()
    assert await drain(await opened(state)) == ["b", "c"]  # at once: the clock stands still


@deferred_f_from_coro_f
async def test_what_is_under_way_when_it_gives_up_comes_again(state: Implementation) -> None:
    worker = await opened(state)
    push(worker, "a.org", "a")
    assert await pop(worker) is not None
    worker.note("name", b"value")
    worker.give_up()
    await worker.close()
    again = await opened(state)
    assert again.noted("name") == {b"value"}
    assert await drain(again) == ["a"]


# Commit points


@deferred_f_from_coro_f
async def test_what_precedes_a_commit_point_survives_the_worker(state: Implementation) -> None:
    worker = await opened(state)
    feed = worker.add_feed("feed", 10)
    assert worker.push("a.org", 0, b"a".__bytes__, fingerprint=b"1")
    push(worker, "a.org", "late", wait=1000)
    push(worker, "a.org", "done", rank=-1)
    found = await pop(worker)
    assert found is not None
    worker.note("name", b"value", after=found[0])
    worker.done(found[0])
    worker.add_record(feed, b"key")
    worker.resize_feed(feed, 20)
    worker.commit()
    state.lose(worker)
    again = await opened(state)
    assert again.resumed
    assert await is_known(again, b"1")
    assert again.noted("name") == {b"value"}
    assert again.feed("feed") == KnownFeed(feed, 20)
    assert not again.add_record(feed, b"key")
    assert await drain(again) == ["a"]
    assert again.delayed().requests == 1


@pytest.mark.parametrize("seed", range(8))
@deferred_f_from_coro_f
async def test_what_survives_of_later_calls_is_the_state_after_one_of_them(
    state: Implementation, seed: int
) -> None:
    chance = random.Random(seed)  # noqa: S311
    worker = await opened(state)
    push(worker, "a.org", *(f"{n}" for n in range(40)))
    worker.commit()
    for _ in range(chance.randint(1, 30)):
        found = await pop(worker)
        assert found is not None
        worker.note("done", found[1].encode(), after=found[0])
        worker.push("b.org", 0, found[1].encode, fingerprint=found[1].encode(), wait=500)
        worker.done(found[0])
        if chance.random() < 0.2:
            worker.commit()
    state.lose(worker)
    again = await opened(state)
    left, followers = await drain(again), again.delayed().requests
    state.clock.move(500)
    names = [f"{n}".encode() for n in range(40)]
    followed = [name for name in names if await is_known(again, name)]
    assert len(followed) == followers
    assert len({*left, *(name.decode() for name in followed)}) == 40
    assert again.noted("done") == set(names) - {name.encode() for name in left}


@deferred_f_from_coro_f
async def test_a_feed_is_known_from_the_call_on(state: Implementation) -> None:
    worker = await opened(state)
    feed = worker.add_feed("feed", 10)
    state.lose(worker)
    assert (await opened(state)).feed("feed") == KnownFeed(feed, 10)


# Pushing


@deferred_f_from_coro_f
async def test_a_fingerprint_is_pushed_once(state: Implementation) -> None:
    worker = await opened(state)
    encoded = []

    def encode() -> bytes:
        encoded.append(1)
        return b"a"

    assert worker.push("a.org", 0, encode, fingerprint=b"1")
    assert not worker.push("a.org", 0, encode, fingerprint=b"1")
    assert not worker.push("b.org", 5, encode, fingerprint=b"1", wait=9)
    assert worker.push("a.org", 0, encode, fingerprint=b"2")
    assert len(encoded) == 2
    assert worker.push("a.org", 0, bytes)
    assert worker.push("a.org", 0, bytes)  # without a fingerprint nothing is a duplicate
    assert worker.waiting() == 4


@deferred_f_from_coro_f
async def test_it_is_a_duplicate_when_it_is_done_too(state: Implementation) -> None:
    worker = await opened(state)
    worker.push("a.org", 0, bytes, fingerprint=b"1")
    found = await pop(worker)
    assert found is not None
    worker.done(found[0])
    assert not worker.push("a.org", 0, bytes, fingerprint=b"1")


@deferred_f_from_coro_f
async def test_what_cannot_be_encoded_was_not_pushed(state: Implementation) -> None:
    worker = await opened(state)
    for fingerprint in (None, b"1"):
        with pytest.raises(ValueError, match="cannot be encoded"):
            worker.push("a.org", 0, refuse, fingerprint=fingerprint)
    assert worker.is_open
    assert worker.waiting() == 0
    assert worker.push("a.org", 0, bytes, fingerprint=b"1")


@deferred_f_from_coro_f
async def test_the_object_itself_or_its_bytes_are_handed_out(state: Implementation) -> None:
    worker = await opened(state)
    request = Request("http://a.org/")
    worker.push("a.org", 0, b"encoded".__bytes__, live=request)
    await worker.prefetch()
    lease = worker.pop()
    assert lease is not None
    assert lease.request is request or lease.request == b"encoded"


# Order


@deferred_f_from_coro_f
async def test_the_lowest_rank_comes_first_and_the_oldest_of_it(state: Implementation) -> None:
    worker = await opened(state)
    for n in range(12):
        push(worker, "a.org", f"{n}", rank=n % 3)
    assert await drain(worker) == [f"{n}" for rank in range(3) for n in range(rank, 12, 3)]


@pytest.mark.parametrize("newest_first", [(True, False), (False, True)])
@deferred_f_from_coro_f
async def test_or_the_newest_for_even_or_odd_ranks(
    state: Implementation, newest_first: tuple[bool, bool]
) -> None:
    worker = await opened(state, newest_first=newest_first)
    for n in range(9):
        push(worker, "a.org", f"{n}", rank=n % 3)
    ranks = [[f"{n}" for n in range(rank, 9, 3)] for rank in range(3)]
    turned = [names[::-1] if newest_first[rank & 1] else names for rank, names in enumerate(ranks)]
    assert await drain(worker) == [*chain.from_iterable(turned)]


@deferred_f_from_coro_f
async def test_ranks_do_not_matter_among_sites_which_take_turns(state: Implementation) -> None:
    worker = await opened(state)
    for rank, site in enumerate("abc"):
        push(worker, f"{site}.org", *(f"{site}{n}" for n in range(3)), rank=rank)
    assert await drain(worker) == ["a0", "b0", "c0", "a1", "b1", "c1", "a2", "b2", "c2"]


@deferred_f_from_coro_f
async def test_a_large_site_does_not_starve_a_small_one(state: Implementation) -> None:
    worker = await opened(state)
    push(worker, "large.org", *(f"{n}" for n in range(200)))
    push(worker, "small.org", "small")
    assert "small" in [(await pop(worker) or (0, ""))[1] for _ in range(2)]


@deferred_f_from_coro_f
async def test_the_site_that_holds_the_fewest_places_comes_first(state: Implementation) -> None:
    downloader = Downloader()
    worker = await opened(state, downloader)
    for site in "abcd":
        push(worker, f"{site}.org", site)
    downloader.places.update({"a.org": 2, "b.org": 1, "c.org": 3})
    assert await drain(worker) == ["d", "b", "a", "c"]


@deferred_f_from_coro_f
async def test_a_site_without_room_waits(state: Implementation) -> None:
    downloader = Downloader(most=1)
    worker = await opened(state, downloader)
    push(worker, "a.org", "a")
    downloader.places["a.org"] = 2
    assert await pop(worker) is None
    assert worker.has_pending()
    downloader.places["a.org"] = 1
    assert await drain(worker) == ["a"]


# Leases


@deferred_f_from_coro_f
async def test_a_request_is_leased_until_it_is_done(state: Implementation) -> None:
    worker = await opened(state)
    push(worker, "a.org", "a")
    found = await pop(worker)
    assert found is not None
    assert await pop(worker) is None
    assert worker.counts("page") == {"a.org": 1}
    assert worker.tried(found[0])
    assert worker.done(found[0])
    assert worker.counts("page") == {}
    assert not worker.done(found[0])
    assert not worker.done(found[0] + 1000)


@deferred_f_from_coro_f
async def test_a_lost_workers_requests_are_handed_out_again(state: Implementation) -> None:
    worker = await opened(state)
    push(worker, "a.org", *"abcd")
    worker.commit()
    for _ in range(2):
        assert await pop(worker) is not None
    state.lose(worker)
    assert await drain(await opened(state)) == list("abcd")


@deferred_f_from_coro_f
async def test_a_lease_without_an_end_is_none_of_time(state: Implementation) -> None:
    worker = await opened(state)
    push(worker, "a.org", "a")
    found = await pop(worker)
    assert found is not None
    for _ in range(5):  # renewed in time, or without an end
        state.clock.move(LEASE_SECONDS - 1)
        await worker.renew()
    assert await pop(worker) is None
    assert worker.done(found[0])


@deferred_f_from_coro_f
async def test_two_workers_never_have_the_same_request(shared: Implementation) -> None:
    workers = [await opened(shared) for _ in range(2)]
    push(workers[0], "a.org", *(f"a{n}" for n in range(30)))
    push(workers[1], "b.org", *(f"b{n}" for n in range(30)))
    names: list[str] = []
    shares = Counter[int]()
    for turn in range(1000):
        found = await pop(workers[turn % 2])
        if found is None:
            break
        shares[turn % 2] += 1
        names.append(found[1])
        if turn % 3:
            assert not workers[1 - turn % 2].done(found[0])  # not its lease
            assert workers[turn % 2].done(found[0])
    assert sorted(names) == sorted(f"{site}{n}" for site in "ab" for n in range(30))
    assert min(shares.values()) > 10


@deferred_f_from_coro_f
async def test_another_workers_push_is_a_duplicate(shared: Implementation) -> None:
    one, other = [await opened(shared) for _ in range(2)]
    assert one.push("a.org", 0, bytes, fingerprint=b"1")
    one.commit()
    await one.prefetch()
    await other.prefetch()
    assert await is_known(other, b"1")
    assert not other.push("a.org", 0, bytes, fingerprint=b"1")  # it knows now
    assert len(await drain(one) + await drain(other)) == 1


@deferred_f_from_coro_f
async def test_a_lease_that_is_not_renewed_ends(shared: Implementation) -> None:
    one, other = [await opened(shared) for _ in range(2)]
    assert one.lease_seconds == LEASE_SECONDS
    push(one, "a.org", "a")
    first = await pop(one)
    assert first is not None
    shared.clock.move(LEASE_SECONDS - 1)
    assert await pop(other) is None
    shared.clock.move(1)
    second = await pop(other)
    assert second is not None
    assert second[1] == "a"
    assert not one.tried(first[0])
    assert other.tried(second[0])
    assert second[0] != first[0]
    one.note("by", b"one", after=first[0])
    assert not one.done(first[0])
    await one.renew()  # too late
    other.note("by", b"other", after=second[0])
    assert other.done(second[0])
    assert other.noted("by") == {b"other"}
    assert not other.has_noted("by", b"one")
    assert await pop(one) is None


@deferred_f_from_coro_f
async def test_what_was_prefetched_and_not_popped_in_time_goes_to_whoever_asks(
    shared: Implementation,
) -> None:
    one, other = [await opened(shared) for _ in range(2)]
    push(one, "a.org", "a")
    await one.prefetch()
    assert await pop(other) is None
    shared.clock.move(LEASE_SECONDS)  # it was suspended meanwhile
    assert (await pop(other) or ())[1:] == ("a",)
    assert one.pop() is None


@deferred_f_from_coro_f
async def test_a_crawl_goes_on_while_another_worker_has_a_request(shared: Implementation) -> None:
    one, other = [await opened(shared) for _ in range(2)]
    push(one, "a.org", "a")
    found = await pop(one)
    assert found is not None
    await other.prefetch()
    assert other.has_pending()
    assert not one.has_pending()
    one.done(found[0])
    await one.prefetch()
    await other.prefetch()
    assert not other.has_pending()


# Counting


@deferred_f_from_coro_f
async def test_what_waits_is_counted(state: Implementation) -> None:
    worker = await opened(state)
    assert (worker.waiting(), worker.has_pending()) == (0, False)
    push(worker, "a.org", "a", "b")
    push(worker, "b.org", "c", wait=10)
    worker.push("b.org", 0, bytes, kind="robots")
    worker.push("b.org", 0, bytes)
    assert (worker.waiting(), worker.has_pending()) == (5, True)
    assert worker.counts("page") == {"a.org": 2, "b.org": 1}
    assert worker.counts("robots") == {"b.org": 1}
    assert worker.counts("other") == {}
    assert len(await drain(worker)) == 4
    assert (worker.waiting(), worker.has_pending()) == (1, True)
    assert worker.counts("page") == {"a.org": 2, "b.org": 1}
    state.clock.move(10)
    assert await drain(worker) == ["c"]
    assert (worker.waiting(), worker.has_pending()) == (0, False)


# Moments


@deferred_f_from_coro_f
async def test_a_request_waits_for_its_moment_and_holds_up_no_other(state: Implementation) -> None:
    worker = await opened(state)
    push(worker, "a.org", "late", rank=-9, wait=20)
    push(worker, "a.org", "later", wait=30)
    push(worker, "a.org", "now")
    assert worker.delayed() == Delayed(2, 20)
    assert worker.next_due_in() == 0
    assert await drain(worker) == ["now"]
    assert worker.next_due_in() == 20
    state.clock.move(19)
    assert await pop(worker) is None
    assert worker.next_due_in() == 1
    state.clock.move(1)
    assert worker.next_due_in() == 0
    assert await drain(worker) == ["late"]
    assert worker.delayed() == Delayed(1, 10)
    state.clock.move(10)
    assert await drain(worker) == ["later"]
    assert worker.delayed() == Delayed(0, 0)
    assert worker.next_due_in() is None


@deferred_f_from_coro_f
async def test_its_age_is_counted_from_its_moment(state: Implementation) -> None:
    worker = await opened(state)
    push(worker, "a.org", "late", wait=20)
    state.clock.move(10)
    push(worker, "a.org", "sooner")
    state.clock.move(20)
    assert await drain(worker) == ["sooner", "late"]


@deferred_f_from_coro_f
async def test_the_moment_holds_over_the_loss_of_the_worker(state: Implementation) -> None:
    worker = await opened(state)
    push(worker, "a.org", "late", wait=LEASE_SECONDS + 100)
    worker.commit()
    state.lose(worker)
    again = await opened(state)
    assert await pop(again) is None
    left = again.next_due_in()
    assert left is not None
    state.clock.move(left - 1)
    assert await pop(again) is None
    state.clock.move(1)
    assert await drain(again) == ["late"]


# The pace of sites


@deferred_f_from_coro_f
async def test_a_site_is_passed_over_before_its_next_allowed_time(state: Implementation) -> None:
    worker = await opened(state)
    push(worker, "a.org", "a")
    push(worker, "b.org", "b")
    worker.hold("a.org", 30)
    worker.hold("a.org", 5)  # never back
    assert await drain(worker) == ["b"]
    assert worker.has_pending()
    assert worker.next_due_in() == 30
    state.clock.move(29)
    assert await pop(worker) is None
    state.clock.move(1)
    assert worker.next_due_in() == 0
    assert await drain(worker) == ["a"]


@deferred_f_from_coro_f
async def test_a_hold_counts_for_what_was_prefetched_too(state: Implementation) -> None:
    worker = await opened(state)
    push(worker, "a.org", "a")
    await worker.prefetch()
    worker.hold("a.org", 30)
    assert worker.pop() is None
    state.clock.move(30)
    assert await drain(worker) == ["a"]


@deferred_f_from_coro_f
async def test_a_pace_lies_between_two_requests_of_a_site(state: Implementation) -> None:
    worker = await opened(state)
    worker.set_pace("a.org", 10)
    push(worker, "a.org", *"abc")
    push(worker, "b.org", *"xyz")
    assert await drain(worker) == ["a", "x", "y", "z"]
    state.clock.move(9)
    assert await pop(worker) is None
    state.clock.move(1)
    assert await drain(worker) == ["b"]
    worker.set_pace("a.org", 0)
    state.clock.move(10)
    push(worker, "a.org", "d")
    assert await drain(worker) == ["c", "d"]


@deferred_f_from_coro_f
async def test_the_workers_share_one_pace(shared: Implementation) -> None:
    workers = [await opened(shared) for _ in range(3)]
    workers[0].set_pace("a.org", 10)
    push(workers[0], "a.org", *(f"{n}" for n in range(20)))
    moments = []
    for step in range(400):
        worker = workers[step % 3]
        if step % 7 == 0:
            await worker.prefetch()  # and pops later
        elif (found := await pop(worker)) is not None:
            moments.append(shared.clock())
            worker.done(found[0])
        shared.clock.move(1)
    assert len(moments) == 20
    gaps = [after - before for before, after in pairwise(moments)]
    assert min(gaps) >= 10


# Notes


@deferred_f_from_coro_f
async def test_notes_are_sets(state: Implementation) -> None:
    worker = await opened(state)
    assert worker.noted("name") == set()
    for value in (b"1", b"2", b"1", b""):
        worker.note("name", value)
    worker.note("other", b"3")
    assert worker.noted("name") == {b"1", b"2", b""}
    assert worker.noted("other") == {b"3"}
    assert worker.has_noted("name", b"")
    assert not worker.has_noted("name", b"3")


@deferred_f_from_coro_f
async def test_a_note_counts_when_its_request_is_done(state: Implementation) -> None:
    worker = await opened(state)
    push(worker, "a.org", "a", "b")
    first, second = await pop(worker), await pop(worker)
    assert first is not None
    assert second is not None
    worker.note("name", b"1", after=first[0])
    worker.note("name", b"2", after=first[0])
    worker.note("name", b"never", after=second[0])
    assert worker.noted("name") == set()
    worker.done(first[0])
    assert worker.noted("name") == {b"1", b"2"}
    worker.note("name", b"late", after=first[0])
    worker.done(first[0])
    worker.commit()
    state.lose(worker)
    again = await opened(state)
    assert again.noted("name") == {b"1", b"2"}
    found = await pop(again)
    assert found is not None
    assert found[1] == "b"
    again.done(found[0])
    assert again.noted("name") == {b"1", b"2"}


# Feeds


@deferred_f_from_coro_f
async def test_a_feed_is_known_by_its_name(state: Implementation) -> None:
    worker = await opened(state)
    assert worker.feed("feed") is None
    one, other = worker.add_feed("feed", 10), worker.add_feed("other", 0)
    assert one != other
    worker.resize_feed(one, 30)
    assert worker.feed("feed") == KnownFeed(one, 30)
    assert worker.feed("other") == KnownFeed(other, 0)


@deferred_f_from_coro_f
async def test_a_feed_has_a_record_once(state: Implementation) -> None:
    worker = await opened(state)
    one, other = worker.add_feed("feed", 0), worker.add_feed("other", 0)
    feeds = (one, one, other)
    assert [worker.add_record(feed, b"key") for feed in feeds] == [True, False, True]
    worker.remove_record(one, b"key")
    worker.remove_record(one, b"none")
    assert [worker.add_record(feed, b"key") for feed in feeds] == [True, False, False]


@deferred_f_from_coro_f
async def test_a_file_has_one_name(state: Implementation, tmp_path: Path) -> None:
    worker = await opened(state)
    names = [worker.feed_name(tmp_path / name) for name in ("a", "b")]
    await worker.close()
    again = await opened(state)
    assert [again.feed_name(tmp_path / name) for name in ("a", "b")] == names
    assert len(set(names)) == 2
