"""Real crawls that report themselves, are stopped, and wait for sites that are paused."""

from __future__ import annotations

import os
import signal
import time
from typing import TYPE_CHECKING

import pytest

from tests.control.steering import Project
from tests.scrapy_runs import ROOT
from tests.servers.regulations import RegulationSite
from tests.sources.watching import source
from wikicrawler import options
from wikicrawler.control.jobs import SILENCE, Job, get_job, list_jobs, stop_job
from wikicrawler.control.runs import request_run, run_due, run_sources
from wikicrawler.control.sites import pause_site, release_site
from wikicrawler.errors import ControlRefused, StoreError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

SECTIONS = 400  # more than a crawl of PACE asks for in the course of a test
PACE = "120"  # requests per minute


@pytest.fixture
def site() -> Iterator[RegulationSite]:
    with RegulationSite("127.0.0.9", SECTIONS) as served:
        yield served


@pytest.fixture
def project(
    url: str, tmp_path: Path, site: RegulationSite, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Project]:
    (tmp_path / "scrapy.cfg").write_text("[settings]\ndefault = wikicrawler.settings\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    made = Project(url, tmp_path, source(site.url("/"), "a"))
    settings = {
        "WIKICRAWLER_DATABASE_URL": url,
        "WIKICRAWLER_STAGING": str(tmp_path / "staged"),
        "DOMAIN_THROTTLE_REQUESTS_PER_MINUTE": PACE,
        "CONCURRENT_REQUESTS_PER_DOMAIN": "1",
        "WIKICRAWLER_CONTENT_WORKERS": "0",
        "WIKICRAWLER_TIERS": "http",
        "WIKICRAWLER_DISCOVER_WIKIS": "False",
        "WIKICRAWLER_PRIVATE_HOSTS": "127.0.0.0/8",
    }
    made.settings.setdict(settings, priority="cmdline")
    yield made
    for job in list_jobs(made.database):
        if job.pid is not None and job.is_live:
            os.kill(job.pid, signal.SIGKILL)
    made.database.close()


def wait_until(condition: Callable[[], bool], project: Project) -> None:
    until = time.monotonic() + 120
    while not condition():
        assert time.monotonic() < until, shown(project)
        time.sleep(0.05)


def shown(project: Project) -> str:
    """The jobs and their logs, for a test that failed."""
    logs = (project.file.parent / ".scrapy" / "jobs").glob("*.log")
    return "\n".join([*map(str, list_jobs(project.database)), *(log.read_text() for log in logs)])


def job_of(project: Project, job_id: str) -> Job:
    job = get_job(project.database, job_id)
    assert job is not None
    return job


def pages(site: RegulationSite) -> int:
    return sum(exchange.path.startswith("/1024/") for exchange in site.exchanges)


def test_a_crawl_that_is_started_reports_itself_and_ends_when_it_is_stopped(
    project: Project, site: RegulationSite
) -> None:
    run = run_sources(project.context, project.chosen("a"))
    assert job_of(project, run.job).state in {"requested", "running"}
    wait_until(lambda: job_of(project, run.job).progress.get("requests", 0) > 3, project)
    job = job_of(project, run.job)
    assert (job.state, job.spider, job.requested_by) == ("running", "sources", "ann")
    assert job.arguments["only"] == '["a"]'
    assert {"items", "queued", "active", "delays", "skipped", "errors"} <= job.progress.keys()
    assert stop_job(project.context, run.job, "enough").state == "stopping"
    with pytest.raises(ControlRefused, match="was asked to stop before"):
        stop_job(project.context, run.job)
    wait_until(lambda: job_of(project, run.job).state == "ended", project)
    assert job_of(project, run.job).finish_reason == "stopped"
    assert pages(site) < SECTIONS
    due = project.entries()["a"]
    assert (due.state.last_started, due.state.consecutive_failures) == (None, 0), "it stays due"
    with pytest.raises(ControlRefused, match=r"has ended \(stopped\)"):
        stop_job(project.context, run.job)
    assert [c["action"] for c in project.controls()] == ["run.request", "job.stop"]
    assert run.log_file is not None
    with open(run.log_file) as log:  # noqa: PTH123
        assert "An operator stops the crawl" in log.read()


def test_a_pause_of_a_site_holds_the_requests_of_a_crawl_that_runs_until_it_is_released(
    project: Project, site: RegulationSite
) -> None:
    run = run_sources(project.context, project.everything())
    wait_until(lambda: pages(site) >= 3, project)
    pause_site(project.context, site.netloc, seconds=3600)
    seen = -1
    while seen != len(site.exchanges):  # two rounds of reports without a request
        seen = len(site.exchanges)
        time.sleep(5)
    assert pages(site) < SECTIONS
    assert job_of(project, run.job).state == "running"
    release_site(project.context, site.netloc)
    wait_until(lambda: len(site.exchanges) > seen + 2, project)
    stop_job(project.context, run.job)
    wait_until(lambda: job_of(project, run.job).state == "ended", project)
    assert job_of(project, run.job).progress["skipped"] == {}, "no page was lost to the pause"


def test_a_crawl_that_is_killed_is_recognised(project: Project, site: RegulationSite) -> None:
    run = run_due(project.context, str(project.file))
    wait_until(lambda: job_of(project, run.job).state == "running", project)
    pid = job_of(project, run.job).pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    wait_until(lambda: job_of(project, run.job).state == "ended", project)
    assert job_of(project, run.job).finish_reason == "killed by signal 9"
    with pytest.raises(ControlRefused, match="there is nothing to stop"):
        stop_job(project.context, run.job)


def test_a_crawl_that_cannot_begin_says_so_in_its_job(project: Project) -> None:
    project.settings.set("WIKICRAWLER_TIERS", "htpp", priority="cmdline")
    run = run_sources(project.context, project.chosen("a"))
    wait_until(lambda: job_of(project, run.job).state == "ended", project)
    assert job_of(project, run.job).finish_reason == "ended with the exit code 2 before it began"


def test_a_request_that_nobody_fulfils_is_shown_as_never_begun(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = request_run(project.context, project.chosen("a"))
    assert job_of(project, run.job).state == "requested"
    later = time.time() + SILENCE + 1
    monkeypatch.setattr("wikicrawler.control.jobs.time", lambda: later)
    assert job_of(project, run.job).state == "never_began"
    assert stop_job(project.context, run.job).finish_reason == "stopped before it began"


def test_a_run_that_scrapyd_does_not_take_is_noted_and_refused(project: Project) -> None:
    project.settings.set(options.SCRAPYD_URL.name, "http://127.0.0.1:9/", priority="cmdline")
    with pytest.raises(StoreError, match=r"Scrapyd at http://127.0.0.1:9/ cannot be used"):
        run_sources(project.context, project.chosen("a"))
    (job,) = list_jobs(project.database)
    assert job.state == "ended"
    assert job.finish_reason is not None
    assert job.finish_reason.startswith("could not start: Scrapyd at ")
