"""Controls of sites."""

from __future__ import annotations

from time import time
from typing import TYPE_CHECKING

import pytest

from wikicrawler.control.sites import list_sites, pause_site, release_site
from wikicrawler.errors import ControlRefused
from wikicrawler.store.sites import SitePause, note_sites, paused_sites

if TYPE_CHECKING:
    from tests.control.steering import Project


def test_a_site_is_named_by_any_of_its_hosts_or_urls(project: Project) -> None:
    before = time()
    state = pause_site(project.context, "https://www.example.com/page", seconds=60, reason="busy")
    assert state.site == "example.com"
    assert state.held_until is not None
    assert before + 60 <= state.held_until <= time() + 60
    assert (state.held_by, state.hold_reason) == ("ann", "busy")
    assert [site.site for site in list_sites(project.database)] == ["example.com"]
    assert release_site(project.context, "example.com").held_until is None
    found = [(c["action"], c["subject"], c["manifest_id"]) for c in project.controls()]
    assert found == [("site.pause", "example.com", None), ("site.release", "example.com", None)]


def test_sources_of_a_paused_site_stay_due_and_the_others_are_visited(project: Project) -> None:
    held_until = pause_site(project.context, "example.com", seconds=3600).held_until
    agenda = project.agenda()
    chosen = agenda.claim()
    assert chosen is not None
    assert chosen.id == "c"
    assert agenda.claim() is None
    assert not agenda.is_busy
    visits = {name: entry.next_visit for name, entry in project.entries().items()}
    assert visits["a"] is not None
    assert visits["a"].timestamp() == pytest.approx(held_until)
    release_site(project.context, "example.com")
    following = agenda.claim()
    assert following is not None
    assert following.id == "a"


def test_a_release_also_ends_the_pause_that_crawls_recorded(project: Project) -> None:
    with project.database.write() as connection:
        pause = SitePause(time(), "example.com", time() + 3600, 2, "blocked")
        note_sites(connection, [], [pause])
    (before,) = list_sites(project.database)
    assert (before.paused_until is not None, before.pause_reason) == (True, "blocked")
    assert release_site(project.context, "example.com").paused_until is None
    with project.database.read() as connection:
        assert paused_sites(connection, time()) == []


def test_a_crawl_that_reaches_a_site_does_not_end_the_pause_by_an_operator(
    project: Project,
) -> None:
    pause_site(project.context, "example.com", seconds=3600)
    with project.database.write() as connection:
        note_sites(connection, [], [SitePause(time(), "example.com", None, 0, "")])
    (state,) = list_sites(project.database)
    assert state.held_until is not None


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf"), 1e9])
def test_a_pause_ends_in_the_future_and_within_a_year(project: Project, seconds: float) -> None:
    with pytest.raises(ControlRefused, match="within 366 days"):
        pause_site(project.context, "example.com", seconds=seconds)


@pytest.mark.parametrize("site", ["", "ftp://example.com/", "a b", "http://[::1", "x" * 9000])
def test_what_is_no_site_is_refused(project: Project, site: str) -> None:
    with pytest.raises(ControlRefused, match="is not a site"):
        pause_site(project.context, site, seconds=60)


def test_only_a_paused_site_is_released(project: Project) -> None:
    with pytest.raises(ControlRefused, match=r"'example.com' is not paused"):
        release_site(project.context, "example.com")
    assert project.controls() == []
