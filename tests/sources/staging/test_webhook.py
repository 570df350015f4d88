"""Which events the consumer of a staging folder gets, and when."""

from __future__ import annotations

import asyncio
import base64
import json
import logging
import re
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import standardwebhooks
from scrapy.crawler import CrawlerRunner
from scrapy.utils.defer import deferred_f_from_coro_f, maybe_deferred_to_future

from tests.crawling import project_settings
from tests.servers.raw import RawServer
from tests.servers.regulations import RegulationSite, section
from tests.servers.scripted import Reply, ScriptedServer
from tests.sources.watching import Watch, source
from wikicrawler.errors import ConfigError
from wikicrawler.sources.staging.webhook import Webhook, signed_headers
from wikicrawler.spiders.sources import SourcesSpider

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.servers.scripted import Exchange

KEY = b"k" * 32
SECRET = "whsec_" + base64.b64encode(KEY).decode()
DOCS = Path(__file__).parents[3] / "docs" / "staging.md"


@pytest.fixture
def site() -> Iterator[RegulationSite]:
    with RegulationSite(count=2) as server:
        yield server


@pytest.fixture
def consumer() -> Iterator[ScriptedServer]:
    with ScriptedServer("127.0.0.3") as server:
        server.on("/hook?token=path-secret", Reply(204, body=""))
        yield server


def watch(folder: Path, site: RegulationSite, consumer: ScriptedServer, **settings: Any) -> Watch:
    watched = Watch(folder, source(site.url("/")))
    watched.settings |= {
        "WIKICRAWLER_STAGING_WEBHOOK": consumer.url("/hook?token=path-secret"),
        "WIKICRAWLER_STAGING_WEBHOOK_SECRET": SECRET,
        "WIKICRAWLER_STAGING_WEBHOOK_RETRY_DELAYS": "0.05,0.05",
        **settings,
    }
    return watched


def verified(exchange: Exchange) -> Any:
    """The event of a request, as the library of Standard Webhooks verifies it."""
    headers = {name.lower(): value for name, value in exchange.headers.items()}
    return standardwebhooks.Webhook(SECRET).verify(exchange.body, headers)


@deferred_f_from_coro_f
async def test_each_run_that_staged_something_sends_one_signed_event(
    site: RegulationSite, consumer: ScriptedServer, tmp_path: Path
) -> None:
    watched = watch(tmp_path, site, consumer)
    done = await watched.crawl()
    (request,) = consumer.exchanges
    event = verified(request)
    index = watched.index()
    assert (request.method, request.headers["Content-Type"]) == ("POST", "application/json")
    assert event["type"] == "envelopes.staged"
    assert event["data"] == {
        "run_id": next(item["run"] for item in done.items if item["type"] == "visit"),
        "staging": str(watched.staged),
        "counts": {"envelopes": 3, "new": 3, "modified": 0, "deleted": 0},
        "index": ["_index.jsonl"],
        "envelopes": [
            {name: line[name] for name in ("envelope_id", "manifest_id", "change_type", "path")}
            for line in index
        ],
    }
    assert done.stats["sources/event_count/delivered"] == 1
    await watched.crawl()
    assert len(consumer.exchanges) == 1, "nothing changed"
    site.put("/1024/2/", section(2, days=3))
    site.remove("/1024/1/")
    await watched.crawl()
    counts = verified(consumer.exchanges[1])["data"]["counts"]
    assert counts == {"envelopes": 2, "new": 0, "modified": 1, "deleted": 1}


@deferred_f_from_coro_f
async def test_an_error_of_the_consumer_is_followed_by_a_retry_with_the_same_id(
    site: RegulationSite, consumer: ScriptedServer, tmp_path: Path
) -> None:
    consumer.on("/hook", Reply(500), Reply(500), Reply(200))
    watched = watch(tmp_path, site, consumer, WIKICRAWLER_STAGING_WEBHOOK=consumer.url("/hook"))
    done = await watched.crawl()
    assert [x.status for x in consumer.exchanges] == [500, 500, 200]
    assert len({x.headers["webhook-id"] for x in consumer.exchanges}) == 1
    assert len({x.body for x in map(_same, consumer.exchanges)}) == 1
    assert done.stats["sources/event_count/delivered"] == 1


def _same(exchange: Exchange) -> Exchange:
    verified(exchange)
    return exchange


@pytest.mark.parametrize("reply", [None, Reply(500), Reply(401), Reply(302), Reply(drop=True)])
@deferred_f_from_coro_f
async def test_what_was_not_delivered_is_sent_by_the_next_crawl(
    site: RegulationSite,
    consumer: ScriptedServer,
    tmp_path: Path,
    reply: Reply | None,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    url = "http://127.0.0.1:1/hook?token=path-secret"
    if reply is not None:
        consumer.on("/hook?token=path-secret", reply)
        url = consumer.url("/hook?token=path-secret")
    watched = watch(tmp_path, site, consumer, WIKICRAWLER_STAGING_WEBHOOK=url)
    done = await watched.crawl()
    assert done.stats["finish_reason"] == "finished"
    assert done.stats["sources/event_count/failed"] == 1
    assert "was not delivered to 127.0.0." in caplog.text
    failed = {x.headers["webhook-id"] for x in consumer.exchanges}
    consumer.exchanges.clear()
    consumer.on("/hook?token=path-secret", Reply(200))
    watched = watch(tmp_path, site, consumer)
    await watched.crawl()
    (request,) = consumer.exchanges
    assert len(verified(request)["data"]["envelopes"]) == 3
    assert failed in (set(), {request.headers["webhook-id"]})
    log = "".join(r.getMessage() for r in caplog.records if r.name != "scrapy.crawler")  # settings
    for secret in (SECRET, SECRET.removeprefix("whsec_"), "path-secret"):
        assert secret not in log


@deferred_f_from_coro_f
async def test_a_crawl_that_is_stopped_does_not_wait_for_a_silent_receiver(
    site: RegulationSite, consumer: ScriptedServer, tmp_path: Path
) -> None:
    hook = "/hook?token=path-secret"
    consumer.on(hook, Reply(401))
    await watch(tmp_path, site, consumer).crawl()
    consumer.exchanges.clear()
    consumer.on(hook, Reply(delay=60))
    site.put("/1024/1/", section(1, days=3))
    site.on("/1024/2/", Reply(delay=3))
    watched = watch(tmp_path, site, consumer)
    watched.settings["WIKICRAWLER_STAGING_WEBHOOK_RETRY_DELAYS"] = "30,30"
    crawler = CrawlerRunner(project_settings(**watched.settings)).create_crawler(SourcesSpider)
    crawl = asyncio.ensure_future(
        maybe_deferred_to_future(crawler.crawl(manifest=str(watched.file), force="true"))
    )
    while not consumer.exchanges:  # noqa: ASYNC110
        await asyncio.sleep(0.02)
    begin = time.monotonic()
    await crawler.stop_async()
    await crawl
    assert crawler.stats.get_value("finish_reason") == "shutdown"
    assert time.monotonic() - begin < 25
    assert len(consumer.exchanges) == 1
    consumer.on(hook, Reply(200))
    await watch(tmp_path, site, consumer).crawl()
    assert len(consumer.exchanges) >= 2


def dribble() -> Iterator[bytes]:
    """The head of an answer that does not end."""
    yield b"HTTP/1.1 200 OK\r\nX: "
    for _ in range(400):
        time.sleep(0.05)
        yield b"x"


def test_a_receiver_that_dribbles_ends_no_later_than_the_deadline() -> None:
    with RawServer({"/": [dribble()]}) as server:
        begin = time.monotonic()
        webhook = Webhook(server.url("/"), KEY, (), patience=0.3)
        assert webhook.send("evt_1", b"{}") == ("no answer in 0.3 s", True)
        assert time.monotonic() - begin < 10


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"WIKICRAWLER_STAGING_WEBHOOK_SECRET": ""}, "_SECRET is needed with a webhook"),
        ({"WIKICRAWLER_STAGING_WEBHOOK_SECRET": "whsec_c2hvcnQ="}, "_SECRET is not such a secret"),
        ({"WIKICRAWLER_STAGING_WEBHOOK_SECRET": "sesame, open"}, "_SECRET is not such a secret"),
        ({"WIKICRAWLER_STAGING_WEBHOOK": "consumer.example.org"}, "_WEBHOOK: not a URL"),
    ],
)
@deferred_f_from_coro_f
async def test_a_wrong_setting_ends_the_start_and_is_named(
    site: RegulationSite,
    consumer: ScriptedServer,
    tmp_path: Path,
    settings: dict[str, str],
    told: str,
) -> None:
    with pytest.raises(ConfigError, match=told) as error:
        await watch(tmp_path, site, consumer, **settings).crawl()
    assert "sesame" not in str(error.value)


def test_the_example_of_the_documentation_verifies_an_event() -> None:
    (code,) = re.findall(r"```python\n(.*?)```", DOCS.read_text("utf-8"), re.DOTALL)
    example: dict[str, Any] = {}
    exec(code, example)  # noqa: S102
    verify, body = example["verify"], json.dumps({"type": "envelopes.staged"}).encode()
    headers = signed_headers(KEY, "evt_1", int(time.time()), body)
    assert verify(SECRET, headers, body) == {"type": "envelopes.staged"}
    late = signed_headers(KEY, "evt_1", int(time.time()) - 600, body)
    other = signed_headers(b"o" * 32, "evt_1", int(time.time()), body)
    for wrong, data in ((late, body), (other, body), (headers, body + b" "), ({}, body)):
        with pytest.raises(ValueError, match="webhook"):
            verify(SECRET, wrong, data)
