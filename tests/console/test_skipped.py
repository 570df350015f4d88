"""Skipped pages: one log line, one count, one JSON line each."""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime, timedelta

import pytest
from scrapy import Spider, signals
from scrapy.utils.test import get_crawler

from wikicrawler.console.skipped import SkippedPages
from wikicrawler.errors import ConfigError, Reason
from wikicrawler.signals import page_skipped

ATTEMPT = {"tier": "http", "reason": "blocked", "status": 403, "detail": "403"}
HOSTILE = "x\n2026-01-01 [scrapy] INFO: forged\r\x1b[2J\u2028\u202e\udcff\0"


class Crawl:
    """A crawler with the extension, between its spider's opening and closing."""

    def __init__(self, **settings):
        self.crawler = get_crawler(settings_dict={"EXTENSIONS_BASE": {}, **settings})
        self.extension = SkippedPages.from_crawler(self.crawler)
        self.send(signals.spider_opened, spider=Spider("x"))

    def send(self, signal, **kwargs):
        for _, result in self.crawler.signals.send_catch_log(signal, **kwargs):
            assert result is None

    def skip(self, url="https://a.example/", reason=Reason.BLOCKED, detail="", attempts=()):
        self.send(page_skipped, url=url, reason=reason, detail=detail, attempts=list(attempts))

    def close(self):
        self.send(signals.spider_closed, spider=Spider("x"), reason="finished")


@pytest.fixture
def path(tmp_path):
    return tmp_path / "out" / "skipped.jsonl"


def lines(path):
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def test_a_skipped_page_is_one_line_of_the_log(caplog):
    crawl = Crawl()
    caplog.set_level(logging.INFO)
    crawl.skip("https://a.example/x", Reason.BLOCKED, "403")
    crawl.skip("https://a.example/y", Reason.ROBOTS)
    assert [(r.levelname, r.getMessage()) for r in caplog.records] == [
        ("INFO", "Skipped https://a.example/x: blocked (403)"),
        ("INFO", "Skipped https://a.example/y: robots"),
    ]


def test_what_a_page_says_forges_no_line(caplog, path):
    crawl = Crawl(WIKICRAWLER_SKIPPED_FILE=str(path))
    caplog.set_level(logging.INFO)
    crawl.skip("https://a.example/" + HOSTILE, Reason.API_ERROR, HOSTILE + "y" * 10_000)
    (record,) = caplog.records
    assert record.getMessage().isprintable()
    assert len(record.getMessage()) < 2_000
    (entry,) = lines(path)
    assert entry["url"] == "https://a.example/" + HOSTILE
    assert path.read_bytes().count(b"\n") == 1
    assert path.read_bytes().isascii()


def test_skipped_pages_are_counted_by_reason():
    crawl = Crawl()
    for reason in (Reason.MISSING, Reason.MISSING, Reason.EMPTY):
        crawl.skip(reason=reason)
    assert crawl.crawler.stats.get_stats() == {
        "wikicrawler/skipped/count": 3,
        "wikicrawler/skipped/missing": 2,
        "wikicrawler/skipped/empty": 1,
    }


def test_a_json_line_says_all_of_it_at_once(path):
    crawl = Crawl(WIKICRAWLER_SKIPPED_FILE=str(path))
    assert path.read_bytes() == b""
    crawl.skip("https://a.example/ß", Reason.BLOCKED, "refused", [ATTEMPT])
    (entry,) = lines(path)  # before the crawl ends
    assert list(entry) == ["url", "reason", "detail", "attempts", "time"]
    time = datetime.fromisoformat(entry.pop("time"))
    assert time.utcoffset() == timedelta(0)
    assert abs(datetime.now(UTC) - time) < timedelta(minutes=1)
    assert entry == {
        "url": "https://a.example/ß",
        "reason": "blocked",
        "detail": "refused",
        "attempts": [ATTEMPT],
    }


def test_a_new_crawl_starts_the_file_anew(path):
    for url in ("https://a.example/1", "https://a.example/2"):
        crawl = Crawl(WIKICRAWLER_SKIPPED_FILE=str(path))
        crawl.skip(url)
        crawl.close()
    assert [entry["url"] for entry in lines(path)] == ["https://a.example/2"]


def test_a_resumed_crawl_goes_on_after_a_torn_line(path, tmp_path):
    path.parent.mkdir()
    path.write_bytes(b'{"url": "https://a.example/1"}\n{"url": "https://a.ex')
    crawl = Crawl(WIKICRAWLER_SKIPPED_FILE=str(path), JOBDIR=str(tmp_path))
    crawl.skip("https://a.example/2")
    crawl.skip("https://a.example/3")
    crawl.close()
    first, torn, second, third = path.read_text().splitlines()
    assert torn == '{"url": "https://a.ex'
    assert [json.loads(line)["url"][-1] for line in (first, second, third)] == ["1", "2", "3"]


def test_the_path_is_relative_to_the_working_directory(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    crawl = Crawl(WIKICRAWLER_SKIPPED_FILE="skipped.jsonl")
    crawl.skip()
    assert len(lines(tmp_path / "skipped.jsonl")) == 1


@pytest.mark.parametrize("name", [".", "file/skipped.jsonl", "a\0b"])
def test_a_path_that_cannot_be_written_ends_the_start(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").touch()
    with pytest.raises(ConfigError, match=r"WIKICRAWLER_SKIPPED_FILE: .* cannot be written: "):
        Crawl(WIKICRAWLER_SKIPPED_FILE=name)


def test_a_full_disk_is_logged_and_counted_and_ends_nothing(caplog):
    crawl = Crawl(WIKICRAWLER_SKIPPED_FILE="/dev/full")
    crawl.skip()
    assert "/dev/full: a line could not be written: No space left on device" in caplog.text
    assert crawl.crawler.stats.get_value("wikicrawler/skipped/lost_lines") == 1


def test_the_file_has_no_login_of_a_url(path):
    crawl = Crawl(WIKICRAWLER_SKIPPED_FILE=str(path))
    crawl.skip(
        "https://bob:hunter2@a.example/", detail="ValueError: https://bob:hunter2@a.example/"
    )
    crawl.close()
    (line,) = lines(path)
    assert (line["url"], line["detail"]) == (
        "https://a.example/",
        "ValueError: https://***@a.example/",
    )
