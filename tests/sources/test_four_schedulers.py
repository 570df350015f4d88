"""Four crawls at once over the watched sources of one database: each source is visited once, and
the budgets hold over all of them, by the access logs of the servers."""

from __future__ import annotations

import signal
import time
from collections import Counter, defaultdict
from contextlib import ExitStack
from itertools import pairwise
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

import psycopg
import pytest

from tests.scrapy_runs import Running
from tests.servers.regulations import RegulationSite, section
from tests.servers.scripted import Reply
from tests.sources.watching import Watch, source
from wikicrawler.store.database import Database
from wikicrawler.store.source_states import load_states
from wikicrawler.store.source_visits import visits_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from tests.servers.postgres import RealPostgres
    from tests.servers.scripted import Exchange

PROCESSES = 4
GAP = 0.3
TIMEOUT = 5
"""Seconds; a busy machine stops a process for longer than one."""
PAUSE = 2
AT_ONCE, PAGES, PAGES_OF_SITE = 5, 10, 3
HOSTS = (31, 31, 32, 32, 33, 34, 35, 36)
SETTINGS = {
    "DOMAIN_THROTTLE_REQUESTS_PER_MINUTE": f"{60 / GAP}",
    "DOMAIN_THROTTLE_MAX_DELAY": f"{GAP}",
    "DOWNLOAD_TIMEOUT": f"{TIMEOUT}",
    "CONCURRENT_REQUESTS": f"{PAGES}",
    "CONCURRENT_REQUESTS_PER_DOMAIN": f"{PAGES_OF_SITE}",
    "WIKICRAWLER_SOURCES_AT_ONCE": f"{AT_ONCE}",
    "WIKICRAWLER_RETRY": '{"429": [0.3, 0.3, 0.3], "503": [0.3, 0.3, 0.3], '
    '"timeout": [0.3, 0.3, 0.3], "network": [0.3, 0.3, 0.3]}',
    "WIKICRAWLER_CONTENT_WORKERS": "0",
    "WIKICRAWLER_TIERS": "http",
    "WIKICRAWLER_DISCOVER_WIKIS": "False",
    "WIKICRAWLER_PROGRESS_ENABLED": "False",
}
_LOCK_OF_CLAIMS = 0x77696B6C


class FaultySite(RegulationSite):
    """Answers some documents with errors at first: too many requests, unavailable, nothing."""

    faults = ("/a/", "/b/", "/1024/1/")

    def __init__(self, host: str) -> None:
        super().__init__(host, count=2)
        for number, path in enumerate("abc"):
            self.put(f"/{path}/", section(50 + number))
        self._asked: Counter[str] = Counter()
        self._counting = Lock()

    def sources(self, name: str) -> list[dict[str, object]]:
        yearly = {"method": "scrape", "frequency": "monthly"}
        return [
            source(self.url("/"), f"{name}-part"),
            *(source(self.url(f"/{path}/"), f"{name}-{path}", **yearly) for path in "abc"),
        ]

    def reply_to(self, exchange: Exchange) -> Reply:
        with self._counting:
            self._asked[exchange.path] += 1
            is_first = self._asked[exchange.path] == 1
        if is_first and exchange.path == "/a/":
            return Reply(429, {"Retry-After": str(PAUSE)}, "")
        if is_first and exchange.path == "/b/":
            return Reply(503, {}, "")
        reply = super().reply_to(exchange)
        if is_first and exchange.path == "/1024/1/":
            return Reply(reply.status, reply.headers, reply.body, delay=TIMEOUT + 1)
        return reply


class Seen(NamedTuple):
    """A request as a server saw it."""

    site: str
    path: str
    start: float
    end: float
    status: int | None


@pytest.fixture
def sites() -> Iterator[list[FaultySite]]:
    with ExitStack() as stack:
        yield [stack.enter_context(FaultySite(f"127.0.0.{host}")) for host in HOSTS]


def watch(folder: Path, sites: list[FaultySite], url: str) -> Watch:
    described = [one for n, site in enumerate(sites) for one in site.sources(f"s{n}")]
    watched = Watch(folder, *described)
    watched.settings["WIKICRAWLER_DATABASE_URL"] = watched.database_url = url
    return watched


def start(watched: Watch, folder: Path, number: int) -> Running:
    settings = SETTINGS | watched.settings
    options = [part for name, value in settings.items() for part in ("-s", f"{name}={value}")]
    command = ["due", "--manifest", str(watched.file)]
    with (folder / f"crawl{number}.log").open("ab") as log:
        return Running([*command, *options], stdout=log, stderr=log)


def logs(folder: Path) -> str:
    return "\n".join(path.read_text() for path in sorted(folder.glob("crawl*.log")))


def wait_until(condition: Callable[[], bool], folder: Path) -> None:
    give_up = time.monotonic() + 240
    while not condition():
        assert time.monotonic() < give_up, logs(folder)
        time.sleep(0.05)


def seen(sites: Iterable[FaultySite]) -> list[Seen]:
    """All requests in the order in which they came. One that the crawl gave up ended then."""
    found = [
        Seen(
            site.netloc.partition(":")[0],
            one.path,
            one.start,
            min(one.end, one.start + 0.9 * TIMEOUT),
            one.status,
        )
        for site in sites
        for one in list(site.exchanges)
    ]
    return sorted(found, key=lambda one: one.start)


def most_at_once(spans: Iterable[tuple[float, float]]) -> int:
    changes = sorted(change for start, end in spans for change in ((start, 1), (end, -1)))
    most = now = 0
    for _, change in changes:
        now += change
        most = max(most, now)
    return most


def check_budgets(found: list[Seen]) -> None:
    assert most_at_once((one.start, one.end) for one in found) <= PAGES
    by_site: defaultdict[str, list[Seen]] = defaultdict(list)
    for one in found:
        by_site[one.site].append(one)
    assert len(by_site) == len(set(HOSTS))
    for of_site in by_site.values():
        assert most_at_once((one.start, one.end) for one in of_site) <= PAGES_OF_SITE
        assert min(b.start - a.start for a, b in pairwise(of_site)) >= GAP
        for busy in (one for one in of_site if one.status == 429):
            assert not [one for one in of_site if busy.end < one.start < busy.end + PAUSE]


def check_visits(
    watched: Watch, sites: list[FaultySite], killed_at: float | None = None
) -> set[str]:
    """Check that each source was visited once; return the ids of the crawls that visited any.

    :param killed_at: when a crawl was killed, whose visits have no end
    """
    with Database(watched.database_url).read() as connection:
        visits = {
            one["id"]: visits_of(connection, one["id"])
            for n, site in enumerate(sites)
            for one in site.sources(f"s{n}")
        }
        states = load_states(connection)
    assert len(visits) == 32
    ended = {name: sum(v.ended is not None for v in all_) for name, all_ in visits.items()}
    assert ended == dict.fromkeys(visits, 1)
    assert {v.error for all_ in visits.values() for v in all_} == {None}
    assert all(state.owner is None for state in states.values())
    spans = [(v.started, v.ended or killed_at or 0.0) for all_ in visits.values() for v in all_]
    assert most_at_once(spans) <= AT_ONCE
    staged = Counter(line["url"] for line in watched.index())
    assert staged == {url: 1 for site in sites for url in map(site.url, site.documents)}
    return {v.run for all_ in visits.values() for v in all_}


@pytest.mark.timeout(500)
def test_four_crawls_share_sqlite(sites: list[FaultySite], tmp_path: Path) -> None:
    watched = watch(tmp_path, sites, f"sqlite:///{tmp_path / 'db.sqlite'}")
    crawls = [start(watched, tmp_path, n) for n in range(PROCESSES)]
    assert [crawl.wait(400) for crawl in crawls] == [0] * PROCESSES, logs(tmp_path)
    check_visits(watched, sites)
    check_budgets(seen(sites))


def start_together(watched: Watch, folder: Path, postgres: RealPostgres) -> list[Running]:
    """Start the crawls, and let none claim a source before all want to."""
    with psycopg.connect(watched.database_url, autocommit=True) as connection:
        connection.execute("SELECT pg_advisory_lock(%s)", [_LOCK_OF_CLAIMS])
        crawls = [start(watched, folder, n) for n in range(PROCESSES)]
        query = (
            "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted "
            "AND objid = %s"
        )

        def are_all_waiting() -> bool:
            row = connection.execute(query, [_LOCK_OF_CLAIMS]).fetchone()
            return row is not None and row[0] >= PROCESSES

        wait_until(are_all_waiting, folder)
    return crawls


@pytest.mark.timeout(500)
def test_four_crawls_share_postgresql(
    sites: list[FaultySite], tmp_path: Path, postgres: RealPostgres
) -> None:
    watched = watch(tmp_path, sites, postgres.empty_database())
    crawls = start_together(watched, tmp_path, postgres)
    assert [crawl.wait(400) for crawl in crawls] == [0] * PROCESSES, logs(tmp_path)
    assert len(check_visits(watched, sites)) == PROCESSES
    check_budgets(seen(sites))


@pytest.mark.timeout(500)
def test_the_sources_of_a_crawl_that_is_killed_are_visited_by_the_others(
    sites: list[FaultySite], tmp_path: Path, postgres: RealPostgres
) -> None:
    watched = watch(tmp_path, sites, postgres.empty_database())
    database = Database(watched.database_url)
    crawls = start_together(watched, tmp_path, postgres)

    def visiting() -> list[Running]:
        with database.read() as connection:
            owners = [state.owner or "" for state in load_states(connection).values()]
        return [one for one in crawls if any(f"/{one.pid}/" in owner for owner in owners)]

    wait_until(lambda: len(seen(sites)) > 20 and bool(visiting()), tmp_path)
    victim = (visiting() or crawls)[0]
    victim.send_signal(signal.SIGKILL)
    victim.wait()
    killed_at = time.time()
    others = [crawl for crawl in crawls if crawl is not victim]
    assert [crawl.wait(400) for crawl in others] == [0] * (PROCESSES - 1), logs(tmp_path)
    check_visits(watched, sites, killed_at)
    check_budgets(seen(sites))
