"""A crawl of a site that tries to write more than text, and what comes of it: every line of the
log, every record, every file."""

from __future__ import annotations

import csv
import json
import os
import re
import subprocess
import sys
from base64 import b64encode
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from lxml import etree

from tests.servers.scripted import Reply, ScriptedServer

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[1]
FORGED = "2026-01-01 00:00:00 [root] ERROR: forged"
EVIL = f"\x1b[31mX\u2028\u2029\x85\u202e\x00&#0;&#27;&#xd800;\n{FORGED}\r\n"
HEADER = f"\x1b[31mX\u2028\x85\u202e{FORGED}".encode().decode("latin-1")  # of one line
FORMULA = "=HYPERLINK(1)"
SECRETS = {
    "link": "link-word",
    "redirect": "redirect-word",
    "refresh": "refresh-word",
    "proxy": "proxy-word",
    "token": "token-word",
    "setting": "setting-word",
    "short": "'pw'",
    "site": "site-word",
    "header": b64encode(b"bob:site-word").decode(),
}
FEEDS = ("jsonl", "json", "csv", "xml")


def page(title: str, *parts: str) -> Reply:
    text = "<p>Words of a page that is long enough, and of which nobody doubts it is one.</p>" * 6
    head = f"<title>{title}</title><meta name=description content='{title}'>"
    return Reply(body=f"<!doctype html>{head}<main><h1>{title}</h1>{text}{''.join(parts)}</main>")


def links(*hrefs: str) -> str:
    return "".join(f'<p><a href="{href}">A page</a></p>' for href in hrefs)


@pytest.fixture
def site() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:

        def with_login(path: str, kind: str) -> str:
            return server.url(path).replace("//", f"//bob:{SECRETS[kind]}@")

        robots = f"User-agent: *\nCrawl-delay: {EVIL}\nDisallow: /no\nSitemap: {EVIL}\n"
        server.on("/robots.txt", Reply(headers={"Content-Type": "text/plain"}, body=robots))
        ways = [
            "/a?x=\x1b[31m",
            "/b\u2028c",
            "/no",
            "/moved",
            "/login",
            "/scheme",
            "/nohost",
            "/meta",
        ]
        ways += ["/teapot", "/cookie", "/charset", "/broken", with_login("/link", "link")]
        ways += ["http://x\u2028y.example/", "/r\u202el", "javascript:alert(1)", "/drop"]
        server.on("/", page(EVIL, EVIL, links(*ways)))
        server.on("/a", page(FORMULA, f"<pre>{EVIL}</pre>"))
        server.on("/link", page("Link", "<p>reached by a link with a login</p>"))
        server.on("/moved", Reply(302, {"Location": f"/{HEADER}"}))
        server.on("/login", Reply(302, {"Location": with_login("/after", "redirect")}))
        server.on("/after", page("After", "<p>reached by a redirect with a login</p>"))
        server.on("/scheme", Reply(302, {"Location": "ftp://bob:redirect-word@x.example/"}))
        server.on("/nohost", Reply(302, {"Location": "http://off\x1b[31msite/"}))
        refresh = f'<meta http-equiv="refresh" content="0;url={with_login("/fresh", "refresh")}">'
        server.on("/meta", Reply(body=f"<html><head>{refresh}</head><body>x</body></html>"))
        server.on("/fresh", page("Fresh", "<p>reached by a refresh with a login</p>"))
        server.on("/teapot", Reply(999, {"Server": HEADER, "Retry-After": HEADER}, body=EVIL))
        server.on("/cookie", Reply(headers={"Set-Cookie": f"a={HEADER}"}))
        server.on("/charset", Reply(headers={"Content-Type": f"text/html; charset={HEADER}"}))
        server.on("/broken", Reply(headers={"Content-Encoding": "gzip"}, body=EVIL))
        server.on("/drop", Reply(drop=True))
        yield server


def crawl(folder: Path, seeds: str, *settings: str) -> subprocess.CompletedProcess[str]:
    (folder / "scrapy.cfg").write_text("[settings]\ndefault = wikicrawler.settings\n")
    (folder / "tmp").mkdir()
    own = {
        "PYTHONPATH": str(ROOT),
        "TMPDIR": str(folder / "tmp"),
        "CRAWL4AI_URL": "http://127.0.0.1:9/",
        "CRAWL4AI_API_TOKEN": SECRETS["token"],
        "https_proxy": f"http://eve:{SECRETS['proxy']}@127.0.0.1:9",
    }
    options = [
        *("JOBDIR=job", "WIKICRAWLER_SKIPPED_FILE=skipped.jsonl", "CRAWL4AI_RETRY_DELAYS="),
        "WIKICRAWLER_LONGEST_WAIT=0",
        *("DOMAIN_THROTTLE_REQUESTS_PER_MINUTE=60000", "DOMAIN_THROTTLE_MAX_DELAY=0"),
        'WIKICRAWLER_RETRY={"network": [0], "timeout": []}',
        *(f"AWS_SECRET_ACCESS_KEY={SECRETS['setting']}", "MAIL_PASS=pw"),
        *("HTTPAUTH_USER=bob", f"HTTPAUTH_PASS={SECRETS['site']}", "HTTPAUTH_DOMAIN=127.0.0.1"),
        *settings,
    ]
    feeds = [part for kind in FEEDS for part in ("-O", f"out.{kind}")]
    return subprocess.run(
        [
            *(sys.executable, "-m", "scrapy", "crawl", "wiki", "-a", f"seeds={seeds}", *feeds),
            *(part for option in options for part in ("-s", option)),
        ],
        cwd=folder,
        env=os.environ | own,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize(
    ("settings", "entry"),
    [
        (["LOG_LEVEL=DEBUG"], r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \[[\w.]+\] [A-Z]+: "),
        (["LOG_FILE=log", "LOG_FORMAT=entry %(levelname)s %(message)s"], r"entry [A-Z]+ "),
    ],
    ids=["debug", "file"],
)
def test_a_hostile_site_writes_text_and_nothing_else(
    site: ScriptedServer, tmp_path: Path, settings: list[str], entry: str
) -> None:
    done = crawl(tmp_path, site.url("/"), *settings)
    assert done.returncode == 0, done.stderr
    log = (tmp_path / "log").read_text("utf-8") if "LOG_FILE=log" in settings else done.stderr

    # What the add-on's own start precedes is Scrapy's alone.
    lines = log[log.index("Overridden settings") :].split("\n")[1:]
    assert [line for line in lines if not line.isprintable()] == []
    assert [line for line in lines if line and not re.match(f"{entry}|  ?", line)] == []
    assert not [line for line in lines if line.startswith(FORGED)]
    assert "Traceback" not in log
    assert "Logging error" not in done.stderr

    # No secret is anywhere, and no file has a page's name.
    known = {"scrapy.cfg", "tmp", "job", "skipped.jsonl", "log", *(f"out.{k}" for k in FEEDS)}
    assert {path.name for path in tmp_path.iterdir()} <= known
    assert list((tmp_path / "tmp").iterdir()) == []
    written = {path.name: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert set(written) - known == {"frontier.sqlite", "commits", "lock", "spider.state"}
    written |= {"stderr": done.stderr.encode(), "stdout": done.stdout.encode()}
    found = {
        (n, k) for n, data in written.items() for k, s in SECRETS.items() if s.encode() in data
    }
    assert found == set()

    # The records are there, each whole.
    records = [json.loads(line) for line in written["out.jsonl"].decode().splitlines()]
    assert {"After", "Fresh", "Link", FORMULA} < {record["title"] for record in records}
    assert all(record["title"].isprintable() or "\u202e" in record["title"] for record in records)
    assert json.loads(written["out.json"]) == records
    rows = list(csv.DictReader(written["out.csv"].decode().splitlines(keepends=True)))
    assert "'" + FORMULA in {row["title"] for row in rows}
    assert len(etree.fromstring(written["out.xml"])) == len(rows) == len(records)
    for line in written["skipped.jsonl"].decode("ascii").splitlines():
        assert json.loads(line)["reason"]
