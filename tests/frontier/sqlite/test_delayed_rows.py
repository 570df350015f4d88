"""The delayed requests of the database."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from wikicrawler.frontier.not_before import LONGEST
from wikicrawler.frontier.site_times import SiteTimes
from wikicrawler.frontier.sqlite.database import CrawlDatabase
from wikicrawler.frontier.sqlite.delayed_rows import DelayedRows
from wikicrawler.frontier.sqlite.site_queues import SiteQueues

if TYPE_CHECKING:
    from pathlib import Path


class Places:
    """Stands for a downloader that has room for all."""

    def held(self) -> dict[str, int]:
        return {"a.org": 0}

    def has_room(self, key: str, held: int) -> bool:
        return True


def rows_and_queues(folder: Path) -> tuple[DelayedRows, SiteQueues, CrawlDatabase]:
    database = CrawlDatabase.open(folder)
    queues = SiteQueues(database, Places(), SiteTimes(time.time))
    return DelayedRows(database, time.time), queues, database


def test_many_of_one_moment_come_in_their_order_and_in_parts(tmp_path: Path) -> None:
    rows, queues, _ = rows_and_queues(tmp_path)
    for n in range(250):
        rows.add(-1.0, "a.org", 0, None, b"%d" % n)
    came = []
    while rows.are_due:
        rows.release(queues)
        assert len(queues) <= 100
        while (found := queues.pop()) is not None:
            came.append(int(found[1]))  # type: ignore[arg-type]
    assert came == list(range(250))
    assert len(rows) == 0


def test_a_moment_by_a_clock_that_was_wrong_is_at_most_a_day_off(tmp_path: Path) -> None:
    _, _, database = rows_and_queues(tmp_path)
    database.delay(time.time() + 50 * 365 * 86_400, "a.org", 0, None, b"1")
    rows = DelayedRows(database, time.time)
    first = database.first_moment()
    assert first is not None
    assert first <= time.time() + LONGEST + 1
    assert not rows.are_due
