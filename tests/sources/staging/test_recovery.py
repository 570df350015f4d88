"""What a killed process left half staged is finished by the process that claims its source."""

from __future__ import annotations

import json
from time import time
from typing import TYPE_CHECKING

from scrapy.utils.defer import deferred_f_from_coro_f

from tests.servers.regulations import RegulationSite
from tests.sources.watching import Watch, source
from wikicrawler.sources.agenda.agenda import Agenda
from wikicrawler.store.database import Database
from wikicrawler.store.source_pages import (
    StagingRow,
    begin_staging,
    pages_of,
    unfinished_staging,
)

if TYPE_CHECKING:
    from pathlib import Path

SOURCE = "reg-x"


def leave_unfinished(watched: Watch, database: Database) -> None:
    """Make the state that a process leaves that is killed before it lists its last envelope."""
    index = watched.staged / "_index.jsonl"
    *others, line = index.read_text("utf-8").splitlines(keepends=True)
    index.write_text("".join(others))
    path = json.loads(line)["path"]
    with database.write() as connection:
        page = next(p for p in pages_of(connection, SOURCE).values() if p.path == path)
        row = StagingRow(str(page.envelope_id), str(watched.staged), "run", time(), path, page)
        begin_staging(connection, row)


def unfinished(watched: Watch, database: Database) -> int:
    with database.read() as connection:
        return len(unfinished_staging(connection, str(watched.staged)))


@deferred_f_from_coro_f
async def test_it_is_left_to_a_process_that_visits_the_source_now(tmp_path: Path) -> None:
    with RegulationSite(count=2) as site:
        watched = Watch(tmp_path, source(site.url("/")))
        await watched.crawl()
        database = Database(watched.database_url)
        leave_unfinished(watched, database)
        other = Agenda(database, (), owner="another-machine/1/1")
        assert other.hold(SOURCE)
        assert not Agenda(database, (), owner="third-machine/1/1").hold(SOURCE)
        await watched.crawl()
        assert (len(watched.index()), unfinished(watched, database)) == (2, 1)
        other.release(SOURCE)
        await watched.crawl(only="reg-x", force="false")  # it is not due, and not visited
        assert (len(watched.index()), unfinished(watched, database)) == (3, 0)
        assert len(watched.envelopes()) == 3
        database.close()


@deferred_f_from_coro_f
async def test_an_envelope_that_was_listed_is_not_listed_again(tmp_path: Path) -> None:
    with RegulationSite(count=2) as site:
        watched = Watch(tmp_path, source(site.url("/")))
        await watched.crawl()
        before = (watched.staged / "_index.jsonl").read_text("utf-8")
        database = Database(watched.database_url)
        leave_unfinished(watched, database)
        (watched.staged / "_index.jsonl").write_text(before)
        await watched.crawl()
        assert (watched.staged / "_index.jsonl").read_text("utf-8") == before
        assert unfinished(watched, database) == 0
        database.close()
