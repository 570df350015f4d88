"""Each request that reaches the wire is one record; the server's own log says which those are."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import pytest
from scrapy import Request, Spider
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.crawling import fetch, project_settings, run
from tests.learning.recorded import ARTICLE, SHELL
from tests.servers.crawl4ai.scripted import ScriptedCrawl4AI, rendered
from tests.servers.raw import RawServer
from tests.servers.scripted import Reply, ScriptedServer
from wikicrawler.audit.record import is_failure
from wikicrawler.audit.recorder import AuditRecorder
from wikicrawler.audit.verification import verify
from wikicrawler.operations import MANIFEST_KEY
from wikicrawler.store.database import Database

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

    from scrapy.http import Response


class Log:
    """The audit log of crawls in a SQLite file."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.settings: dict[str, Any] = {
            "WIKICRAWLER_AUDIT": True,
            "WIKICRAWLER_DATABASE_URL": f"sqlite:///{file}",
        }

    def records(self, kind: str = "request") -> list[dict[str, Any]]:
        connection = sqlite3.connect(self.file)
        try:
            rows = connection.execute("SELECT text FROM audit ORDER BY seq").fetchall()
        finally:
            connection.close()
        records = [json.loads(text) for (text,) in rows]
        return [record for record in records if record["kind"] == kind]

    def sent(self, *servers: ScriptedServer) -> Counter[tuple[str, str, int | None]]:
        """Method, path and status of each operation."""
        found: Counter[tuple[str, str, int | None]] = Counter()
        for record in self.records():
            path = record["url"]
            for server in servers:
                path = path.removeprefix(server.url(""))
            found[record["method"], path, record["http_status"]] += 1
        return found

    def check(self) -> None:
        database = Database(self.settings["WIKICRAWLER_DATABASE_URL"])
        with database.read() as connection:
            found = verify(connection, with_sums=True)
        database.close()
        assert (found.faults, found.unfinished) == ([], [])


def served(*servers: ScriptedServer) -> Counter[tuple[str, str, int | None]]:
    """The same, as the servers saw it."""
    return Counter((x.method, x.path, x.status) for s in servers for x in s.exchanges)


@pytest.fixture
def log(tmp_path: Path) -> Log:
    return Log(tmp_path / "db.sqlite")


@pytest.fixture
def site() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        yield server.on("/robots.txt", Reply(404)).on("/amber", Reply(body=ARTICLE))


@deferred_f_from_coro_f
async def test_the_log_is_the_servers_own_log(site: ScriptedServer, log: Log) -> None:
    hop = {"Location": "/hop-2"}
    site.on("/robots.txt", Reply(302, {"Location": "/robots-2.txt"}))
    site.on("/robots-2.txt", Reply(body="User-agent: *\nDisallow: /no", headers={}))
    site.on("/hop-1", Reply(302, hop)).on("/hop-2", Reply(301, {"Location": "/amber"}))
    site.on("/busy", Reply(503), Reply(429), Reply(body=ARTICLE)).on("/broken", Reply(500))
    site.on("/lost", Reply(drop=True), Reply(body=ARTICLE)).on("/late", Reply(delay=60))
    names = ("amber", "hop-1", "busy", "broken", "lost", "late", "missing", "no", "amber?x=1")
    await fetch(*(site.url(f"/{n}") for n in names), DOWNLOAD_TIMEOUT=1, **log.settings)
    seen = served(site)
    late = seen.pop(("GET", "/late", None))  # still under way at the server
    recorded = log.sent(site)
    assert recorded.pop(("GET", "/late", None)) == late == 2
    assert recorded == seen
    assert not any(path == "/no" for _, path, _ in seen)
    log.check()


@deferred_f_from_coro_f
async def test_a_record_says_what_was_asked_and_what_came(site: ScriptedServer, log: Log) -> None:
    request = Request(site.url("/amber?token=abc"), meta={MANIFEST_KEY: "reg-x"})
    await fetch(request, **log.settings)
    robots, page = log.records()
    assert (robots["operation"], page["operation"]) == ("robots", "page")
    assert (page["manifest_id"], page["engine"], page["http_status"]) == ("reg-x", "http", 200)
    assert page["url"] == site.url("/amber?token=***")
    assert page["response_hash"] == sha256(ARTICLE.encode()).hexdigest()
    assert (page["bytes"], page["failed"], page["error"]) == (len(ARTICLE), False, None)
    assert 0 <= page["response_time_ms"] < 30_000
    assert dict(page["request_headers"])["user-agent"].startswith("wikicrawler/")


@deferred_f_from_coro_f
async def test_the_hash_is_of_the_body_as_it_was_sent(site: ScriptedServer, log: Log) -> None:
    import gzip

    body = gzip.compress(ARTICLE.encode())
    site.on("/zipped", Reply(200, {"Content-Encoding": "gzip"}, body))
    done = await fetch(site.url("/zipped"), **log.settings)
    assert b"Amber" in done.responses[0].body
    page = log.records()[-1]
    assert (page["bytes"], page["response_hash"]) == (len(body), sha256(body).hexdigest())


@deferred_f_from_coro_f
async def test_a_long_body_is_hashed_too(site: ScriptedServer, log: Log) -> None:
    body = b"x" * 3_000_000
    site.on("/long", Reply(200, {"Content-Type": "application/pdf"}, body))
    await fetch(Request(site.url("/long"), meta={"tiers": False}), **log.settings)
    assert log.records()[-1]["response_hash"] == sha256(body).hexdigest()


@deferred_f_from_coro_f
async def test_no_request_of_a_service_is_missing(site: ScriptedServer, log: Log) -> None:
    site.on("/app", Reply(body=SHELL))
    busy = Reply(503, body="{}")
    with ScriptedCrawl4AI(busy, rendered(ARTICLE)) as browser:
        browser_settings = browser.settings | {"CRAWL4AI_API_TOKEN": "hunter2-hunter2"}
        await fetch(site.url("/app"), **browser_settings, **log.settings)
        assert log.sent(site, browser) == served(site, browser)
        health, *crawls = [r for r in log.records() if r["url"].startswith(browser.url(""))]
    assert [r["http_status"] for r in (health, *crawls)] == [200, 503, 200]
    for record in crawls:
        assert (record["operation"], record["engine"]) == ("browser", "browser")
        assert record["page_url"] == site.url("/app")
        assert record["request_body_hash"] is not None
        assert ["authorization", "***"] in record["request_headers"]
    assert "hunter2" not in log.file.read_bytes().decode("latin-1")
    log.check()


@deferred_f_from_coro_f
async def test_a_wikis_api_is_an_engine(site: ScriptedServer, log: Log, tmp_path: Path) -> None:
    site.on("/api.php", Reply(500)).on("/wiki/Amber", Reply(body=ARTICLE))
    config = tmp_path / "sources.yml"
    config.write_text(f"mediawiki_sites:\n  {site.netloc}: {site.url('/api.php')}\n")
    await fetch(site.url("/wiki/Amber"), WIKICRAWLER_CONFIG=str(config), **log.settings)
    assert log.sent(site) == served(site)
    kinds = {r["operation"] for r in log.records() if "api.php" in r["url"]}
    assert kinds == {"api"}


@deferred_f_from_coro_f
async def test_what_was_never_sent_is_not_recorded(site: ScriptedServer, log: Log) -> None:
    with ScriptedServer("127.0.0.2") as secret:
        site.on("/to-secret", Reply(302, {"Location": secret.url("/x")}))
        await fetch(
            *(Request(u, meta={"tiers": False}) for u in (site.url("/to-secret"), "data:,x")),
            WIKICRAWLER_PRIVATE_HOSTS=[site.netloc],
            **log.settings,
        )
        assert secret.exchanges == []
        assert log.sent(site, secret) == served(site)
    log.check()


@deferred_f_from_coro_f
async def test_a_connection_that_fails_is_recorded(log: Log) -> None:
    with ScriptedServer() as gone:
        url = gone.url("/a")
    await fetch(url, ROBOTSTXT_OBEY=False, **log.settings)
    assert [r["retry_count"] for r in log.records()] == [0, 1]
    for record in log.records():
        assert record["failed"]
        assert "ConnectionRefused" in record["error"]


@pytest.mark.parametrize(
    ("operation", "status", "failed"),
    [
        ("robots", 404, False),
        ("robots", 429, True),
        ("sitemap", 404, False),
        ("sitemap", 403, True),
        ("page", 404, True),
    ],
)
def test_a_site_without_robots_txt_or_sitemap_has_not_failed(
    operation: str, status: int, failed: bool
) -> None:
    assert is_failure(operation, status, None) is failed


@deferred_f_from_coro_f
async def test_what_the_cache_has_is_not_recorded(
    site: ScriptedServer, log: Log, tmp_path: Path
) -> None:
    cache = {"HTTPCACHE_ENABLED": True, "HTTPCACHE_DIR": str(tmp_path / "cache")}
    for _ in range(2):
        await fetch(site.url("/amber"), **cache, **log.settings)
    assert log.sent(site) == served(site)
    assert len(log.records()) == 2  # robots.txt and the page, once


@deferred_f_from_coro_f
async def test_one_request_is_one_exchange_without_the_throttle_too(log: Log) -> None:
    # The second request uses the connection that the server is about to close.
    head = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
    with RawServer({"/a": [head], "/b": [b""]}) as server:
        await fetch(
            *(Request(server.url(p), meta={"tiers": False}) for p in ("/a", "/b")),
            DOMAIN_THROTTLE_ENABLED=False, ROBOTSTXT_OBEY=False, CONCURRENT_REQUESTS=1,
            RETRY_TIMES=2, **log.settings,
        )  # fmt: skip
        # A request that finds its connection closed may not have arrived.
        assert len(log.records()) >= len(server.requests) >= 2


class Observing(Spider):
    """Reports the outcome of its page."""

    name = "observing"

    def __init__(self, url: str, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.url = url

    async def start(self) -> AsyncIterator[Request]:
        yield Request(self.url, meta={MANIFEST_KEY: "reg-x"})

    def parse(self, response: Response) -> None:
        recorder = self.crawler.get_extension(AuditRecorder)
        assert recorder is not None
        assert response.request is not None
        facts: dict[str, Any] = {"content_hash": "c" * 64, "content_changed": True}
        assert recorder.add_outcome(response.request, staged_path="h/a.json", **facts)
        assert not recorder.add_outcome(Request(self.url), **facts)


@pytest.mark.parametrize("path", ["/amber", "/moved", "/app"])
@deferred_f_from_coro_f
async def test_an_outcome_names_the_operation_that_brought_the_page(
    site: ScriptedServer, log: Log, path: str
) -> None:
    site.on("/moved", Reply(302, {"Location": "/amber"})).on("/app", Reply(body=SHELL))
    with ScriptedCrawl4AI(rendered(ARTICLE)) as browser:
        settings = project_settings(**browser.settings, **log.settings)
        await run(Observing, settings, url=site.url(path))
    (outcome,) = log.records("outcome")
    page = log.records()[-1]
    assert outcome["of_sequence"] == page["sequence"]
    assert (outcome["manifest_id"], outcome["engine"]) == ("reg-x", page["engine"])
    assert (outcome["content_hash"], outcome["staged_path"]) == ("c" * 64, "h/a.json")
    log.check()


@deferred_f_from_coro_f
async def test_the_response_of_a_failure_is_kept_without_its_cookies(
    site: ScriptedServer, log: Log
) -> None:
    site.on("/broken", Reply(500, {"Set-Cookie": "a=hunter2"}, "<p>why\x1b[31m" + "x" * 100_000))
    await fetch(site.url("/broken"), **log.settings)
    from wikicrawler.store.audit_chain import kept_response

    database = Database(log.settings["WIKICRAWLER_DATABASE_URL"])
    record = log.records()[-1]
    with database.read() as connection:
        kept = kept_response(connection, record["run_id"], record["number"])
    database.close()
    assert kept is not None
    assert (len(kept.body), kept.size) == (65_536, 100_011)
    assert ("set-cookie", "***") in kept.headers


@deferred_f_from_coro_f
async def test_a_crawl_that_is_not_audited_makes_no_database(
    site: ScriptedServer, log: Log
) -> None:
    await fetch(site.url("/amber"), **log.settings | {"WIKICRAWLER_AUDIT": False})
    assert not log.file.exists()


@deferred_f_from_coro_f
async def test_without_a_database_nothing_is_fetched(
    site: ScriptedServer, log: Log, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    url = f"sqlite:///{tmp_path}/file/db.sqlite"
    done = await fetch(
        site.url("/amber"),
        **log.settings | {"WIKICRAWLER_DATABASE_URL": url, "WIKICRAWLER_AUDIT_PATIENCE": 0},
    )
    assert served(site) == Counter()
    assert done.stats["audit/failed"] == done.stats["finish_reason"] == "audit_failed"


class LosingItsDatabase(Spider):
    """The log is locked by another program from the first page on."""

    name = "losing"

    def __init__(self, site: ScriptedServer, file: Path, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.site = site
        self.file = file
        self.lock: sqlite3.Connection | None = None

    async def start(self) -> AsyncIterator[Request]:
        for number in range(100_000):
            yield Request(self.site.url(f"/amber?{number}"), meta={"tiers": False})

    def parse(self, response: Response) -> None:
        if self.lock is None:
            self.lock = sqlite3.connect(self.file, isolation_level=None)
            self.lock.execute("BEGIN IMMEDIATE")

    def closed(self) -> None:
        assert self.lock is not None
        self.lock.close()


@deferred_f_from_coro_f
async def test_a_crawl_stops_when_the_log_cannot_be_written(site: ScriptedServer, log: Log) -> None:
    settings = project_settings(**log.settings, WIKICRAWLER_AUDIT_PATIENCE=1)
    done = await run(LosingItsDatabase, settings, site=site, file=log.file)
    assert done.stats["finish_reason"] == "audit_failed"
    assert done.stats["audit/lost_count"] > 0
    assert done.stats["audit/record_count"] + done.stats["audit/lost_count"] >= len(site.exchanges)
