"""Every fault alone, and all of them in one crawl."""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING, Any

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.crawling import project_settings, run
from tests.servers.hostile import ALL, Fault, HostileServer, judge
from wikicrawler.spiders.wiki import WikiSpider

if TYPE_CHECKING:
    from pathlib import Path

RETRY = {"429": [0.05], "503": [0.05], "timeout": [0.05], "network": [0.05]}


def lines(file: Path) -> list[dict[str, Any]]:
    """What is in a file of JSON lines, all of them whole and valid UTF-8."""
    text = file.read_bytes().decode() if file.exists() else ""
    assert not text or text.endswith("\n")
    return [json.loads(line) for line in text.split("\n")[:-1]]


@pytest.mark.parametrize("fault", ALL, ids=str)
@deferred_f_from_coro_f
async def test_alone(fault: Fault, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    with HostileServer([fault]) as server:
        (tmp_path / "sources.yml").write_text(server.sources())
        settings = {
            "WIKICRAWLER_RETRY": RETRY,
            "WIKICRAWLER_PRIVATE_HOSTS": [],
            "WIKICRAWLER_CONFIG": str(tmp_path / "sources.yml"),
            "WIKICRAWLER_SKIPPED_FILE": str(tmp_path / "skipped.jsonl"),
            "FEEDS": {str(tmp_path / "pages.jsonl"): {"format": "jsonlines"}},
            "DOMAIN_THROTTLE_MAX_RETRY_AFTER": 0.1,
            "RETRY_TIMES": 1,
            "DOWNLOAD_TIMEOUT": 1 if fault.slow else 20,
        }
        await run(
            WikiSpider,
            project_settings(**(settings | dict(fault.settings))),
            seeds=server.url(fault),
        )
        pages, skipped = lines(tmp_path / "pages.jsonl"), lines(tmp_path / "skipped.jsonl")
        assert judge(fault, server, pages, skipped) == []
        assert server.victim_hits == 0
    assert [r.getMessage() for r in caplog.records if r.levelno >= logging.ERROR] == []
    assert "Traceback" not in caplog.text
