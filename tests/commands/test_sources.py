"""``scrapy sources`` and ``scrapy due``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests import scrapy_runs
from tests.servers.regulations import RegulationSite
from tests.servers.scripted import Reply
from tests.sources.watching import Watch, source

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Watch]:
    with RegulationSite(count=2) as site:
        watch = Watch(tmp_path, source(site.url("/")))
        watch.settings["DOMAIN_THROTTLE_REQUESTS_PER_MINUTE"] = "60000"
        yield watch


def scrapy(watched: Watch, *command: str, folder: Path = ROOT) -> subprocess.CompletedProcess[str]:
    options = [
        part for name, value in watched.settings.items() for part in ("-s", f"{name}={value}")
    ]
    given = [*command, "--manifest", str(watched.file), *options]
    return scrapy_runs.run(given, cwd=folder)


def test_due_visits_what_is_due_and_then_nothing(watched: Watch) -> None:
    first = scrapy(watched, "due")
    assert first.returncode == 0, first.stderr
    assert len(watched.index()) == 3
    assert {e["audit"]["operator"] for e in watched.envelopes()} == {"system"}
    second = scrapy(watched, "due")
    assert (second.returncode, len(watched.index())) == (0, 3)
    assert second.stdout.startswith("Nothing is due; next: reg-x on ")


def test_a_project_with_the_add_on_needs_no_spider_of_its_own(
    watched: Watch, tmp_path: Path
) -> None:
    (tmp_path / "scrapy.cfg").write_text("[settings]\ndefault = project.settings\n")
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "__init__.py").touch()
    settings = "ADDONS = {'wikicrawler.addon.WikiCrawler': 500}\nSPIDER_MODULES = []\n"
    (tmp_path / "project" / "settings.py").write_text(settings)
    done = scrapy(watched, "due", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert len(watched.index()) == 3


def test_run_visits_a_source_that_is_not_due(watched: Watch) -> None:
    assert scrapy(watched, "due").returncode == 0
    again = scrapy(watched, "sources", "run", "reg-x")
    assert again.returncode == 0, again.stderr
    assert "is not due" not in again.stderr


def test_a_paused_source_is_not_due_until_it_is_resumed(watched: Watch) -> None:
    assert scrapy(watched, "sources", "pause", "reg-x", "--why", "new\x1bsite").returncode == 0
    shown = scrapy(watched, "sources", "list").stdout
    assert "paused: new\\x1bsite" in shown
    assert scrapy(watched, "due").stdout.startswith("Nothing is due")
    assert scrapy(watched, "sources", "resume", "reg-x").returncode == 0
    (entry,) = map(json.loads, scrapy(watched, "sources", "list", "--json").stdout.splitlines())
    assert (entry["source"], entry["paused"]) == ("reg-x", False)


def test_the_kept_responses_of_a_source_that_fails_are_shown(
    watched: Watch, tmp_path: Path
) -> None:
    with RegulationSite() as site:
        site.on("/rule", Reply(503, {}, "down\x1b[31m"))
        watched.describe(source(site.url("/rule"), method="scrape"))
        assert scrapy(watched, "due", "-s", 'WIKICRAWLER_RETRY={"503": []}').returncode == 0
        (error,) = watched.errors()
        listed = scrapy(watched, "sources", "list").stdout
        assert "; 1 failure in a row; last kept response: " + error["response_path"] in listed
        shown = scrapy(watched, "sources", "show", "reg-x")
        assert shown.returncode == 0, shown.stderr
        assert "last error         busy: HTTP 503" in shown.stdout
        assert error["response_path"] in shown.stdout
        found = json.loads(scrapy(watched, "sources", "show", "reg-x", "--json").stdout)
        (response,) = found["kept_responses"]
        assert (response["path"], response["status"]) == (error["response_path"], 503)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("pause", "nobody"), "'nobody': there is no such source in the manifest"),
        (("pause",), "pause needs the id of a source"),
        (("lost",), "known: list, show, live, run, pause, resume, override"),
        (("override", "reg-x", "2026-12-01"), "has no offset from UTC"),
        (("override", "reg-x", "soon"), "a time like 2026-12-01T03:00Z"),
    ],
)
def test_wrong_arguments(watched: Watch, arguments: tuple[str, ...], message: str) -> None:
    done = scrapy(watched, "sources", *arguments)
    assert done.returncode == 2
    assert message in done.stderr + done.stdout
