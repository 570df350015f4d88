"""Feeds that are read again: what they hold, what is wrong with them, and how they are merged."""

from __future__ import annotations

import gzip
import json
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest

from wikicrawler.errors import ConfigError
from wikicrawler.feeds import record_lines
from wikicrawler.feeds.known_pages import KnownPages
from wikicrawler.feeds.merge import merged
from wikicrawler.items import CrawlResult

if TYPE_CHECKING:
    from pathlib import Path


def line(url: str, **fields: Any) -> str:
    return json.dumps({"url": url, "title": url, **fields}) + "\n"


def urls(path: Path) -> list[str]:
    return list(KnownPages.read(path))


# Known pages


def test_the_last_record_of_a_page_counts_and_changes_are_applied(tmp_path: Path) -> None:
    feed = tmp_path / "pages.jsonl"
    feed.write_text(
        line("http://a/1", revid=1)
        + line("http://a/2")
        + line("http://a/3")
        + line("http://a/1", revid=5, change="modified")
        + line("http://a/2", change="deleted")
        + line("http://a/4", change="moved", previous_url="http://a/3")
    )
    known = KnownPages.read(feed)
    assert list(known) == ["http://a/1", "http://a/4"]
    assert known["http://a/1"].revid == 5


def test_a_compressed_feed_is_read_whatever_its_name_is(tmp_path: Path) -> None:
    feed = tmp_path / "pages.data"
    feed.write_bytes(gzip.compress(line("http://a/1").encode()))
    assert urls(feed) == ["http://a/1"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (line("http://a/1") + "{torn\n", ":2: is not JSON"),
        (line("http://a/1") + "\n[1]\n", ":3: is not the record of a page"),
        ("[\n" + line("http://a/1") + "]\n", ":1: is a JSON array, not JSON lines"),
        ('[{"url": "http://a/1"}]', ":1: is a JSON array, not JSON lines"),
        (line("http://a/1") + line("ftp://a/1"), ":2: its url is none of http or https: ftp"),
        (line(""), ":1: its url is none of http"),
        (line("http://[a/1"), ":1: its url is none of http"),
        (line("http:///1"), ":1: its url is none of http"),
        ('{"title": "T"}\n', ":1: is not the record of a page"),
        (line("http://a/1", change=5), ":1: change is not a string"),
        ("[" * 100_000, ":1: is not JSON"),
        ("url,title\n", ":1: is not JSON"),
        ("", "has no record"),
    ],
)
def test_a_faulty_feed_is_named_with_the_line(tmp_path: Path, content: str, message: str) -> None:
    feed = tmp_path / "pages.jsonl"
    feed.write_text(content)
    with pytest.raises(ConfigError, match=message):
        KnownPages.read(feed)


def test_a_torn_last_line_is_left_out(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    feed = tmp_path / "pages.jsonl"
    feed.write_text(line("http://a/1") + line("http://a/2")[:-5])
    assert urls(feed) == ["http://a/1"]
    assert "pages.jsonl:2: is torn" in caplog.text


def test_damaged_gzip_data_is_reported(tmp_path: Path) -> None:
    feed = tmp_path / "pages.jsonl.gz"
    feed.write_bytes(gzip.compress(line("http://a/1").encode())[:-6])
    with pytest.raises(ConfigError, match="the gzip data ends or is damaged after line"):
        KnownPages.read(feed)


def test_a_line_without_end_is_not_read_into_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(record_lines, "MAX_LINE", 1000)
    feed = tmp_path / "pages.jsonl"
    feed.write_text(line("http://a/1", content="x" * 2000))
    with pytest.raises(ConfigError, match=":1: is longer than"):
        KnownPages.read(feed)


def test_a_folder_that_is_no_job_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no JOBDIR"):
        KnownPages.read(tmp_path)


def test_a_job_whose_feed_is_gone_is_refused(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "frontier.sqlite")) as database, database:
        database.execute("CREATE TABLE feeds (id INTEGER PRIMARY KEY, path TEXT, size INTEGER)")
        database.execute("INSERT INTO feeds VALUES (1, '../gone.jsonl', 5)")
    with pytest.raises(ConfigError, match="no feed that is still there"):
        KnownPages.read(tmp_path)


def test_a_page_of_a_wiki_is_another_when_its_categories_are(tmp_path: Path) -> None:
    feed = tmp_path / "pages.jsonl"
    record = CrawlResult("http://a/1", "T", "Text", categories=["A", "B"], revid=5)
    fields = {name: getattr(record, name) for name in ("content_hash", "categories", "revid")}
    feed.write_text(json.dumps({"url": record.url, "title": "T", **fields}))
    known = KnownPages.read(feed)
    assert known.has_same(record)
    record.categories = ["B", "A"]
    assert known.has_same(record)
    record.categories = ["A"]
    assert not known.has_same(record)
    record.categories, record.revid = ["A", "B"], 6
    assert not known.has_same(record)


# Merging


def test_feeds_are_merged_in_their_order(tmp_path: Path) -> None:
    first, second, third = (tmp_path / name for name in "123")
    first.write_text(line("http://a/1") + line("http://a/2") + line("http://a/3"))
    second.write_text(
        line("http://a/2", change="modified", previous_url=None, revid=2)
        + line("http://a/9", change="moved", previous_url="http://a/3")
        + line("http://a/1", change="deleted", content="")
    )
    third.write_text(line("http://a/1", change="new", previous_url=None, revid=7))
    found = [json.loads(one) for one in merged([first, second, third])]
    assert found == [
        {"url": "http://a/2", "title": "http://a/2", "revid": 2},
        {"url": "http://a/9", "title": "http://a/9"},
        {"url": "http://a/1", "title": "http://a/1", "revid": 7},
    ]


def test_a_feed_without_changes_is_written_as_it_is(tmp_path: Path) -> None:
    feed = tmp_path / "pages.jsonl"
    text = '{"url":"http://a/1",  "title":"\\u00e9"}\n'
    feed.write_text(text + text.replace("/1", "/2").rstrip("\n"))
    assert b"".join(merged([feed])).decode() == text + text.replace("/1", "/2")


def test_what_is_appended_during_a_merge_is_left_out(tmp_path: Path) -> None:
    first, second = tmp_path / "1", tmp_path / "2"
    first.write_text(line("http://a/1") + line("http://a/2"))
    second.write_text(line("http://a/3"))
    lines = merged([first, second])
    found = [next(lines)]
    with first.open("a") as file:
        file.write(line("http://a/1", change="modified"))
    found += lines
    assert [json.loads(one)["url"] for one in found] == [f"http://a/{number}" for number in "123"]


def test_a_feed_that_loses_records_during_a_merge_is_reported(tmp_path: Path) -> None:
    first, second = tmp_path / "1", tmp_path / "2"
    first.write_text(line("http://a/1"))
    second.write_text(line("http://a/3"))
    lines = merged([first, second])
    next(lines)
    second.write_text("")
    with pytest.raises(ConfigError, match="has changed while it was read"):
        list(lines)
