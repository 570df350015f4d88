"""Feeds of JSON lines: whole lines, each once."""

from __future__ import annotations

import gzip
import json
import re
from dataclasses import dataclass, field
from io import BytesIO, TextIOWrapper
from typing import TYPE_CHECKING, Any

import pytest
from itemadapter import ItemAdapter
from scrapy import Request, Spider
from scrapy.exporters import BaseItemExporter
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.crawling import Outcome, project_settings, run
from tests.servers.scripted import ScriptedServer
from wikicrawler.errors import ConfigError
from wikicrawler.feeds.line_feeds import LineExporter, LineStdoutStorage, key_of, keys_of
from wikicrawler.feeds.line_file import LineFile, mend
from wikicrawler.items import CrawlResult, PageChange
from wikicrawler.process.exit_codes import ExitCode, exit_code

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path


class Items(Spider):
    """Yields the given items of the page at *url*."""

    name = "items"

    def __init__(self, url: str, items: list[Any], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.url = url
        self.items = items

    async def start(self) -> AsyncIterator[Request]:
        yield Request(self.url)

    def parse(self, response: Any) -> Any:
        yield from self.items


class TextExporter(BaseItemExporter):
    """A project's exporter that writes text, as Scrapy's own for CSV and XML do."""

    def __init__(self, file: Any, **options: Any) -> None:
        super().__init__(dont_fail=True, **options)
        self.stream = TextIOWrapper(file, write_through=True, encoding="utf-8")

    def export_item(self, item: Any) -> None:
        self.stream.write(json.dumps(item) + "\n")

    def finish_exporting(self) -> None:
        self.stream.flush()
        self.stream.detach()


@pytest.fixture
def url() -> Iterator[str]:
    with ScriptedServer() as server:
        yield server.on("/").url("/")


async def feed(
    path: Path, url: str, items: list[Any], options: dict[str, Any] | None = None, **settings: Any
) -> Outcome:
    feeds = {str(path): {"format": "jsonlines", **(options or {})}}
    return await run(Items, project_settings(FEEDS=feeds, **settings), url=url, items=items)


@deferred_f_from_coro_f
async def test_nothing_is_appended_to_compressed_data(url: str, tmp_path: Path) -> None:
    path = tmp_path / "items.jsonl"
    path.write_bytes(gzip.compress(b'{"a": 1}\n'))
    with pytest.raises(ConfigError, match="is compressed with gzip"):
        await feed(path, url, [{"a": 2}])
    assert gzip.decompress(path.read_bytes()) == b'{"a": 1}\n'
    await feed(path, url, [{"a": 2}], {"overwrite": True})
    assert path.read_bytes() == b'{"a": 2}\n'


def names_in(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


@deferred_f_from_coro_f
async def test_the_name_of_a_feed_may_have_that_of_the_worker(url: str, tmp_path: Path) -> None:
    for number in range(2):
        await feed(tmp_path / "%(worker)s.jsonl", url, [{"a": number}])
    names = names_in(tmp_path)
    assert len(names) == 2
    assert all(re.fullmatch(r"[0-9a-f]{8}\.jsonl", name) for name in names)


# The last line


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b'{"a": 1}\n{"a": {"b": 2}', b'{"a": 1}\n'),
        (b'{"a"', b""),
        (b'{"a": 1}\n{"a": 2}', b'{"a": 1}\n{"a": 2}\n'),
        (b'{"a": 1}\n\0\0\0\0', b'{"a": 1}\n'),
        (b"notes of mine", b"notes of mine\n"),
        (b'{"a": 1}\n', b'{"a": 1}\n'),
        (b"", b""),
        (b'{"a": 1}\n{"a": "' + b"x" * 200_000, b'{"a": 1}\n'),
    ],
)
def test_a_torn_last_line_is_cut_and_nothing_else(
    tmp_path: Path, before: bytes, after: bytes
) -> None:
    path = tmp_path / "pages.jsonl"
    path.write_bytes(before)
    mend(path)
    assert path.read_bytes() == after


@deferred_f_from_coro_f
async def test_any_crawl_that_appends_cuts_it(tmp_path: Path, url: str) -> None:
    path = tmp_path / "pages.jsonl"
    path.write_bytes(b'{"n": 1}\n{"n": ')
    await feed(path, url, [{"n": 2}])
    assert path.read_bytes() == b'{"n": 1}\n{"n": 2}\n'


def test_a_line_is_on_the_file_when_it_is_written(tmp_path: Path) -> None:
    file = LineFile(tmp_path / "lines")
    file.write(b"a line\n")
    assert (tmp_path / "lines").read_bytes() == b"a line\n"
    assert file.size == 7
    file.close()


# Each record once


@deferred_f_from_coro_f
async def test_with_a_state_folder_a_record_is_written_once(tmp_path: Path, url: str) -> None:
    page = {"url": "https://x.org/", "content_hash": "sha256:1", "fetched_at": "now"}
    later, changed = page | {"fetched_at": "later"}, page | {"content_hash": "sha256:2"}
    items = [page, later, changed, {"n": 1}, {"n": 1}, {"n": 2}]
    path = tmp_path / "pages.jsonl"
    done = await feed(path, url, items, JOBDIR=str(tmp_path / "job"))
    written = [json.loads(line) for line in path.read_text().splitlines()]
    assert written == [page, changed, {"n": 1}, {"n": 2}]
    assert done.stats["frontier/known_record_count"] == 2
    await feed(path, url, items)  # without one it is as Scrapy has it
    assert len(path.read_text().splitlines()) == 4 + 6


def test_a_page_is_known_by_its_address_whatever_it_holds() -> None:
    page = CrawlResult("https://x.org/\ud800", "T", "now")
    assert key_of(page, b"one") == key_of(CrawlResult(page.url, "T", "then"), b"other")
    assert key_of(page, b"one") != key_of(CrawlResult("https://x.org/2", "T", "now"), b"one")


@pytest.mark.parametrize(
    "item",
    [
        CrawlResult("https://x.org/é", "T", "text"),
        {"url": "https://x.org/", "content_hash": "h"},
        {"url": "https://x.org/"},
        {"n": 1},
    ],
)
def test_a_record_is_known_again_by_its_line(item: Any) -> None:
    line = json.dumps(ItemAdapter(item).asdict()).encode() + b"\n"
    assert key_of(item, line) in keys_of(line)
    assert key_of(item, line) not in keys_of(b'{"url": "https://x.org/3"}\n')
    assert keys_of(b"no JSON")


# What else a feed may be


@deferred_f_from_coro_f
async def test_overwriting_begins_anew(tmp_path: Path, url: str) -> None:
    path = tmp_path / "pages.jsonl"
    path.write_text("old\n")
    await feed(path, url, [{"n": 1}], {"overwrite": True}, JOBDIR=str(tmp_path / "job"))
    assert path.read_text() == '{"n": 1}\n'
    await feed(path, url, [{"n": 2}], {"overwrite": True}, JOBDIR=str(tmp_path / "job"))
    assert path.read_text() == '{"n": 1}\n'  # that crawl is done


@deferred_f_from_coro_f
async def test_other_formats_are_scrapys(tmp_path: Path, url: str) -> None:
    items, job = [{"n": 1}, {"n": 1}], {"JOBDIR": str(tmp_path / "job")}
    await feed(tmp_path / "pages.csv", url, items, {"format": "csv"}, **job)
    assert (tmp_path / "pages.csv").read_text() == "n\n1\n1\n"
    plugin = {"postprocessing": ["scrapy.extensions.postprocessing.GzipPlugin"]}
    await feed(tmp_path / "pages.gz", url, items, plugin)
    assert (tmp_path / "pages.gz").read_bytes().startswith(b"\x1f\x8b")


@deferred_f_from_coro_f
async def test_another_exporter_may_write_to_it(tmp_path: Path, url: str) -> None:
    path = tmp_path / "pages.jsonl"
    exporters = {"jsonlines": "scrapy.exporters.JsonLinesItemExporter"}
    job = {"JOBDIR": str(tmp_path / "job"), "FEED_EXPORTERS": exporters}
    await feed(path, url, [{"n": 1}, {"n": 1}], **job)
    assert path.read_text() == '{"n": 1}\n{"n": 1}\n'


@deferred_f_from_coro_f
async def test_an_exporter_may_treat_it_as_a_file(tmp_path: Path, url: str) -> None:
    path = tmp_path / "pages.jsonl"
    await feed(path, url, [{"n": 1}, {"n": 2}], FEED_EXPORTERS={"jsonlines": TextExporter})
    assert path.read_text() == '{"n": 1}\n{"n": 2}\n'


@pytest.mark.parametrize(
    "options", [None, {"format": "csv"}, {"format": "jsonlines", "postprocessing": ["p"]}]
)
def test_standard_output_may_be_another_stream(options: dict[str, Any] | None) -> None:
    out = BytesIO()
    storage = LineStdoutStorage("stdout:", out, feed_options=options)
    assert storage.open(Items("", [])) is out
    assert not storage.by_line


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1", None])
@deferred_f_from_coro_f
async def test_half_a_surrogate_pair_loses_no_record(
    tmp_path: Path, url: str, encoding: str | None
) -> None:
    path = tmp_path / "pages.jsonl"
    await feed(path, url, [{"t": "a\ud800é"}], {"encoding": encoding})
    (line,) = path.read_bytes().splitlines()
    assert json.loads(line.decode(encoding or "utf-8")) == {"t": "a\ufffdé"}


# Failures


@deferred_f_from_coro_f
async def test_a_feed_that_cannot_be_written_stops_the_crawl(
    tmp_path: Path, url: str, caplog: pytest.LogCaptureFixture
) -> None:
    job = {"JOBDIR": str(tmp_path / "job")}
    (tmp_path / "full.jsonl").symlink_to("/dev/full")
    done = await feed(tmp_path / "full.jsonl", url, [{"n": 1}, {"n": 2}], **job)
    assert done.stats["finish_reason"] == "out_of_space"
    assert exit_code(done.stats, None) == ExitCode.OUTPUT_FAILED
    assert "No space left on device" in caplog.text
    assert "Traceback" not in caplog.text
    (tmp_path / "full.jsonl").unlink()
    done = await feed(tmp_path / "full.jsonl", url, [{"n": 1}, {"n": 2}], **job)
    assert done.stats["finish_reason"] == "finished"
    assert (tmp_path / "full.jsonl").read_text() == '{"n": 1}\n{"n": 2}\n'


@pytest.mark.parametrize(
    ("stats", "signal", "code"),
    [
        ({"finish_reason": "finished", "item_scraped_count": 3}, None, 0),
        ({"finish_reason": "finished", "wikicrawler/skipped/count": 1}, None, 3),
        (
            {"finish_reason": "finished", "wikicrawler/skipped/count": 1, "frontier/resumed": 1},
            None,
            0,
        ),
        (
            {
                "finish_reason": "finished",
                "wikicrawler/skipped/count": 1,
                "wikicrawler/since/pages/unchanged": 5,
            },
            None,
            0,
        ),
        ({"finish_reason": "closespider_itemcount"}, None, 0),
        ({"finish_reason": "shutdown"}, 2, 130),
        ({"finish_reason": "shutdown"}, 15, 143),
        ({"finish_reason": "shutdown"}, None, ExitCode.FAILED),
        ({}, 15, 143),
        ({"finish_reason": "finished"}, 15, 0),  # it came too late
        ({"finish_reason": "output_failed"}, None, 4),
        ({"finish_reason": "finished", "frontier/failed": "out_of_space"}, None, 4),
        ({"finish_reason": "finished", "feedexport/failed_count/S3FeedStorage": 1}, None, 4),
        ({"finish_reason": "state_failed"}, None, 6),
        ({"finish_reason": "start_error"}, None, 1),
    ],
)
def test_exit_codes(stats: dict[str, Any], signal: int | None, code: int) -> None:
    assert exit_code(stats, signal) == code


@dataclass
class Shouted(CrawlResult):
    tier: str = field(default="http", metadata={"serializer": str.upper})


def without_status() -> CrawlResult:
    found = CrawlResult("https://a.example/", "A", "text")
    del found.status  # as a pipeline may do
    return found


class Counting(LineExporter):
    def serialize_field(self, field: Any, name: str, value: Any) -> Any:
        return super().serialize_field(field, name, value if name != "url" else 1)


@pytest.mark.parametrize(
    ("item", "exporter", "options"),
    [
        (CrawlResult("https://a.example/", "A", "text"), LineExporter, {}),
        (PageChange("https://a.example/", "A", "text", change="moved"), LineExporter, {}),
        (CrawlResult("https://a.example/", "A", "b"), LineExporter, {"fields_to_export": ["url"]}),
        (Shouted("https://a.example/", "Ab", "text"), LineExporter, {}),
        (without_status(), LineExporter, {}),
        (CrawlResult("https://a.example/", "A", "text"), Counting, {}),
    ],
    ids=["page", "change", "some fields", "serializer", "deleted field", "own exporter"],
)
def test_a_line_has_the_fields_that_scrapy_exports(
    item: CrawlResult, exporter: type[LineExporter], options: dict[str, Any]
) -> None:
    file = BytesIO()
    own = exporter(file, **options)
    own.export_item(item)
    assert json.loads(file.getvalue()) == dict(own.get_serialized_fields(item))
