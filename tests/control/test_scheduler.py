"""The control of the scheduler."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from wikicrawler.control.alerts import resolve_alerts
from wikicrawler.control.runs import run_due
from wikicrawler.control.scheduler import pause_scheduler, resume_scheduler, scheduler_state
from wikicrawler.errors import ControlRefused
from wikicrawler.sources.scheduler.outlook import look
from wikicrawler.store.alerts import find_alerts, raise_alert

if TYPE_CHECKING:
    from tests.control.steering import Project


def test_while_it_is_paused_nothing_is_due(project: Project) -> None:
    assert not scheduler_state(project.database).is_paused
    assert look(project.settings, str(project.file)).is_due
    state = pause_scheduler(project.context, "maintenance")
    assert (state.is_paused, state.by, state.reason) == (True, "ann", "maintenance")
    outlook = look(project.settings, str(project.file))
    assert not outlook.is_due
    assert outlook.pause.startswith("paused by ann on ")
    assert outlook.pause.endswith("UTC: maintenance")
    assert not resume_scheduler(project.context).is_paused
    assert look(project.settings, str(project.file)).is_due


def test_scheduled_crawls_begin_no_visit_and_forced_ones_do(project: Project) -> None:
    pause_scheduler(project.context)
    agenda = project.agenda()
    assert agenda.claim(scheduled=True) is None
    forced = agenda.claim(forced=["b"])
    assert forced is not None


def test_it_is_paused_and_resumed_once(project: Project) -> None:
    with pytest.raises(ControlRefused, match="the scheduler is not paused"):
        resume_scheduler(project.context)
    pause_scheduler(project.context, "maintenance")
    with pytest.raises(ControlRefused, match=r"paused by ann on .* UTC: maintenance"):
        pause_scheduler(project.context)
    resume_scheduler(project.context)
    assert [c["action"] for c in project.controls()] == ["scheduler.pause", "scheduler.resume"]


def test_a_run_of_what_is_due_is_refused_while_it_is_paused(project: Project) -> None:
    pause_scheduler(project.context)
    with pytest.raises(ControlRefused, match="resume it, or run sources by their ids"):
        run_due(project.context, str(project.file))


def test_alerts_that_are_resolved_by_hand_are_recorded(project: Project) -> None:
    with project.database.write() as connection:
        facts = {"severity": "high", "message": "m", "url": None, "now": 1.0}
        alert = raise_alert(connection, "failed", "a", **facts)  # type: ignore[arg-type]
    assert resolve_alerts(project.context, [alert.id, 77, 2**40], "known") == [alert.id]
    assert resolve_alerts(project.context, [alert.id]) == []
    (control,) = project.controls()
    assert (control["action"], control["subject"]) == ("alert.resolve", str(alert.id))
    with project.database.read() as connection:
        (row,) = find_alerts(connection)
    assert row.resolution == "resolved by an operator: known"
