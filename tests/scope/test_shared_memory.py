"""What the scope remembers where several workers share a frontier."""

from __future__ import annotations

from scrapy import Request
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.frontier.contract import Clock, Downloader
from tests.frontier.memory_frontier import MemoryFrontier, Shared
from wikicrawler.scope.memory import CrawlMemory

PAGE = "https://a.example/page"
REQUEST = Request(PAGE)


async def two_workers() -> tuple[CrawlMemory, CrawlMemory]:
    shared = Shared(Clock(), 60.0)
    found = []
    for _ in range(2):
        frontier = MemoryFrontier(shared)
        await frontier.open(Downloader())
        found.append(CrawlMemory({}, frontier))
    return found[0], found[1]


@deferred_f_from_coro_f
async def test_a_worker_knows_what_another_one_has_noted_since_it_was_opened() -> None:
    one, other = await two_workers()
    assert not other.seeded
    one.begin([PAGE])
    one.widen("a.example")
    one.write(PAGE, "a.example", REQUEST)
    one.write_text(PAGE, b"text", REQUEST)
    one.list_wiki("https://a.example/api.php", REQUEST)
    one.list_category("https://a.example/Category:C", 0, REQUEST)
    one.seeds_done()
    assert other.seeded
    assert other.began_with([PAGE])
    assert other.reaches("a.example")
    assert not other.reaches("b.example")
    assert not other.write(PAGE, "a.example", REQUEST)
    assert other.write(f"{PAGE}/2", "a.example", REQUEST)
    assert other.has_text(PAGE, b"text")
    assert not other.has_text(PAGE, b"another")
    assert not other.list_wiki("https://a.example/api.php", REQUEST)
    assert not other.list_category("https://a.example/Category:C", 1, REQUEST)


@deferred_f_from_coro_f
async def test_what_another_worker_notes_of_families_is_news_once() -> None:
    one, other = await two_workers()
    one.note_family(b"closed")
    other.note_family(b"own")
    assert other.new_families() == {b"closed"}
    assert other.new_families() == set()
    assert one.new_families() == {b"own"}
