"""The tests' crawl4ai keeps the contract of crawl4ai's REST server."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from tests.servers.crawl4ai import RealCrawl4AI
from tests.servers.scripted import Reply, ScriptedServer

if TYPE_CHECKING:
    from pathlib import Path

RAW = "raw:<html><body><p>Amber is fossilised tree resin.</p></body></html>"


def ask(server: RealCrawl4AI, path: str, data: Any, token: str | None = None) -> tuple[int, str]:
    request = Request(  # noqa: S310
        server.url + path,
        json.dumps(data).encode(),
        {"Authorization": f"Bearer {token or server.token}", "Content-Type": "application/json"},
    )
    try:
        with urlopen(request, timeout=120) as answer:  # noqa: S310
            return answer.status, answer.read().decode()
    except HTTPError as error:
        return error.code, error.read().decode()


def test_a_stream_ends_with_a_trailer_and_a_crawl_is_one_object(crawl4ai: RealCrawl4AI) -> None:
    status, body = ask(crawl4ai, "/crawl/stream", {"urls": [RAW]})
    result, trailer = map(json.loads, body.splitlines())
    assert (status, trailer) == (200, {"status": "completed"})
    assert "fossilised" in result["html"]
    status, body = ask(crawl4ai, "/crawl", {"urls": [RAW, RAW + "<p>"]})
    assert [r["success"] for r in json.loads(body)["results"]] == [True, True]


@pytest.mark.parametrize(
    ("data", "token", "status", "words"),
    [
        ({"urls": [RAW]}, "wrong", 401, "token"),
        ({"urls": [RAW], "crawler_config": {"js_code": "1"}}, None, 400, "Rejected config"),
        ({"urls": [RAW], "browser_config": {"headers": {}}}, None, 400, "Rejected config"),
        ({"urls": []}, None, 422, "urls"),
        ({}, None, 422, "urls"),
        ({"urls": [RAW], "crawler_config": {"page_timeout": {}}}, None, 500, "correlation_id"),
    ],
    ids=["token", "crawler", "browser", "none", "no-urls", "error"],
)
def test_what_it_refuses(
    crawl4ai: RealCrawl4AI, data: Any, token: str | None, status: int, words: str
) -> None:
    told, body = ask(crawl4ai, "/crawl/stream", data, token)
    assert told == status
    assert words in body


def test_it_runs_the_scripts_of_a_page_and_follows_redirects(crawl4ai: RealCrawl4AI) -> None:
    page = '<body><p id="p"></p><script>p.textContent = "by " + "script"</script>'
    with ScriptedServer() as site:
        site.on("/", Reply(302, {"Location": "/page"})).on("/page", Reply(body=page))
        _, body = ask(crawl4ai, "/crawl/stream", {"urls": [site.url("/")]})
    result = json.loads(body.splitlines()[0])
    assert "by script" in result["html"]
    assert (result["status_code"], result["redirected_status_code"]) == (302, 200)
    assert result["redirected_url"] == site.url("/page")


def test_private_hosts_are_refused_unless_allowed(crawl4ai: RealCrawl4AI, tmp_path: Path) -> None:
    with RealCrawl4AI(tmp_path, CRAWL4AI_ALLOW_INTERNAL_URLS="false", VERSION="0.8.9") as strict:
        status, body = ask(strict, "/crawl/stream", {"urls": ["http://127.0.0.1/"]})
        assert (status, "URL blocked" in body) == (400, True)
        config = {"body_visibility_timeout": 1}
        assert ask(strict, "/crawl", {"urls": [RAW], "crawler_config": config})[0] == 500
    config = {"body_visibility_timeout": 1}
    assert ask(crawl4ai, "/crawl", {"urls": [RAW], "crawler_config": config})[0] == 200
