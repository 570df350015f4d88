"""The watch that a crawl of all faults is judged by."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

from scrapy import Request, Spider
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.crawling import project_settings, run
from tests.servers.watch import Watch

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

BUSY = 0.3


class Busy(Spider):
    name = "busy"

    async def start(self) -> AsyncIterator[Request]:
        yield Request("data:,x")

    def parse(self, response: Any) -> None:
        until = time.thread_time() + BUSY
        while time.thread_time() < until:
            pass


@deferred_f_from_coro_f
async def test_a_loop_that_is_held_up_is_seen(tmp_path: Path) -> None:
    file = tmp_path / "watch.json"
    await run(Busy, project_settings(EXTENSIONS={Watch: 0}, WATCH_FILE=str(file)))
    watched = json.loads(file.read_text())
    assert watched["longest_turn"] >= BUSY
    assert watched["peak_mb"] > 10
