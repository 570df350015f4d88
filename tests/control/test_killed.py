"""Processes that are killed in the middle of controls: what they did and what is recorded agree.

``WIKICRAWLER_CONTROL_KILLS`` says how often one is killed.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections import Counter
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from tests.scrapy_runs import ROOT
from wikicrawler.control.jobs import list_jobs
from wikicrawler.control.scheduler import scheduler_state
from wikicrawler.control.sites import list_sites
from wikicrawler.store.audit_chain import head
from wikicrawler.store.manifests import list_activations
from wikicrawler.store.tables import alerts

if TYPE_CHECKING:
    from pathlib import Path

    from tests.control.steering import Project

KILLS = int(os.environ.get("WIKICRAWLER_CONTROL_KILLS") or 5)


def test_nothing_is_half_done(project: Project, url: str, tmp_path: Path) -> None:
    seed = time.time_ns()
    print("seed", seed)  # noqa: T201 - shown where the test fails
    chance = random.Random(seed)  # noqa: S311
    command = [sys.executable, "-m", "tests.control.steer_forever", url, str(tmp_path)]
    records = 0
    for number in range(KILLS):
        steering = subprocess.Popen(
            [*command, f"{seed}-{number}"], cwd=ROOT, stdout=subprocess.PIPE, text=True
        )
        assert steering.stdout is not None
        assert steering.stdout.readline() == "ready\n"
        least = records + chance.randrange(3, 20)
        while recorded(project) < least:
            assert steering.poll() is None, "it ended by itself"
            time.sleep(0.01)
        time.sleep(chance.uniform(0, 0.1))
        steering.kill()
        steering.communicate()
        found = project.controls()
        assert len(found) >= least
        records = len(found)
        check(project, found)


def recorded(project: Project) -> int:
    """How many controls are recorded."""
    with project.database.read() as connection:
        return head(connection).sequence


def check(project: Project, records: list[dict[str, Any]]) -> None:
    """The last record about each subject says how it is, and nothing changed without a record."""
    last = {(record["action"].partition(".")[0], record["subject"]): record for record in records}
    for name, entry in project.entries().items():
        mine = [r for r in records if r["manifest_id"] == name]
        steps = [r["action"] for r in mine if r["action"] != "source.override"]
        assert entry.is_paused == (bool(steps) and steps[-1] == "source.pause")
        overrides = [r for r in mine if r["action"] == "source.override"]
        assert (entry.state.override_at is not None) == bool(overrides)
    assert scheduler_state(project.database).is_paused == (
        last.get(("scheduler", "scheduler"), {"action": ""})["action"] == "scheduler.pause"
    )
    for site in list_sites(project.database):
        is_paused = last["site", site.site]["action"] == "site.pause"
        assert (site.held_until is not None) == is_paused
    counts = Counter(record["action"] for record in records)
    jobs = list_jobs(project.database, 10_000)
    assert len(jobs) == min(counts["run.request"], 1_000)
    assert {job.id for job in jobs} <= {r["subject"] for r in records}
    asked = {r["subject"] for r in records if r["action"] == "job.stop"}
    assert {job.id for job in jobs if job.stop_requested_at} == asked & {job.id for job in jobs}
    with project.database.read() as connection:
        assert len(list_activations(connection)) == counts["manifest.activate"]
        resolved = connection.execute(select(alerts.c.id).where(alerts.c.resolved_at.is_not(None)))
        assert len(resolved.all()) == counts["alert.resolve"]
