"""A feed of chunks: one line a chunk, beside a feed of pages and without one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import NAMESPACE_URL, uuid5

import jsonschema
import pytest
from scrapy import Field, Item
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.crawling import Outcome, project_settings, run
from tests.feeds.test_line_feeds import Items
from tests.servers.scripted import ScriptedServer
from wikicrawler.content.chunks import split_markdown
from wikicrawler.errors import ConfigError
from wikicrawler.items import CrawlResult, PageChange, hash_text

if TYPE_CHECKING:
    from collections.abc import Iterator

SCHEMA = json.loads((Path(__file__).parents[3] / "docs" / "chunk.schema.json").read_text("utf-8"))
PAGE_SCHEMA = json.loads(
    (Path(__file__).parents[3] / "docs" / "crawl-result.schema.json").read_text("utf-8")
)
ROWS = "".join(f"| Item {n} | {n} |\n" for n in range(40))
TEXT = f"Lead.\n\n## Prices\n\n| Name | Price |\n| --- | --- |\n{ROWS}\n## Ends\n\nThe end. 😀"
SIZE = {"WIKICRAWLER_CHUNK_TOKENS": 150}


def page(text: str = TEXT, url: str = "https://x.org/a") -> CrawlResult:
    return CrawlResult(url, "A", text, lang="en", license="CC0", fetched_at="2026-01-01T00:00:00Z")


@pytest.fixture
def url() -> Iterator[str]:
    with ScriptedServer() as server:
        yield server.on("/").url("/")


async def crawl(tmp_path: Path, url: str, items: list[Any], **settings: Any) -> Outcome:
    feeds = {
        str(tmp_path / "chunks.jsonl"): {"format": "chunks"},
        str(tmp_path / "pages.jsonl"): {"format": "jsonlines"},
    }
    made = project_settings(**{"FEEDS": feeds, **SIZE, **settings})
    return await run(Items, made, url=url, items=items)


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@deferred_f_from_coro_f
async def test_each_chunk_is_a_line_that_names_its_place_in_the_page(
    tmp_path: Path, url: str
) -> None:
    done = await crawl(tmp_path, url, [page()])
    chunks = lines(tmp_path / "chunks.jsonl")
    (record,) = lines(tmp_path / "pages.jsonl")
    assert "chunks" not in record
    assert [one["index"] for one in chunks] == list(range(len(chunks)))
    assert {one["count"] for one in chunks} == {len(chunks)}
    assert len(chunks) == len(split_markdown(TEXT, max_tokens=150)) > 3
    for one in chunks:
        jsonschema.validate(one, SCHEMA)
        assert one["text"] == one["prefix"] + record["content"][one["start"] : one["end"]]
        assert one["tokens"] <= 150
        of_page = ("url", "title", "lang", "license", "fetched_at", "content_hash")
        assert {name: one[name] for name in of_page} == {name: record[name] for name in of_page}
    assert chunks[2]["text"].startswith("| Name | Price |\n| --- | --- |\n| Item ")
    assert chunks[2]["headings"] == ["Prices"]
    assert done.stats["chunks/page_count"] == 1
    assert done.stats["chunks/line_count"] == len(chunks)


@deferred_f_from_coro_f
async def test_an_id_stays_while_other_parts_of_the_page_change(tmp_path: Path, url: str) -> None:
    await crawl(
        tmp_path, url, [page(), page(TEXT.replace("Lead.", "Another lead."), "https://x.org/b")]
    )
    await crawl(tmp_path, url, [page(TEXT.replace("Lead.", "Another lead."))])
    ids = [one["id"] for one in lines(tmp_path / "chunks.jsonl")]
    count = len(ids) // 3
    first, other, changed = ids[:count], ids[count : 2 * count], ids[2 * count :]
    assert first[0] != changed[0]
    assert first[1:] == changed[1:]
    assert not set(other) & {*first, *changed}


@deferred_f_from_coro_f
async def test_an_id_can_be_computed_by_others_and_tells_equal_chunks_apart(
    tmp_path: Path, url: str
) -> None:
    same = "## Same\n\nThe same text each time, which is long enough.\n\n"
    await crawl(tmp_path, url, [page(same * 3)], WIKICRAWLER_CHUNK_TOKENS=50)
    chunks = lines(tmp_path / "chunks.jsonl")
    assert len({one["text"] for one in chunks}) < len(chunks) == len({one["id"] for one in chunks})
    digest = hash_text(chunks[0]["text"]).removeprefix("sha256:")
    assert chunks[0]["id"] == str(uuid5(NAMESPACE_URL, f"https://x.org/a#chunk={digest}:0"))


@deferred_f_from_coro_f
async def test_a_large_page_is_split_in_a_worker(tmp_path: Path, url: str) -> None:
    text = TEXT * 100
    await crawl(tmp_path, url, [page(text)], WIKICRAWLER_CONTENT_WORKERS=1)
    spans = [(one["start"], one["end"]) for one in lines(tmp_path / "chunks.jsonl")]
    assert spans == [(one.start, one.end) for one in split_markdown(text, max_tokens=150)]


@deferred_f_from_coro_f
async def test_a_page_that_cannot_be_split_in_time_is_reported_and_its_record_written(
    tmp_path: Path, url: str, caplog: pytest.LogCaptureFixture
) -> None:
    done = await crawl(
        tmp_path,
        url,
        [page(TEXT * 20_000), page("Short.", "https://x.org/b")],
        WIKICRAWLER_CONTENT_WORKERS=1,
        WIKICRAWLER_PAGE_CPU_SECONDS=1,
        WIKICRAWLER_CHUNKS=True,
    )
    assert [one["url"] for one in lines(tmp_path / "chunks.jsonl")] == ["https://x.org/b"]
    big, small = lines(tmp_path / "pages.jsonl")
    assert big["chunks"] is None
    assert len(small["chunks"]) == 1
    assert done.stats["chunks/failed_count/cpu_limit"] == 1
    assert "chunks/left_out_count" not in done.stats
    assert "https://x.org/a: cannot be split into chunks: " in caplog.text


@deferred_f_from_coro_f
async def test_records_have_chunks_if_the_setting_says_so(tmp_path: Path, url: str) -> None:
    await crawl(tmp_path, url, [page()], WIKICRAWLER_CHUNKS=True)
    (record,) = lines(tmp_path / "pages.jsonl")
    jsonschema.validate(record, PAGE_SCHEMA)
    chunks = lines(tmp_path / "chunks.jsonl")
    names = ("id", "headings", "prefix", "start", "end", "tokens")
    assert record["chunks"] == [{name: one[name] for name in names} for one in chunks]


@deferred_f_from_coro_f
async def test_what_has_no_text_is_left_out_and_counted(
    tmp_path: Path, url: str, caplog: pytest.LogCaptureFixture
) -> None:
    items = [
        {"type": "page", "url": "https://x.org/f", "data": {"price": 1}},
        {"n": 1},
        {"url": "https://x.org/e", "content": " \n"},
        {"url": "https://x.org/e", "content": b"bytes"},
        page(),
    ]
    done = await crawl(tmp_path, url, items)
    assert {one["url"] for one in lines(tmp_path / "chunks.jsonl")} == {"https://x.org/a"}
    assert done.stats["chunks/left_out_count"] == 4
    assert caplog.text.count("leaves out items that have no url and content") == 1
    assert "like this dict of type 'page'" in caplog.text


class Article(Item):
    url = Field()
    content = Field()
    chunks = Field()


@deferred_f_from_coro_f
async def test_items_of_other_projects_have_chunks_too(tmp_path: Path, url: str) -> None:
    items = [
        {"url": "https://x.org/1", "content": TEXT, "title": "One", "chunks": 3},
        {"url": "https://x.org/2", "content": TEXT},
        Article(url="https://x.org/3", content="Text."),
    ]
    await crawl(tmp_path, url, items, WIKICRAWLER_CHUNKS=True)
    chunks = lines(tmp_path / "chunks.jsonl")
    assert {(one["url"], one["title"]) for one in chunks} == {
        ("https://x.org/1", "One"),
        ("https://x.org/2", None),
        ("https://x.org/3", None),
    }
    assert {one["content_hash"] for one in chunks} == {hash_text(TEXT), hash_text("Text.")}
    one, two, three = lines(tmp_path / "pages.jsonl")
    assert one["chunks"] == 3
    assert len(two["chunks"]) > 3
    assert [chunk["end"] for chunk in three["chunks"]] == [5]


@deferred_f_from_coro_f
async def test_a_deleted_page_has_one_line_without_text(tmp_path: Path, url: str) -> None:
    changes = [
        PageChange("https://x.org/a", "A", "", change="deleted"),
        PageChange("https://x.org/b", "B", "Text.", change="moved", previous_url="https://x.org/c"),
    ]
    await crawl(tmp_path, url, changes, JOBDIR=str(tmp_path / "job"))
    gone, moved = lines(tmp_path / "chunks.jsonl")
    jsonschema.validate(gone, SCHEMA)
    jsonschema.validate(moved, SCHEMA)
    assert (gone["url"], gone["change"], gone["count"], gone["text"]) == (
        "https://x.org/a",
        "deleted",
        0,
        "",
    )
    assert (moved["text"], moved["change"], moved["previous_url"]) == (
        "Text.",
        "moved",
        "https://x.org/c",
    )


@deferred_f_from_coro_f
async def test_with_a_state_folder_the_chunks_of_a_page_are_written_once(
    tmp_path: Path, url: str
) -> None:
    job = {"JOBDIR": str(tmp_path / "job")}
    done = await crawl(tmp_path, url, [page(), page("Other."), {"url": "u", "content": "T"}], **job)
    urls = [one["url"] for one in lines(tmp_path / "chunks.jsonl") if one["index"] == 0]
    assert urls == ["https://x.org/a", "u"]
    assert done.stats["frontier/known_record_count"] == 2  # of each feed one


@deferred_f_from_coro_f
async def test_half_a_surrogate_pair_moves_no_span(tmp_path: Path, url: str) -> None:
    await crawl(tmp_path, url, [page("a\ud83d \ude00 b\x00\x85c")])
    (chunk,), (record,) = lines(tmp_path / "chunks.jsonl"), lines(tmp_path / "pages.jsonl")
    assert record["content"][chunk["start"] : chunk["end"]] == chunk["text"]
    assert chunk["text"] == "a\ufffd \ufffd b\x00\x85c"


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"WIKICRAWLER_CHUNK_TOKENS": 5}, "WIKICRAWLER_CHUNK_TOKENS is 5: a whole number, 20 or"),
        ({"WIKICRAWLER_CHUNK_OVERLAP": -1}, "WIKICRAWLER_CHUNK_OVERLAP is -1: a whole number"),
        (
            {"WIKICRAWLER_CHUNK_TOKENS": 100, "WIKICRAWLER_CHUNK_OVERLAP": 51},
            r"WIKICRAWLER_CHUNK_OVERLAP is 51: at most half of WIKICRAWLER_CHUNK_TOKENS \(100\)",
        ),
        ({"WIKICRAWLER_CHUNKS": "maybe"}, "WIKICRAWLER_CHUNKS is 'maybe': True or False"),
        (
            {"FEED_EXPORT_FIELDS": ["url", "content"]},
            "chunks.jsonl: the fields of a feed of chunks lack index, count, content_hash, start",
        ),
        (
            {"FEED_EXPORT_FIELDS": dict.fromkeys(("url", "index", "start", "content_hash"), "x")},
            "the fields of a feed of chunks lack url, index, count, content_hash, start",
        ),
    ],
)
@deferred_f_from_coro_f
async def test_a_wrong_setting_ends_the_start(
    tmp_path: Path, url: str, settings: dict[str, Any], message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        await crawl(tmp_path, url, [page()], **settings)
