"""Every control refuses whoever is not a page of the dashboard, and changes nothing then; no
request, however malformed, makes the server fail."""

from __future__ import annotations

import json
import re
import socket
import sqlite3
import time
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest
import requests

from tests.dashboard.naughty import NAUGHTY
from tests.dashboard.routes import filled, parameters_of, paths_of
from tests.servers.dashboard import RealDashboard
from tests.servers.scripted import Reply, ScriptedServer
from tests.sources.watching import manifest_of, source
from wikicrawler import options

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tests.servers.chromium import Chromium

TOKEN = "a-token-of-more-than-twenty-characters"  # noqa: S105
HEADERS = {"Authorization": f"Bearer {TOKEN}"}
FORM = {
    "id": "one",
    "source": "one",
    "ids": "one",
    "which": "one",
    "site": "127.0.0.1",
    "seconds": "600",
    "job": "job",
    "number": "1",
    "at": "2030-01-01T03:00",
    "zone": "UTC",
    "reason": "an attack",
    "force": "1",
    "text": json.dumps(manifest_of(source("http://127.0.0.1:9/", "attack"))),
}
"""What makes each control do something."""
GIVEN = {"ids": ["one"], "reason": "an attack"}
_TABLES = "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
_POST = """
const [root, paths, form, done] = arguments;
Promise.allSettled(paths.map((path) => fetch(root + path, {
  method: "POST", mode: "no-cors", credentials: "include", body: new URLSearchParams(form)})))
  .then(() => done());
"""


def make(folder: Any) -> RealDashboard:
    """A dashboard over one source and a paused one, not started."""
    environment = {options.DASHBOARD_TOKEN.environment: TOKEN}
    settings = {"WIKICRAWLER_PRIVATE_HOSTS": "127.0.0.0/8"}
    dashboard = RealDashboard(folder, settings, environment=environment)
    sources = [source("http://127.0.0.1:9/", name, method="scrape") for name in ("one", "two")]
    (folder / "manifest.json").write_text(json.dumps(manifest_of(*sources)))
    dashboard.scrapy("manifest", "activate", "manifest.json", "--offline")
    return dashboard


@pytest.fixture(scope="module")
def changed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealDashboard]:
    """A dashboard with a token, whose session has logged in with it."""
    with make(tmp_path_factory.mktemp("changes") / "project") as dashboard:
        log_in(dashboard)
        yield dashboard


def log_in(dashboard: RealDashboard) -> None:
    form = {"csrf": dashboard.csrf("/login"), "password": TOKEN}
    assert dashboard.post("/login", form).status_code == 303


def crawls(dashboard: RealDashboard) -> list[int]:
    """The crawls that the dashboard has started and that still run."""
    url = str(dashboard.settings[options.DATABASE_URL.name]).encode()
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if url in (process / "cmdline").read_bytes():
                found.append(int(process.name))
    return [one for one in found if one != dashboard.process.pid]


def content(dashboard: RealDashboard) -> dict[str, list[tuple[Any, ...]]]:
    """All rows of the database, once no crawl of an earlier test writes to it."""
    while crawls(dashboard):
        time.sleep(0.05)
    with closing(sqlite3.connect(dashboard.folder / "crawl.sqlite")) as connection:
        names = [name for (name,) in connection.execute(_TABLES)]
        found = {}
        for name in names:
            found[name] = connection.execute(f'SELECT * FROM "{name}"').fetchall()  # noqa: S608
        return found


def forms() -> list[str]:
    return [path for path in paths_of("POST") if not path.startswith("/api/")]


def triggers() -> list[str]:
    values = {"id": "job", "site": "127.0.0.1"}
    return [filled(path, values) for path in paths_of("POST") if path.startswith("/api/")]


def send(
    dashboard: RealDashboard, path: str, fields: Mapping[str, Any], **headers: str
) -> requests.Response:
    """The answer to a form, with these headers and no others of a browser."""
    return dashboard.session.post(
        dashboard.url + path, data=fields, headers=headers, allow_redirects=False, timeout=60
    )


def token_of_another(dashboard: RealDashboard) -> str:
    with requests.Session() as other:
        other.trust_env = False
        page = other.get(dashboard.url + "/login", timeout=60).text
    return re.findall(r'name="csrf" (?:value|content)="([^"]+)"', page)[0]


FOREIGN = {
    "no headers": {},
    "another origin": {"Origin": "http://evil.test"},
    "no origin": {"Origin": "null"},
    "another port": {"Origin": "http://127.0.0.1:1"},
    "another scheme": {"Origin": "https://127.0.0.1"},
    "cross-site": {"Sec-Fetch-Site": "cross-site"},
    "same-site": {"Sec-Fetch-Site": "same-site"},
    "none": {"Sec-Fetch-Site": "none"},
}


def test_no_form_is_accepted_without_the_token_of_its_session(changed: RealDashboard) -> None:
    before = content(changed)
    other = token_of_another(changed)
    assert len(other) > 20
    for path in forms():
        for fields in (
            FORM,
            FORM | {"csrf": ""},
            FORM | {"csrf": other},
            FORM | {"csrf": "ä\ud800"},
        ):
            data = {k: v.encode("utf-8", "surrogatepass") for k, v in fields.items()}
            answer = send(changed, path, data, Origin=changed.url)
            # Logging in and out takes few fields only.
            assert answer.status_code in {400, 403}, (path, fields.get("csrf"), answer.text)
    assert content(changed) == before


def test_no_form_is_accepted_from_elsewhere(changed: RealDashboard) -> None:
    before = content(changed)
    fields = FORM | {"csrf": changed.csrf()}
    for path in forms():
        for name, headers in FOREIGN.items():
            assert send(changed, path, fields, **headers).status_code == 403, (path, name)
    assert content(changed) == before


def test_no_form_is_accepted_for_another_host(changed: RealDashboard) -> None:
    before = content(changed)
    fields = FORM | {"csrf": changed.csrf()}
    port = changed.url.rpartition(":")[2]
    for path in forms():
        headers = {"Host": f"evil.test:{port}", "Origin": f"http://evil.test:{port}"}
        assert send(changed, path, fields, **headers).status_code == 400, path
    assert content(changed) == before


def test_no_trigger_is_accepted_without_the_token(changed: RealDashboard) -> None:
    before = content(changed)
    wrong = ({}, {"Authorization": f"Bearer {TOKEN}x"}, {"Authorization": "Basic b3A6eA=="})
    for path in triggers():
        for headers in wrong:
            for more in ({}, {"Origin": changed.url}):
                url = changed.url + path
                answer = changed.session.post(url, json=GIVEN, headers=headers | more, timeout=60)
                assert answer.status_code in {401, 403}, (path, headers)
        for headers in list(FOREIGN.values())[1:]:
            url = changed.url + path
            answer = changed.session.post(url, json=GIVEN, headers=HEADERS | headers, timeout=60)
            assert answer.status_code == 403, (path, headers)
    assert content(changed) == before


def test_a_control_works_with_what_the_others_lack(changed: RealDashboard) -> None:
    before = content(changed)
    assert changed.post("/sources/pause", FORM | {"ids": "two"}).status_code == 303
    assert content(changed) != before


@pytest.mark.parametrize("host", ["evil.test", "127.0.0.1"])
def test_a_page_of_another_site_changes_nothing(
    changed: RealDashboard, chromium: Chromium, host: str
) -> None:
    """Also one of another port of this machine, to which the browser sends the cookies."""
    driver = chromium.driver
    driver.get(changed.url + "/login")
    driver.add_cookie({"name": next(iter(changed.session.cookies)).name, "value": cookie(changed)})
    driver.get(changed.url + "/")
    assert "Overview" in driver.title
    before = content(changed)
    fields = FORM | {"csrf": changed.csrf()}
    own = urlsplit(changed.url)
    rebound = f"http://evil.test:{own.port}"
    with ScriptedServer() as other:
        other.on("/", Reply(body="<!doctype html><title>Elsewhere</title>"))
        driver.get(other.url("/").replace("127.0.0.1", host))
        for root in (changed.url, rebound):
            driver.execute_async_script(_POST, root, [*forms(), *triggers()], fields)
    driver.get(f"{rebound}/")
    assert "does not have the host" in driver.find_element("tag name", "body").text
    assert content(changed) == before


def cookie(dashboard: RealDashboard) -> str:
    return str(next(iter(dashboard.session.cookies)).value)


def test_a_read_only_dashboard_changes_nothing(tmp_path: Any) -> None:
    dashboard = make(tmp_path / "project")
    readonly = RealDashboard(
        dashboard.folder, dashboard.settings, "--read-only", environment=dashboard.environment
    )
    with readonly:
        log_in(readonly)
        before = content(readonly)
        for path in forms():
            if path not in {"/login", "/logout"}:
                assert readonly.post(path, FORM).status_code == 403, path
        for path in triggers():
            url = readonly.url + path
            answer = readonly.session.post(url, json=GIVEN, headers=HEADERS, timeout=60)
            assert answer.status_code == 403, path
        assert content(readonly) == before


def test_no_value_of_a_field_makes_a_control_fail(changed: RealDashboard) -> None:
    csrf = changed.csrf()
    values = [*NAUGHTY[::4], "9" * 5_000, "-1", "1e999", "nan", "x" * 100_000]
    faults = []
    for number, path in enumerate(forms()):
        if path in {"/login", "/logout"}:
            continue
        for value in values[number % 2 :: 2]:
            fields = {name: value.encode("utf-8", "replace") for name in (*FORM, "back", "sums")}
            answer = send(changed, path, fields | {"csrf": csrf}, Origin=changed.url)
            if answer.status_code >= 500:
                faults.append((path, value[:40], answer.status_code))
            elif answer.status_code == 303 and not answer.headers["Location"].startswith("/"):
                faults.append((path, value[:40], answer.headers["Location"]))
    assert faults == []


def test_no_value_makes_a_trigger_fail(changed: RealDashboard) -> None:
    values = [*NAUGHTY[::6], 10**400, -1, None, True, [[]], {"a": {}}, 1e308]
    faults = []
    for path in triggers():
        for value in values:
            for body in (value, dict.fromkeys(("ids", "reason", "seconds", "version"), value)):
                answer = trigger(changed, path, json.dumps(body).encode())
                if answer.status_code >= 500:
                    faults.append((path, body, answer.status_code))
        broken = (b"[" * 200_000, b"{", b"\xff\xfe", b'{"ids": "\\ud800"}', b"NaN", b'{"a":1e999}')
        faults += [
            (path, data[:20], 500)
            for data in broken
            if trigger(changed, path, data).status_code >= 500
        ]
    assert faults == []


def trigger(dashboard: RealDashboard, path: str, data: bytes) -> requests.Response:
    headers = HEADERS | {"Content-Type": "application/json"}
    return requests.post(dashboard.url + path, data=data, headers=headers, timeout=60)


TRAVERSALS = (
    "../../../../../../etc/passwd",
    "..%2f..%2f..%2f..%2f..%2fetc%2fpasswd",
    "%2e%2e/%2e%2e/%2e%2e/etc/passwd",
    "..%5c..%5cwindows%5cwin.ini",
    "....//....//etc/passwd",
    "%2fetc%2fpasswd",
    "file:%2f%2f%2fetc%2fpasswd",
    "_index.jsonl",
    "..%2f_index.jsonl",
    "%00",
    "..%00",
    "..%c0%af..%c0%afetc%c0%afpasswd",
    "%252e%252e%252fetc%252fpasswd",
    ".%2f",
    "%ff%fe",
    "%0d%0aX-Injected:%20yes",
    "a" * 4_000,
)


def ask(dashboard: RealDashboard, data: bytes, *, ends: bool = False) -> bytes:
    """All that the server answers to *data*, until it closes the connection.

    :param ends: the client sends no more, and says so
    """
    own = urlsplit(dashboard.url)
    with socket.create_connection((str(own.hostname), own.port or 0), timeout=20) as connection:
        connection.sendall(data)
        if ends:
            connection.shutdown(socket.SHUT_WR)
        parts = []
        try:
            while part := connection.recv(65_536):
                parts.append(part)
        except ConnectionResetError:
            pass  # what was answered before counts
        return b"".join(parts)


def head(dashboard: RealDashboard, line: str | bytes, *more: str) -> bytes:
    """The head of a request of the session, with ``Connection: close``."""
    first = line if isinstance(line, bytes) else line.encode("latin-1")
    name = next(iter(dashboard.session.cookies)).name
    lines = [
        f"Host: {urlsplit(dashboard.url).netloc}",
        f"Cookie: {name}={cookie(dashboard)}",
        *more,
    ]
    return b"\r\n".join([first, *(one.encode("latin-1") for one in lines), b"", b""])


def test_no_path_leads_out_of_its_folder(changed: RealDashboard) -> None:
    faults = []
    for path in paths_of("GET"):
        here = parameters_of(path)
        if "str" not in here.values():
            continue
        for bad in TRAVERSALS:
            values = {name: "7" if kind == "int" else "@@" for name, kind in here.items()}
            line = "GET " + filled(path, values).replace("%40%40", bad) + " HTTP/1.1"
            answer = ask(changed, head(changed, line, "Connection: close"))
            status = answer[:12]
            if status[9:10] not in {b"2", b"3", b"4"} or b"root:x:" in answer:
                faults.append((line, answer[:200]))
            if b"\r\nx-injected" in answer.partition(b"\r\n\r\n")[0].lower():
                faults.append((line, answer[:400]))
    assert faults == []


def test_no_malformed_request_makes_the_server_fail(changed: RealDashboard) -> None:
    close = "Connection: close"
    chunked = "Transfer-Encoding: chunked"
    form = "Content-Type: application/x-www-form-urlencoded"
    many = "Content-Type: multipart/form-data; boundary="
    own = f"Origin: {changed.url}"
    post = "POST /sources/pause HTTP/1.1"
    asked = {
        "two hosts": head(changed, "GET / HTTP/1.1", "Host: evil.test", close),
        "the same host twice": head(
            changed, "GET / HTTP/1.1", f"Host: {urlsplit(changed.url).netloc}", close
        ),
        "no host": b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n",
        "HTTP/1.0 without a host": b"GET / HTTP/1.0\r\n\r\n",
        "HTTP/0.9": b"GET /\r\n\r\n",
        "garbage": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" * 9,
        "another host in the target": head(changed, "GET http://evil.test/ HTTP/1.1", close),
        "a method of its own": head(changed, "PWN / HTTP/1.1", close),
        "TRACE": head(changed, "TRACE / HTTP/1.1", close, own),
        "OPTIONS": head(changed, "OPTIONS * HTTP/1.1", close, own),
        "CONNECT": head(changed, "CONNECT evil.test:80 HTTP/1.1", close, own),
        "a bare CR in the path": head(changed, b"GET /\rX: y HTTP/1.1", close),
        "NUL in the path": head(changed, b"GET /\x00 HTTP/1.1", close),
        "bytes in the path": head(changed, b"GET /\xff\xfe HTTP/1.1", close),
        "NUL in a value": head(changed, "GET / HTTP/1.1", "X: a\0b", close),
        "a folded header": head(changed, "GET / HTTP/1.1", "X: a\r\n b", close),
        "a large header": head(changed, "GET / HTTP/1.1", "X: " + "x" * 200_000, close),
        "a large cookie": head(changed, "GET / HTTP/1.1", "Cookie: a=" + "x" * 30_000, close),
        "many headers": head(changed, "GET / HTTP/1.1", *["X: y"] * 3_000, close),
        "a large query": head(changed, "GET /?q=" + "x" * 50_000 + " HTTP/1.1", close),
        "many parameters": head(changed, "GET /?" + "a=b&" * 10_000 + " HTTP/1.1", close),
        "a WebSocket": head(
            changed,
            "GET /runs/live HTTP/1.1",
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            "Sec-Fetch-Site: cross-site",
        ),
        "HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "a negative length": head(changed, post, own, form, "Content-Length: -5", close),
        "two lengths": head(
            changed, post, own, form, "Content-Length: 3", "Content-Length: 5", close
        )
        + b"a=b&c",
        "a length and chunks": head(changed, post, own, form, "Content-Length: 3", chunked, close)
        + b"0\r\n\r\n",
        "wrong chunks": head(changed, post, own, form, chunked, close) + b"zz\r\nabc\r\n",
        "half a body": head(changed, post, own, form, "Content-Length: 99", close) + b"csrf=",
        "no boundary": head(changed, post, own, many, "Content-Length: 3", close) + b"abc",
        "a wrong part": head(changed, post, own, f"{many}b", "Content-Length: 12", close)
        + b"--b\r\nX\r\n\r\n--",
        "a body of another type": head(
            changed, post, own, "Content-Type: image/png", "Content-Length: 3", close
        )
        + b"abc",
    }
    faults = {}
    for name, data in asked.items():
        is_part = name in {"half a body", "HTTP/0.9", "garbage"}
        answer = ask(changed, data, ends=is_part)
        lines = [line for line in answer.split(b"\r\n") if line.startswith(b"HTTP/1.")]
        codes = {line[9:10] for line in lines}
        if not (codes or is_part) or not codes <= {b"2", b"3", b"4"}:
            faults[name] = answer[:200]
        if name in {"two hosts", "the same host twice", "no host"}:
            assert lines[0][9:12] == b"400", name
    assert faults == {}
    assert changed.get("/healthz").text == "ok\n"


def test_each_pipelined_request_is_checked(changed: RealDashboard) -> None:
    before = content(changed)
    body = b"id=one&reason=x"
    form = "Content-Type: application/x-www-form-urlencoded"
    length = f"Content-Length: {len(body)}"
    post = head(changed, "POST /sources/pause HTTP/1.1", form, length) + body
    evil = head(changed, "GET / HTTP/1.1").replace(b"Host: 127.0.0.1", b"Host: evil.test")
    last = head(changed, "GET /healthz HTTP/1.1", "Connection: close")
    answer = ask(changed, head(changed, "GET /healthz HTTP/1.1") + post + evil + last)
    codes = [part[:3] for part in answer.split(b"HTTP/1.1 ")[1:]]
    assert codes == [b"200", b"403", b"400", b"200"]
    assert content(changed) == before


def test_forms_that_are_too_large_are_refused(changed: RealDashboard) -> None:
    own = {"Origin": changed.url}
    csrf = changed.csrf()

    def endless() -> Iterator[bytes]:
        for _ in range(200):
            yield b"a=" + b"x" * 65_536 + b"&"

    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    for path in ("/sources/pause", "/manifest/check", "/audit/verify", "/logout", "/login"):
        url = changed.url + path
        fields = [("csrf", csrf), *((f"n{number}", "x") for number in range(2_000))]
        assert changed.session.post(url, fields, headers=own, timeout=60).status_code == 400, path
        files = {f"f{number}": b"x" for number in range(5)}
        answer = changed.session.post(url, {"csrf": csrf}, files=files, headers=own, timeout=60)
        assert answer.status_code == 400, path
        try:
            sent = changed.session.post(url, data=endless(), headers=own | kind, timeout=60)
        except requests.ConnectionError:
            continue  # closed while the client was sending
        assert sent.status_code in {400, 413}, path
