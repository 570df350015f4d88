"""The screen of manifests: check, differences, activation, history."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from tests.dashboard.screens.watched import (
    SETTINGS,
    activate,
    context,
    described,
    rows,
    said,
    serve_rules,
)
from tests.servers.dashboard import RealDashboard
from tests.servers.scripted import Reply, ScriptedServer
from wikicrawler.store.audit_queries import Wanted, find_controls

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from requests import Response

_HIDDEN = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)">')


@pytest.fixture(scope="module")
def site() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        yield serve_rules(server)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealDashboard]:
    with RealDashboard(tmp_path_factory.mktemp("manifests") / "project", SETTINGS) as running:
        yield running


@pytest.fixture
def dashboard(shared: RealDashboard, site: ScriptedServer) -> RealDashboard:
    """A dashboard whose active manifest is version 1.0.0."""
    activate(shared, described(site))
    return shared


def check(dashboard: RealDashboard, data: bytes | str, name: str = "new.json") -> Response:
    return dashboard.post("/manifest/check", files={"file": (name, data)})


def encoded(manifest: dict[str, Any]) -> str:
    return json.dumps(manifest, indent=1)


def activation(dashboard: RealDashboard, page: Response, **fields: str) -> Response:
    """The answer to the form of the page of a check."""
    form = page.text.partition('action="/manifest/activate"')[2].partition("</form>")[0]
    hidden = dict(_HIDDEN.findall(form))
    assert {"text", "sha256", "active"} <= set(hidden)
    # As the page does it; a file makes it a form of several parts.
    return dashboard.post("/manifest/activate", hidden | fields, files={"none": ("", b"")})


def active(dashboard: RealDashboard) -> tuple[Any, ...]:
    """Version, name, reason and text of the active manifest, and whether robots.txt was checked."""
    return rows(
        dashboard,
        "SELECT version, activated_by, reason, text, robots_checked FROM manifests "
        "ORDER BY number DESC LIMIT 1",
    )[0]


class TestCheck:
    def test_faults_stand_beside_the_text_with_pointer_and_line(
        self, dashboard: RealDashboard, site: ScriptedServer
    ) -> None:
        text = encoded(described(site)).replace('"priority": "high"', '"priority": "urgent"', 1)
        line = text[: text.index("urgent")].count("\n") + 1
        answer = check(dashboard, text)
        assert answer.status_code == 422
        assert f'<a href="#L{line}">Line {line}, column ' in answer.text
        assert "/sources/0/priority" in answer.text
        assert f'<p id="L{line}" class="faulty"' in answer.text
        assert "<mark><bdi>&#34;urgent&#34;</bdi></mark>" in answer.text
        assert 'action="/manifest/activate"' not in answer.text

    def test_a_valid_one_shows_what_it_would_change_and_changes_nothing(
        self, dashboard: RealDashboard, site: ScriptedServer
    ) -> None:
        before = active(dashboard)
        new = described(site, version="1.1.0")
        new["sources"][0]["frequency"] = "daily"
        del new["sources"][1]
        answer = check(dashboard, encoded(new))
        assert answer.status_code == 200
        assert "0 added" in answer.text
        assert "1 removed" in answer.text
        assert "1 changed" in answer.text
        assert "<del><bdi>weekly</bdi></del>" in answer.text
        assert "<ins><bdi>daily</bdi></ins>" in answer.text
        assert active(dashboard) == before

    def test_yaml_and_an_answer_of_a_model_can_be_pasted(
        self, dashboard: RealDashboard, site: ScriptedServer
    ) -> None:
        manifest = described(site, version="1.1.0")
        yaml = "version: 1.1.0\nvertical: [a\n"
        answer = dashboard.post("/manifest/check", {"pasted": yaml})
        assert answer.status_code == 422
        assert "Line " in answer.text
        fenced = f"Here it is:\r\n```json\r\n{encoded(manifest)}\r\n```\r\n"
        answer = dashboard.post("/manifest/check", {"pasted": fenced})
        assert answer.status_code == 200
        assert "the text before and after the manifest is ignored" in answer.text

    def test_without_a_text_the_page_says_what_to_do(self, dashboard: RealDashboard) -> None:
        answer = dashboard.post("/manifest/check", {"back": "/manifest"}, files={"file": ("", b"")})
        assert answer.headers["Location"] == "/manifest"
        assert "choose a file" in said(dashboard, "/manifest")

    def test_a_large_text_with_many_faults_makes_a_small_page(
        self, dashboard: RealDashboard, site: ScriptedServer
    ) -> None:
        manifest = described(site)
        manifest["sources"] = [
            manifest["sources"][1] | {"id": f"s-{n}", "priority": "urgent"} for n in range(5_000)
        ]
        answer = check(dashboard, encoded(manifest))
        assert answer.status_code == 422
        assert len(answer.content) < 1_500_000
        assert "200 faults" in answer.text

    @pytest.mark.parametrize("size", [5 << 20, 7 << 20])
    def test_one_that_is_too_large_is_refused_with_the_limit(
        self, dashboard: RealDashboard, size: int
    ) -> None:
        answer = check(dashboard, b"[" + b" " * size)
        assert answer.status_code == 422
        assert "at most 4 MiB" in answer.text
        assert len(answer.content) < 100_000

    def test_one_above_the_limit_of_requests_is_refused(self, dashboard: RealDashboard) -> None:
        assert check(dashboard, b" " * (9 << 20)).status_code == 413


class TestActivation:
    def test_what_was_checked_is_active_byte_for_byte(
        self, dashboard: RealDashboard, site: ScriptedServer
    ) -> None:
        text = encoded(described(site, version="1.1.0")).replace("\n", "\r\n", 3) + "\n\n"
        answer = activation(dashboard, check(dashboard, text), reason="a new rule")
        assert (answer.status_code, answer.headers["Location"]) == (303, "/manifest")
        version, by, reason, stored, robots = active(dashboard)
        assert (version, reason, stored, robots) == ("1.1.0", "a new rule", text, False)
        assert by
        page = dashboard.get("/manifest").text
        assert "robots.txt was not checked" in page
        assert "a new rule" in page

    def test_a_pasted_text_keeps_its_own_line_ends(
        self, dashboard: RealDashboard, site: ScriptedServer
    ) -> None:
        text = encoded(described(site, version="1.1.0"))
        page = dashboard.post("/manifest/check", {"pasted": text.replace("\n", "\r\n")})
        assert activation(dashboard, page).status_code == 303
        assert active(dashboard)[3] == text

    def test_it_is_recorded_in_the_audit_log(
        self, dashboard: RealDashboard, site: ScriptedServer
    ) -> None:
        activation(dashboard, check(dashboard, encoded(described(site, version="1.2.0"))))
        with context(dashboard) as steering, steering.database.read() as connection:
            _, last = next(find_controls(connection, Wanted()))
        found = [last[name] for name in ("action", "subject", "via")]
        assert found == ["manifest.activate", "1.2.0", "dashboard"]

    def test_another_text_than_the_checked_one_is_refused(
        self, dashboard: RealDashboard, site: ScriptedServer
    ) -> None:
        before = active(dashboard)
        page = check(dashboard, encoded(described(site, version="1.1.0")))
        activation(dashboard, page, sha256="0" * 64)
        assert "damaged" in said(dashboard, "/manifest")
        assert active(dashboard) == before

    def test_if_another_was_activated_meanwhile_nothing_changes_and_nothing_is_lost(
        self, dashboard: RealDashboard, site: ScriptedServer
    ) -> None:
        page = check(dashboard, encoded(described(site, version="1.2.0")))
        activate(dashboard, described(site, version="1.1.0"))
        answer = activation(dashboard, page, reason="mine", force="1")
        assert answer.status_code == 409
        assert "was activated in the meantime" in answer.text
        assert 'value="mine"' in answer.text
        assert active(dashboard)[0] == "1.1.0"
        assert activation(dashboard, answer, reason="mine").status_code == 303
        assert active(dashboard)[0] == "1.2.0"

    def test_a_lower_version_needs_force(
        self, dashboard: RealDashboard, site: ScriptedServer
    ) -> None:
        page = check(dashboard, encoded(described(site, version="0.9.0")))
        assert "only with force" in page.text
        answer = activation(dashboard, page)
        assert answer.status_code == 409
        assert "version 0.9.0 is lower" in answer.text
        assert activation(dashboard, answer, force="1").status_code == 303
        assert active(dashboard)[0] == "0.9.0"

    def test_robots_txt_is_checked_if_asked_for(
        self, dashboard: RealDashboard, site: ScriptedServer
    ) -> None:
        with ScriptedServer("127.0.0.2") as closed:
            closed.on("/robots.txt", Reply(body="User-agent: *\nDisallow: /one\n"))
            manifest = described(site, version="1.1.0")
            manifest["sources"][1] |= {"url": closed.url("/one"), "domain": "127.0.0.2"}
            page = check(dashboard, encoded(manifest))
            answer = activation(dashboard, page, robots="1")
            assert answer.status_code == 409
            assert "1 source may not be fetched" in answer.text
            closed.on("/robots.txt", Reply(404))
            assert activation(dashboard, answer, robots="1").status_code == 303
        assert active(dashboard)[4]
        assert "robots.txt was checked" in said(dashboard, "/manifest")

    def test_it_needs_the_token_of_the_page(
        self, dashboard: RealDashboard, site: ScriptedServer
    ) -> None:
        page = check(dashboard, encoded(described(site, version="1.1.0")))
        assert activation(dashboard, page, csrf="wrong").status_code == 403


class TestHistory:
    def test_each_activation_can_be_seen_and_downloaded(
        self, dashboard: RealDashboard, site: ScriptedServer
    ) -> None:
        activate(dashboard, described(site, version="2.0.0"))
        number = rows(dashboard, "SELECT max(number) FROM manifests")[0][0]
        page = dashboard.get(f"/manifest/{number}").text
        assert "guide" in page
        fields = dashboard.get(f"/manifest/{number}?source=guide").text
        assert "scrape_config.max_depth" in fields
        file = dashboard.get(f"/manifest/{number}/download")
        assert file.text == active(dashboard)[3]
        assert file.headers["Content-Type"] == "application/json"
        name = f"manifest-2.0.0-{number}.json"
        assert file.headers["Content-Disposition"] == f'attachment; filename="{name}"'

    def test_any_two_can_be_compared(self, dashboard: RealDashboard, site: ScriptedServer) -> None:
        new = described(site, version="2.1.0")
        new["sources"][0]["priority"] = "low"
        new["sources"][0]["scrape_config"] = {"custom_headers": {"X-Key": "a-secret"}}
        activate(dashboard, new)
        number = rows(dashboard, "SELECT max(number) FROM manifests")[0][0]
        there = dashboard.get(f"/manifest/differences?old={number - 1}&new={number}").text
        assert "<ins><bdi>low</bdi></ins>" in there
        back = dashboard.get(f"/manifest/differences?old={number}&new={number - 1}").text
        assert "<del><bdi>low</bdi></del>" in back
        assert "a-secret" not in there + back

    def test_an_earlier_one_can_be_restored(
        self, dashboard: RealDashboard, site: ScriptedServer
    ) -> None:
        number = rows(dashboard, "SELECT max(number) FROM manifests")[0][0]
        text = active(dashboard)[3]
        activate(dashboard, described(site, version="3.0.0"))
        fields = {"number": str(number), "back": "/manifest", "reason": "too early"}
        stale = dashboard.post("/manifest/restore", fields | {"active": str(number)})
        assert stale.status_code == 303
        assert "in the meantime" in said(dashboard, "/manifest")
        assert active(dashboard)[0] == "3.0.0"
        dashboard.post("/manifest/restore", fields | {"active": str(number + 1)})
        assert f"restores number {number}" in said(dashboard, "/manifest")
        assert active(dashboard)[3] == text
        assert rows(dashboard, "SELECT max(number) FROM manifests") == [(number + 2,)]

    @pytest.mark.parametrize(
        "path",
        [
            "/manifest/0",
            "/manifest/99999",
            "/manifest/x",
            "/manifest/²",
            "/manifest/99999999999999999999",
            "/manifest/99999/download",
            "/manifest/differences",
            "/manifest/differences?old=1&new=x",
            "/manifest/1?source=nobody",
        ],
    )
    def test_what_does_not_exist_is_said(self, dashboard: RealDashboard, path: str) -> None:
        assert dashboard.get(path).status_code == 404


def test_a_dashboard_that_only_reads_shows_no_forms_and_refuses_them(tmp_path: Path) -> None:
    with RealDashboard(tmp_path / "project", None, "--read-only") as dashboard:
        page = dashboard.get("/manifest").text
        assert 'method="post"' not in page
        assert "No manifest is active" in page
        assert check(dashboard, "{}").status_code == 403
