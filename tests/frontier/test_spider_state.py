"""``spider.state`` survives a stop, as JSON, and state folders of earlier versions are refused."""

from __future__ import annotations

import pickle
import sqlite3
from typing import TYPE_CHECKING, Any

import pytest
from scrapy import Spider
from scrapy.extensions.spiderstate import SpiderState
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.crawling import Outcome, Pages, project_settings, run
from tests.frontier.test_codec import Evil
from wikicrawler.errors import StateError
from wikicrawler.frontier.spider_state import JsonSpiderState

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

STATE: dict[Any, Any] = {
    "seen": {b"a", b"b"},
    "pairs": [("https://a/", 2), ("https://b/", None)],
    5: {"nested": (1, 2)},
    ("a", 1): "tuple key",
    "empty": {},
}


class Remembering(Spider):
    """Adds *more* to its state, and asks for nothing."""

    name = "remembering"
    more: dict[Any, Any] = {}  # noqa: RUF012
    before: dict[Any, Any]

    async def start(self) -> Any:
        self.before = dict(self.state)  # type: ignore[attr-defined]
        self.state.update(self.more)  # type: ignore[attr-defined]
        return
        yield


async def crawl(folder: Path, more: dict[Any, Any] | None = None, **settings: Any) -> Outcome:
    settings = {"JOBDIR": str(folder / "job"), **settings}
    return await run(Remembering, project_settings(**settings), more=more or {})


def found(outcome: Outcome) -> dict[Any, Any]:
    assert isinstance(outcome.spider, Remembering)
    return {key: value for key, value in outcome.spider.before.items() if key != "crawl_scope"}


@deferred_f_from_coro_f
async def test_the_state_is_there_in_the_next_crawl(tmp_path: Path) -> None:
    assert found(await crawl(tmp_path, STATE)) == {}
    assert found(await crawl(tmp_path, {"seen": {b"c"}})) == STATE
    assert found(await crawl(tmp_path)) == STATE | {"seen": {b"c"}}


@deferred_f_from_coro_f
async def test_a_value_that_json_cannot_hold_is_named_and_the_rest_is_kept(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    more = {"good": 1, "bad": {"deep": [object()]}, print: 2, "after": (3,)}
    await crawl(tmp_path, more)
    assert "spider.state['bad']['deep'][0] is of the type object" in caplog.text
    assert "is missing when the crawl is resumed" in caplog.text
    assert "Traceback" not in caplog.text
    assert found(await crawl(tmp_path)) == {"good": 1, "after": (3,)}


@deferred_f_from_coro_f
async def test_a_state_that_is_no_dict_is_told(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    class Replacing(Remembering):
        def closed(self, reason: str) -> None:
            self.state = [1]

    settings = project_settings(JOBDIR=str(tmp_path / "job"))
    await run(Replacing, settings)
    assert "spider.state is [1], not a dict" in caplog.text
    assert "Traceback" not in caplog.text


def test_it_is_scrapys_extension_to_others(tmp_path: Path) -> None:
    spider = Spider(name="any")
    for state, path in (({}, tmp_path), ({"n": 1}, tmp_path), ({}, None)):
        extension = JsonSpiderState(str(path) if path else None)
        assert isinstance(extension, SpiderState)
        extension.spider_opened(spider)
        assert spider.state == state  # type: ignore[attr-defined]
        spider.state["n"] = 1  # type: ignore[attr-defined]
        extension.spider_closed(spider)
    assert JsonSpiderState(str(tmp_path)).statefn == str(tmp_path / "spider.state")


@deferred_f_from_coro_f
async def test_a_crawl_finds_it_by_scrapys_class(tmp_path: Path) -> None:
    class Asking(Remembering):
        found: Any = None

        def closed(self, reason: str) -> None:
            self.found = self.crawler.get_extension(SpiderState)

    done = await run(Asking, project_settings(JOBDIR=str(tmp_path / "job")))
    assert isinstance(done.spider, Asking)
    assert isinstance(done.spider.found, JsonSpiderState)


@pytest.mark.parametrize(
    "change",
    [
        lambda d: d[:-3],
        lambda d: b"",
        lambda d: d.replace(b"1", b"2"),
        lambda d: b"\0" * len(d),
        lambda d: b"nonsense",
        lambda d: b"\n\n",
        lambda d: d[:-5] + b"\xff" + d[-4:],
        lambda d: b"[" * 100_000,
        lambda d: d.replace(b'"v": 1', b'"v": 7'),
    ],
)
@deferred_f_from_coro_f
async def test_a_damaged_state_is_refused(tmp_path: Path, change: Callable[[bytes], bytes]) -> None:
    await crawl(tmp_path, {"number": 1})
    state = tmp_path / "job" / "spider.state"
    whole = state.read_bytes()
    state.write_bytes(change(whole))
    with pytest.raises(StateError, match=r"spider\.state: is damaged .*: restore it, or remove it"):
        await crawl(tmp_path)
    state.write_bytes(whole)
    assert found(await crawl(tmp_path)) == {"number": 1}


@deferred_f_from_coro_f
async def test_a_pickle_is_refused_and_not_read(tmp_path: Path) -> None:
    await crawl(tmp_path)
    made = tmp_path / "made"
    for protocol in (2, 4, 5):
        stored = pickle.dumps({"a": Evil(made)}, protocol)
        (tmp_path / "job" / "spider.state").write_bytes(stored)
        with pytest.raises(StateError, match=r"earlier version .* another JOBDIR and -O"):
            await crawl(tmp_path)
    assert not made.exists()


@pytest.mark.parametrize("version", [1, 2])
@deferred_f_from_coro_f
async def test_a_database_of_an_earlier_version_is_refused_and_not_changed(
    tmp_path: Path, version: int
) -> None:
    settings = {"JOBDIR": str(tmp_path / "job")}
    await run(Pages, project_settings(**settings), requests=[])
    made, path = tmp_path / "made", tmp_path / "job" / "frontier.sqlite"
    database = sqlite3.connect(path)
    database.execute("DROP TABLE requests")
    database.execute("CREATE TABLE requests (id INTEGER PRIMARY KEY, site, rank, kind, request)")
    row = (1, "a.example", 0, None, pickle.dumps(Evil(made)))
    database.execute("INSERT INTO requests VALUES (?, ?, ?, ?, ?)", row)
    database.execute(f"PRAGMA user_version = {version}")
    database.commit()
    database.close()
    before = path.read_bytes()
    with pytest.raises(StateError, match=r"earlier version .* another JOBDIR and -O"):
        await run(Pages, project_settings(**settings), requests=[])
    assert not made.exists()
    assert path.read_bytes() == before


@deferred_f_from_coro_f
async def test_with_scrapys_scheduler_the_folder_is_scrapys_own(tmp_path: Path) -> None:
    scheduler = {"SCHEDULER": "scrapy.core.scheduler.Scheduler"}
    await crawl(tmp_path, {"a": (1,)}, **scheduler)
    assert found(await crawl(tmp_path, **scheduler)) == {"a": (1,)}


@deferred_f_from_coro_f
async def test_all_parents_of_the_folder_are_private(tmp_path: Path) -> None:
    await crawl(tmp_path, JOBDIR=str(tmp_path / "a" / "b" / "c"))
    made = [tmp_path / "a", tmp_path / "a" / "b", tmp_path / "a" / "b" / "c"]
    assert {path.stat().st_mode & 0o777 for path in made} == {0o700}
