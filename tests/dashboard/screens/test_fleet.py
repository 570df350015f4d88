"""The screen of crawls on several workers, and their figures for Prometheus."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from lxml import html
from prometheus_client.parser import text_string_to_metric_families

from tests.control.fleet.conftest import fleet
from tests.control.fleet.test_crawls import wait_for
from tests.dashboard.screens.watched import accessible
from tests.frontier.sites import ManyPages
from tests.servers.dashboard import RealDashboard
from wikicrawler.control.fleet.report_store import ReportStore
from wikicrawler.control.fleet.worker_report import WorkerReport

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from tests.frontier.redis.test_crawls import Fleet
    from tests.servers.chromium import Chromium
    from tests.servers.redis import RealRedis

__all__ = ["fleet"]
HOSTILE = "<script>document.title='run'</script>\u202e"


@pytest.fixture
def site() -> Iterator[ManyPages]:
    with ManyPages(300, delay=0.02) as site:
        yield site


@pytest.fixture(scope="module")
def shown(
    redis_server: RealRedis, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RealDashboard]:
    """A dashboard of a project that names the Redis."""
    folder: Path = tmp_path_factory.mktemp("fleet") / "project"
    environment = {"WIKICRAWLER_FRONTIER": redis_server.url}
    with RealDashboard(folder, environment=environment) as running:
        yield running


def text(page: str) -> str:
    return " ".join(html.fromstring(page).xpath("//main")[0].text_content().split())


def report(redis: RealRedis, job: str, **parts: object) -> None:
    store = ReportStore(redis.url, job)
    store.put("0000000a", WorkerReport(**parts))  # type: ignore[arg-type]
    store.close()


def figures(dashboard: RealDashboard) -> Mapping[str, list[tuple[dict[str, str], float]]]:
    families = text_string_to_metric_families(dashboard.get("/metrics").text)
    return {
        sample.name: [(one.labels, one.value) for one in family.samples]
        for family in families
        for sample in family.samples[:1]
    }


def test_a_crawl_that_runs_is_shown(shown: RealDashboard, fleet: Fleet, site: ManyPages) -> None:
    for _ in range(2):
        fleet.start()
    fleet.wait_for_pages(0, 3)
    with site.held():
        found = wait_for(fleet, lambda now: bool(now.sites and now.sites[0].turns))
        jobs = shown.get("/fleet")
        (link,) = html.fromstring(jobs.text).xpath("//main//th/a/@href")
        page = shown.get(link)
        metrics = figures(shown)
    assert (jobs.status_code, page.status_code) == (200, 200)
    said = text(page.text)
    for worker in found.workers:
        assert f"{worker.name} ▶ running {worker.report.host}, {worker.report.pid}" in said
    assert "Site 127.0.0.1 waits for an answer to " in said
    job = {"spider": "wiki", "job": "docs"}
    assert metrics["wikicrawler_fleet_up"] == [({}, 1.0)]
    assert ({**job, "state": "running"}, 2.0) in metrics["wikicrawler_fleet_workers"]
    assert metrics["wikicrawler_fleet_queued_requests"][0][1] > 0
    assert metrics["wikicrawler_fleet_pages_total"][0][0] == job


def test_the_screen_is_accessible(shown: RealDashboard, axe: Chromium, redis: RealRedis) -> None:
    axe.driver.get(shown.url + "/fleet")
    accessible(axe)
    report(
        redis,
        "wiki:docs",
        host=HOSTILE,
        feeds=["/data/" + "x" * 200],
        stats={"item_scraped_count": 12, "tier/page_count/http": 12},
        robots_awaited=["https://a.example"],
        waiting=1,
        active=2,
        rate=3.5,
    )
    for path in ("/fleet", "/fleet?job=wiki%3Adocs"):
        axe.driver.get(shown.url + path)
        accessible(axe)
    assert axe.driver.title != "run"


def test_what_others_wrote_to_redis_is_escaped(shown: RealDashboard, redis: RealRedis) -> None:
    report(redis, f"wiki:{HOSTILE}", host=HOSTILE, reason=HOSTILE, feeds=[HOSTILE])
    jobs = shown.get("/fleet")
    (link,) = html.fromstring(jobs.text).xpath("//main//th/a/@href")
    for page in (jobs.text, shown.get(link).text, shown.get("/metrics").text):
        assert "<script>document" not in page.partition("# HELP")[0]
        assert "\u202e" not in page
    assert "\\u202e" in text(shown.get(link).text)


def test_a_job_that_is_not_there_and_a_redis_without_jobs(
    shown: RealDashboard, redis: RealRedis
) -> None:
    empty = shown.get("/fleet")
    assert (empty.status_code, "No job is known" in text(empty.text)) == (200, True)
    missing = shown.get("/fleet?job=wiki%3Anone")
    assert (missing.status_code, "There is no such job" in text(missing.text)) == (404, True)
    assert figures(shown)["wikicrawler_fleet_up"] == [({}, 1.0)]


def test_a_project_without_redis_says_how_to_name_one(dashboard: RealDashboard) -> None:
    page = dashboard.get("/fleet")
    assert page.status_code == 200
    assert "Set WIKICRAWLER_FRONTIER where the dashboard runs" in text(page.text)
    assert "/fleet" not in html.fromstring(page.text).xpath("//nav//a/@href")
    assert "wikicrawler_fleet_up" not in figures(dashboard)


def test_a_redis_that_is_away_is_named_and_the_other_figures_are_there(tmp_path: Path) -> None:
    environment = {"WIKICRAWLER_FRONTIER": "redis://user:secret@127.0.0.1:1/0"}
    with RealDashboard(tmp_path / "project", environment=environment) as away:
        page = away.get("/fleet")
        metrics = figures(away)
    assert page.status_code == 503
    assert "Redis cannot be used now: redis://127.0.0.1:1/0: " in text(page.text)
    assert "secret" not in page.text
    assert metrics["wikicrawler_fleet_up"] == [({}, 0.0)]
    assert "wikicrawler_info" in metrics
