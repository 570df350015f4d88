"""``scrapy jobs``, ``sites``, ``scheduler pause``, and the controls of ``scrapy sources``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests import scrapy_runs
from tests.servers.regulations import RegulationSite
from tests.sources.watching import Watch, source

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Watch]:
    (tmp_path / "scrapy.cfg").write_text("[settings]\ndefault = wikicrawler.settings\n")
    with RegulationSite(count=2) as site:
        watch = Watch(tmp_path, source(site.url("/")))
        watch.settings["DOMAIN_THROTTLE_REQUESTS_PER_MINUTE"] = "60000"
        yield watch


def scrapy(watched: Watch, *command: str) -> subprocess.CompletedProcess[str]:
    given = [part for name, value in watched.settings.items() for part in ("-s", f"{name}={value}")]
    return scrapy_runs.run([*command, *given], cwd=watched.file.parent)


def test_a_run_by_hand_is_a_job_and_a_control(watched: Watch) -> None:
    manifest = ("--manifest", str(watched.file))
    done = scrapy(watched, "sources", "run", "--all", "--by", "ann", *manifest)
    assert done.returncode == 0, done.stderr
    (job,) = map(json.loads, scrapy(watched, "jobs", "--json").stdout.splitlines())
    assert (job["state"], job["finish_reason"]) == ("ended", "finished")
    assert (job["requested_by"], job["via"]) == ("ann", "command")
    assert job["progress"]["documents"] == {"new": 3}
    assert f"{job['id']}  ended        sources" in scrapy(watched, "jobs").stdout
    (control,) = map(
        json.loads, scrapy(watched, "audit", "--controls", "--json").stdout.split("\n")[:1]
    )
    assert (control["action"], control["subject"]) == ("run.request", job["id"])
    assert "has ended (finished)" in scrapy(watched, "jobs", "stop", job["id"]).stderr


def test_due_says_that_the_scheduler_is_paused_and_visits_nothing(watched: Watch) -> None:
    manifest = ("--manifest", str(watched.file))
    paused = scrapy(watched, "scheduler", "pause", "--why", "moving", "--by", "ann")
    assert paused.returncode == 0, paused.stderr
    done = scrapy(watched, "due", *manifest)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("The scheduler is paused by ann on ")
    once = scrapy(watched, "scheduler", "--once", *manifest)
    assert once.returncode == 0
    assert "UTC: moving: it starts nothing" in once.stderr
    assert not watched.staged.exists()
    assert scrapy(watched, "scheduler", "pause").returncode == 1
    assert scrapy(watched, "scheduler", "resume").returncode == 0
    assert scrapy(watched, "due", *manifest).returncode == 0
    assert len(watched.index()) == 3


def test_a_site_that_is_paused_is_not_asked_and_its_sources_stay_due(watched: Watch) -> None:
    manifest = ("--manifest", str(watched.file))
    held = scrapy(watched, "sites", "pause", "127.0.0.1", "--for", "2h", "--why", "busy")
    assert held.returncode == 0, held.stderr
    assert "by " in scrapy(watched, "sites").stdout
    refused = scrapy(watched, "sources", "run", "reg-x", *manifest)
    assert refused.returncode == 1
    assert "the site 127.0.0.1 is paused" in refused.stderr
    assert scrapy(watched, "due", *manifest).stdout.startswith("Nothing is due; next: reg-x on ")
    assert not watched.staged.exists()
    assert scrapy(watched, "sites", "release", "127.0.0.1").returncode == 0
    assert scrapy(watched, "sites").stdout == "no site is paused\n"
    assert scrapy(watched, "due", *manifest).returncode == 0
    assert len(watched.index()) == 3


@pytest.mark.parametrize(
    ("command", "code", "message"),
    [
        (("sites", "pause", "example.org"), 2, "pause needs --for TIME (like 2h)"),
        (("sites", "pause", "example.org", "--for", "soon"), 2, "not a time like 90s"),
        (("sites", "pause", "a b", "--for", "1h"), 1, "is not a site"),
        (("sites", "go"), 2, "known: list, pause, release"),
        (("jobs", "stop"), 2, "stop needs the id of a job"),
        (("jobs", "stop", "x"), 1, "there is no job 'x'"),
        (("scheduler", "stop"), 2, "known: pause, resume, status"),
        (("sources", "list", "--all"), 2, "--category and --all are not options of list"),
        (("sources", "pause"), 2, "pause needs the id of a source"),
        (("sources", "pause", "--category", "x"), 2, "not like FIELD=VALUE"),
    ],
)
def test_a_mistake_is_told(
    watched: Watch, command: tuple[str, ...], code: int, message: str
) -> None:
    done = scrapy(watched, *command)
    assert (done.returncode, message in done.stderr + done.stdout) == (code, True), done.stderr
