"""The tests' own MediaWiki: it is real, its switches do what they say, its log tells the truth."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlencode

import pytest

from tests.servers.mediawiki import RealMediaWiki
from tests.servers.mediawiki_build import read_pages

if TYPE_CHECKING:
    from email.message import Message

PARSE = {"action": "parse", "page": "Grey Point", "format": "json", "formatversion": "2"}
SITEINFO = {"action": "query", "meta": "siteinfo", "format": "json"}


class Answer(NamedTuple):
    status: int
    headers: Message
    text: str

    @property
    def json(self) -> dict:
        return json.loads(self.text)


def ask(wiki: RealMediaWiki, url: str, method: str = "GET", body: str | None = None) -> Answer:
    connection = http.client.HTTPConnection(wiki.host, timeout=120)
    headers = {"User-Agent": "test"}
    if body is not None:
        headers["Content-Type"] = "application/x-www-form-urlencoded"
    connection.request(method, url.removeprefix(wiki.url), body, headers)
    response = connection.getresponse()
    answer = Answer(response.status, response.headers, response.read().decode())
    connection.close()
    return answer


def ask_api(wiki: RealMediaWiki, **params: object) -> Answer:
    return ask(wiki, f"{wiki.api}?{urlencode({**PARSE, **params})}")


# Pages


def test_parse_answers_a_page(mediawiki: RealMediaWiki) -> None:
    parsed = ask_api(mediawiki).json["parse"]
    assert parsed["title"] == "Grey Point"
    assert 'class="infobox vcard"' in parsed["text"]
    assert {c["category"]: c.get("hidden", False) for c in parsed["categories"]} == {
        "Lights": False,
        "Salt_Coast": False,
        "Never_created_category": False,
        "Tracking": True,
        "Pages_with_broken_file_links": True,
    }
    assert [link["lang"] for link in parsed["langlinks"]] == ["de", "fr"]


def test_the_main_page_is_ours(mediawiki: RealMediaWiki) -> None:
    assert "exists in this test only" in ask(mediawiki, mediawiki.article_url("Main Page")).text


def test_all_pages_of_the_files_are_there(mediawiki: RealMediaWiki) -> None:
    found = set()
    for namespace in (0, 1, 2, 4, 10, 12, 14, 828, 3000, 3001):
        listed = ask_api(
            mediawiki, action="query", list="allpages", apnamespace=namespace, aplimit="max"
        )
        found |= {page["title"] for page in listed.json["query"]["allpages"]}
    assert found == set(read_pages())


def test_expected_pages_are_those_that_a_reader_finds(mediawiki: RealMediaWiki) -> None:
    expected = mediawiki.expected
    pages = {title for title in read_pages() if title.startswith("Guide:") or ":" not in title}
    pages |= {"Semi; colon: x", "Colon:Not a namespace", "Javascript:alert(1)"}
    aside = {"Only from help", "Guide:Only from talk", "Loop B"}
    aside |= {"Framed tables", "List of lights", "Old boxes", "Wide spans"}  # for their tables
    assert expected.pages == pages - set(expected.redirects) - expected.dead_ends - aside
    assert expected.redirects == {
        "Keeper": "Lighthouse keeper",
        "Light keeper": "Lighthouse keeper",
        "Second night": "Great Storm",
        "C plus plus?": "C++",
        "How to sail": "Guide:Sailing",
    }
    assert expected.dead_ends == {
        "Loop A",
        "Self redirect",
        "To nowhere",
        "To interwiki",
        "To category",
        "To special",
    }
    assert expected.missing == {"A light never built", "Missing page", "Grey point"}


def test_article_urls_are_the_addresses_of_hard_titles(mediawiki: RealMediaWiki) -> None:
    titles = [t for t, text in read_pages().items() if text == "{{Hard title}}"]
    assert len(titles) > 50
    hub = ask_api(mediawiki, page="Hard titles").json["parse"]["text"].replace("&amp;", "&")
    for title in titles:
        url = mediawiki.article_url(title)
        assert f'href="{url.removeprefix(mediawiki.url)}"' in hub
    for title in ("C++", "100%", "Foo?action=edit", "/Leading", "A//B", "...", "Я" * 127 + "!"):
        answer = ask(mediawiki, mediawiki.article_url(title))
        assert answer.status == 200
        assert f"<b>{title}</b> is a page with a hard title" in unescape(answer.text)


def test_every_formula_and_listing_is_rendered_without_the_network(
    mediawiki: RealMediaWiki,
) -> None:
    text = ask_api(mediawiki, page="Code and formulas").json["parse"]["text"]
    assert "mwe-math-fallback-source-inline" in text
    assert '<span class="k">def</span>' in text


# Switches


def test_robots(mediawiki: RealMediaWiki) -> None:
    robots = f"{mediawiki.url}/robots.txt"
    assert ask(mediawiki, robots).text == "User-agent: *\nDisallow:\n"
    mediawiki.robots("User-agent: *\nDisallow: /api.php\n")
    answer = ask(mediawiki, robots)
    assert answer.text == "User-agent: *\nDisallow: /api.php\n"
    assert answer.headers.get_content_type() == "text/plain"
    mediawiki.robots(None)
    assert ask(mediawiki, robots).status == 404


def test_readonly_refuses_edits_and_lets_read(mediawiki: RealMediaWiki) -> None:
    mediawiki.readonly("the disks are being swapped")
    edit = urlencode(
        {"action": "edit", "title": "X", "text": "x", "token": "+\\", "format": "json"}
    )
    answer = ask(mediawiki, mediawiki.api, "POST", edit)
    assert answer.status == 200
    assert answer.headers["MediaWiki-API-Error"] == "readonly"
    assert answer.json["error"]["readonlyreason"] == "the disks are being swapped"
    assert "parse" in ask_api(mediawiki).json


def test_maxlag(mediawiki: RealMediaWiki) -> None:
    mediawiki.maxlag(times=1, lag=7.5)
    assert "parse" in ask_api(mediawiki).json  # says not what it bears: never refused
    answer = ask_api(mediawiki, maxlag=5)
    assert answer.status == 200
    assert answer.headers["MediaWiki-API-Error"] == "maxlag"
    assert answer.headers["Retry-After"] == "5"
    assert answer.json["error"]["lag"] == 7.5
    assert "parse" in ask_api(mediawiki, maxlag=5).json


def test_maxlag_that_is_borne(mediawiki: RealMediaWiki) -> None:
    mediawiki.maxlag(lag=7.5)
    assert "parse" in ask_api(mediawiki, maxlag=8).json
    assert ask_api(mediawiki, maxlag=5).json["error"]["code"] == "maxlag"


def test_ratelimited(mediawiki: RealMediaWiki) -> None:
    mediawiki.ratelimited(times=1)
    answer = ask_api(mediawiki)
    assert answer.status == 200
    assert answer.headers["MediaWiki-API-Error"] == "ratelimited"
    assert answer.json["error"]["code"] == "ratelimited"
    assert "parse" in ask_api(mediawiki).json


def test_too_many_requests(mediawiki: RealMediaWiki) -> None:
    mediawiki.too_many_requests(2, retry_after=3)
    assert ask(mediawiki, f"{mediawiki.url}/robots.txt").status == 200
    answers = [
        ask_api(mediawiki),
        ask(mediawiki, mediawiki.article_url("Gull Rock")),
        ask_api(mediawiki),
    ]
    assert [a.status for a in answers] == [429, 429, 200]
    assert [a.headers["Retry-After"] for a in answers] == ["3", "3", None]


def test_too_many_requests_without_a_hint_until_reset(mediawiki: RealMediaWiki) -> None:
    mediawiki.too_many_requests()
    answers = [ask_api(mediawiki) for _ in range(3)]
    assert [(a.status, a.headers["Retry-After"]) for a in answers] == [(429, None)] * 3
    mediawiki.reset()
    assert ask_api(mediawiki).status == 200


def test_counted_switches_count_right_under_concurrency(mediawiki: RealMediaWiki) -> None:
    mediawiki.too_many_requests(10)
    with ThreadPoolExecutor(8) as pool:
        statuses = list(pool.map(lambda _: ask_api(mediawiki, **SITEINFO).status, range(16)))
    assert sorted(statuses) == [200] * 6 + [429] * 10


@pytest.mark.parametrize(
    ("kind", "status"), [("html", 200), ("403", 403), ("404", 404), ("500", 500)]
)
def test_api_off(mediawiki: RealMediaWiki, kind: str, status: int) -> None:
    mediawiki.api_off(kind)
    answer = ask_api(mediawiki)
    assert answer.status == status
    assert answer.headers.get_content_type() == "text/html"
    assert answer.text.startswith("<!DOCTYPE html>")
    assert ask(mediawiki, mediawiki.article_url("Grey Point")).status == 200


def test_api_disabled(mediawiki: RealMediaWiki) -> None:
    mediawiki.api_off("disabled")
    for params in (PARSE, SITEINFO):
        answer = ask_api(mediawiki, **params)
        assert answer.headers["MediaWiki-API-Error"] == "moduledisabled"
    assert ask(mediawiki, mediawiki.article_url("Grey Point")).status == 200


def test_php_works_at_once_each_time_it_changes(mediawiki: RealMediaWiki) -> None:
    for name in ("One", "Two", "Six"):
        mediawiki.php(f"$wgSitename = '{name}';")
        siteinfo = ask_api(mediawiki, **SITEINFO).json
        assert siteinfo["query"]["general"]["sitename"] == name


def test_reset_ends_every_switch(mediawiki: RealMediaWiki) -> None:
    mediawiki.robots(None)
    mediawiki.readonly("x")
    mediawiki.maxlag()
    mediawiki.ratelimited()
    mediawiki.too_many_requests()
    mediawiki.api_off("404")
    mediawiki.php("exit;")
    mediawiki.reset()
    assert "parse" in ask_api(mediawiki, maxlag=1).json
    assert ask(mediawiki, f"{mediawiki.url}/robots.txt").status == 200


# The log


def test_the_log_has_each_request_once_in_order(mediawiki: RealMediaWiki) -> None:
    mediawiki.api_off("404")
    before = time.time()
    ask(mediawiki, f"{mediawiki.url}/robots.txt")
    ask_api(mediawiki, page="What is salt?")
    time.sleep(0.25)
    ask(mediawiki, mediawiki.article_url("What is salt?"))
    after = time.time()

    log = mediawiki.access_log()
    assert [(e.method, e.path, e.status) for e in log] == [
        ("GET", "/robots.txt", 200),
        ("GET", "/api.php", 404),
        ("GET", "/wiki/What_is_salt%3F", 200),
    ]
    assert log[1].params == {**PARSE, "page": "What is salt?"}
    assert {e.user_agent for e in log} == {"test"}
    assert 0.24 < log[2].time - log[1].time < 5
    for entry in log:  # the server's clock is the client's; it ticks in milliseconds
        assert before - 0.005 <= entry.time <= entry.time + entry.duration <= after + 0.005
    mediawiki.clear_log()
    assert mediawiki.access_log() == []


def test_an_answered_request_is_in_the_log(mediawiki: RealMediaWiki) -> None:
    for n in range(30):
        ask(mediawiki, f"{mediawiki.article_url('Ada Marsh')}?n={n}")
        assert mediawiki.access_log()[-1].params == {"n": str(n)}


def test_times_are_of_arrival_not_of_the_answer(mediawiki: RealMediaWiki) -> None:
    mediawiki.php("if ( isset( $_GET['slow'] ) ) { usleep( 400000 ); }")
    with ThreadPoolExecutor(2) as pool:
        slow = pool.submit(ask, mediawiki, f"{mediawiki.url}/index.php?slow=1")
        time.sleep(0.1)
        ask(mediawiki, f"{mediawiki.url}/robots.txt")
        slow.result()
    first, second = mediawiki.access_log()
    assert (first.path, second.path) == ("/index.php", "/robots.txt")
    assert first.duration >= 0.4
    assert second.duration < 0.2


# Processes


@pytest.mark.usefixtures("mediawiki_server")  # skips where the packages are missing
def test_the_fallback_serves_the_same(tmp_path: Path) -> None:
    with RealMediaWiki(tmp_path, builtin=True, script_path="/w") as wiki:
        assert wiki.api == f"{wiki.url}/w/api.php"
        assert "parse" in ask_api(wiki).json
        page = ask(wiki, wiki.article_url("Foo?action=edit"))
        assert "<b>Foo?action=edit</b>" in unescape(page.text)
        assert f'rel="EditURI" type="application/rsd+xml" href="{wiki.api}?action=rsd"' in page.text
        wiki.robots(None)
        assert ask(wiki, f"{wiki.url}/robots.txt").status == 404
        wiki.too_many_requests(1, retry_after=9)
        assert ask_api(wiki).headers["Retry-After"] == "9"
        assert [(e.path, e.status) for e in wiki.access_log()] == [
            ("/w/api.php", 200),
            ("/wiki/Foo%3Faction%3Dedit", 200),
            ("/robots.txt", 404),
            ("/w/api.php", 429),
        ]


@pytest.mark.usefixtures("mediawiki_server")
def test_a_stopped_wiki_starts_again(tmp_path: Path) -> None:
    wiki = RealMediaWiki(tmp_path)
    for _ in range(2):
        with wiki:
            assert "parse" in ask_api(wiki).json
            assert len(wiki.access_log()) == 1


@pytest.mark.usefixtures("mediawiki_server")
@pytest.mark.parametrize("builtin", [False, True])
@pytest.mark.parametrize("signal_number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_it_dies_with_its_parent(tmp_path: Path, builtin: bool, signal_number: int) -> None:
    script = (
        "import pathlib, sys, time\n"
        "from tests.servers.mediawiki import RealMediaWiki\n"
        f"wiki = RealMediaWiki(pathlib.Path(sys.argv[1]), builtin={builtin})\n"
        "wiki.start()\n"
        "print(wiki.host, flush=True)\n"
        "time.sleep(60)\n"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", script, tmp_path],
        cwd=Path(__file__).parents[2],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    servers: set[int] = set()
    try:
        host, port = parent.stdout.readline().strip().split(":")
        servers = {
            pid for pid, (_, parent_pid, _) in processes().items() if parent_pid == parent.pid
        }
        assert len(servers) == (1 if builtin else 2)
        assert len(running(servers)) > len(servers)  # they have workers
        socket.create_connection((host, int(port)), timeout=5).close()
        parent.send_signal(signal_number)
        parent.wait(timeout=120)
        give_up = time.monotonic() + 20
        while running(servers):
            assert time.monotonic() < give_up, "processes are left"
            time.sleep(0.02)
    finally:
        parent.kill()
        parent.communicate()
        for left in running(servers):
            os.kill(left, signal.SIGKILL)


def running(sessions: set[int]) -> set[int]:
    """The processes of these sessions that have not ended."""
    return {
        pid
        for pid, (state, _, session) in processes().items()
        if session in sessions and state != "Z"
    }


def processes() -> dict[int, tuple[str, int, int]]:
    """State, parent and session of every process on the machine."""
    found = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has just ended
            state, parent, _, session = stat.read_text().rpartition(")")[2].split()[:4]
            found[int(stat.parent.name)] = (state, int(parent), int(session))
    return found
