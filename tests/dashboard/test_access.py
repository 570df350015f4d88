"""Who gets an answer."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING

import pytest

from tests.servers.dashboard import RealDashboard, make_project
from wikicrawler.dashboard.access.guard import HEADERS

if TYPE_CHECKING:
    from pathlib import Path

    from requests import Response

PASSWORD = "correct horse battery"  # noqa: S105
TOKEN = "a-token-of-more-than-twenty-characters"  # noqa: S105


@pytest.mark.parametrize("host", ["evil.test", "localhost.", "127.1", "127.0.0.1", ""])
def test_another_host_is_refused(dashboard: RealDashboard, host: str) -> None:
    answer = dashboard.get("/", headers={"Host": host})
    assert answer.status_code == 400
    assert answer.headers["Content-Security-Policy"] == HEADERS["Content-Security-Policy"]


def test_the_name_localhost_is_right(dashboard: RealDashboard) -> None:
    port = dashboard.url.rpartition(":")[2]
    assert dashboard.get("/", headers={"Host": f"localhost:{port}"}).status_code == 200


@pytest.mark.parametrize("path", ["/", "/nowhere", "/static/style.css", "/login", "/healthz"])
def test_each_answer_has_the_headers(dashboard: RealDashboard, path: str) -> None:
    answer = dashboard.get(path)
    assert {name: answer.headers.get(name) for name in HEADERS} == dict(HEADERS)


def change(dashboard: RealDashboard, **headers: str) -> Response:
    """The answer to a change with exactly these headers, and with the right token."""
    token = dashboard.csrf()
    return dashboard.session.post(
        dashboard.url + "/logout", data={"csrf": token}, headers=headers, allow_redirects=False
    )


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Origin": "http://evil.test"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "none"},
    ],
)
def test_a_change_from_elsewhere_is_refused(
    dashboard: RealDashboard, headers: dict[str, str]
) -> None:
    assert change(dashboard, **headers).status_code == 403


def test_a_change_of_its_own_page_is_accepted(dashboard: RealDashboard) -> None:
    assert change(dashboard, Origin=dashboard.url).status_code == 303
    assert change(dashboard, **{"Sec-Fetch-Site": "same-origin"}).status_code == 303


def test_a_change_without_the_token_of_the_page_is_refused(dashboard: RealDashboard) -> None:
    answer = dashboard.post("/logout", {"csrf": "wrong"})
    assert answer.status_code == 403
    assert "load it again" in answer.text


def test_a_page_elsewhere_cannot_load_one(dashboard: RealDashboard) -> None:
    loaded = {"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "no-cors"}
    assert dashboard.get("/", headers=loaded).status_code == 403
    followed = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    assert dashboard.get("/", headers=followed).status_code == 200


def test_a_request_that_is_too_large_is_refused(dashboard: RealDashboard) -> None:
    answer = dashboard.post("/logout", {"more": "x" * (9 << 20)})
    assert answer.status_code == 413


@pytest.mark.parametrize(
    "path", ["/static/../app.py", "/static/%2e%2e/app.py", "/static/..%2fapp.py"]
)
def test_only_static_files_are_served(dashboard: RealDashboard, path: str) -> None:
    host, _, port = dashboard.url.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port))) as connection:
        head = f"GET /static{path} HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: close\r\n\r\n"
        connection.sendall(head.encode())
        answer = b"".join(iter(lambda: connection.recv(65_536), b""))
    assert answer.startswith(b"HTTP/1.1 404")


def test_other_machines_need_a_password(tmp_path: Path) -> None:
    make_project(tmp_path)
    closed = RealDashboard(tmp_path)
    with pytest.raises(AssertionError, match="a password is needed"):
        RealDashboard(tmp_path, None, "--host", "0.0.0.0").start()
    assert closed.scrapy("dashboard", "--host", "0.0.0.0", code=2) == ""


class TestWithAPassword:
    @pytest.fixture
    def closed(self, tmp_path: Path) -> RealDashboard:
        """A dashboard with a password and a token, not started yet."""
        secrets = {
            "WIKICRAWLER_DASHBOARD_PASSWORD": PASSWORD,
            "WIKICRAWLER_DASHBOARD_TOKEN": TOKEN,
        }
        return RealDashboard(tmp_path / "project", environment=secrets)

    def test_who_is_not_logged_in_is_sent_to_the_form(self, closed: RealDashboard) -> None:
        with closed as dashboard:
            answer = dashboard.get("/errors?page=2")
            assert answer.status_code == 303
            assert answer.headers["Location"] == "/login?next=%2Ferrors%3Fpage%3D2"

    @pytest.mark.parametrize("path", ["/loginx", "/login/", "/healthzz", "/static", "/sites"])
    def test_only_the_form_is_open(self, closed: RealDashboard, path: str) -> None:
        with closed as dashboard:
            answer = dashboard.get(path)
            assert (answer.status_code, answer.headers["Location"][:7]) == (303, "/login?")

    def test_the_right_password_leads_to_the_page(self, closed: RealDashboard) -> None:
        with closed as dashboard:
            form = {"csrf": dashboard.csrf("/login"), "name": "operator", "password": PASSWORD}
            before = dashboard.session.cookies.copy()
            answer = dashboard.post("/login", {**form, "next": "/?a=b"})
            assert (answer.status_code, answer.headers["Location"]) == (303, "/?a=b")
            assert "operator" in dashboard.get("/").text
            cookie = answer.headers["Set-Cookie"]
            assert "HttpOnly" in cookie
            assert "SameSite=lax" in cookie
            dashboard.session.cookies = before
            assert dashboard.get("/").status_code == 303

    @pytest.mark.parametrize(
        "following", ["//evil.test/", "/\\evil.test", "https://evil.test", "/\r\nX: y", "/ä"]
    )
    def test_the_log_in_leads_to_no_other_site(self, closed: RealDashboard, following: str) -> None:
        with closed as dashboard:
            form = {"csrf": dashboard.csrf("/login"), "name": "operator", "password": PASSWORD}
            assert dashboard.post("/login", {**form, "next": following}).headers["Location"] == "/"

    def test_tries_are_limited(self, closed: RealDashboard) -> None:
        with closed as dashboard:
            form = {"csrf": dashboard.csrf("/login"), "name": "operator"}
            codes = [
                dashboard.post("/login", {**form, "password": f"wrong {number}"}).status_code
                for number in range(11)
            ]
            assert codes == [401] * 10 + [429]
            assert dashboard.post("/login", {**form, "password": PASSWORD}).status_code == 429

    def test_a_changed_password_ends_sessions(self, closed: RealDashboard) -> None:
        with closed as dashboard:
            form = {"csrf": dashboard.csrf("/login"), "name": "operator", "password": PASSWORD}
            dashboard.post("/login", form)
            assert dashboard.get("/").status_code == 200
            port = int(dashboard.url.rpartition(":")[2])
            dashboard.process.kill()
            dashboard.process.wait()
            dashboard.environment.update(WIKICRAWLER_DASHBOARD_PASSWORD="another than before")  # noqa: S106
            dashboard.start(port)
            assert dashboard.get("/").status_code == 303
