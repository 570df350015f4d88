"""Run control, with real crawls over a slow site."""

from __future__ import annotations

import os
import signal
import threading
import time
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
import requests

from tests.dashboard.screens.watched import (
    PAGES,
    SETTINGS,
    activate,
    context,
    described,
    page,
    rows,
    said,
    serve_rules,
    until,
)
from tests.servers.dashboard import RealDashboard
from tests.servers.scripted import ScriptedServer
from tests.sources.watching import source
from wikicrawler.control.jobs import list_jobs
from wikicrawler.control.selection import Selection
from wikicrawler.control.sources import pause_sources
from wikicrawler.store.audit_queries import Wanted, find_controls

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from wikicrawler.control.jobs import Job

STATES = "SELECT source, paused_at IS NOT NULL FROM source_states"


@pytest.fixture
def site() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        yield serve_rules(server)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealDashboard]:
    with RealDashboard(tmp_path_factory.mktemp("runs") / "project", SETTINGS) as running:
        yield running
        kill_crawls(running)


@pytest.fixture
def dashboard(shared: RealDashboard, site: ScriptedServer) -> RealDashboard:
    activate(shared, described(site))
    return shared


def jobs(dashboard: RealDashboard) -> list[Job]:
    with context(dashboard) as steering:
        return list_jobs(steering.database)


def kill_crawls(dashboard: RealDashboard) -> None:
    for job in jobs(dashboard):
        if job.pid is not None and job.is_live:
            os.kill(job.pid, signal.SIGKILL)


def do(dashboard: RealDashboard, control: str, **fields: str) -> str:
    """The message after a control of the page."""
    answer = dashboard.post(f"/runs/{control}", {"back": "/runs", **fields})
    assert (answer.status_code, answer.headers["Location"]) == (303, "/runs")
    return said(dashboard)


def ended(dashboard: RealDashboard) -> bool:
    return all(job.ended is not None for job in jobs(dashboard))


def pages(site: ScriptedServer) -> list[str]:
    return [path for path in site.paths() if path != "/robots.txt"]


def log_of(dashboard: RealDashboard) -> str:
    logs = (dashboard.folder / ".scrapy" / "jobs").glob("*.log")
    return "\n".join(log.read_text()[-2_000:] for log in logs)


class TestVisits:
    def test_a_category_is_visited(self, dashboard: RealDashboard, site: ScriptedServer) -> None:
        words = do(
            dashboard, "visit", which="category", category="jurisdiction=state:CA", force="1"
        )
        assert words == "A crawl was started: 2 sources"
        until(lambda: ended(dashboard), lambda: log_of(dashboard))
        assert sorted(pages(site)) == ["/one", "/two"]
        job = jobs(dashboard)[0]
        assert (job.finish_reason, job.via) == ("finished", "dashboard")
        page = dashboard.get(f"/runs/{job.id}").text
        assert "finished" in page
        assert ".log" in page

    def test_a_running_crawl_is_shown_and_stopped(
        self, dashboard: RealDashboard, site: ScriptedServer
    ) -> None:
        assert do(dashboard, "visit", ids="guide", force="1").endswith("1 source")
        until(lambda: len(pages(site)) > 2, lambda: log_of(dashboard))
        job = jobs(dashboard)[0]
        until(lambda: "Pages/s" in dashboard.get("/runs").text)
        page = dashboard.get("/runs").text
        assert "<progress" in page
        assert "0 of 1 sources" in page
        assert do(dashboard, "stop", job=job.id).startswith("The crawl was asked to stop")
        until(lambda: ended(dashboard))
        assert len(pages(site)) < PAGES
        assert jobs(dashboard)[0].finish_reason == "stopped"
        assert "there is nothing to stop" in do(dashboard, "stop", job=job.id)

    def test_what_is_wrong_is_said(self, dashboard: RealDashboard) -> None:
        count = len(jobs(dashboard))
        assert "name sources by their ids" in do(dashboard, "visit")
        assert "there is no such source" in do(dashboard, "visit", ids="nobody")
        assert "no active source has" in do(
            dashboard, "visit", which="category", category="priority=none"
        )
        assert "is not a category" in do(dashboard, "visit", which="category", category="id=one")
        assert "there is no job" in do(dashboard, "stop", job="x")
        assert len(jobs(dashboard)) == count


class TestPauses:
    def test_a_paused_source_is_not_visited_until_it_is_resumed(
        self, dashboard: RealDashboard, site: ScriptedServer
    ) -> None:
        manifest = described(site)
        for one in manifest["sources"]:
            one["id"] = f"new-{one['id']}"  # visited by no other test: they are due
        activate(dashboard, manifest)
        words = do(dashboard, "pause", ids="new-one new-two", reason="they move")
        assert words.endswith("new-one, new-two")
        page = dashboard.get("/runs").text
        assert "Paused sources (2)" in page
        assert "they move" in page
        do(dashboard, "visit", ids="new-one,new-two,new-three")  # without force
        until(lambda: ended(dashboard), lambda: log_of(dashboard))
        assert pages(site) == ["/three"]
        assert do(dashboard, "resume", ids="new-one").startswith("Resumed")
        do(dashboard, "visit", ids="new-one,new-two")
        until(lambda: ended(dashboard), lambda: log_of(dashboard))
        assert pages(site) == ["/three", "/one"]

    def test_a_paused_site_is_not_asked_until_it_is_released(
        self, dashboard: RealDashboard, site: ScriptedServer
    ) -> None:
        with ScriptedServer("127.0.0.2") as other:
            serve_rules(other)
            manifest = described(site)
            manifest["sources"].append(source(other.url("/one"), "other", method="scrape"))
            activate(dashboard, manifest)
            assert "is paused until" in do(
                dashboard, "sites/pause", site=site.url("/"), seconds="3600", reason="a move"
            )
            assert "a move" in dashboard.get("/runs").text
            assert "is paused by" in do(dashboard, "visit", ids="three", force="1")
            do(dashboard, "visit", ids="three other", force="1")
            until(lambda: ended(dashboard), lambda: log_of(dashboard))
            assert pages(other) == ["/one"]
            assert site.exchanges == []
        assert "not paused any more" in do(dashboard, "sites/release", site="127.0.0.1")
        assert "is not paused" in do(dashboard, "sites/release", site="127.0.0.1")
        assert "choose how long" in do(dashboard, "sites/pause", site="127.0.0.1")
        do(dashboard, "visit", ids="three", force="1")
        until(lambda: ended(dashboard), lambda: log_of(dashboard))
        assert pages(site) == ["/three"]

    def test_the_scheduler_is_paused_and_resumed(self, dashboard: RealDashboard) -> None:
        assert "is paused" in do(dashboard, "scheduler/pause", reason="an audit")
        page = dashboard.get("/runs").text
        assert "an audit" in page
        assert "Visit what is due now" not in page
        assert "the scheduler is paused by" in do(dashboard, "due")
        assert "the scheduler is paused by" in do(dashboard, "scheduler/pause")
        assert "is resumed" in do(dashboard, "scheduler/resume")
        assert "is not paused" in do(dashboard, "scheduler/resume")


def test_a_schedule_is_overridden_once(dashboard: RealDashboard, site: ScriptedServer) -> None:
    words = do(dashboard, "override", ids="one", at="2027-03-01T03:00", zone="Europe/Berlin")
    assert words == "Visited once, on 2027-03-01 02:00 UTC: one"
    stored = rows(dashboard, "SELECT override_at FROM source_states WHERE source = 'one'")
    assert stored == [(1_803_866_400.0,)]
    assert "is not a time" in do(dashboard, "override", ids="one", at="soon")


class TestLive:
    def lines(self, dashboard: RealDashboard, path: str, seconds: float) -> Iterator[str]:
        """The lines of a stream, until none came for so long."""
        with dashboard.session.get(
            dashboard.url + path, stream=True, timeout=(10, seconds)
        ) as answer:
            assert answer.headers["Content-Type"].startswith("text/event-stream")
            assert "Content-Encoding" not in answer.headers
            yield from answer.iter_lines(decode_unicode=True)

    def test_news_come_as_they_happen(self, dashboard: RealDashboard, site: ScriptedServer) -> None:
        may_end = threading.Event()
        site.on("/one", replace(page("one"), held=may_end))
        stream = self.lines(dashboard, "/runs/live", 60)
        for first in ("trouble", "jobs", "ended"):
            assert next(line for line in stream if line.startswith("event: ")) == f"event: {first}"
        try:
            do(dashboard, "visit", ids="one", force="1")
            assert next(line for line in stream if line.startswith("event: ")) == "event: jobs"
            assert any(line.startswith("event: job-") for line in stream)
        finally:
            may_end.set()
        assert any(line == "event: ended" for line in stream)
        until(lambda: ended(dashboard))

    def test_a_browser_has_three_streams_and_an_older_one_is_told(
        self, dashboard: RealDashboard
    ) -> None:
        streams = [self.lines(dashboard, "/runs/live", 30) for _ in range(4)]
        for stream in streams:
            assert next(line for line in stream if line.startswith("event: "))
        assert "event: over" in list(streams[0])
        for stream in streams[1:]:
            stream.close()  # type: ignore[attr-defined]

    def test_a_stream_of_no_crawl_is_refused(self, dashboard: RealDashboard) -> None:
        assert dashboard.get("/runs/live?job=x").status_code == 404

    def test_sigterm_ends_the_server_with_open_streams(self, tmp_path: Path) -> None:
        with RealDashboard(tmp_path / "project", SETTINGS) as dashboard:
            answered: list[int] = []
            heard: list[bytes] = []

            def listen() -> None:
                # Browsers of their own: none of the streams ends for another.
                with requests.get(dashboard.url + "/runs/live", stream=True, timeout=60) as answer:
                    answered.append(answer.status_code)
                    heard.extend(answer.iter_lines())

            listeners = [threading.Thread(target=listen) for _ in range(3)]
            for one in listeners:
                one.start()
            until(lambda: answered.count(200) == 3)
            dashboard.process.terminate()
            assert dashboard.process.wait(60) in {0, -signal.SIGTERM}
            for one in listeners:
                one.join(10)
            assert heard
            log = (dashboard.folder / "dashboard.log").read_text()
            assert "Traceback" not in log
            assert "without completing" not in log


def test_a_path_that_is_only_a_control_leads_to_the_page(dashboard: RealDashboard) -> None:
    for path in ("/runs/visit", "/runs/stop", "/runs/scheduler/pause"):
        assert dashboard.get(path).headers["Location"] == "/runs"
    assert dashboard.get("/runs/no-such-job").status_code == 404


def test_an_empty_project_says_what_to_do(tmp_path: Path) -> None:
    with RealDashboard(tmp_path / "project") as dashboard:
        page = dashboard.get("/runs").text
        assert "No crawl runs now" in page
        assert 'href="/manifest">Activate a manifest' in page


def test_a_dashboard_that_only_reads_shows_no_controls(
    tmp_path: Path, site: ScriptedServer
) -> None:
    reading = RealDashboard(tmp_path / "project", SETTINGS, "--read-only")
    activate(reading, described(site))
    with context(reading) as steering:
        pause_sources(steering, Selection(("one",)), "they move")
    with reading as dashboard:
        page = dashboard.get("/runs").text
        assert "they move" in page
        assert 'method="post"' not in page
        assert dashboard.post("/runs/resume", {"ids": "one"}).status_code == 403


@pytest.mark.parametrize("round_", range(4))
def test_nothing_is_half_done_after_a_kill(
    tmp_path: Path, site: ScriptedServer, round_: int
) -> None:
    """What is stored and what the audit log says agree, whenever the dashboard is killed."""
    with RealDashboard(tmp_path / "project", SETTINGS) as dashboard:
        activate(dashboard, described(site))
        token = dashboard.csrf("/runs")
        headers = {"Origin": dashboard.url}
        done: list[int] = []

        def steer() -> None:
            for number in range(1_000):
                action = "pause" if number % 2 == 0 else "resume"
                form = {"csrf": token, "which": "all", "back": "/runs"}
                try:
                    answer = dashboard.session.post(
                        f"{dashboard.url}/runs/{action}",
                        data=form,
                        headers=headers,
                        allow_redirects=False,
                        timeout=60,
                    )
                except requests.RequestException:
                    return
                done.append(answer.status_code)

        steering = threading.Thread(target=steer)
        steering.start()
        until(lambda: len(done) > 2)
        time.sleep(0.013 * round_)
        dashboard.process.kill()
        steering.join(60)
        assert set(done) == {303}
        with context(dashboard) as control, control.database.read() as connection:
            records = [fields for _, fields in find_controls(connection, Wanted())]
        changes = [one for one in records if one["action"].startswith("source.")]
        assert len(changes) % 4 == 0  # all four sources, or none
        assert len(done) <= len(changes) // 4 <= len(done) + 1
        last = max(changes, key=lambda one: one["sequence"])["action"]
        states = dict(rows(dashboard, STATES))
        assert set(states.values()) == {int(last == "source.pause")}
