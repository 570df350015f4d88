"""``scrapy fleet``, over a real Redis with a real crawl in it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests import scrapy_runs
from tests.control.fleet.conftest import fleet
from tests.control.fleet.test_crawls import wait_for
from tests.frontier.redis.test_crawls import PRIVATE, Fleet
from tests.frontier.sites import ManyPages
from wikicrawler.control.fleet.report_store import ReportStore
from wikicrawler.control.fleet.worker_report import WorkerReport

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.servers.redis import RealRedis

__all__ = ["fleet"]
JOB = ("--job", "docs")


@pytest.fixture
def site() -> Iterator[ManyPages]:
    with ManyPages(300, delay=0.02) as site:
        yield site


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "scrapy.cfg").write_text("[settings]\ndefault = wikicrawler.settings\n")
    return tmp_path


def scrapy_fleet(
    project: Path, *command: str, redis: str = "", **env: str
) -> subprocess.CompletedProcess[str]:
    given = ("--frontier", redis) if redis else ()
    environment = os.environ | {"PYTHONPATH": str(scrapy_runs.ROOT)} | env
    return scrapy_runs.run(["fleet", *command, *given], cwd=project, env=environment)


def crawled(project: Path, redis: RealRedis, job: str = "wiki:docs") -> None:
    """Have *redis* know a job by the report of a worker that has ended."""
    store = ReportStore(redis.url, job)
    store.put("0000000a", WorkerReport(state="ended", stats={"item_scraped_count": 7}))
    store.close()


def test_a_crawl_that_runs_is_shown(project: Path, fleet: Fleet, site: ManyPages) -> None:
    for _ in range(2):
        fleet.start()
    fleet.wait_for_pages(0, 3)
    with site.held():
        found = wait_for(fleet, lambda now: bool(now.sites and now.sites[0].turns))
        asked = found.sites[0].turns[0].worker
        done = scrapy_fleet(project, "status", *JOB, redis=fleet.redis.url)
        told = scrapy_fleet(project, "status", *JOB, "--json", redis=fleet.redis.url)
    assert (done.returncode, done.stderr) == (0, "")
    assert f"job docs of the spider wiki in redis://127.0.0.1:{fleet.redis.port}/0" in done.stdout
    assert "  workers   2  (running 2)\n" in done.stdout
    assert f"  site 127.0.0.1 waits for an answer to {asked}, for " in done.stdout
    for worker, process in zip(fleet.workers, fleet.processes, strict=True):
        (line,) = (line for line in done.stdout.splitlines() if f"process {process.pid} " in line)
        assert line.endswith(str(worker.feed))
    data = json.loads(told.stdout)
    assert {worker["state"] for worker in data["workers"]} == {"running"}
    assert data["sites"][0]["name"] == "127.0.0.1"
    assert data["queued"] > 0
    assert {"what": "site", "name": "127.0.0.1"}.items() <= data["waits"][-1].items()


def test_a_worker_waits_for_robots_txt_that_another_one_fetches(
    project: Path, redis: RealRedis, tmp_path: Path
) -> None:
    class SlowRobots(ManyPages):
        def answer(self, path: str) -> tuple[int, str, str]:
            self._goes_on.wait()
            return super().answer(path)

    with SlowRobots(40) as site:
        fleet = Fleet(redis, tmp_path, " ".join(sorted(site.urls())))
        try:
            with site.held():
                for _ in range(2):
                    fleet.start(*PRIVATE)
                found = wait_for(
                    fleet,
                    lambda now: (
                        {
                            (bool(w.report.robots_fetched), bool(w.report.robots_awaited))
                            for w in now.workers
                        }
                        == {(True, False), (False, True)}
                    ),
                )
                done = scrapy_fleet(project, *JOB, redis=redis.url)
            (fetches,) = (w.name for w in found.workers if w.report.robots_fetched)
            assert f"waits for robots.txt of {site.url}, which {fetches} fetches" in done.stdout
        finally:
            fleet.stop()


def test_without_a_job_the_jobs_are_listed(project: Path, redis: RealRedis) -> None:
    none = scrapy_fleet(project, redis=redis.url)
    assert (none.returncode, none.stdout) == (0, "no job is known\n")
    crawled(project, redis)
    crawled(project, redis, "other:\x1b[31mred")
    done = scrapy_fleet(project, redis=redis.url)
    first, second = done.stdout.splitlines()
    assert first.startswith("other  \\x1b[31mred  workers 1  (ended 1)  7 pages  0 queued")
    assert second.startswith("wiki  docs  workers 1  (ended 1)  7 pages  0 queued, 0 leased")
    told = scrapy_fleet(project, "--json", redis=redis.url)
    jobs = [json.loads(line)["job"] for line in told.stdout.splitlines()]
    assert jobs == ["\x1b[31mred", "docs"]


def test_workers_that_are_over_are_cut_and_those_that_run_are_not(
    project: Path, redis: RealRedis
) -> None:
    store = ReportStore(redis.url, "wiki:docs")
    store.put("runs0000", WorkerReport())
    for n in range(30):
        store.put(f"{n:08}", WorkerReport(state="ended", reason="finished"))
    store.close()
    done = scrapy_fleet(project, *JOB, redis=redis.url)
    assert "workers (10 earlier ones are not shown)\n  runs0000  running " in done.stdout
    assert "  00000009  " not in done.stdout
    assert done.stdout.count("  ended (finished)  ") == 20


def test_settings_and_the_environment_name_redis_and_the_job(
    project: Path, redis: RealRedis
) -> None:
    crawled(project, redis)
    job = ("-s", "WIKICRAWLER_FRONTIER_JOB=docs")
    by_setting = scrapy_fleet(project, "-s", f"WIKICRAWLER_FRONTIER={redis.url}", *job)
    by_environment = scrapy_fleet(project, *job, WIKICRAWLER_FRONTIER=redis.url)
    assert by_setting.returncode == by_environment.returncode == 0
    assert by_setting.stdout.startswith("job docs of the spider wiki")
    assert by_environment.stdout.startswith("job docs of the spider wiki")


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (["status"], "no Redis is named: give --frontier URL, or set WIKICRAWLER_FRONTIER"),
        (["--frontier", "http://user:secret@host"], "--frontier: the URL of Redis cannot be read"),
        (["dead", "--frontier", "redis://127.0.0.1:1"], "no job is named: give --job JOB"),
        (["--sites", "201"], "--sites is a number from 0 to 200"),
        (["dead", "--limit", "0"], "--limit is a number from 1 to 10,000"),
        (["status", "docs"], "status takes no arguments: name the job with --job"),
        (["stop"], "known: status, dead, forget"),
        (["--frontier", "redis://127.0.0.1:1", "--job", "x" * 201], "--job has 201 characters"),
        (["--frontier", "redis://127.0.0.1:1", "--spider", "a:b"], "--spider is 'a:b'"),
    ],
)
def test_bad_input_is_named(project: Path, command: list[str], message: str) -> None:
    done = scrapy_fleet(project, *command)
    assert done.returncode == 2, done.stderr
    assert message in done.stderr + done.stdout
    assert "secret" not in done.stderr
    assert "Traceback" not in done.stderr


def test_a_job_that_is_not_there_is_named_with_those_that_are(
    project: Path, redis: RealRedis
) -> None:
    for command in ("status", "dead", "forget"):
        done = scrapy_fleet(project, command, *JOB, redis=redis.url)
        assert done.returncode == 1
        assert "has no job 'docs' of the spider 'wiki'; it has none" in done.stderr
    crawled(project, redis, "books:handbook")
    done = scrapy_fleet(project, *JOB, redis=redis.url)
    assert "it has 'handbook' of books" in done.stderr


def test_a_redis_that_is_away_is_an_error_of_its_own(project: Path) -> None:
    for command in ("status", "dead", "forget"):
        done = scrapy_fleet(project, command, *JOB, redis="redis://:secret@127.0.0.1:1/0")
        assert done.returncode == 6
        assert done.stderr.startswith("scrapy fleet: error: redis://127.0.0.1:1/0: ")
        assert "secret" not in done.stderr


def test_a_job_is_forgotten_when_that_is_confirmed(
    project: Path, fleet: Fleet, site: ManyPages
) -> None:
    fleet.start()
    fleet.wait_for_pages(0, 3)
    forget = ("forget", *JOB, "--yes")
    running = scrapy_fleet(project, *forget, redis=fleet.redis.url)
    assert running.returncode == 1
    assert "workers of the job run (" in running.stderr
    fleet.processes[0].send_signal(signal.SIGINT)
    fleet.end(0)
    kept = scrapy_fleet(project, "forget", *JOB, redis=fleet.redis.url)
    assert kept.returncode == 1
    assert "Delete the job 'docs' of the spider 'wiki' from redis://" in kept.stderr
    assert kept.stderr.endswith("nothing was deleted\n")
    done = subprocess.run(
        [sys.executable, "-m", "scrapy", "fleet", "forget", *JOB, "--frontier", fleet.redis.url],
        cwd=project,
        env=os.environ | {"PYTHONPATH": str(scrapy_runs.ROOT)},
        input="docs\n",
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stdout) == (
        0,
        "the job 'docs' of the spider wiki is forgotten\n",
    )
    with fleet.redis.client() as client:
        assert [key for key in client.keys("*") if "docs" in key] == []
        assert client.zcard("{wikicrawler:jobs}:heard") == 0


def test_requests_that_were_given_up_are_listed(project: Path, redis: RealRedis) -> None:
    crawled(project, redis)
    none = scrapy_fleet(project, "dead", *JOB, redis=redis.url)
    assert (none.returncode, none.stdout) == (0, "no request was given up\n")
    with redis.client() as client:
        for n in range(3):
            client.hset("{wikicrawler:wiki:docs}:dead", f"{n}", "damaged")
    done = scrapy_fleet(project, "dead", *JOB, "--limit", "2", redis=redis.url)
    line = "(its bytes are damaged)  the workers that had it are gone, four times\n"
    assert (done.returncode, done.stdout) == (0, line * 2)
    assert done.stderr == "scrapy fleet: 1 more were given up (see --limit)\n"
