"""Sources of one site share its pace by their priority."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.utils.defer import deferred_f_from_coro_f

from tests.servers.regulations import RegulationSite
from tests.sources.watching import Watch, changes, read_source, source
from wikicrawler.sources.visits.shares import SiteShares

if TYPE_CHECKING:
    from pathlib import Path

    from wikicrawler.sources.manifest.model import Source

WORDS = "<p>The sections of this part are listed here, each with its number and title.</p>" * 4


def a_source(priority: str, url: str = "https://a.example/") -> Source:
    return read_source(source(url, priority, priority=priority))


def sent_first(waiting: dict[str, list[int]], number: int) -> list[str]:
    """The sources of the first *number* requests, by the priorities of those that wait."""
    flat = [(-one, name) for name, found in waiting.items() for one in found]
    return [name for _, name in sorted(flat)][:number]


def test_each_priority_has_its_share_while_all_have_pages_waiting() -> None:
    shares = SiteShares()
    sources = {name: a_source(name) for name in ("high", "medium", "low")}
    waiting = {n: [shares.priority(one) for _ in range(200)] for n, one in sources.items()}
    first = sent_first(waiting, 160)
    assert [first.count(name) for name in sources] == [100, 40, 20]


def test_a_source_that_begins_later_neither_overtakes_all_others_nor_waits_for_them() -> None:
    shares = SiteShares()
    high, low = a_source("high"), a_source("low")
    waiting = [shares.priority(high) for _ in range(200)]
    for priority in waiting[:100]:
        shares.served(high, priority)
    later = {"high": waiting[100:], "low": [shares.priority(low) for _ in range(20)]}
    assert sent_first(later, 60).count("low") == 10


def test_other_sites_have_shares_of_their_own() -> None:
    shares = SiteShares()
    for _ in range(100):
        shares.served(a_source("high"), shares.priority(a_source("high")))
    assert shares.priority(a_source("low", "https://b.example/")) == 0


def test_a_sitemap_comes_before_the_pages_that_wait() -> None:
    shares = SiteShares()
    high = a_source("high")
    waiting = [shares.priority(high) for _ in range(9)]
    shares.served(high, waiting[3])
    assert waiting[3] < shares.ahead(high)
    assert shares.ahead(high) > waiting[4]


@deferred_f_from_coro_f
async def test_a_low_source_does_not_wait_for_all_pages_of_a_high_one(tmp_path: Path) -> None:
    with RegulationSite() as site:
        for name, count in (("high", 40), ("low", 3)):
            links = "".join(f'<p><a href="/{name}/{n}">Section {n}</a></p>' for n in range(count))
            site.put(f"/{name}/", f"<title>{name}</title><main>{WORDS}{links}</main>")
            for n in range(count):
                site.put(f"/{name}/{n}", f"<title>{name} {n}</title><main>{WORDS}</main>")
        watched = Watch(
            tmp_path,
            *(
                source(
                    site.url(f"/{name}/"),
                    name,
                    priority=name,
                    scrape_config={"include_patterns": [f"/{name}/*"], "max_depth": 1},
                )
                for name in ("high", "low")
            ),
        )
        one_by_one = {"CONCURRENT_REQUESTS_PER_DOMAIN": 1, "CONCURRENT_REQUESTS": 1}
        done = await watched.crawl(settings=one_by_one)
        asked = [path for path in site.paths() if path.startswith(("/high/", "/low/"))]
    assert len(changes(done)) == 45
    last_low = max(index for index, path in enumerate(asked) if path.startswith("/low/"))
    assert asked[last_low:].count("/high/39") == 1
    assert len(asked) - last_low > 15
