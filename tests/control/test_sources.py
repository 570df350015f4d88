"""Controls of watched sources."""

from __future__ import annotations

from time import time
from typing import TYPE_CHECKING

import pytest

from wikicrawler.control.selection import Selection
from wikicrawler.control.sources import override_sources, pause_sources, resume_sources
from wikicrawler.errors import ConfigError, ControlRefused

if TYPE_CHECKING:
    from tests.control.steering import Project


def test_a_paused_source_is_not_visited_until_it_is_resumed(project: Project) -> None:
    assert pause_sources(project.context, project.chosen("a"), "moving") == ["a"]
    entry = project.entries()["a"]
    assert (entry.is_paused, entry.state.pause_reason) == (True, "moving")
    assert not project.entries()["b"].is_paused
    assert resume_sources(project.context, project.chosen("a")) == ["a"]
    assert not project.entries()["a"].is_paused


def test_each_control_of_a_source_is_a_record_that_says_who_did_it(project: Project) -> None:
    pause_sources(project.context, project.chosen("a", "b"), "moving")
    resume_sources(project.context, project.chosen("b"))
    found = [(c["action"], c["subject"], c["manifest_id"]) for c in project.controls()]
    assert found == [
        ("source.pause", "a", "a"),
        ("source.pause", "b", "b"),
        ("source.resume", "b", "b"),
    ]
    first, *_, last = project.controls()
    assert (first["by"], first["via"], first["detail"]["reason"]) == ("ann", "dashboard", "moving")
    assert last["detail"]["was_paused"] is True


def test_sources_are_chosen_by_a_category_of_the_manifest(project: Project) -> None:
    assert pause_sources(project.context, project.category("jurisdiction", "state")) == ["b", "c"]
    assert pause_sources(project.context, project.category("priority", "high")) == ["a", "c"]
    assert pause_sources(project.context, project.category("agency", "CFPB")) == ["a", "b", "c"]


def test_all_sources_are_those_that_are_active(project: Project) -> None:
    assert pause_sources(project.context, project.everything()) == ["a", "b", "c"]


def test_an_override_makes_a_source_due_at_that_time_once(project: Project) -> None:
    agenda = project.agenda()
    for _ in range(3):  # all are due at first
        chosen = agenda.claim()
        assert chosen is not None
        agenda.release(chosen.id)
        pause_sources(project.context, project.chosen("b", "c"))
        break
    at = time() - 1
    override_sources(project.context, project.chosen("a"), at)
    assert project.entries()["a"].state.override_at == pytest.approx(at)
    assert project.controls()[-1]["detail"]["at"].endswith("Z")


@pytest.mark.parametrize(
    ("selection", "message"),
    [
        (Selection(), "name sources by their ids, or one category"),
        (Selection(("a",), everything=True), "or one category"),
        (Selection(category=("jurisdicton", "x")), "did you mean jurisdiction?"),
        (Selection(category=("jurisdiction", "x")), "known: 'federal', 'state'"),
        (Selection(("d",)), "its status is not active"),
        (Selection(("nobody",)), "there is no such source"),
    ],
)
def test_a_wrong_selection_is_refused_and_changes_nothing(
    project: Project, selection: Selection, message: str
) -> None:
    wrong = Selection(
        selection.ids, selection.category, selection.everything, manifest=str(project.file)
    )
    with pytest.raises((ControlRefused, ConfigError)) as refused:
        pause_sources(project.context, wrong)
    assert message in str(refused.value)
    with project.database.write():
        pass
    assert project.controls() == []


def test_a_time_that_is_none_is_refused(project: Project) -> None:
    for at in (-1.0, float("nan"), float("inf")):
        with pytest.raises(ControlRefused, match="between 1970 and 9999"):
            override_sources(project.context, project.chosen("a"), at)
