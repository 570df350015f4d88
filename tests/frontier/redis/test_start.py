"""Crawls that cannot share a frontier do not start, and say why."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.frontier.redis.test_server import OldRedis
from tests.scrapy_runs import run
from tests.servers.redis import RealRedis

ROOT = Path(__file__).parents[3]
SEEDS = ("-a", "seeds=http://127.0.0.1:1/")
JOB = ("-s", "WIKICRAWLER_FRONTIER_JOB=docs")


def refused(*arguments: str, url: str = "redis://127.0.0.1:1/0", spider: str = "wiki") -> str:
    """Return the message of ``scrapy crawl``, and its exit code after it."""
    done = run(["crawl", spider, "-s", f"WIKICRAWLER_FRONTIER={url}", *arguments], cwd=ROOT)
    assert "Traceback" not in done.stderr
    (line,) = [line for line in done.stderr.splitlines() if line.startswith("scrapy crawl")]
    return f"{line} ({done.returncode})"


def test_a_shared_crawl_has_a_name() -> None:
    message = refused(*SEEDS)
    assert "WIKICRAWLER_FRONTIER_JOB is missing: name the crawl that the workers share" in message
    assert message.endswith("(2)")
    message = refused(*SEEDS, "-s", f"WIKICRAWLER_FRONTIER_JOB={'n' * 300}")
    assert "has 300 characters: at most 200 are allowed (2)" in message


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/0",
        "redis://127.0.0.1:port/0",
        "redis://127.0.0.1/name",
        "redis://127.0.0.1/0?password=geheim",
        "redis://127.0.0.1/0?no_such_option=geheim",
        "unix://",
        "geheim",
    ],
)
def test_a_url_that_is_not_of_a_redis_is_refused(url: str) -> None:
    message = refused(*SEEDS, *JOB, url=url)
    assert "WIKICRAWLER_FRONTIER: the URL of Redis cannot be read; give a URL as" in message
    assert "geheim" not in message
    assert message.endswith("(2)")


def test_a_wrong_lease_is_refused() -> None:
    message = refused(*SEEDS, *JOB, "-s", "WIKICRAWLER_FRONTIER_LEASE=0")
    assert "a number of seconds from 1 to 3600 is needed" in message


def test_a_redis_that_is_away_ends_the_start() -> None:
    message = refused(*SEEDS, *JOB)
    assert "redis://127.0.0.1:1/0: Redis is away: " in message
    assert message.endswith("start the same command when it is back (6)")


def test_an_old_redis_and_a_cluster_end_the_start(redis: RealRedis) -> None:
    del redis  # its mark: there is a Redis
    with OldRedis("6.2.14") as old:
        message = refused(*SEEDS, *JOB, url=old.url)
    assert "Redis is of version 6.2.14; a frontier needs 7.0 or newer (6)" in message
    with RealRedis(cluster_enabled="yes") as cluster:
        message = refused(*SEEDS, *JOB, url=cluster.url)
    assert "Redis runs as a cluster; give the URL of a single server" in message


MISSING = """
import sys
sys.modules["redis"] = None
from scrapy.cmdline import execute
execute(["scrapy", *sys.argv[1:]])
"""


def test_a_missing_package_ends_the_start() -> None:
    setting = ("-s", "WIKICRAWLER_FRONTIER=redis://127.0.0.1:1/0")
    command = [sys.executable, "-c", MISSING, "crawl", "wiki", *SEEDS, *JOB, *setting]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert "the package redis is missing; pip install 'wikicrawler[redis]'" in done.stderr
    assert "Traceback" not in done.stderr
    assert done.returncode == 2


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("-a", "since=x.jsonl"), "argument since cannot be used with WIKICRAWLER_FRONTIER"),
        (("-s", "SCHEDULER=scrapy.core.scheduler.Scheduler"), "needs the scheduler of wikicrawler"),
    ],
)
def test_what_workers_cannot_share_is_refused(
    redis: RealRedis, arguments: tuple[str, ...], why: str
) -> None:
    message = refused(*SEEDS, *JOB, *arguments, url=redis.url)
    assert why in message
    assert message.endswith("(2)")


@pytest.mark.parametrize(
    ("spider", "arguments"),
    [
        ("fields", ("-a", "url=http://127.0.0.1:1/", "-a", "fields=a")),
        ("reports", ("-a", "companies=x.csv", "-a", "year=2020")),
        ("sources", ("-a", "manifest=x.yml")),
    ],
)
def test_spiders_with_one_worker_say_so(spider: str, arguments: tuple[str, ...]) -> None:
    message = refused(*arguments, *JOB, spider=spider)
    assert f"cannot be used with the spider {spider}: its crawl has one worker" in message


def test_a_state_folder_belongs_to_one_job(redis: RealRedis, tmp_path: Path) -> None:
    folder = ("-s", f"JOBDIR={tmp_path / 'job'}")
    for job, code in (("docs", 3), ("other", 6)):
        named = ("-s", f"WIKICRAWLER_FRONTIER_JOB={job}")
        shared = ("-s", f"WIKICRAWLER_FRONTIER={redis.url}")
        done = run(["crawl", "wiki", *SEEDS, *folder, *shared, *named], cwd=ROOT)
        assert done.returncode == code, done.stderr
    assert "holds a crawl of the spider 'wiki (job docs)', not of 'wiki (job other)'" in done.stderr
    done = run(["crawl", "wiki", *SEEDS, *folder], cwd=ROOT)
    assert "holds a crawl of the spider 'wiki (job docs)', not of 'wiki'" in done.stderr
