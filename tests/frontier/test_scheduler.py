"""Crawls with a state folder, in the test's process.

What a kill leaves of one is a copy of its folder, and of its feed, taken at that moment.
"""

from __future__ import annotations

import json
import shutil
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
from scrapy import Request, Spider, signals
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.crawling import Outcome, Pages, project_settings, run
from tests.servers.scripted import Reply, ScriptedServer
from wikicrawler.demo.server import DemoWiki
from wikicrawler.errors import StateError
from wikicrawler.frontier.scheduler import frontier_of
from wikicrawler.spiders.wiki import WikiSpider

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

ONE = {"CONCURRENT_REQUESTS": 1}


@pytest.fixture
def site() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        server.on("/robots.txt", Reply(404))
        yield server


def page(*links: str) -> Reply:
    anchors = "".join(f'<p><a href="{link}">A page</a></p>' for link in links)
    text = "<p>Some words of a page that is worth reading.</p>"
    return Reply(body=f"<!doctype html><title>T</title><main>{text}{anchors}</main>")


class Job:
    """A crawl whose state folder and feed are in *folder*."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(exist_ok=True)

    @property
    def settings(self) -> dict[str, Any]:
        feeds = {str(self.folder / "pages.jsonl"): {"format": "jsonlines"}}
        return {"JOBDIR": str(self.folder / "job"), "FEEDS": feeds}

    async def run(
        self, spidercls: type[Spider], settings: dict[str, Any] | None = None, **arguments: Any
    ) -> Outcome:
        return await run(
            spidercls, project_settings(**self.settings, **(settings or {})), **arguments
        )

    def copy(self, folder: Path) -> Job:
        shutil.copytree(self.folder, folder)
        return Job(folder)

    def written(self) -> Counter[str]:
        lines = (self.folder / "pages.jsonl").read_text().splitlines()
        return Counter(json.loads(line)["url"] for line in lines)


def killed(
    spidercls: type[Spider], job: Job, signal: object, after: int, copy: Path, *, commit: bool
) -> type[Spider]:
    """*spidercls* which copies *job* at the so manieth *signal*: as if it were killed then. With
    *commit* the clock strikes just before, else it has not for long."""

    class Killed(spidercls):  # type: ignore[misc,valid-type]
        seen = 0

        @classmethod
        def from_crawler(cls, crawler: Any, *args: Any, **kwargs: Any) -> Any:
            spider = super().from_crawler(crawler, *args, **kwargs)
            crawler.signals.connect(spider.count_signal, signal)
            return spider

        def count_signal(self) -> None:
            type(self).seen += 1
            if self.seen == after:
                if commit:
                    frontier = frontier_of(self.crawler)
                    assert frontier is not None
                    frontier.commit()
                job.copy(copy)

    return Killed


# Order


class Ranked(Spider):
    """Start requests of several priorities, each with two of its own."""

    name = "ranked"
    base = ""

    async def start(self) -> AsyncIterator[Request]:
        for n in range(6):
            yield Request(f"{self.base}/{n}", priority=n % 2)

    def parse(self, response: Any) -> Any:
        for end in "ab":
            if not response.url.endswith(("a", "b")):
                yield Request(f"{response.url}{end}", priority=5 if end == "a" else 0)


@pytest.mark.parametrize("queue", ["Fifo", "Lifo"])
@deferred_f_from_coro_f
async def test_the_order_is_that_of_scrapys_own_queues(
    site: ScriptedServer, tmp_path: Path, queue: str
) -> None:
    for name in (f"{n}{end}" for n in range(6) for end in ("", "a", "b")):
        site.on(f"/{name}", page())
    queues = {
        "SCHEDULER_DISK_QUEUE": f"scrapy.squeues.Pickle{queue}DiskQueue",
        "SCHEDULER_MEMORY_QUEUE": f"scrapy.squeues.{queue}MemoryQueue",
    }
    orders = []
    for job in ({}, {"JOBDIR": str(tmp_path)}):
        before = len(site.exchanges)
        settings = project_settings(**ONE, **queues, **job)
        await run(Ranked, settings, base=site.url(""))
        orders.append(site.paths()[before:])
    assert len(orders[0]) == 19
    assert orders[0] == orders[1]


# Going on


@pytest.mark.parametrize("commit", [True, False])
@pytest.mark.parametrize("after", [1, 7, 20])
@deferred_f_from_coro_f
async def test_a_killed_crawl_writes_the_rest_and_nothing_twice(
    site: ScriptedServer, tmp_path: Path, after: int, commit: bool
) -> None:
    site.on("/", page(*(f"/{n}" for n in range(5)), "/gone"))
    for n in range(5):
        site.on(f"/{n}", page("/", *(f"/{n}{m}" for m in range(4)), f"/to{n}"))
        site.on(f"/to{n}", Reply(302, {"Location": f"/{n}9"})).on(f"/{n}9", page())
        for m in range(4):
            site.on(f"/{n}{m}", page(f"/{n}"))
    job, copy = Job(tmp_path / "first"), tmp_path / "copy"
    spidercls = killed(WikiSpider, job, signals.item_scraped, after, copy, commit=commit)
    await job.run(spidercls, seeds=site.url("/"))
    done = await Job(copy).run(WikiSpider, seeds=site.url("/"))
    assert len(job.written()) == 31
    assert Job(copy).written() == job.written()
    if commit and after > 1:
        assert done.stats["scheduler/dequeued"] < 37
    await Job(copy).run(WikiSpider, seeds=site.url("/"))  # it is done: nothing more is written
    assert Job(copy).written() == job.written()


@deferred_f_from_coro_f
async def test_a_crawl_killed_while_its_seeds_are_read_asks_for_all_of_them(
    site: ScriptedServer, tmp_path: Path
) -> None:
    for n in range(20):
        site.on(f"/{n}", page())
    seeds = " ".join(site.url(f"/{n}") for n in range(20))
    job, copy = Job(tmp_path / "first"), tmp_path / "copy"
    spidercls = killed(WikiSpider, job, signals.request_scheduled, 8, copy, commit=True)
    await job.run(spidercls, seeds=seeds)
    await Job(copy).run(WikiSpider, seeds=seeds)
    assert Job(copy).written() == Counter(site.url(f"/{n}") for n in range(20))


@pytest.mark.parametrize("after", [2, 15, 30])
@pytest.mark.parametrize("all_pages", ["false", "true"])
@deferred_f_from_coro_f
async def test_a_wiki_that_is_read_by_its_api_goes_on_too(
    tmp_path: Path, all_pages: str, after: int
) -> None:
    job, copy = Job(tmp_path / "first"), tmp_path / "copy"
    with DemoWiki() as wiki:
        arguments = {"seeds": f"{wiki.url}/wiki/Main_Page", "all_pages": all_pages}
        spidercls = killed(WikiSpider, job, signals.item_scraped, after, copy, commit=True)
        await job.run(spidercls, **arguments)
        done = await Job(copy).run(WikiSpider, **arguments)
    assert len(job.written()) > 30
    assert Job(copy).written() == job.written()
    if after > 2:  # by the second page the first need not be done
        assert len(done.items) < len(job.written())


@pytest.mark.parametrize("after", [2, 6])
@deferred_f_from_coro_f
async def test_max_pages_holds_over_a_kill(
    site: ScriptedServer, tmp_path: Path, after: int
) -> None:
    site.on("/", page("/gone", *(f"/{n}" for n in range(30))))
    for n in range(30):
        site.on(f"/{n}", page(f"/{n + 1}", f"/x{n}")).on(f"/x{n}", page())
    job, copy = Job(tmp_path / "first"), tmp_path / "copy"
    spidercls = killed(WikiSpider, job, signals.item_scraped, after, copy, commit=True)
    await job.run(spidercls, seeds=site.url("/"), max_pages="9")
    await Job(copy).run(WikiSpider, seeds=site.url("/"), max_pages="9")
    assert job.written().total() == 9
    assert Job(copy).written().total() == 9


@deferred_f_from_coro_f
async def test_a_retry_that_waits_survives_a_kill(site: ScriptedServer, tmp_path: Path) -> None:
    busy = Reply(503)
    site.on("/", page("/a", "/b")).on("/a", busy, busy, page()).on("/b", page())
    job, copy = Job(tmp_path / "first"), tmp_path / "copy"
    spidercls = killed(WikiSpider, job, signals.response_received, 3, copy, commit=True)
    settings = ONE | {"WIKICRAWLER_RETRY": {503: [0.05, 0.05]}}
    await job.run(spidercls, settings, seeds=site.url("/"))
    site.on("/a", page())
    await Job(copy).run(WikiSpider, settings, seeds=site.url("/"))
    assert Job(copy).written() == Counter(site.url(path) for path in ("/", "/a", "/b"))


@deferred_f_from_coro_f
async def test_a_redirect_to_itself_spelt_otherwise_is_no_duplicate(
    site: ScriptedServer, tmp_path: Path
) -> None:
    site.on("/p?b=1&a=2", Reply(301, {"Location": "/p?a=2&b=1"})).on("/p?a=2&b=1", page())
    for job in (Job(tmp_path / "job"), None):
        settings = job.settings if job else {}
        done = await run(WikiSpider, project_settings(**settings), seeds=site.url("/p?b=1&a=2"))
        assert [item.url for item in done.items] == [site.url("/p?a=2&b=1")]


@deferred_f_from_coro_f
async def test_the_folder_belongs_to_one_spider(site: ScriptedServer, tmp_path: Path) -> None:
    job = Job(tmp_path)
    await job.run(Pages, requests=[site.on("/").url("/")])
    with pytest.raises(StateError, match="holds a crawl of the spider 'pages', not of 'wiki'"):
        await job.run(WikiSpider, seeds=site.url("/"))
    await job.run(Pages, requests=[])  # and nobody holds it now


# Duplicates, and what cannot be kept


@deferred_f_from_coro_f
async def test_a_page_is_asked_for_once_unless_told_otherwise(
    site: ScriptedServer, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    site.on("/a").on("/b")
    twice = [Request(site.url("/b"), dont_filter=True) for _ in range(2)]
    asked = [site.url("/a"), site.url("/a"), site.url("/a"), *twice]
    caplog.set_level("DEBUG")
    done = await Job(tmp_path / "1").run(Pages, {"LOG_LEVEL": "DEBUG"}, requests=asked)
    assert Counter(site.paths())["/a"] == 1
    assert Counter(site.paths())["/b"] == 2
    assert done.stats["dupefilter/filtered"] == 2
    assert caplog.text.count("Filtered duplicate request") == 1


@deferred_f_from_coro_f
async def test_the_projects_own_filter_is_used(site: ScriptedServer, tmp_path: Path) -> None:
    site.on("/a")
    settings = {"DUPEFILTER_CLASS": "scrapy.dupefilters.BaseDupeFilter"}
    await Job(tmp_path).run(Pages, settings, requests=[site.url("/a"), site.url("/a")])
    assert site.paths().count("/a") == 2


@deferred_f_from_coro_f
async def test_a_request_that_json_cannot_hold_is_kept_in_memory(
    site: ScriptedServer, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    seen: list[str] = []
    paths = ("/a", "/b", "/a")
    requests = [
        Request(site.on(p).url(p), callback=lambda response: seen.append(response.url))
        for p in paths
    ]
    done = await Job(tmp_path).run(Pages, requests=requests)
    assert sorted(seen) == [site.url("/a"), site.url("/b")]
    assert done.stats["scheduler/unserializable"] == 2
    assert caplog.text.count("cannot be kept in the state folder") == 1


# What may be found at the start


@deferred_f_from_coro_f
async def test_a_scrapy_without_the_hook_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr("scrapy.core.engine._Slot.remove_request")
    with pytest.raises(StateError, match=r"install scrapy>=2\.19,<2\.20, or crawl without JOBDIR"):
        await Job(tmp_path).run(Pages, requests=[])


@deferred_f_from_coro_f
async def test_a_folder_of_scrapys_own_is_refused_and_one_of_ours_is_not(
    site: ScriptedServer, tmp_path: Path
) -> None:
    theirs = {"SCHEDULER": "scrapy.core.scheduler.Scheduler"}
    await Job(tmp_path / "theirs").run(Pages, theirs, requests=[])
    with pytest.raises(StateError, match="of Scrapy's own scheduler"):
        await Job(tmp_path / "theirs").run(Pages, requests=[])
    await Job(tmp_path / "ours").run(Pages, requests=[])
    (tmp_path / "ours" / "job" / "requests.seen").touch()  # as a filter derived from Scrapy's does
    await Job(tmp_path / "ours").run(Pages, requests=[])
