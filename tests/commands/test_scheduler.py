"""``scrapy scheduler``: a daemon that starts crawls over watched sources."""

from __future__ import annotations

import os
import signal
import time
from base64 import b64encode
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests import scrapy_runs
from tests.servers.regulations import RegulationSite, section
from tests.servers.scrapyd import Scrapyd
from tests.servers.scripted import Reply, ScriptedServer
from tests.sources.watching import Watch, source
from wikicrawler.store.database import Database
from wikicrawler.store.source_states import load_states

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable, Iterator

ROOT = Path(__file__).parents[2]
DOWN = "http://127.0.0.1:9/"


@pytest.fixture
def site() -> Iterator[RegulationSite]:
    with RegulationSite(count=2) as server:
        yield server


@pytest.fixture
def watched(site: RegulationSite, tmp_path: Path) -> Watch:
    watch = Watch(tmp_path, source(site.url("/")))
    watch.settings |= {
        "DOMAIN_THROTTLE_REQUESTS_PER_MINUTE": "60000",
        "WIKICRAWLER_CONTENT_WORKERS": "0",
        "WIKICRAWLER_TIERS": "http",
        "WIKICRAWLER_DISCOVER_WIKIS": "False",
        "WIKICRAWLER_PROGRESS_ENABLED": "False",
    }
    return watch


def arguments_of(watched: Watch, *arguments: str) -> list[str]:
    options = [
        part for name, value in watched.settings.items() for part in ("-s", f"{name}={value}")
    ]
    return [*arguments, "--manifest", str(watched.file), *options]


def environment(**more: str) -> dict[str, str]:
    return os.environ | {"PYTHONPATH": str(ROOT)} | more


def run(watched: Watch, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    return scrapy_runs.run(arguments_of(watched, *arguments), env=environment(**more))


class Daemon:
    """A scheduler that runs; its log is a file."""

    def __init__(self, watched: Watch, *arguments: str) -> None:
        self._file = watched.file.with_name("scheduler.log")
        with self._file.open("ab") as log:
            self.process = scrapy_runs.Running(
                arguments_of(watched, "scheduler", *arguments), stdout=log, stderr=log
            )

    @property
    def log(self) -> str:
        return self._file.read_text()

    def wait_for(self, condition: Callable[[], bool]) -> None:
        give_up = time.monotonic() + 120
        while not condition():
            assert self.process.poll() is None, self.log
            assert time.monotonic() < give_up, self.log
            time.sleep(0.05)

    def end(self, number: int = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        return self.process.wait(60)


@pytest.fixture
def daemon(watched: Watch) -> Iterator[Callable[..., Daemon]]:
    started: list[Daemon] = []

    def start(*arguments: str) -> Daemon:
        started.append(Daemon(watched, *arguments))
        return started[-1]

    yield start
    for one in started:
        one.process.kill()
        one.process.wait()


def staged(watched: Watch) -> int:
    return len(watched.index()) if (watched.staged / "_index.jsonl").exists() else 0


def owners(watched: Watch) -> list[str]:
    with Database(watched.database_url).read() as connection:
        return [one.owner for one in load_states(connection).values() if one.owner]


def test_it_visits_what_is_due_and_what_an_operator_changes(
    watched: Watch, site: RegulationSite, daemon: Callable[..., Daemon]
) -> None:
    running = daemon("--every", "1")
    running.wait_for(lambda: staged(watched) == 3 and "has ended" in running.log)
    site.put("/1024/1/", section(1, days=9))
    now = datetime.now(UTC).isoformat()
    assert run(watched, "sources", "override", "reg-x", now).returncode == 0
    running.wait_for(lambda: staged(watched) == 4)
    watched.describe(source(site.url("/")), source(site.url("/1024/2/"), "late", method="scrape"))
    running.wait_for(lambda: staged(watched) == 5)
    assert running.end() == 0
    assert "Received SIGTERM" in running.log
    assert "Traceback" not in running.log


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_crawl_and_releases_its_sources(
    number: int, watched: Watch, site: RegulationSite, daemon: Callable[..., Daemon]
) -> None:
    site.on("/1024/slow/", Reply(delay=60))
    watched.describe(source(site.url("/1024/slow/"), method="scrape"))
    running = daemon()
    running.wait_for(lambda: "/1024/slow/" in site.paths())
    assert owners(watched)
    assert running.end(number) == 0
    assert owners(watched) == []
    assert "Closing spider (shutdown)" in running.log


def test_a_second_signal_ends_it_at_once(
    watched: Watch, site: RegulationSite, daemon: Callable[..., Daemon]
) -> None:
    site.on("/1024/slow/", Reply(delay=60))
    watched.describe(source(site.url("/1024/slow/"), method="scrape"))
    running = daemon()
    running.wait_for(lambda: "/1024/slow/" in site.paths())
    (owner,) = owners(watched)
    running.process.send_signal(signal.SIGTERM)
    running.wait_for(lambda: "Received SIGTERM" in running.log)
    assert running.end() == 128 + signal.SIGTERM
    give_up = time.monotonic() + 60
    while is_alive(int(owner.split("/")[-2])):
        assert time.monotonic() < give_up
        time.sleep(0.02)


def is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def test_a_crawl_that_takes_too_long_is_stopped_and_the_daemon_goes_on(
    watched: Watch, site: RegulationSite, daemon: Callable[..., Daemon]
) -> None:
    site.on("/1024/slow/", Reply(delay=60), Reply(body=section(7)))
    watched.describe(source(site.url("/1024/slow/"), method="scrape"))
    watched.settings["DOWNLOAD_TIMEOUT"] = "60"
    running = daemon("--every", "1", "--longest", "15")
    running.wait_for(lambda: staged(watched) == 1)
    assert "takes more than 15 s: it is stopped" in running.log
    assert running.end() == 0


def test_once_starts_one_crawl_and_ends_with_its_exit_code(watched: Watch) -> None:
    first = run(watched, "scheduler", "--once")
    assert (first.returncode, staged(watched)) == (0, 3), first.stderr
    second = run(watched, "scheduler", "--once")
    assert second.returncode == 0
    assert "Nothing is due; next: reg-x on " in second.stderr
    watched.describe(source("http://127.0.0.1:9/", "new"))
    watched.settings["WIKICRAWLER_SOURCES_AT_ONCE"] = "many"
    third = run(watched, "scheduler", "--once")
    assert third.returncode == 2
    assert "WIKICRAWLER_SOURCES_AT_ONCE" in third.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--every", "0"), "--every: must be a number of seconds above 0"),
        (("--longest", "nan"), "--longest: must be a number of seconds above 0"),
        (("--scrapyd", "scrapyd"), "--scrapyd: not a URL of a Scrapyd (right would be http://"),
        (("--project", "x"), "--scrapyd URL is missing"),
        (("-s", "WIKICRAWLER_DATABASE_URL=mysql://x/y"), "WIKICRAWLER_DATABASE_URL: "),
    ],
)
def test_what_is_wrong_is_told_at_the_start(
    watched: Watch, arguments: tuple[str, ...], message: str
) -> None:
    if "-s" in arguments:
        del watched.settings["WIKICRAWLER_DATABASE_URL"]
    done = run(watched, "scheduler", *arguments)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert done.stderr.startswith("scrapy scheduler: error: ")
    assert message in done.stderr


def test_a_manifest_that_breaks_later_is_logged_and_read_again(
    watched: Watch, daemon: Callable[..., Daemon]
) -> None:
    right = watched.file.read_text()
    watched.file.write_text(right.replace('"weekly"', '"monthly"'))
    running = daemon("--every", "0.5")
    running.wait_for(lambda: staged(watched) == 3 and "has ended" in running.log)
    watched.file.write_text("{")
    running.wait_for(lambda: "The scheduler cannot see what is due: " in running.log)
    watched.file.write_text(right.replace("reg-x", "reg-y"))
    running.wait_for(lambda: staged(watched) == 6)
    assert running.end() == 0


# Scrapyd


class FakeScrapyd(ScriptedServer):
    """Answers as Scrapyd does."""

    def forms(self) -> list[str]:
        return [one.body.decode() for one in self.exchanges if one.path == "/schedule.json"]


JOBS = '{"status": "ok", "pending": %s, "running": %s, "finished": []}'
OURS = '[{"id": "j1", "spider": "sources"}]'
OTHER = '[{"id": "j2", "spider": "wiki"}]'


@pytest.mark.parametrize(
    ("pending", "running", "is_scheduled"),
    [("[]", "[]", True), (OURS, "[]", False), ("[]", OURS, False), (OTHER, OTHER, True)],
)
def test_one_job_at_a_time_is_scheduled(
    pending: str, running: str, is_scheduled: bool, watched: Watch
) -> None:
    with FakeScrapyd() as scrapyd:
        scrapyd.on("/listjobs.json", Reply(body=JOBS % (pending, running)))
        scrapyd.on("/schedule.json", Reply(body='{"status": "ok", "jobid": "j3"}'))
        url = scrapyd.url("/").replace("//", "//crawl:s%40same@")
        done = run(watched, "scheduler", "--once", WIKICRAWLER_SCRAPYD_URL=url)
    assert done.returncode == 0, done.stderr
    assert len(scrapyd.forms()) == is_scheduled
    login = "Basic " + b64encode(b"crawl:s@same").decode()
    assert {one.headers["Authorization"] for one in scrapyd.exchanges} == {login}
    assert scrapyd.paths()[0] == "/listjobs.json?project=wikicrawler"
    assert "same" not in done.stderr
    if is_scheduled:
        (form,) = scrapyd.forms()
        assert form.startswith("project=wikicrawler&spider=sources&scheduled=true&manifest=%2F")
        assert "&setting=WIKICRAWLER_TIERS%3Dhttp" in form


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        (Reply(body='{"status": "error", "message": "no\\u001bproject"}'), r"no\x1bproject"),
        (Reply(401, body="no"), "HTTP 401"),
        (Reply(302, {"Location": "http://127.0.0.1:9/"}, ""), "HTTP 302"),
        (Reply(body="[" * 100_000), "HTTP 200"),
        (Reply(body='"' + "x" * 10_000_000 + '"'), "more than 10,000,000 bytes"),
        (Reply(headers={"Content-Encoding": "gzip"}, body="no"), "failed to decode it"),
        (Reply(drop=True), "Connection"),
    ],
)
def test_a_scrapyd_that_cannot_be_used_is_logged(
    reply: Reply, message: str, watched: Watch
) -> None:
    with FakeScrapyd() as scrapyd:
        scrapyd.on("/listjobs.json", reply)
        done = run(watched, "scheduler", "--once", "--scrapyd", scrapyd.url(""))
        assert scrapyd.forms() == []
    assert done.returncode == 1
    assert "cannot be used: " in done.stderr
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_a_scrapyd_that_is_down_is_asked_again(
    watched: Watch, daemon: Callable[..., Daemon]
) -> None:
    with FakeScrapyd() as scrapyd:
        scrapyd.on("/listjobs.json", Reply(503, body=""), Reply(body=JOBS % ("[]", "[]")))
        scrapyd.on("/schedule.json", Reply(body='{"status": "ok", "jobid": "j3"}'))
        running = daemon("--every", "0.3", "--scrapyd", scrapyd.url(""))
        running.wait_for(lambda: "has the job j3" in running.log)
        assert running.end() == 0
    assert "HTTP 503" in running.log


def test_a_real_scrapyd_runs_the_job(
    watched: Watch, scrapyd_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    scrapyd = Scrapyd(tmp_path_factory.mktemp("scrapyd"), scrapyd_folder)
    try:
        done = run(watched, "scheduler", "--once", "--scrapyd", scrapyd.url)
        assert done.returncode == 0, done.stderr
        scrapyd.wait_for(lambda: staged(watched) == 3)
        again = run(watched, "scheduler", "--once", "--scrapyd", scrapyd.url)
        assert "Nothing is due" in again.stderr or "has not ended" in again.stderr
        assert {e["audit"]["operator"] for e in watched.envelopes()} == {"system"}
    finally:
        scrapyd.close()
