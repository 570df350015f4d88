"""A feed in a Parquet file: the columns of records, whole, whatever ended the crawl before."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import pyarrow as pa
import pytest
from pyarrow import parquet
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.crawling import Outcome, project_settings, run
from tests.feeds.test_line_feeds import Items
from tests.servers.scripted import ScriptedServer
from wikicrawler.errors import ConfigError
from wikicrawler.feeds.parquet import complete as completing
from wikicrawler.feeds.parquet.journal import (
    BATCH_BYTES,
    JournalLock,
    begin_journal,
    journal_of,
    read_header,
)
from wikicrawler.feeds.parquet.schema import PAGE_SCHEMA
from wikicrawler.items import CrawlResult, PageChange

if TYPE_CHECKING:
    from collections.abc import Iterator


ROOT = Path(__file__).parents[3]


def page(name: str = "a", **more: Any) -> CrawlResult:
    return CrawlResult(
        **{
            "url": f"https://x.org/{name}",
            "title": name.upper(),
            "content": "Text.",
            "links": ["https://x.org/b"],
            "attempts": [{"tier": "http", "reason": "ok", "status": 200, "detail": ""}],
            "revid": 1 << 40,
            "fetched_at": "2026-01-02T03:04:05+00:00",
            "infobox": [{"title": "Box", "fields": {"Born": "1900", "Died": ""}}],
            **more,
        }
    )


@pytest.fixture
def url() -> Iterator[str]:
    with ScriptedServer() as server:
        yield server.on("/").url("/")


async def crawl(
    path: Path, url: str, items: list[Any], *, overwrite: bool = False, **settings: Any
) -> Outcome:
    feeds = {str(path): {"format": "parquet", "overwrite": overwrite}}
    return await run(Items, project_settings(**{"FEEDS": feeds, **settings}), url=url, items=items)


def rows(path: Path) -> list[dict[str, Any]]:
    assert not journal_of(path).exists()
    assert not list(path.parent.glob("*.new"))
    return parquet.read_table(path).to_pylist()


def urls(path: Path) -> list[str]:
    return [row["url"].rsplit("/", 1)[1] for row in rows(path)]


@deferred_f_from_coro_f
async def test_a_record_is_a_row_of_typed_columns(tmp_path: Path, url: str) -> None:
    path = tmp_path / "pages.parquet"
    changed = PageChange("https://x.org/b", "B", "", change="deleted")
    await crawl(path, url, [page(), changed], WIKICRAWLER_CHUNKS=True)
    file = parquet.ParquetFile(path)
    assert file.schema_arrow.remove_metadata().equals(PAGE_SCHEMA)
    assert file.metadata.row_group(0).column(0).compression == "ZSTD"
    first, second = rows(path)
    assert first["fetched_at"] == datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    assert first["revid"] == 1 << 40
    assert first["attempts"] == [{"tier": "http", "reason": "ok", "status": 200, "detail": ""}]
    assert first["infobox"] == [{"title": "Box", "fields": [("Born", "1900"), ("Died", "")]}]
    assert [chunk["end"] for chunk in first["chunks"]] == [5]
    assert (second["fetched_at"], second["change"], second["chunks"]) == (None, "deleted", None)
    query = "SELECT infobox[1].fields['Born'], attempts[1].status, month(fetched_at) FROM '{}'"
    found = duckdb.sql(query.format(path)).fetchall()
    assert found == [("1900", 200, 1), (None, None, None)]


@deferred_f_from_coro_f
async def test_appending_adds_rows_and_overwriting_replaces_them(tmp_path: Path, url: str) -> None:
    path = tmp_path / "pages.parquet"
    await crawl(path, url, [page("a")])
    await crawl(path, url, [page("b"), page("c")])
    assert urls(path) == ["a", "b", "c"]
    await crawl(path, url, [])
    assert urls(path) == ["a", "b", "c"]
    await crawl(path, url, [page("d")], overwrite=True)
    assert urls(path) == ["d"]
    await crawl(path, url, [], overwrite=True)
    assert rows(path) == []
    assert parquet.read_schema(path).remove_metadata().equals(PAGE_SCHEMA)
    path.write_bytes(b"")  # as another program may begin a file
    await crawl(path, url, [page("e")])
    assert urls(path) == ["e"]


@deferred_f_from_coro_f
async def test_the_file_that_is_overwritten_is_whole_until_the_crawl_ends(
    tmp_path: Path, url: str
) -> None:
    path = tmp_path / "pages.parquet"
    await crawl(path, url, [page("a")])
    path.chmod(0o640)
    begin_journal(journal_of(path), replaces=True)  # as a crawl with -O that was killed
    assert parquet.read_table(path).num_rows == 1
    await crawl(path, url, [page("b")])
    assert urls(path) == ["b"]
    assert path.stat().st_mode & 0o777 == 0o640


@deferred_f_from_coro_f
async def test_text_stays_text(tmp_path: Path, url: str) -> None:
    path = tmp_path / "pages.parquet"
    await crawl(path, url, [page(content="a\ud800\x00\u2028\x85é😀", title="=1+1")])
    (row,) = rows(path)
    assert (row["content"], row["title"]) == ("a\ufffd\x00\u2028\x85é😀", "=1+1")
    assert duckdb.read_parquet(str(path)).project("content").fetchall() == [(row["content"],)]


@deferred_f_from_coro_f
async def test_row_groups_have_a_bounded_number_of_bytes(tmp_path: Path, url: str) -> None:
    path = tmp_path / "pages.parquet"
    big = "word " * (BATCH_BYTES // 10)  # half of a row group
    for _ in range(2):  # when they are written, and when they are copied
        await crawl(path, url, [page("a", content=big * 3), *[page(n, content=big) for n in "bcd"]])
        metadata = parquet.read_metadata(path)
        sizes = [metadata.row_group(n).num_rows for n in range(metadata.num_row_groups)]
        assert max(sizes) <= 2
    assert urls(path) == [*"abcd", *"abcd"]


# Other items


@deferred_f_from_coro_f
async def test_the_columns_of_other_items_are_inferred(tmp_path: Path, url: str) -> None:
    path = tmp_path / "items.parquet"
    items: list[dict[str, Any]] = [
        {"n": 1, "x": 1, "t": "a", "l": ["a"], "d": {"k": [1]}, "b": True, "mixed": 1, "big": 1},
        {"n": None, "x": 0.5, "t": None, "l": [], "d": None, "mixed": "one", "big": 1 << 70},
        {"n": -5, "none": None, "l": None, "later": "é"},
    ]
    await crawl(path, url, items)
    types = {field.name: str(field.type) for field in parquet.read_schema(path)}
    assert types == {
        "n": "int64",
        "x": "double",
        "t": "string",
        "l": "list<element: string>",
        "d": "string",
        "b": "bool",
        "mixed": "string",
        "big": "string",
        "none": "string",
        "later": "string",
    }
    one, two, three = rows(path)
    assert one == {
        "n": 1,
        "x": 1.0,
        "t": "a",
        "l": ["a"],
        "d": '{"k": [1]}',
        "b": True,
        "mixed": "1",
        "big": "1",
        "none": None,
        "later": None,
    }
    assert (two["mixed"], two["big"]) == ('"one"', str(1 << 70))
    assert three["later"] == "é"


@deferred_f_from_coro_f
async def test_columns_of_several_crawls_are_united_and_no_value_is_lost(
    tmp_path: Path, url: str
) -> None:
    path = tmp_path / "items.parquet"
    await crawl(path, url, [{"a": 1, "b": "text", "c": {"k": 1}, "gone": True}])
    await crawl(path, url, [{"a": 2.5, "b": 7, "c": "c", "new": ["x"]}])
    assert rows(path) == [
        {"a": 1.0, "b": '"text"', "c": '{"k": 1}', "gone": True, "new": None},
        {"a": 2.5, "b": "7", "c": '"c"', "gone": None, "new": ["x"]},
    ]
    await crawl(path, url, [{"b": None}])
    assert [row["b"] for row in rows(path)] == ['"text"', "7", None]


@deferred_f_from_coro_f
async def test_pages_and_other_items_share_a_file(tmp_path: Path, url: str) -> None:
    path = tmp_path / "items.parquet"
    await crawl(path, url, [page("a")])
    await crawl(path, url, [{"url": "https://x.org/b", "status": "odd"}, page("c", revid="r")])
    one, two, three = rows(path)
    assert [one["url"], two["url"], three["url"]] == [f"https://x.org/{n}" for n in "abc"]
    assert (one["status"], two["status"], three["status"]) == ("200", '"odd"', "200")
    assert (one["revid"], two["revid"], three["revid"]) == (str(1 << 40), None, '"r"')
    assert json.loads(one["attempts"]) == json.loads(three["attempts"])


@deferred_f_from_coro_f
async def test_rows_are_appended_to_the_file_of_another_program(tmp_path: Path, url: str) -> None:
    path = tmp_path / "items.parquet"
    day = datetime(2026, 1, 1, tzinfo=UTC)
    parquet.write_table(pa.table({"n": pa.array([1], pa.int8()), "day": [day]}), path)
    await crawl(path, url, [{"t": "x"}])
    assert rows(path) == [{"n": 1, "day": day, "t": None}, {"n": None, "day": None, "t": "x"}]
    await crawl(path, url, [{"n": 1000}])
    assert [row["n"] for row in rows(path)] == ["1", None, "1000"]


# What a killed process leaves


@deferred_f_from_coro_f
async def test_the_next_crawl_brings_the_rows_of_a_killed_one_into_the_file(
    tmp_path: Path, url: str
) -> None:
    path = tmp_path / "pages.parquet"
    await crawl(path, url, [page("a")])
    begin_journal(journal_of(path), replaces=False)
    with journal_of(path).open("ab") as journal:
        await crawl(
            tmp_path / "b.jsonl", url, [page("b")], FEEDS={tmp_path / "b.jsonl": {"format": "jl"}}
        )
        journal.write((tmp_path / "b.jsonl").read_bytes() + b'{"url": "https://x.org/torn", ')
    await crawl(path, url, [page("c")])
    assert urls(path) == ["a", "b", "c"]


@pytest.mark.parametrize("replaces", [True, False])
def test_a_kill_between_the_file_and_its_journal_doubles_no_row(
    tmp_path: Path, replaces: bool
) -> None:
    path = tmp_path / "n.parquet"
    parquet.write_table(pa.table({"n": [0]}), path)
    journal = journal_of(path)
    begin_journal(journal, replaces=replaces)
    with journal.open("ab") as file:
        file.write(b'{"n": 1}\n')
    kept = journal.read_bytes()
    completing.complete(path)
    expected = [1] if replaces else [0, 1]
    assert [row["n"] for row in rows(path)] == expected
    journal.write_bytes(kept)  # it was not removed
    assert completing.complete(path) == len(expected)
    assert [row["n"] for row in rows(path)] == expected
    journal.write_bytes(kept + b'{"n": 2}\n')  # and the crawl went on
    assert completing.complete(path) == len(expected) + 1
    assert [row["n"] for row in rows(path)] == [*expected, 2]


@deferred_f_from_coro_f
async def test_with_a_state_folder_a_record_is_written_once(
    tmp_path: Path, url: str, caplog: pytest.LogCaptureFixture
) -> None:
    path, job = tmp_path / "pages.parquet", {"JOBDIR": str(tmp_path / "job")}
    await crawl(path, url, [page("a"), page("a"), page("b")], overwrite=True, **job)
    assert urls(path) == ["a", "b"]
    for overwrite in (True, False):  # that crawl is done
        done = await crawl(path, url, [page("c")], overwrite=overwrite, **job)
        assert done.stats["finish_reason"] == "finished"
        assert urls(path) == ["a", "b"]
    assert "WARNING" not in {record.levelname for record in caplog.records}


@deferred_f_from_coro_f
async def test_a_crawl_whose_rows_are_gone_does_not_go_on(
    tmp_path: Path, url: str, caplog: pytest.LogCaptureFixture
) -> None:
    path, job = tmp_path / "pages.parquet", {"JOBDIR": str(tmp_path / "job")}
    await crawl(path, url, [page("a")], **job)
    path.unlink()
    done = await crawl(path, url, [page("a")], **job)
    assert done.stats["frontier/failed"] == "state_failed"
    assert "pages.parquet: lacks the rows of 1 earlier runs of this crawl" in caplog.text
    assert not path.exists()


# Failures


@deferred_f_from_coro_f
async def test_a_feed_that_cannot_be_parquet_ends_the_start(tmp_path: Path, url: str) -> None:
    path = tmp_path / "pages.parquet"
    path.write_bytes(b"PAR1 no more")
    with pytest.raises(ConfigError, match=r"pages.parquet: is no Parquet file \(overwrite it with"):
        await crawl(path, url, [page()])
    assert path.read_bytes() == b"PAR1 no more"
    await crawl(path, url, [page()], overwrite=True)
    assert urls(path) == ["a"]
    journal_of(path).write_text("my diary\n")
    with pytest.raises(ConfigError, match=r"pages.parquet.journal: is no journal of a Parquet"):
        await crawl(path, url, [page()], overwrite=True)
    assert journal_of(path).read_text() == "my diary\n"
    for feeds in (
        {"s3://bucket/pages.parquet": {"format": "parquet"}},
        {"stdout:": {"format": "parquet"}},
        {str(tmp_path / "b.parquet"): {"format": "parquet", "postprocessing": ["x"]}},
    ):
        with pytest.raises(ConfigError, match="Parquet needs a local file, without postprocessing"):
            await crawl(path, url, [page()], FEEDS=feeds)


@deferred_f_from_coro_f
async def test_one_crawl_writes_to_a_file(
    tmp_path: Path, url: str, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "pages.parquet"
    begin_journal(journal_of(path), replaces=False)
    lock = JournalLock(journal_of(path))
    for overwrite in (True, False):
        done = await crawl(path, url, [page()], overwrite=overwrite)
        assert done.stats["frontier/output_failed"] == "output_failed"
        assert "pages.parquet: cannot be written: another process writes to it" in caplog.text
    lock.release()
    header = read_header(journal_of(path))
    assert header is not None
    assert header.size == journal_of(path).stat().st_size


@deferred_f_from_coro_f
async def test_a_folder_in_its_place_ends_the_crawl(
    tmp_path: Path, url: str, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "pages.parquet").mkdir()
    done = await crawl(tmp_path / "pages.parquet", url, [page()])
    assert done.stats["frontier/output_failed"] == "output_failed"
    assert "pages.parquet: cannot be written: Is a directory" in caplog.text


@deferred_f_from_coro_f
async def test_a_file_that_cannot_be_completed_leaves_its_rows_in_the_journal(
    tmp_path: Path, url: str, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "pages.parquet"
    (tmp_path / "pages.parquet.new").mkdir()
    done = await crawl(path, url, [page("a")])
    assert done.stats["feedexport/failed_count/FeedStorage"] == 1
    assert "lacks rows, which are in pages.parquet.journal: go on with the crawl" in caplog.text
    (tmp_path / "pages.parquet.new").rmdir()
    assert completing.complete(path) == 1
    assert urls(path) == ["a"]


@deferred_f_from_coro_f
async def test_batches_are_files_of_their_own(tmp_path: Path, url: str) -> None:
    feeds = {f"{tmp_path}/%(batch_id)d.parquet": {"format": "parquet", "batch_item_count": 2}}
    job = {"FEEDS": feeds, "JOBDIR": str(tmp_path / "job")}
    await crawl(tmp_path, url, [page(name) for name in "abc"], **job)
    assert [urls(tmp_path / f"{n}.parquet") for n in (1, 2)] == [["a", "b"], ["c"]]


def test_a_missing_library_is_named_at_the_start(tmp_path: Path) -> None:
    program = (
        "import sys; sys.modules['pyarrow'] = None; from scrapy.cmdline import execute; execute()"
    )
    command = ["crawl", "wiki", "-a", "seeds=http://127.0.0.1:9/", "-O", "pages.parquet"]
    (tmp_path / "scrapy.cfg").write_text("[settings]\ndefault = wikicrawler.settings\n")
    done = subprocess.run(
        [sys.executable, "-c", program, *command],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].endswith(
        "pages.parquet: Parquet needs pyarrow: pip install 'wikicrawler[parquet]'"
    )
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "pages.parquet.journal").exists()


@pytest.mark.parametrize("name", ["parquet", "chunks"])
@deferred_f_from_coro_f
async def test_a_format_of_that_name_in_a_project_of_its_own_stands(
    tmp_path: Path, url: str, name: str
) -> None:
    path = tmp_path / "items.parquet"
    exporters = {name: "scrapy.exporters.JsonLinesItemExporter"}
    feeds = {str(path): {"format": name, "fields": ["n"]}}
    await crawl(path, url, [{"n": 1}], FEEDS=feeds, FEED_EXPORTERS=exporters)
    assert path.read_text() == '{"n": 1}\n'
    assert not journal_of(path).exists()
