"""A dashboard that is killed in the middle of controls: what it did and what is recorded agree."""

from __future__ import annotations

import json
import random
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest
import requests

from tests.control.steering import Project
from tests.control.test_killed import check
from tests.servers.dashboard import RealDashboard
from tests.sources.watching import manifest_of, source
from wikicrawler import options
from wikicrawler.control.jobs import list_jobs
from wikicrawler.demo.agencies import Agencies

if TYPE_CHECKING:
    from pathlib import Path

TOKEN = "a-token-of-more-than-twenty-characters"  # noqa: S105
KILLS = 4
CLIENTS = 3


def controls(text: str, number: int) -> list[tuple[str, dict[str, Any]]]:
    """Paths and bodies of controls; *text* is a manifest of the version 1.0.0."""
    newer = text.replace("1.0.0", f"1.0.{number}", 1)
    return [
        ("sources/pause", {"all": True, "reason": "r"}),
        ("sources/resume", {"all": True}),
        ("sources/pause", {"ids": ["a"]}),
        ("sources/resume", {"ids": ["a", "b"]}),
        ("sources/override", {"category": {"priority": "high"}, "at": "2030-01-01T00:00Z"}),
        ("sites/example.com/pause", {"seconds": 3600}),
        ("sites/example.com/release", {}),
        ("scheduler/pause", {}),
        ("scheduler/resume", {}),
        ("manifests", {"text": newer, "check_robots": False, "force": True}),
    ]


@pytest.fixture
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a database that does not exist yet, or is empty."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'crawl.sqlite'}"
    return str(request.getfixturevalue("postgres").empty_database())


def made(folder: Path, database: str, **settings: str) -> RealDashboard:
    """A dashboard with a token, not started yet."""
    dashboard = RealDashboard(
        folder,
        {options.DATABASE_URL.name: database, **settings},
        environment={options.DASHBOARD_TOKEN.environment: TOKEN},
    )
    dashboard.session.headers["Authorization"] = f"Bearer {TOKEN}"
    return dashboard


def steer(dashboard: RealDashboard, text: str, seed: str) -> None:
    """Use controls until the dashboard is gone."""
    chance = random.Random(seed)  # noqa: S311
    with requests.Session() as session:
        session.trust_env = False
        session.headers.update(dashboard.session.headers)
        while True:
            path, body = chance.choice(controls(text, chance.randrange(1, 10**6)))
            try:
                answer = session.post(f"{dashboard.url}/api/{path}", json=body, timeout=60)
            except requests.ConnectionError:
                return
            assert answer.status_code in {200, 409}, answer.text


@pytest.mark.parametrize("database", ["sqlite", "postgres"], indirect=True)
def test_nothing_is_half_done(database: str, tmp_path: Path) -> None:
    seed = time.time_ns()
    print("seed", seed)  # noqa: T201 - shown where the test fails
    chance = random.Random(seed)  # noqa: S311
    dashboard = made(tmp_path / "project", database)
    project = Project(database, tmp_path)
    text = project.file.read_text()
    records = 0
    with dashboard:
        dashboard.session.post(
            f"{dashboard.url}/api/manifests", json={"text": text, "check_robots": False}, timeout=60
        ).raise_for_status()
        for number in range(KILLS):
            clients = [
                threading.Thread(target=steer, args=(dashboard, text, f"{seed}-{number}-{one}"))
                for one in range(CLIENTS)
            ]
            for client in clients:
                client.start()
            while len(project.controls()) == records:
                time.sleep(0.05)
            time.sleep(chance.uniform(0, 0.3))
            dashboard.process.kill()
            dashboard.process.wait()
            for client in clients:
                client.join()
            found = project.controls()
            records = len(found)
            check(project, found)
            assert {(one["by"], one["via"]) for one in found} == {("token", "api")}
            dashboard.start()
            assert dashboard.get("/api/scheduler").status_code == 200
    project.database.close()


def test_a_run_is_requested_with_its_record(tmp_path: Path) -> None:
    folder = tmp_path / "project"
    database = f"sqlite:///{tmp_path / 'crawl.sqlite'}"
    with Agencies() as agencies:
        dashboard = made(folder, database, **{options.PRIVATE_HOSTS.name: "localhost"})
        one = source(f"{agencies.url}/programs", "a", method="scrape")
        text = json.dumps(manifest_of(one))
        project = Project(database, tmp_path, one)
        with dashboard:
            api = f"{dashboard.url}/api"
            body: dict[str, Any] = {"text": text, "check_robots": False}
            dashboard.session.post(f"{api}/manifests", json=body, timeout=60).raise_for_status()
            sending = threading.Thread(target=send_run, args=(dashboard,))
            sending.start()
            while not list_jobs(project.database):
                time.sleep(0.01)
            dashboard.process.kill()
            dashboard.process.wait()
            sending.join()
            requested = [r["subject"] for r in project.controls() if r["action"] == "run.request"]
            assert [job.id for job in list_jobs(project.database)] == requested
            # The child was started, or was not: a job that never begins is shown as that.
            while (state := list_jobs(project.database)[0].state) in {"requested", "running"}:
                time.sleep(0.1)
            assert state in {"ended", "never_began"}
        project.database.close()


def send_run(dashboard: RealDashboard) -> None:
    """Ask for a visit; the dashboard may die before it answers."""
    try:
        dashboard.session.post(f"{dashboard.url}/api/sources/run", json={"all": True}, timeout=60)
    except requests.ConnectionError:
        return
