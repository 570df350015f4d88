"""``scrapy explain`` explains the tiers of a page or the history of a site, without requests."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import text

from tests import scrapy_runs
from tests.learning.model.by_definition import DAY, assert_follows, made, many, rows_of, same
from wikicrawler.learning.model.sums import Changed
from wikicrawler.store.attempts import add_attempts, find_attempts
from wikicrawler.store.database import Database
from wikicrawler.store.sites import SitePause, TierChange, add_changes, find_changes, note_sites

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wikicrawler.store.attempts import FetchAttempt

ROOT = Path(__file__).parents[2]
EVIL = "\x1b[31mred\u202e\n\r"


class Project:
    """A project with a database."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / "db.sqlite"
        (folder / "scrapy.cfg").write_text("[settings]\ndefault = wikicrawler.settings\n")

    @property
    def database(self) -> Database:
        return Database(f"sqlite:///{self.file}")

    def record(
        self,
        attempts: Sequence[FetchAttempt],
        changes: Sequence[TierChange] = (),
        pauses: Sequence[SitePause] = (),
    ) -> None:
        database = self.database
        with database.write() as connection:
            add_attempts(connection, 1, enumerate(attempts, 1))
            add_changes(connection, 1, enumerate(changes, 1))
            note_sites(connection, [(one.site, one.at) for one in attempts], pauses)
        database.close()

    @property
    def setting(self) -> str:
        """The setting that names the database."""
        return f"WIKICRAWLER_DATABASE_URL=sqlite:///{self.file}"

    def explain(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        setting = ("-s", self.setting) if "-s" not in arguments else ()
        given = os.environ | {"CRAWL4AI_URL": ""} | environment
        return scrapy_runs.run(["explain", *arguments, *setting], cwd=self.folder, env=given)

    def explain_json(self, *arguments: str, **environment: str) -> list[dict[str, Any]]:
        """Return the JSON output of a successful call."""
        done = self.explain("--json", *arguments, **environment)
        assert (done.returncode, done.stderr) == (0, "")
        return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


BROWSER = {"CRAWL4AI_URL": "http://127.0.0.1:1"}


def seconds(iso: str) -> float:
    assert iso.endswith("Z")
    return datetime.fromisoformat(iso).timestamp()


def application(now: float) -> list[FetchAttempt]:
    """Return attempts on a site whose pages need a browser."""
    found = []
    for number in range(40):
        url, at = f"https://app.example.com/app/{number}", now - (40 - number) * DAY / 4
        found.append(made(at, url, "http", "js_shell", expected=0.6, policy="learned"))
        found.append(made(at + 5, url, "browser", "ok", expected=0.9, policy="learned", step=2))
    return found


# Pages


def test_every_number_follows_from_the_database(project: Project) -> None:
    now = time.time()
    project.record(many(now - 60) + application(now - 60))
    pages = "https://shop.site1.com/app/z", "https://app.example.com/app/z", "https://new.example/"
    explained = project.explain_json(*pages, **BROWSER)
    assert [page["url"] for page in explained] == list(pages)
    with project.database.read() as connection:
        rows = rows_of(find_attempts(connection))
        changes = [
            Changed(one.at, one.tier, one.domain, one.kept) for one in find_changes(connection)
        ]
    for page in explained:
        at = seconds(page["at"])
        assert {tier["tier"] for tier in page["tiers"]} == {"http", "browser"}
        for tier in page["tiers"]:
            assert_follows(tier, rows, at, changes)


def test_the_text_explains_why_the_browser_is_chosen(project: Project) -> None:
    now = time.time()
    project.record(application(now - 60))
    done = project.explain("https://app.example.com/app/z", **BROWSER)
    assert (done.returncode, done.stderr) == (0, "")
    assert "policy      static: a crawl tries http, browser; the policy learned" in done.stdout
    assert "choice      browser, then http: browser fetches 99." in done.stdout
    assert "probe       none: the confidence in browser" in done.stdout
    assert "exploring   http is tried first on" in done.stdout
    assert "left out    mediawiki: no wiki is known here" in done.stdout
    assert done.stdout.count(" js_shell ") == 5
    assert max(map(len, done.stdout.splitlines())) <= 100


def test_the_choice_in_json_is_complete_and_not_rounded(project: Project) -> None:
    project.record(application(time.time() - 60))
    (page,) = project.explain_json("https://app.example.com/app/z", "--attempts", "3", **BROWSER)
    decision, (browser, http) = page["decision"], page["tiers"]
    assert (decision["order"], decision["chosen"]) == (["browser", "http"], "browser")
    assert decision["confidence"] > decision["confident_above"] == 0.6
    assert decision["probing"] == "confident"
    assert decision["explored"] == [
        {
            "tier": "http",
            "probability": same(0.01 * browser["cost_index"] / http["expected_cost"]),
            "order": ["http", "browser"],
            "probing": decision["explored"][0]["probing"],
        }
    ]
    assert browser["cost_index"] == same(browser["expected_cost"] / browser["success"]["mean"])
    assert page["left_out"] == [{"tier": "mediawiki", "why": "no_wiki", "detail": ""}]
    assert page["heuristics"]["shape"] == "/app/*"
    newest = page["attempts"][0]
    assert len(page["attempts"]) == 3
    assert (newest["tier"], newest["reason"], newest["expected"]) == ("browser", "ok", 0.9)
    age = (seconds(page["at"]) - seconds(newest["at"])) / DAY
    assert newest["weight"] == pytest.approx(0.5 ** (age / 30))


def test_without_a_database_a_page_is_explained_with_a_notice(project: Project) -> None:
    done = project.explain("https://a.example.com/")
    assert done.returncode == 0
    (line,) = done.stderr.splitlines()
    assert str(project.file) in line
    assert "WIKICRAWLER_DATABASE_URL" in line
    assert "No attempts on this domain" in done.stdout
    assert not list(project.folder.rglob("*sqlite*"))


def test_the_database_is_only_read(project: Project) -> None:
    project.record(application(time.time() - 60))
    before = project.file.read_bytes()
    project.explain_json("https://app.example.com/app/z")
    project.explain_json("--site", "app.example.com")
    assert project.file.read_bytes() == before
    assert [path.name for path in project.folder.rglob("*sqlite*")] == ["db.sqlite"]


# Sites


def history(now: float) -> list[FetchAttempt]:
    midnight = now // DAY * DAY
    times = {day: midnight - day * DAY + 3600 for day in (1, 2, 3)}
    return [
        made(times[3], "https://a.example.com/1", "http", "ok"),
        made(times[3] + 1, "https://a.example.com/2", "http", "ok"),
        made(times[2], "https://a.example.com/3", "http", "js_shell"),
        made(times[2] + 1, "https://a.example.com/3", "browser", "ok"),
        made(times[1], "https://b.example.com/4", "http", "blocked"),
        made(times[1], "https://example.org/5", "http", "ok"),
    ]


def test_the_history_of_a_registered_domain_includes_all_its_hosts(project: Project) -> None:
    now = time.time()
    attempts = history(now)
    pause = SitePause(now - 60, "example.com", now + 3000.5, 2, "blocked")
    change = TierChange(attempts[2].at, "example.com", "a.example.com", "http", 0.25, False)
    project.record(attempts, [change], [pause])
    (site,) = project.explain_json("--site", "EXAMPLE.com")
    assert (site["site"], site["is_registered_domain"]) == ("example.com", True)
    totals = site["totals"]
    assert [totals[key] for key in ("attempts", "ok", "failed", "banned")] == [5, 3, 1, 1]
    assert seconds(totals["first"]) == pytest.approx(attempts[0].at, abs=1e-5)
    assert seconds(totals["last"]) == pytest.approx(attempts[4].at, abs=1e-5)
    assert [(x["tier"], x["reason"], x["totals"]["attempts"]) for x in site["reasons"]] == [
        ("browser", "ok", 1),
        ("http", "blocked", 1),
        ("http", "js_shell", 1),
        ("http", "ok", 2),
    ]
    days = [
        (seconds(x["day"]) // DAY - now // DAY, x["tier"], x["totals"]["ok"], x["totals"]["failed"])
        for x in site["days"]
    ]
    assert days == [
        (-3, "http", 2, 0),
        (-2, "browser", 1, 0),
        (-2, "http", 0, 1),
        (-1, "http", 0, 0),
    ]
    assert [(x["host"], x["totals"]["attempts"]) for x in site["hosts"]] == [
        ("a.example.com", 4),
        ("b.example.com", 1),
    ]
    (change,) = site["changes"]
    assert (change["tier"], change["better"], change["kept"]) == ("http", False, 0.25)
    (budget,) = site["budgets"]
    assert (budget["is_paused"], budget["risk_level"], budget["reason"]) == (True, 2, "blocked")
    assert budget["attempt_count"] == 5
    assert seconds(budget["paused_until"]) == pytest.approx(now + 3000.5, abs=1e-5)


def test_the_history_of_a_host_ignores_the_port_and_other_hosts(project: Project) -> None:
    project.record(history(time.time()))
    (site,) = project.explain_json("--site", "a.example.com:8080")
    assert (site["site"], site["is_registered_domain"]) == ("a.example.com", False)
    assert site["totals"]["attempts"] == 4


def test_a_long_history_is_shown_by_week(project: Project) -> None:
    now = time.time()
    monday = now // DAY - (now // DAY - 4) % 7  # 1970-01-05 was one
    start = (monday - 8 * 7) * DAY
    times = [start + day * DAY for day in range(7 * 8)]
    project.record([made(at, "https://a.example.com/", "http", "ok") for at in times])
    done = project.explain("--site", "example.com")
    assert (done.returncode, done.stderr) == (0, "")
    _, _, by_week = done.stdout.partition("week of")
    assert by_week.count("7/0/0") == 8
    assert f"{datetime.fromtimestamp(start).astimezone():%Y}" in by_week
    assert max(map(len, done.stdout.splitlines())) <= 100


@pytest.mark.parametrize("recorded", [True, False])
def test_an_unknown_site_has_exit_code_1(recorded: bool, project: Project) -> None:
    if recorded:
        project.record(history(time.time()))
    done = project.explain("--site", "never.example.net")
    assert (done.returncode, done.stdout) == (1, "")
    (line,) = done.stderr.splitlines()
    assert "nothing is recorded" in line


# Hostile input and mistakes


def test_recorded_text_is_escaped(project: Project) -> None:
    evil = made(time.time(), "https://a.example.com/x", "http", "ok")._replace(
        url=f"https://a.example.com/{EVIL}", tier=f"t{EVIL}", reason=f"r{EVIL}", policy=f"p{EVIL}"
    )
    change = TierChange(evil.at, "example.com", f"a{EVIL}", f"t{EVIL}", 0.5, True)
    project.record([evil], [change], [SitePause(evil.at, "example.com", evil.at, 1, EVIL)])
    for arguments in (("https://a.example.com/x",), ("--site", "example.com")):
        for style in ((), ("--json",)):
            done = project.explain(*arguments, *style)
            assert (done.returncode, done.stderr) == (0, "")
            assert all(line.isprintable() for line in done.stdout.splitlines())
            assert "\x1b" not in done.stdout
            assert "\\u202e" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "environment", "words"),
    [
        ([], {}, "a URL is needed"),
        (["a.example"], {}, "has no scheme"),
        (["--site", "https://a.example/"], {}, "is not a host name"),
        (["--site", "a.example", "https://a.example/"], {}, "URLs or --site, not both"),
        (["https://a.example/", "--attempts", "-1"], {}, "--attempts is -1"),
        (["https://a.example/"], {"CRAWL4AI_URL": "x"}, "CRAWL4AI_URL"),
        (["https://a.example/", "-s", "WIKICRAWLER_TIER_POLICY=x"], {}, "'x' is not a policy"),
        (["https://a.example/", "-s", "WIKICRAWLER_DATABASE_URL=x"], {}, "not a URL of a database"),
        (["https://a.example/", "-s", "WIKICRAWLER_TIER_COSTS=x"], {}, "WIKICRAWLER_TIER_COSTS"),
    ],
)
def test_mistakes_are_reported_in_one_line(
    arguments: list[str], environment: dict[str, str], words: str, project: Project
) -> None:
    done = project.explain(*arguments, **environment)
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("what", ["damaged", "older"])
def test_an_unusable_database_is_reported_in_one_line(what: str, project: Project) -> None:
    if what == "damaged":
        project.file.write_bytes(b"no database" * 1000)
    else:
        project.record([])
        with project.database.write() as connection:
            connection.execute(text("UPDATE about SET value = '1'"))
    for arguments in (["https://a.example/"], ["--site", "a.example"]):
        done = project.explain(*arguments)
        assert (done.returncode, done.stdout) == (2, "")
        (line,) = done.stderr.splitlines()
        assert str(project.file) in line


def test_output_is_escaped_for_an_ascii_terminal(project: Project) -> None:
    command = (sys.executable, "-m", "scrapy", "explain", "https://a.example/")
    done = subprocess.run(
        [*command, "-s", project.setting],
        cwd=project.folder,
        env=os.environ | {"PYTHONPATH": str(ROOT), "CRAWL4AI_URL": "", "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, "Traceback" in done.stderr) == (0, False)
    assert "\\u2013" in done.stdout


def test_a_closed_pipe_is_not_an_error(project: Project) -> None:
    project.record(application(time.time() - 60))
    command = f"{sys.executable} -m scrapy explain --site example.com -s {project.setting} | true"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command], cwd=project.folder, capture_output=True,
        text=True, timeout=120, check=False, env=os.environ | {"PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")


def test_the_command_does_not_import_the_reactor(project: Project) -> None:
    program = (
        "import sys; from scrapy.cmdline import execute\n"
        "try: execute(['scrapy', 'explain', 'https://a.example/'])\n"
        "finally: assert 'twisted.internet.reactor' not in sys.modules"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=project.folder, capture_output=True, text=True,
        timeout=120, check=False, env=os.environ | {"PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


# Conditions


def test_conditions_select_the_attempts(project: Project) -> None:
    project.record(application(time.time() - 60))
    (found,) = project.explain_json("--given", "domain=app.example.com", "--given", "scheme=https")
    assert found["given"] == {"domain": "app.example.com", "scheme": "https"}
    assert [tier["tier"] for tier in found["tiers"]] == ["browser", "http"]
    browser, http = (tier["success"]["mean"] for tier in found["tiers"])
    assert browser > 0.9
    assert http < 0.1


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--given", "suffix=.never"], 1, "no recorded attempt meets"),
        (["--given", "suffix"], 2, "expected NAME=VALUE"),
        (["--given", "=x"], 2, "expected NAME=VALUE"),
        (["--given", "suffix=.a", "--given", "suffix=.b"], 2, "is given twice"),
        (["--given", "suffix=.a", "https://a.example/"], 2, "--given, or URLs, or --site"),
        (["--given", "suffix=.a", "--site", "a.example"], 2, "--given, or URLs, or --site"),
    ],
)
def test_wrong_conditions_are_reported(
    arguments: list[str], code: int, message: str, project: Project
) -> None:
    project.record(application(time.time() - 60))
    done = project.explain(*arguments)
    assert done.returncode == code
    assert message in done.stderr
