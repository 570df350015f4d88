"""``scrapy manifest``, as a person runs it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests import scrapy_runs
from tests.servers.scripted import Reply, ScriptedServer
from tests.sources.manifest.samples import EXAMPLE, encoded, manifest, source

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
FAST = {
    "WIKICRAWLER_PRIVATE_HOSTS": "127.0.0.0/8",
    "WIKICRAWLER_RETRY": '{"network": [0], "503": [0], "429": [0], "timeout": [0]}',
    "DOMAIN_THROTTLE_REQUESTS_PER_MINUTE": "60000",
    "DOMAIN_THROTTLE_MAX_DELAY": "0",
    "WIKICRAWLER_CONTACT": "me@example.org",
}


class Project:
    """A project with a database."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "scrapy.cfg").write_text("[settings]\ndefault = wikicrawler.settings\n")

    def write(self, name: str, data: bytes | str) -> str:
        (self.folder / name).write_bytes(data if isinstance(data, bytes) else data.encode())
        return name

    def run(self, *arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
        given = [part for pair in (FAST | settings).items() for part in ("-s", "=".join(pair))]
        environment = os.environ | {"PYTHONPATH": str(ROOT), "CRAWL4AI_URL": ""}
        return scrapy_runs.run(["manifest", *arguments, *given], cwd=self.folder, env=environment)

    def succeed(self, *arguments: str) -> str:
        done = self.run(*arguments)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def history(self) -> list[dict[str, Any]]:
        done = self.run("history", "--json")
        return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


@pytest.fixture
def site() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        yield server


def of_site(site: ScriptedServer, *paths: str, **fields: Any) -> bytes:
    """A manifest with a source for each of *paths*."""
    found = [
        source(id=f"s{number}", url=site.url(path), domain="127.0.0.1")
        for number, path in enumerate(paths)
    ]
    return encoded(manifest(*found, **fields))


def test_validate_lists_the_faults_of_all_files(project: Project) -> None:
    good = project.write("good.json", EXAMPLE)
    bad = project.write("bad.json", EXAMPLE.replace("weekly", "often").replace("high", "top"))
    done = project.run("validate", good, bad)
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.splitlines() == [
        "good.json: valid, version 1.0.0, 1 source, 1 active",
        "bad.json:20:20: /sources/0/frequency: the text 'often' is unknown "
        "(known: daily, weekly, biweekly, monthly, cron, adaptive)",
        "bad.json:21:19: /sources/0/priority: the text 'top' is unknown (known: high, medium, low)",
        "bad.json: 2 faults",
    ]
    assert project.run("validate", good).returncode == 0


def test_validate_prints_json(project: Project) -> None:
    answer = f"Sure!\n```json\n{EXAMPLE.replace('weekly', 'often')}```\n"
    done = project.run("validate", "--json", project.write("answer.txt", answer))
    assert done.returncode == 1
    found = json.loads(done.stdout)
    assert (found["file"], found["valid"]) == ("answer.txt", False)
    (fault,) = found["faults"]
    assert (fault["pointer"], fault["line"], fault["column"]) == ("/sources/0/frequency", 22, 20)
    assert found["notices"][0]["message"].startswith("the text before and after")


def test_diff_shows_added_removed_and_changed_sources_by_field(project: Project) -> None:
    before = manifest(source(id="a"), source(id="b", url="https://b.hud.gov/"), source(id="c"))
    changed = source(id="c", frequency="daily", scrape_config={"max_depth": 5})
    after = manifest(changed, source(id="a", citation=None), source(id="d"), version="1.1.0")
    files = project.write("1.json", encoded(before)), project.write("2.json", encoded(after))
    done = project.run("diff", *files)
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.splitlines() == [
        'version: "1.0.0" -> "1.1.0"',
        "+ d  https://www.hud.gov/",
        "- b  https://b.hud.gov/",
        "~ c",
        '  frequency: "weekly" -> "daily"',
        "  scrape_config.max_depth: 3 -> 5",
    ]
    as_json = json.loads(project.run("diff", "--json", *files).stdout)
    assert as_json["added"] == ["d"]
    assert as_json["changed"]["c"][1] == {
        "field": "scrape_config.max_depth",
        "before": 3,
        "after": 5,
    }
    same = project.run("diff", files[0], files[0])
    assert (same.returncode, same.stdout) == (0, "no differences\n")


def test_diff_does_not_show_what_may_be_a_secret(project: Project) -> None:
    with_secret = source(
        auth_config="sesame", scrape_config={"custom_headers": {"X-Key": "sesame"}}
    )
    one = project.write("1.json", encoded(manifest()))
    two = project.write("2.json", encoded(manifest(with_secret)))
    for arguments in (("diff", one, two), ("diff", "--json", one, two)):
        done = project.run(*arguments)
        assert "auth_config" in done.stdout
        assert "sesame" not in done.stdout + done.stderr


def test_a_manifest_that_robots_txt_allows_is_activated(
    project: Project, site: ScriptedServer
) -> None:
    site.on("/robots.txt", Reply(body="User-agent: *\nDisallow: /private\n"))
    data = of_site(site, "/a", "/b")
    done = project.run("activate", project.write("m.json", data), "--by", "Ann", "--why", "first")
    assert (done.returncode, done.stderr) == (0, "")
    assert "is active: 2 sources, 2 active" in done.stdout
    (robots,) = site.exchanges  # once for the host, and no page
    assert robots.path == "/robots.txt"
    assert robots.headers["User-Agent"].startswith("wikicrawler/")
    assert "me@example.org" in robots.headers["User-Agent"]
    (entry,) = project.history()
    assert (entry["activated_by"], entry["reason"], entry["robots_checked"]) == (
        "Ann",
        "first",
        True,
    )
    again = project.run("activate", "m.json")
    assert again.returncode == 0
    assert "is active already: nothing changed" in again.stdout
    assert len(project.history()) == 1


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (Reply(body="User-agent: wikicrawler\nDisallow: /b\n"), "Forbidden by robots.txt"),
        (Reply(503), "robots.txt could not be fetched (status 503)"),
        (Reply(429), "robots.txt could not be fetched (status 429)"),
        (Reply(drop=True), "robots.txt could not be fetched ("),
    ],
    ids=["disallowed", "unavailable", "too-many", "dropped"],
)
def test_a_source_that_robots_txt_disallows_is_not_activated(
    reply: Reply, words: str, project: Project, site: ScriptedServer
) -> None:
    site.on("/robots.txt", reply)
    done = project.run("activate", project.write("m.json", of_site(site, "/a", "/b")))
    assert done.returncode == 1
    assert f"s1  {site.url('/b')}  {words}" in done.stderr
    assert ("s0" in done.stderr) is ("Forbidden" not in words)
    assert "Traceback" not in done.stderr
    assert project.run("history").stderr == "scrapy manifest: no manifest has been activated\n"


def test_a_source_with_a_tier_that_does_not_exist_is_not_activated(
    project: Project, site: ScriptedServer
) -> None:
    config = {"tiers": ["http", "brwoser"]}
    data = manifest(source(url=site.url("/a"), domain="127.0.0.1", scrape_config=config))
    done = project.run("activate", project.write("m.json", encoded(data)))
    assert done.returncode == 1
    assert "no such tier: 'brwoser' (did you mean browser?)" in done.stderr
    assert site.exchanges == []


def test_a_missing_robots_txt_allows_all(project: Project, site: ScriptedServer) -> None:
    project.succeed("activate", project.write("m.json", of_site(site, "/a")))
    assert [exchange.status for exchange in site.exchanges] == [404]


def test_only_active_sources_are_checked(project: Project, site: ScriptedServer) -> None:
    sources = [
        source(id=status, url=site.url(f"/{status}"), domain="127.0.0.1", status=status)
        for status in ("active", "proposed")
    ]
    site.on("/robots.txt", Reply(body="User-agent: *\nDisallow: /proposed\n"))
    project.succeed("activate", project.write("m.json", encoded(manifest(*sources))))


def test_a_private_address_is_not_activated_unless_the_operator_lists_it(
    project: Project, site: ScriptedServer
) -> None:
    file = project.write("m.json", of_site(site, "/a"))
    done = project.run("activate", file, WIKICRAWLER_PRIVATE_HOSTS="")
    assert done.returncode == 1
    assert "its host has the private address 127.0.0.1" in done.stderr
    assert site.exchanges == []


def test_offline_skips_the_check_and_says_so(project: Project, site: ScriptedServer) -> None:
    site.on("/robots.txt", Reply(body="User-agent: *\nDisallow: /\n"))
    file = project.write("m.json", of_site(site, "/a"))
    done = project.run("activate", "--offline", file)
    assert done.returncode == 0
    assert "robots.txt is not checked (--offline)" in done.stderr
    assert site.exchanges == []
    assert project.history()[0]["robots_checked"] is False
    assert "robots.txt not checked" in project.succeed("history")


def test_without_robotstxt_obey_the_check_is_not_made_and_that_is_said(
    project: Project, site: ScriptedServer
) -> None:
    file = project.write("m.json", of_site(site, "/a"))
    done = project.run("activate", file, ROBOTSTXT_OBEY="False")
    assert done.returncode == 0
    assert "robots.txt is not checked: ROBOTSTXT_OBEY is False" in done.stderr
    assert site.exchanges == []


def test_versions_are_kept_and_can_be_restored(project: Project) -> None:
    first = encoded(manifest(source(name="Größe"))).replace(b"\n", b"\r\n")
    for name, data in (("1", first), ("2", encoded(manifest(version="1.1.0")))):
        project.succeed("activate", "--offline", project.write(name, data))
    lower = project.run("activate", "--offline", "1")
    assert lower.returncode == 1
    assert "is lower than the active version 1.1.0 (number 2" in lower.stderr
    assert "is active: 1 source" in project.succeed("rollback", "1.0.0", "--offline")
    assert [(e["number"], e["version"], e["restored"]) for e in project.history()] == [
        (3, "1.0.0", 1),
        (2, "1.1.0", None),
        (1, "1.0.0", None),
    ]
    assert "restores number 1" in project.succeed("history").splitlines()[0]
    run = [sys.executable, "-m", "scrapy", "manifest", "download", "1"]
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    downloaded = subprocess.run(run, cwd=project.folder, env=env, capture_output=True, check=True)
    assert downloaded.stdout == first
    assert project.run("diff", "1.1.0", "active").returncode == 1
    assert project.run("diff", "1", "3").returncode == 0
    missing = project.run("rollback", "9.9.9", "--offline")
    assert missing.returncode == 1
    assert "(known: 1.0.0, 1.1.0)" in missing.stderr


def test_show_shows_the_active_manifest_or_a_source(project: Project) -> None:
    none = project.run("show")
    assert (none.returncode, none.stderr) == (
        1,
        "scrapy manifest: no manifest has been activated\n",
    )
    project.succeed("activate", "--offline", project.write("m.json", EXAMPLE))
    assert "status     active 1" in project.succeed("show")
    assert "scrape_config.max_depth          3" in project.succeed("show", "cfpb-reg-x")
    assert json.loads(project.succeed("show", "--json"))["sources"][0]["id"] == "cfpb-reg-x"
    assert json.loads(project.succeed("show", "--json", "cfpb-reg-x"))["metadata.agency"] == "CFPB"
    missing = project.run("show", "cfpb-reg-y")
    assert missing.returncode == 1
    assert "there is no source 'cfpb-reg-y' (did you mean cfpb-reg-x?)" in missing.stderr


def test_prompt_contains_the_schema_and_the_seed_data(project: Project) -> None:
    seed = "id,url\nhud,https://www.hud.gov/\n```\n{schema}"
    printed = project.succeed("prompt", project.write("seed.csv", seed), "--vertical", "Cars")
    assert "scrape manifest for the Cars regulatory vertical" in printed
    assert f"````\n{seed}\n````" in printed
    assert '"$id": "https://rori.dev/schemas/scrape-manifest-v1.json"' in printed
    assert "[paste the seed data here]" in project.succeed("prompt")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "is not a subcommand (known: validate"),
        (["valdate"], "did you mean validate?"),
        (["validate"], "usage: scrapy manifest validate FILE..."),
        (["diff", "a"], "usage: scrapy manifest diff OLD NEW"),
        (["history", "x"], "wrong number of arguments"),
        (["validate", "--forse", "x"], "'--forse' is not an option"),
        (["history", "--offline"], "--offline is not an option of history"),
        (["validate", "missing.json"], "missing.json: cannot be read: No such file"),
        (["validate", "."], ".: cannot be read: Is a directory"),
        (["activate", "missing.json", "--offline"], "cannot be read"),
        (["diff", "active", "1"], "active: neither a file nor a version"),
        (["prompt", "missing.csv"], "cannot be read"),
        (["history", "-s", "WIKICRAWLER_DATABASE_URL=mysql://x/y"], "WIKICRAWLER_DATABASE_URL"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_mistakes_are_reported_with_exit_code_2(
    arguments: list[str], words: str, project: Project
) -> None:
    done = project.run(*arguments)
    assert done.returncode == 2
    assert words in done.stderr + done.stdout
    assert "Traceback" not in done.stderr
