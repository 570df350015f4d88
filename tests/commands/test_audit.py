"""``scrapy audit`` and ``scrapy prove``, as a person runs them."""

from __future__ import annotations

import csv
import io
import json
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from tests import scrapy_runs
from tests.audit.samples import DAY, operation, outcome, start, write
from wikicrawler.store.audit_chain import KeptResponse
from wikicrawler.store.database import Database

if TYPE_CHECKING:
    import subprocess
    from pathlib import Path

NASTY = "https://example.org/\x1b[31m\n=1+2"


class Project:
    """A project with an audit log."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "scrapy.cfg").write_text("[settings]\ndefault = wikicrawler.settings\n")
        self.database = Database(f"sqlite:///{folder}/db.sqlite")

    def fill(self) -> None:
        kept = KeptResponse([("server", "x\x1b[31m")], b"<p>why\x1b[31m", 9)
        write(
            self.database,
            start(),
            operation(2, credits_consumed=2.5),
            operation(3, status=503, response=kept),
            operation(4, engine="browser", source="=cmd"),
            operation(5, at=DAY + timedelta(days=1), status=None, error="x\x1b[31m\ny"),
            operation(6, url=NASTY, at=DAY + timedelta(days=2)),
            outcome(7, of=2),
        )
        self.database.close()

    def run(self, *arguments: str, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
        setting = f"WIKICRAWLER_DATABASE_URL=sqlite:///{self.folder}/db.sqlite"
        return scrapy_runs.run([*arguments, "-s", setting], cwd=folder or self.folder)

    def lines(self, *arguments: str) -> list[str]:
        done = self.run(*arguments)
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()


@pytest.fixture
def project(tmp_path: Path) -> Project:
    made = Project(tmp_path)
    made.fill()
    return made


def test_operations_are_listed_the_newest_first_and_escaped(project: Project) -> None:
    lines = project.lines("audit")
    assert [line.split()[0] for line in lines] == ["6", "5", "4", "3", "2"]
    assert all(line.isprintable() for line in lines)
    assert "changed  -> example.org/x.json" in lines[-1]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (("--errors",), [5, 3]),
        (("--status", "503"), [3]),
        (("--engine", "browser"), [4]),
        (("--source", "=cmd"), [4]),
        (("--from", "2026-02-14"), [6, 5]),
        (("--from", "2026-02-14", "--to", "2026-02-14"), [5]),
        (("--to", "2026-02-13", "--errors"), [3]),
        (("--limit", "2"), [6, 5]),
        (("--limit", "0"), [6, 5, 4, 3, 2]),
    ],
)
def test_they_can_be_restricted(
    project: Project, options: tuple[str, ...], expected: list[int]
) -> None:
    found = [json.loads(line)["sequence"] for line in project.lines("audit", *options, "--json")]
    assert found == expected


def test_csv_has_no_formula(project: Project) -> None:
    rows = list(csv.DictReader(io.StringIO("\n".join(project.lines("audit", "--csv")))))
    assert [row["sequence"] for row in rows] == ["6", "5", "4", "3", "2"]
    assert rows[2]["manifest_id"] == "'=cmd"
    assert (rows[4]["content_changed"], rows[3]["content_changed"]) == ("true", "")


def test_a_list_of_nothing_has_a_code(project: Project) -> None:
    done = project.run("audit", "--status", "418")
    assert (done.returncode, done.stdout) == (1, "")
    assert "no such operation" in done.stderr


def test_summaries_answer_by_source_engine_and_day(project: Project) -> None:
    by_source = {
        row["group"]: row
        for row in map(json.loads, project.lines("audit", "summary", "--by", "source", "--json"))
    }
    assert (by_source["reg-x"]["operations"], by_source["reg-x"]["failures"]) == (4, 2)
    assert (by_source["reg-x"]["credits"], by_source["reg-x"]["failure_rate"]) == (2.5, 0.5)
    assert (by_source["reg-x"]["observed"], by_source["reg-x"]["changed"]) == (1, 1)
    assert by_source["reg-x"]["p95_ms"] == pytest.approx(20, rel=0.05)
    days = project.lines("audit", "summary", "--by", "day", "--from", "2026-02-14")
    assert [line.split()[0] for line in days] == ["day", "2026-02-14", "2026-02-15"]
    engines = project.lines("audit", "summary", "--by", "engine", "--csv")
    assert [line.split(",")[0] for line in engines] == ["group", "browser", "http"]


def test_a_failure_is_shown_with_its_response(project: Project) -> None:
    lines = project.lines("audit", "show", "3")
    assert "http_status: 503" in lines
    assert lines[-1] == "<p>why\\x1b[31m"
    assert "server: x\\x1b[31m" in lines
    data = json.loads(project.lines("audit", "show", "3", "--json")[0])
    assert data["response"]["body"] == "<p>why\x1b[31m"
    assert project.run("audit", "show", "1").returncode == 1


def test_the_chain_is_verified_against_an_anchor(project: Project) -> None:
    project.lines("audit", "anchor", "anchors")
    lines = project.lines("audit", "verify", "--anchor", "anchors", "--sums")
    assert lines[-2].startswith("sound: 7 records")
    assert lines[-2].endswith("1 anchors confirmed")
    with project.database.write() as connection:
        connection.exec_driver_sql("DROP TRIGGER audit_no_update")
        connection.exec_driver_sql("UPDATE audit SET text = replace(text, '503', '200')")
    project.database.close()
    done = project.run("audit", "verify", "--anchor", "anchors")
    assert done.returncode == 1
    assert "record 3: was changed" in done.stdout


def test_a_proof_is_checked_where_there_is_no_project(project: Project, tmp_path: Path) -> None:
    arguments = ("--source", "reg-x", "--date", "2026-02-13", "-o", "p.json", "--anchor", "anchors")
    shown = project.lines("prove", *arguments)
    assert "  staged_path: example.org/x.json" in shown
    assert any(line.startswith("  response_hash: ") for line in shown)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    for name in ("p.json", "anchors"):
        (project.folder / name).rename(elsewhere / name)
    (project.folder / "db.sqlite").unlink()
    (project.folder / "scrapy.cfg").unlink()
    done = project.run("prove", "--check", "p.json", "--anchor", "anchors", folder=elsewhere)
    assert done.returncode == 0, done.stderr
    assert "sound: 3 records, confirmed by 1 anchors" in done.stdout
    proof = bytearray((elsewhere / "p.json").read_bytes())
    proof[len(proof) // 2] ^= 1
    (elsewhere / "p.json").write_bytes(proof)
    done = project.run("prove", "--check", "p.json", folder=elsewhere)
    assert done.returncode == 1
    assert "not sound" in done.stderr


def test_nothing_to_prove_has_a_code(project: Project) -> None:
    done = project.run("prove", "--source", "reg-x", "--date", "2020-01-01")
    assert done.returncode == 1
    assert "nothing is recorded" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("audit", "verfy"), "verify"),
        (("audit", "--from", "13.2.2026"), "--from '13.2.2026': not a day"),
        (("audit", "--json", "--csv"), "--json or --csv"),
        (("audit", "verify", "--source", "x"), "--source is not an option of verify"),
        (("audit", "--limit", "-1"), "--limit is -1"),
        (("audit", "summary"), "--by is missing"),
        (("audit", "summary", "--by", "moon"), "--by 'moon' is none"),
        (("audit", "show", "x"), "not a sequence"),
        (("audit", "show", "9" * 40), "not a sequence"),
        (("audit", "anchor"), "expected 1 arguments"),
        (("audit", "verify", "--anchor", "nowhere"), "nowhere: cannot be read"),
        (("prove",), "--source and --date are needed"),
        (("prove", "--check", "nowhere"), "nowhere: cannot be read"),
        (("prove", "--check", "x", "--source", "y"), "--check takes"),
        (("prove", "--source", "reg-x", "--date", "2026-02-13", "-o", "no/x"), "cannot be written"),
    ],
)
def test_a_wrong_argument_is_an_error_that_says_what_is_right(
    project: Project, arguments: tuple[str, ...], message: str
) -> None:
    done = project.run(*arguments)
    assert done.returncode == 2
    assert message in done.stderr + done.stdout
    assert "Traceback" not in done.stderr


def test_a_database_without_tables_is_an_error_and_is_not_made(tmp_path: Path) -> None:
    project = Project(tmp_path)
    for arguments in (("audit",), ("prove", "--source", "x", "--date", "2026-02-13")):
        done = project.run(*arguments)
        assert done.returncode == 2
        assert "no tables yet" in done.stderr
    assert not (tmp_path / "db.sqlite").exists()
