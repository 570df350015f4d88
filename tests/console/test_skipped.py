"""Each skipped page is logged, counted and written as a JSON line."""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from scrapy import Spider
from scrapy.utils.defer import deferred_f_from_coro_f
from scrapy.utils.test import get_crawler

from tests.crawling import Outcome, project_settings, run
from wikicrawler.console.skipped import SkippedPages
from wikicrawler.errors import ConfigError, Reason
from wikicrawler.signals import page_skipped

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

ATTEMPT = {"tier": "http", "reason": "blocked", "status": 403, "detail": "403"}
HOSTILE = "x\n2026-01-01 [scrapy] INFO: forged\r\x1b[2J\u2028\u202e\udcff\0"


class Skipping(Spider):
    """Spider that reports pages as skipped and reads *file* before it ends."""

    name = "skipping"
    outcome: Outcome

    def __init__(self, skips: list[dict[str, Any]], file: Path | None) -> None:
        super().__init__()
        self.skips = skips
        self.file = file
        self.seen = b""

    async def start(self) -> AsyncIterator[Any]:
        for skip in self.skips:
            self.crawler.signals.send_catch_log(page_skipped, **skip)
        if self.file and self.file.is_file():
            self.seen = self.file.read_bytes()
        return
        yield


def skip(
    url: str = "https://a.example/",
    reason: Reason = Reason.BLOCKED,
    detail: str = "",
    attempts: tuple[dict[str, Any], ...] = (),
) -> dict[str, Any]:
    return {"url": url, "reason": reason, "detail": detail, "attempts": list(attempts)}


async def crawl(*skips: dict[str, Any], file: Path | None = None, **settings: Any) -> Outcome:
    if file is not None:
        settings["WIKICRAWLER_SKIPPED_FILE"] = str(file)
    return await run(Skipping, project_settings(**settings), skips=list(skips), file=file)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "out" / "skipped.jsonl"


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in raw(path).splitlines()]


def raw(path: Path) -> bytes:
    return path.read_bytes()


def logged(caplog: pytest.LogCaptureFixture) -> list[tuple[str, str]]:
    records = [r for r in caplog.records if r.name == "wikicrawler.console.skipped"]
    return [(r.levelname, r.getMessage()) for r in records]


@deferred_f_from_coro_f
async def test_each_skipped_page_is_one_line_of_the_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    await crawl(
        skip("https://a.example/x", Reason.BLOCKED, "403"),
        skip("https://a.example/y", Reason.ROBOTS),
    )
    assert logged(caplog) == [
        ("INFO", "Skipped https://a.example/x: blocked (403)"),
        ("INFO", "Skipped https://a.example/y: robots"),
    ]


@deferred_f_from_coro_f
async def test_control_characters_in_a_skip_are_escaped(
    caplog: pytest.LogCaptureFixture, path: Path
) -> None:
    caplog.set_level(logging.INFO)
    url = "https://a.example/" + HOSTILE
    await crawl(skip(url, Reason.API_ERROR, HOSTILE + "y" * 10_000), file=path)
    ((_, message),) = logged(caplog)
    assert message.isprintable()
    assert len(message) < 2_000
    (entry,) = lines(path)
    assert entry["url"] == url
    assert raw(path).count(b"\n") == 1
    assert raw(path).isascii()


@deferred_f_from_coro_f
async def test_skipped_pages_are_counted_by_reason() -> None:
    reasons = (Reason.MISSING, Reason.MISSING, Reason.EMPTY)
    done = await crawl(*(skip(reason=reason) for reason in reasons))
    counted = {name: n for name, n in done.stats.items() if name.startswith("wikicrawler/")}
    assert counted == {
        "wikicrawler/skipped/count": 3,
        "wikicrawler/skipped/missing": 2,
        "wikicrawler/skipped/empty": 1,
    }


@deferred_f_from_coro_f
async def test_a_json_line_with_all_fields_is_written_at_once(path: Path) -> None:
    began = datetime.now(UTC).replace(microsecond=0)
    done = await crawl(
        skip("https://a.example/ß", Reason.BLOCKED, "refused", (ATTEMPT,)), file=path
    )
    assert isinstance(done.spider, Skipping)
    assert done.spider.seen == raw(path)
    (entry,) = lines(path)
    assert list(entry) == ["url", "reason", "detail", "attempts", "time"]
    time = datetime.fromisoformat(entry.pop("time"))
    assert time.utcoffset() == timedelta(0)
    assert began <= time <= datetime.now(UTC)
    assert entry == {
        "url": "https://a.example/ß",
        "reason": "blocked",
        "detail": "refused",
        "attempts": [ATTEMPT],
    }


@deferred_f_from_coro_f
async def test_a_new_crawl_overwrites_the_file(path: Path, tmp_path: Path) -> None:
    for url in ("https://a.example/1", "https://a.example/2"):
        await crawl(skip(url), file=path)
    await crawl(skip("https://a.example/3"), file=path, JOBDIR=str(tmp_path / "job"))
    assert [entry["url"] for entry in lines(path)] == ["https://a.example/3"]


@pytest.mark.parametrize("scheduler", ["wikicrawler.frontier.scheduler.FrontierScheduler", None])
@deferred_f_from_coro_f
async def test_a_resumed_crawl_appends_to_the_file_after_dropping_a_torn_line(
    path: Path, tmp_path: Path, scheduler: str | None
) -> None:
    settings = {"JOBDIR": str(tmp_path / "job")}
    settings["SCHEDULER"] = scheduler or "scrapy.core.scheduler.Scheduler"
    await crawl(skip("https://a.example/1"), file=path, **settings)
    with path.open("ab") as file:
        file.write(b'{"url": "https://a.ex')
    await crawl(skip("https://a.example/2"), file=path, **settings)
    assert [entry["url"][-1] for entry in lines(path)] == ["1", "2"]


@deferred_f_from_coro_f
async def test_a_page_skipped_again_after_a_kill_has_one_line(path: Path, tmp_path: Path) -> None:
    settings = {"JOBDIR": str(tmp_path / "job")}
    await crawl(skip("https://a.example/1"), file=path, **settings)
    with path.open("ab") as file:  # as if the process was killed before it could commit
        file.write(b'{"url": "https://a.example/2", "reason": "network"}\n')
    await crawl(skip("https://a.example/2"), skip("https://a.example/3"), file=path, **settings)
    assert [entry["url"][-1] for entry in lines(path)] == ["1", "2", "3"]


@deferred_f_from_coro_f
async def test_the_path_is_relative_to_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    await crawl(skip(), WIKICRAWLER_SKIPPED_FILE="skipped.jsonl")
    assert len(lines(tmp_path / "skipped.jsonl")) == 1


@pytest.mark.parametrize("name", [".", "file/skipped.jsonl", "a\0b"])
def test_a_path_that_cannot_be_written_fails_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").touch()
    crawler = get_crawler(settings_dict={"WIKICRAWLER_SKIPPED_FILE": name, "EXTENSIONS_BASE": {}})
    with pytest.raises(ConfigError, match=r"WIKICRAWLER_SKIPPED_FILE: .* cannot be written: "):
        SkippedPages.from_crawler(crawler)


@deferred_f_from_coro_f
async def test_a_full_disk_stops_the_crawl(caplog: pytest.LogCaptureFixture) -> None:
    done = await crawl(skip(), WIKICRAWLER_SKIPPED_FILE="/dev/full")
    assert "/dev/full: cannot be written: No space left on device" in caplog.text
    assert done.stats["finish_reason"] == "out_of_space"


@deferred_f_from_coro_f
async def test_logins_of_urls_are_removed_from_the_file(path: Path) -> None:
    url = "https://bob:hunter2@a.example/"
    await crawl(skip(url, detail=f"ValueError: {url}"), file=path)
    (line,) = lines(path)
    assert (line["url"], line["detail"]) == (
        "https://a.example/",
        "ValueError: https://***@a.example/",
    )
