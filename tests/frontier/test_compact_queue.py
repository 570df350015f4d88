"""Requests in memory that take little of it, and come back as they were."""

from __future__ import annotations

import gc
import tracemalloc
from typing import TYPE_CHECKING, Any
from weakref import ref

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scrapy import FormRequest, Request, Spider
from scrapy.crawler import Crawler
from scrapy.utils.defer import deferred_f_from_coro_f
from scrapy.utils.httpobj import urlparse_cached
from scrapy.utils.request import fingerprint
from scrapy.utils.test import get_crawler

from tests.crawling import project_settings, run
from tests.servers.scripted import Reply, ScriptedServer
from wikicrawler.frontier.compact_queue import CompactFifoQueue, CompactLifoQueue

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable


class Reader(Spider):
    name = "reader"

    def page(self, response: Any) -> None:
        """A callback."""

    def failed(self, failure: Any) -> None:
        """An errback."""


def round_trip(*requests: Request) -> list[Request]:
    queue = CompactFifoQueue()
    for request in requests:
        queue.push(request)
    return [popped for _ in requests if (popped := queue.pop()) is not None]


def attributes_of(request: Request) -> dict[str, Any]:
    return {name: getattr(request, name) for name in request.attributes}


SPIDER = Reader()
VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(-2, 2), st.floats(-1, 1), st.text(max_size=2)
)
REQUESTS = st.builds(
    Request,
    st.sampled_from(["https://a.example/", "https://a.example/?q=ü%7e", "data:,x"]),
    callback=st.sampled_from([None, SPIDER.page, print]),
    errback=st.sampled_from([None, SPIDER.failed]),
    method=st.sampled_from(["GET", "HEAD"]),
    headers=st.dictionaries(st.sampled_from(["ETag", "referer"]), st.lists(st.text("ab"))),
    body=st.sampled_from([None, "body"]),
    cookies=st.sampled_from([None, {"a": "b"}]),
    meta=st.dictionaries(st.sampled_from(["depth", "verbatim_url"]), VALUES),
    encoding=st.sampled_from(["utf-8", "cp1252"]),
    priority=st.integers(-1, 1),
    dont_filter=st.booleans(),
    flags=st.sampled_from([None, ["cached"]]),
    cb_kwargs=st.dictionaries(st.sampled_from(["page", "title"]), VALUES),
)


@given(st.lists(REQUESTS, max_size=20))
def test_requests_come_back_with_all_their_attributes(requests: list[Request]) -> None:
    expected = [attributes_of(request) for request in requests]
    found = [attributes_of(request) for request in round_trip(*requests)]
    assert found == expected
    # 1 == True == 1.0, which a spider tells apart.
    assert [repr(each) for each in found] == [repr(each) for each in expected]


def test_a_url_is_not_made_safe_again() -> None:
    url = "https://a.example/a|b [c]"
    (found,) = round_trip(Request(url, meta={"verbatim_url": True}))
    assert found.url == url
    (found,) = round_trip(Request("https://a.example/%"))
    assert found.url == Request("https://a.example/%").url
    assert "verbatim_url" not in found.meta


@pytest.mark.parametrize(
    ("queue_class", "order"), [(CompactFifoQueue, "0123"), (CompactLifoQueue, "3210")]
)
def test_the_order_is_that_of_the_name(queue_class: type[CompactFifoQueue], order: str) -> None:
    queue = queue_class()
    queue.push(Request("https://a.example/0"))
    queue.push(FormRequest("https://a.example/1", formdata={"a": "b"}))
    queue.push(Request("https://a.example/2", meta={"own": []}))
    queue.push(Request("https://a.example/3"))
    assert len(queue) == 4
    found = []
    while (ahead := queue.peek()) is not None:
        request = queue.pop()
        assert request is ahead
        found.append(request.url[-1])
    assert "".join(found) == order
    assert len(queue) == 0
    assert queue.pop() is None


def test_what_cannot_be_told_from_its_url_and_its_like_stays_the_same_object() -> None:
    class OwnRequest(Request):
        """With a state of its own."""

    url = "https://a.example/"
    for request in (
        OwnRequest(url),
        FormRequest(url),
        Request(url, body="a"),
        Request(url, cookies={"a": "b"}),
        Request(url, flags=["a"]),
    ):
        assert round_trip(request) == [request]


def test_values_that_change_are_shared_by_those_requests_that_shared_them() -> None:
    mine: dict[str, int] = {}
    equal: dict[str, int] = {}
    first, second, third = round_trip(
        *(Request("https://a.example/", meta={"item": item}) for item in (mine, equal, mine))
    )
    assert first.meta["item"] is mine
    assert second.meta["item"] is equal
    assert third.meta["item"] is mine


def test_requests_share_nothing_else_that_changes() -> None:
    made = [
        Request(
            f"https://a.example/{n}",
            headers={"Referer": "https://a.example/"},
            meta={"depth": 1},
            cb_kwargs={"page": 1},
        )
        for n in range(3)
    ]
    queue = CompactFifoQueue()
    queue.push(made[0])
    made[0].meta["late"] = made[0].cb_kwargs["late"] = made[0].headers["Late"] = "0"
    queue.push(made[1])
    queue.push(made[2])
    popped = queue.pop()
    assert popped is not None
    popped.meta["seen"] = popped.cb_kwargs["seen"] = popped.headers["Seen"] = "1"
    popped.headers.appendlist("Referer", "https://b.example/")
    for untouched in (queue.pop(), queue.pop()):
        assert untouched is not None
        assert untouched.meta == {"depth": 1}
        assert untouched.cb_kwargs == {"page": 1}
        assert dict(untouched.headers) == {b"Referer": [b"https://a.example/"]}


def _link(page: int, number: int) -> Request:
    """A link as the scheduler gets it, with all that Scrapy remembers of a request."""
    request = Request(
        f"https://wiki.example.org/wiki/Page_number_{number:06}",
        callback=SPIDER.page,
        errback=SPIDER.failed,
        headers={"Referer": f"https://wiki.example.org/wiki/List_{page}"},
        meta={"depth": 2, "page_depth": 2, "download_slot": "example.org", "guarded_link": True},
    )
    fingerprint(request)
    urlparse_cached(request)
    return request


def _bytes_a_request(queue: Callable[[], Callable[[Request], None]]) -> float:
    """Return the least of three measurements: what other threads allocate, and what caches of the
    process grow by, does not come three times."""
    return min(_measured(queue()) for _ in range(3))


def _measured(push: Callable[[Request], None]) -> float:
    gc.collect()
    tracemalloc.start()
    try:
        count = _push_links(push)
        gc.collect()
        return tracemalloc.get_traced_memory()[0] / count
    finally:
        tracemalloc.stop()


def _push_links(push: Callable[[Request], None]) -> int:
    """Push the links of some pages, of several pages in turns, and return their number."""
    pages, links, together = 96, 50, 32
    for first in range(0, pages, together):
        for number in range(links):
            for page in range(first, first + together):
                push(_link(page, number))
    return pages * links


def test_a_link_takes_the_bytes_of_its_url_and_no_more_than_150() -> None:
    url = len(_link(0, 0).url)
    assert _bytes_a_request(lambda: CompactFifoQueue().push) < url + 150
    assert _bytes_a_request(lambda: list[Request]().append) > 1_000  # what it saves


def test_queues_of_a_crawl_share_what_requests_have_in_common_and_let_it_go() -> None:
    crawler = get_crawler(Reader)
    spider = Reader.from_crawler(crawler)
    queues = [CompactFifoQueue.from_crawler(crawler, "") for _ in range(2)]
    for queue in queues:
        queue.push(Request("https://a.example/", callback=spider.page, meta={"depth": 1}))
    first, second = (queue._entries[0] for queue in queues)
    assert first is second
    gone = ref(crawler)
    del crawler, spider, queues, queue, first, second
    gc.collect()
    assert gone() is None


def test_a_request_of_the_shell_is_the_object_that_it_was() -> None:
    settings = project_settings()
    settings.set("DUPEFILTER_CLASS", "scrapy.dupefilters.BaseDupeFilter", "command")
    crawler = Crawler(Reader, settings)
    queue = CompactFifoQueue.from_crawler(crawler)
    request = Request("https://a.example/")
    queue.push(request)
    request.callback = print  # as the shell does once the request is queued
    assert queue.pop() is request


class Family(Spider):
    """Hands objects from page to page."""

    name = "family"
    base = ""
    path: tuple[str, ...] = ()

    async def start(self) -> AsyncIterator[Request]:
        self.notes: list[str] = []
        for n in range(3):
            yield Request(f"{self.base}/{n}", cb_kwargs={"notes": self.notes}, priority=n)

    def parse(self, response: Any, notes: list[str]) -> Any:
        assert notes is self.notes
        notes.append(response.url[-1])
        if response.url.endswith("2") and "again" not in response.meta:
            yield response.request.replace(dont_filter=True, meta={"again": lambda: "again"})
            yield Request(f"{self.base}/0", cb_kwargs={"notes": notes})  # a duplicate
        if "again" in response.meta:
            notes.append(response.meta["again"]())


@deferred_f_from_coro_f
async def test_objects_priorities_and_duplicates_are_those_of_scrapys_queues() -> None:
    with ScriptedServer() as site:
        site.on("/robots.txt", Reply(404))
        for n in range(3):
            site.on(f"/{n}")
        notes = []
        for queue in ("scrapy.squeues.FifoMemoryQueue", None):
            queues = {"SCHEDULER_MEMORY_QUEUE": queue} if queue else {}
            outcome = await run(
                Family,
                project_settings(CONCURRENT_REQUESTS=1, **queues),
                base=site.url(""),
            )
            assert isinstance(outcome.spider, Family)
            notes.append((outcome.spider.notes, outcome.stats["dupefilter/filtered"]))
    assert notes[0] == notes[1]
    assert sorted(notes[0][0]) == ["0", "1", "2", "2", "again"]
