"""Envelopes that consumers have ingested long ago are removed, and nothing else."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.servers.regulations import RegulationSite, section
from tests.sources.watching import Watch, source
from wikicrawler.audit.verification import verify
from wikicrawler.errors import ConfigError
from wikicrawler.sources.staging.confirmation import confirm, confirm_before
from wikicrawler.sources.staging.folder import StagingFolder
from wikicrawler.sources.staging.retention import Stay, plan, remove
from wikicrawler.sources.staging.verification import verify as verify_folder
from wikicrawler.store.audit_chain import links
from wikicrawler.store.database import Database
from wikicrawler.store.source_pages import StagingRow, begin_staging, pages_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.servers.postgres import RealPostgres
    from wikicrawler.sources.staging.retention import Plan

DAYS = 90


class Staged:
    """A staging folder of two sections, of which the first has three versions."""

    def __init__(self, watched: Watch) -> None:
        self.watched = watched
        self.folder = StagingFolder(watched.staged)
        self.database = Database(watched.settings["WIKICRAWLER_DATABASE_URL"])
        self.now = datetime.now(UTC)

    @classmethod
    async def make(cls, folder: Path, url: str | None = None) -> Staged:
        with RegulationSite(count=2) as site:
            watched = Watch(folder, source(site.url("/")))
            if url:
                watched.settings["WIKICRAWLER_DATABASE_URL"] = url
            for days in (5, 6, 7):
                site.put("/1024/1/", section(1, days=days))
                await watched.crawl()
        return cls(watched)

    def versions(self, path: str = "/1024/1/") -> list[str]:
        """The ids of the versions of a section."""
        return [x["envelope_id"] for x in self.watched.index() if x["url"].endswith(path)]

    def confirm_all(self) -> None:
        confirm_before(self.folder, self.now + timedelta(days=1), self.now)

    def plan(self, days_later: int) -> Plan:
        return plan(self.folder, self.database, DAYS, self.now + timedelta(days=days_later))

    def going(self, days_later: int) -> list[str]:
        return [one.entry.envelope_id for one in self.plan(days_later).going]

    def remove(self, days_later: int) -> int:
        later = self.now + timedelta(days=days_later)
        return sum(remove(self.folder, self.database, self.plan(days_later), DAYS, later))

    def removals(self) -> list[str]:
        """The ids of the envelopes whose removal the audit log has; its chain is whole."""
        with self.database.read() as connection:
            assert verify(connection, with_sums=True).faults == []
            texts = [text for rows in links(connection) for _, text, _, _ in rows]
        found = [fields for fields in map(json.loads, texts) if fields["kind"] == "removal"]
        assert all(fields["of_sequence"] > 0 for fields in found), "of the fetch"
        return [fields["envelope_id"] for fields in found]


@deferred_f_from_coro_f
async def test_an_envelope_goes_90_days_after_its_confirmation(tmp_path: Path) -> None:
    staged = await Staged.make(tmp_path)
    first, second, _ = staged.versions()
    assert staged.going(days_later=1000) == [], "nothing is confirmed"
    confirm(staged.folder, [first], staged.now)
    assert staged.going(days_later=DAYS - 1) == []
    assert staged.going(days_later=DAYS + 1) == [first]
    assert staged.plan(days_later=DAYS + 1).reasons() == {Stay.LATEST: 3, Stay.UNCONFIRMED: 1}
    confirm(staged.folder, [first, second], staged.now + timedelta(days=50))
    assert staged.going(days_later=DAYS + 1) == [first], "the first confirmation counts"
    assert staged.going(days_later=DAYS + 51) == [first, second]


@deferred_f_from_coro_f
async def test_what_was_removed_is_named_and_all_else_must_be_there(tmp_path: Path) -> None:
    staged = await Staged.make(tmp_path)
    index = (staged.watched.staged / "_index.jsonl").read_bytes()
    staged.confirm_all()
    assert staged.remove(days_later=DAYS + 1) == 2
    assert verify_folder(staged.folder) == (3, [], 2)
    assert (staged.watched.staged / "_index.jsonl").read_bytes() == index
    assert sorted(staged.removals()) == sorted(staged.versions()[:2])
    assert staged.remove(days_later=DAYS + 1000) == 0, "the latest versions never go"
    (last,) = staged.versions("/1024/2/")
    path = next(x["path"] for x in staged.watched.index() if x["envelope_id"] == last)
    staged.folder.remove(path)
    assert verify_folder(staged.folder).faults == [
        f"{path}: _index.jsonl lists it, and there is no such file"
    ]
    assert staged.plan(days_later=DAYS + 1).staying[last] is Stay.LATEST


@deferred_f_from_coro_f
async def test_a_line_that_a_killed_process_tore_is_cut(tmp_path: Path) -> None:
    staged = await Staged.make(tmp_path)
    first, second, _ = staged.versions()
    confirm(staged.folder, [first], staged.now)
    with (staged.watched.staged / "_confirmed.jsonl").open("ab") as file:
        file.write(b'{"confirmed_at": "2026-')
    assert staged.going(days_later=DAYS + 1) == [first]
    confirm(staged.folder, [second], staged.now)
    assert staged.going(days_later=DAYS + 1) == [first, second]


@deferred_f_from_coro_f
async def test_a_list_with_foreign_lines_is_named(tmp_path: Path) -> None:
    staged = await Staged.make(tmp_path)
    for line in ("[]", '{"confirmed_at": "x", "envelope_ids": []}', '{"envelope_ids": ["a"]}'):
        (staged.watched.staged / "_confirmed.jsonl").write_text(line + "\n")
        with pytest.raises(ConfigError, match=r"line 1 of _confirmed.jsonl is not one of ours"):
            staged.plan(days_later=0)


@deferred_f_from_coro_f
async def test_a_tombstone_is_the_latest_version_of_its_document(tmp_path: Path) -> None:
    with RegulationSite(count=1) as site:
        watched = Watch(tmp_path, source(site.url("/")))
        await watched.crawl()
        site.remove("/1024/1/")
        await watched.crawl()
        staged = Staged(watched)
        staged.confirm_all()
        assert staged.remove(days_later=DAYS + 1) == 1
        assert [e["integrity"]["change_type"] for e in _left(watched)] == ["new", "deleted"]
        site.put("/1024/1/", section(1, days=9))
        await watched.crawl(settings={"WIKICRAWLER_SOURCE_FULL_GET": 1})
        assert [e["integrity"]["change_type"] for e in _left(watched)] == ["new", "deleted", "new"]


def _left(watched: Watch) -> list[dict[str, Any]]:
    folder = StagingFolder(watched.staged)
    present = set(folder.paths())
    return [folder.read(line["path"]) for line in watched.index() if line["path"] in present]


@deferred_f_from_coro_f
async def test_a_visit_after_the_removal_compares_as_before(tmp_path: Path) -> None:
    with RegulationSite(count=2) as site:
        watched = Watch(tmp_path, source(site.url("/")))
        await watched.crawl()
        site.put("/1024/1/", section(1, days=9))
        await watched.crawl()
        staged = Staged(watched)
        staged.confirm_all()
        first = next(x for x in watched.index() if x["envelope_id"] == staged.versions()[0])
        assert staged.remove(days_later=DAYS + 1) == 1
        await watched.crawl(settings={"WIKICRAWLER_SOURCE_FULL_GET": 1})
        assert len(watched.index()) == 4
        site.put("/1024/1/", section(1, days=5))  # the text of the envelope that was removed
        await watched.crawl()
    last = watched.index()[-1]
    assert last["change_type"] == "modified"
    assert staged.folder.read(last["path"])["integrity"]["change"]["kind"] == "substantive"
    assert verify_folder(staged.folder) == (4, [], 1)
    assert last["path"] == first["path"], "the name was free again"
    assert staged.plan(days_later=DAYS + 1).leftovers == []


@deferred_f_from_coro_f
async def test_nothing_goes_beside_an_envelope_that_is_being_written(tmp_path: Path) -> None:
    staged = await Staged.make(tmp_path)
    staged.confirm_all()
    (line, *_) = staged.watched.index()
    with staged.database.write() as connection:
        page = next(iter(pages_of(connection, "reg-x").values()))
        row = StagingRow("an-id", str(staged.folder), "a-run", 0.0, line["path"], page)
        begin_staging(connection, row)
    assert staged.going(days_later=DAYS + 1) == []
    assert staged.plan(days_later=DAYS + 1).reasons() == {Stay.LATEST: 3, Stay.WRITING: 2}


class Dying(StagingFolder):
    """A folder whose process is killed before or after one of its steps."""

    step = ""

    def append(self, name: str, line: dict[str, Any]) -> None:
        self._die("before the list")
        super().append(name, line)
        self._die("after the list")

    def remove(self, path: str) -> None:
        super().remove(path)
        self._die("after a file")

    def _die(self, step: str) -> None:
        if step == self.step:
            os.kill(os.getpid(), signal.SIGKILL)


def _remove_and_die(root: Path, url: str, step: str, now: datetime) -> None:
    folder, database = Dying(root), Database(url)
    folder.step = step
    list(remove(folder, database, plan(folder, database, DAYS, now), DAYS, now))


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
@deferred_f_from_coro_f
async def test_a_killed_removal_is_finished_by_the_next(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    url = None
    if kind == "postgresql":
        postgres: RealPostgres = request.getfixturevalue("postgres")
        url = postgres.empty_database()
    staged = await Staged.make(tmp_path, url)
    staged.confirm_all()
    later = staged.now + timedelta(days=DAYS + 1)
    context = multiprocessing.get_context("spawn")
    for step in ("before the list", "after the list", "after a file"):
        arguments = (
            staged.watched.staged,
            staged.watched.settings["WIKICRAWLER_DATABASE_URL"],
            step,
            later,
        )
        process = context.Process(target=_remove_and_die, args=arguments)
        process.start()
        process.join()
        assert process.exitcode in {-signal.SIGKILL, 0}
        assert verify_folder(staged.folder).faults == [], step
    staged.remove(days_later=DAYS + 1)
    assert verify_folder(staged.folder) == (3, [], 2)
    assert sorted(staged.removals()) == sorted(staged.versions()[:2]), "each is recorded once"
