"""Requests in the state folder: their form, and no login that the crawl has from elsewhere."""

from __future__ import annotations

import json
import logging
import pickle
import re
import stat
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest
from scrapy import Request, Spider
from scrapy.downloadermiddlewares.httpauth import HttpAuthMiddleware
from scrapy.downloadermiddlewares.httpproxy import HttpProxyMiddleware
from scrapy.http import FormRequest, JsonRequest
from scrapy.utils.defer import deferred_f_from_coro_f
from scrapy.utils.test import get_crawler

from tests.crawling import Pages, project_settings, run
from tests.frontier.sites import ROOT
from tests.servers.scripted import Reply, ScriptedServer
from wikicrawler.frontier.codec import RequestCodec
from wikicrawler.pages import Link, Page
from wikicrawler.tiers.mediawiki.known_wiki import KnownWiki
from wikicrawler.tiers.mediawiki.site import WikiSite

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


class Custom(Request):
    """A request that writes itself."""

    def to_dict(self, *, spider: Spider | None = None) -> dict[str, Any]:
        return super().to_dict(spider=spider)


AUTH = {"HTTPAUTH_USER": "bob", "HTTPAUTH_PASS": "hunter2", "HTTPAUTH_DOMAIN": None}


@pytest.mark.parametrize("kind", [Request, Custom])
def test_a_request_that_was_sent_once_is_sent_again_with_the_same_logins(
    kind: type[Request], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", "http://eve:proxyword@127.0.0.1:9")
    crawler = get_crawler(settings_dict=AUTH)
    crawler.spider = spider = crawler.spidercls.from_crawler(crawler, "s")
    codec = RequestCodec(spider)
    auth = HttpAuthMiddleware.from_crawler(crawler)
    proxy = HttpProxyMiddleware.from_crawler(crawler)

    def on_its_way(request: Request) -> Request:
        auth.process_request(request)
        proxy.process_request(request)
        return request

    sent = on_its_way(kind("http://x.org/", headers={"X": "y"}, meta={"a": 1}))
    assert {b"Authorization", b"Proxy-Authorization"} <= set(sent.headers)
    kept = codec.encode(sent)
    for secret in (
        b"hunter2",
        b"proxyword",
        b"127.0.0.1:9",
        *sent.headers.getlist("Authorization"),
    ):
        assert secret not in kept
    assert sent.headers.getlist("Proxy-Authorization")[0] not in kept
    again = on_its_way(codec.decode(kept))
    assert (again.headers, again.meta) == (sent.headers, sent.meta)


def test_what_the_spider_set_itself_stays() -> None:
    crawler = get_crawler(settings_dict=AUTH)
    codec = RequestCodec(crawler.spidercls.from_crawler(crawler, "s"))
    headers = {"Authorization": "Bearer own", "Proxy-Authorization": "Basic own"}
    request = Request("http://x.org/", headers=headers, meta={"proxy": "http://127.0.0.1:9"})
    again = codec.decode(codec.encode(request))
    assert (again.headers, again.meta) == (request.headers, request.meta)


@deferred_f_from_coro_f
async def test_the_state_is_for_its_owner_alone(tmp_path: Path) -> None:
    with ScriptedServer() as server:
        server.on("/robots.txt", Reply(404)).on("/")
        settings = project_settings(JOBDIR=str(tmp_path / "job"))
        await run(Pages, settings, requests=[server.url("/")])
    assert stat.S_IMODE((tmp_path / "job").stat().st_mode) == 0o700
    modes = {p.name: stat.S_IMODE(p.stat().st_mode) for p in (tmp_path / "job").iterdir()}
    assert set(modes.values()) == {0o600}
    assert (
        {"frontier.sqlite", "spider.state"}
        <= set(modes)
        <= {"frontier.sqlite", "commits", "spider.state", "lock"}
    )


# The form


class Asking(Spider):
    """A spider with a method, and what is none."""

    name = "asking"
    other = print

    def parse(self, response: Any, **kwargs: Any) -> None:
        """Never called."""

    def failed(self, failure: Any) -> None:
        """Never called."""


@pytest.fixture
def spider() -> Spider:
    crawler = get_crawler(Asking)
    crawler.spider = crawler.spidercls.from_crawler(crawler)
    return crawler.spider


def wiki_request(spider: Any) -> Request:
    wiki = WikiSite.default("https://wiki.example/w/api.php")
    return Request("https://a.example/", spider.parse, cb_kwargs={"site": wiki, "number": 0})


REQUESTS: dict[str, Callable[[Any], Request]] = {
    "plain": lambda s: Request("https://a.example/ä?b=%20#c"),
    "callbacks": lambda s: Request("https://a.example/", s.parse, errback=s.failed),
    "headers": lambda s: Request(
        "https://a.example/", headers={"A": ["1", "2"], "B": "\xe4\u20ac", "C": b"\xff\x00"}
    ),
    "post": lambda s: Request("https://a.example/", method="POST", body=b"\x00\xff\xfe" * 9),
    "cookies": lambda s: Request("https://a.example/", cookies=[{"name": "a", "value": b"b"}]),
    "numbers": lambda s: Request("https://a.example/", priority=-7, dont_filter=True),
    "encoding": lambda s: Request("https://a.example/é", encoding="latin-1", flags=["a", "b"]),
    "json": lambda s: JsonRequest("https://a.example/", data={"a": [1, "é"]}),
    "form": lambda s: FormRequest("https://a.example/", formdata={"a": "b c", "d": "é"}),
    "meta": lambda s: Request(
        "https://a.example/",
        meta={
            "page": Page("https://a.example/", b"\xff", "utf-8", links=(Link("x", 1),)),
            "when": datetime(2026, 1, 2, tzinfo=UTC),
            "seen": {("a", 1), b"b"},
            "odd": {5: {"$tuple": None}},
        },
    ),
    "wiki": wiki_request,
    "own": lambda s: Custom("https://a.example/", s.parse, meta={"a": (1, 2)}),
}


@pytest.mark.parametrize("name", REQUESTS)
def test_a_request_comes_back_as_it_was(spider: Spider, name: str) -> None:
    request = REQUESTS[name](spider)
    stored = RequestCodec(spider).encode(request)
    assert json.loads(stored)["v"] == 1
    back = RequestCodec(spider).decode(stored)
    assert type(back) is type(request)
    assert back.to_dict(spider=spider) == request.to_dict(spider=spider)
    assert back.headers == request.headers


def test_the_crawls_object_of_a_wiki_is_not_stored(spider: Spider) -> None:
    meta = {"tier_wiki": KnownWiki("https://w/api.php", "https://w/"), "a": 1}
    codec = RequestCodec(spider)
    assert codec.decode(codec.encode(Request("https://a/", meta=meta))).meta == {"a": 1}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"meta": {"a": {"b": [object()]}}}, r"^meta\['a'\]\['b'\]\[0\] is of the type object"),
        ({"cb_kwargs": {"then": print}}, r"^cb_kwargs\['then'\] is of the type builtin_function"),
        ({"meta": {"logger": logging.getLogger()}}, r"^meta\['logger'\] is of the type RootLogger"),
        ({"callback": lambda response: None}, r"is not an instance method"),
        ({"meta": {"n": 10**5000}}, r"limit"),
    ],
)
def test_a_request_that_cannot_be_stored_names_the_key(
    spider: Spider, arguments: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        RequestCodec(spider).encode(Request("https://a.example/", **arguments))


class Evil:
    """Unpickled, it creates a file."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return open, (str(self._path), "w")


@pytest.mark.parametrize(
    "changes",
    [
        {"v": 2},
        {"v": None},
        {"class": "subprocess:Popen"},
        {"class": "tests.frontier.test_codec:Asking"},
        {"class": "antigravity:Request"},
        {"class": 5},
        {"callback": "other"},
        {"callback": "__init__"},
        {"callback": "crawler"},
        {"errback": "gone"},
        {"errback": 1},
        {"url": None},
        {"url": "no scheme"},
        {"body": "not base64!"},
        {"headers": {"A": [1]}},
        {"headers": ["a"]},
        {"headers": {"A": ["\u20ac"]}},
        {"meta": [1]},
        {"meta": {"$object": ["subprocess:Popen", {"args": ["id"]}]}},
        {"priority": "high"},
        {"unknown": 1},
    ],
    ids=str,
)
def test_what_is_no_request_of_ours_is_refused(spider: Spider, changes: dict[str, Any]) -> None:
    codec = RequestCodec(spider)
    stored = json.loads(codec.encode(Request("https://a.example/"))) | changes
    with pytest.raises(Exception):  # noqa: B017, PT011 - which one does not matter
        codec.decode(json.dumps(stored).encode())
    assert "antigravity" not in sys.modules


def test_a_pickle_is_not_read(spider: Spider, tmp_path: Path) -> None:
    made = tmp_path / "made"
    for stored in (pickle.dumps(Evil(made)), pickle.dumps(Evil(made), 0), b"", b"[" * 100_000):
        with pytest.raises(Exception):  # noqa: B017, PT011 - which one does not matter
            RequestCodec(spider).decode(stored)
    assert not made.exists()


def test_only_worker_processes_of_the_package_speak_pickle() -> None:
    package = ROOT / "wikicrawler"
    found = {
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        if re.search(
            r"\b(import (pickle|marshal|shelve|dill)|from (pickle|shelve))\b", path.read_text()
        )
    }
    assert found == {"content/workers/process.py", "content/workers/worker.py"}
