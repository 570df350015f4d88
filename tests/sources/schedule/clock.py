"""Sources and a virtual clock for tests."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from tests.sources.manifest.samples import source
from wikicrawler.sources.manifest.model import Manifest
from wikicrawler.sources.schedule.due import next_visit
from wikicrawler.sources.schedule.rule import Rule
from wikicrawler.sources.schedule.state import State
from wikicrawler.sources.schedule.timing import Timing
from wikicrawler.sources.schedule.visits import Visit, finish

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from wikicrawler.sources.manifest.model import Source

NEW_YORK = ZoneInfo("America/New_York")
BY_DAY, BY_NIGHT = "https://www.phfa.org/", "https://www.hud.gov/"


def utc(text: str) -> datetime:
    """Return the moment *text*, which is in UTC unless it has an offset."""
    moment = datetime.fromisoformat(text)
    return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)


def local(text: str, zone: str = "America/New_York") -> datetime:
    """Return the moment at which clocks in *zone* show *text* for the first time."""
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)


def watched(**fields: Any) -> Source:
    """Return a source with *fields*, as a manifest has it."""
    domain = fields.get("url", BY_NIGHT).split("/")[2]
    data = {"version": "1", "created": "", "updated": "", "vertical": "x"}
    given = source(domain=domain, **fields)
    return Manifest.of(data | {"sources": [given]}).sources[0]


def rule(frequency: str, *, timing: Timing | None = None, **fields: Any) -> Rule:
    """Return the rule of a source with *frequency*."""
    return Rule.of(watched(frequency=frequency, **fields), timing or Timing())


def cron_rule(expression: str, zone: str = "America/New_York") -> Rule:
    return rule("cron", schedule={"cron": expression, "time_zone": zone})


def adaptive_rule(shortest: int, longest: int, url: str = BY_DAY, **fields: Any) -> Rule:
    schedule = {"shortest_hours": shortest, "longest_hours": longest}
    return rule("adaptive", url=url, schedule=schedule, **fields)


def visits(
    of: Rule,
    start: datetime,
    end: datetime,
    *,
    lateness: Iterable[timedelta] = (),
    state: State | None = None,
) -> Iterator[datetime]:
    """Yield the starts of the visits between two moments.

    :param lateness: by how much each visit starts too late; then zero
    """
    state = state or State()
    late = iter(lateness)
    now = start
    while True:
        at = next_visit(of, state, now)
        assert at is not None
        assert at >= now
        if at >= end:
            return
        now = at + next(late, timedelta())
        at = next_visit(of, state, now)
        assert at is not None
        now = at  # a visit that is late for its night waits for the next one
        if now >= end:
            return
        yield now
        state = finish(of, state, Visit(started=now))
