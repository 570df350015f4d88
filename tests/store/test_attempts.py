"""Attempts in the database, in SQLite and PostgreSQL."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import func, select

from tests.store.samples import NGINX, attempt
from wikicrawler.store.attempts import AFTER, Heuristic, add_attempts, find_attempts
from wikicrawler.store.tables import attempt_heuristics

if TYPE_CHECKING:
    from wikicrawler.store.attempts import FetchAttempt
    from wikicrawler.store.database import Database


def add(database: Database, *several: FetchAttempt, run: int = 1) -> None:
    with database.write() as connection:
        add_attempts(connection, run, enumerate(several, 1))


def found(database: Database, conditions: dict[str, str] | None = None, **how: object) -> list[str]:
    """Return the URLs of the attempts found."""
    with database.read() as connection:
        return [one.url for one in find_attempts(connection, conditions, **how)]  # type: ignore[arg-type]


def test_attempts_are_read_as_written(database: Database) -> None:
    good = attempt()
    bad = attempt(
        at=1_800_000_001.5, tier="browser", ok=False, reason="blocked_captcha", is_banned=True,
        status=None, latency=None, size=None, propensity=None, step=2, heuristics=(),
    )  # fmt: skip
    add(database, good, bad)
    with database.read() as connection:
        assert list(find_attempts(connection)) == [good._replace(heuristics=()), bad]


def test_attempts_are_found_by_any_conjunction_of_heuristics(database: Database) -> None:
    add(
        database,
        attempt(url="1"),
        attempt(url="2", domain="de.wiki.example.org"),
        attempt(url="3", heuristics=(Heuristic(AFTER, "server", "apache"),)),
        attempt(url="4", suffix=".pdf"),
    )
    assert found(database, {"registered_domain": "example.org"}) == ["1", "2", "3", "4"]
    assert found(database, {"domain": "en.wiki.example.org", "suffix": ""}) == ["1", "3"]
    assert found(database, {"server": "nginx"}) == ["1", "2", "4"]
    assert found(database, {"server": "nginx", "port": "443", "suffix": ".pdf"}) == ["4"]
    assert found(database, {"framework": "next"}) == []


def test_attempts_are_ordered_by_time(database: Database) -> None:
    times = {"late": 3, "early": 1, "mid": 2}
    add(database, *(attempt(url=url, at=at) for url, at in times.items()))
    assert found(database) == ["early", "mid", "late"]
    assert found(database, since=2) == ["mid", "late"]
    assert found(database, newest_first=True, limit=2) == ["late", "mid"]


def test_an_attempt_written_twice_is_stored_once(database: Database) -> None:
    add(database, attempt(url="1"))
    add(database, attempt(url="1"), attempt(url="2"))
    add(database, attempt(url="other run"), run=2)
    assert sorted(found(database)) == ["1", "2", "other run"]
    with database.read() as connection:
        rows = connection.scalar(select(func.count()).select_from(attempt_heuristics))
    assert rows == 3 * len(NGINX)


def test_new_tiers_reasons_and_heuristics_need_no_new_schema(database: Database) -> None:
    add(database, attempt(tier="archive", reason="moon_phase", heuristics=(
        Heuristic(AFTER, "moon", "🌒 full"),
    )))  # fmt: skip
    assert found(database, {"tier": "archive", "reason": "moon_phase", "moon": "🌒 full"})


def test_text_of_a_page_is_not_executed_as_sql(database: Database) -> None:
    said = "'); DROP TABLE attempts; --"
    add(database, attempt(url=said, heuristics=(Heuristic(AFTER, "generator", said),)))
    assert found(database, {"generator": said}) == [said]
    assert found(database, {said: said}) == []
