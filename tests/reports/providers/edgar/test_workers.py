"""Answers are read in the worker processes of a crawl."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.reports.fetcher import PlainFetcher
from tests.reports.providers.edgar.asking import asking
from wikicrawler.content.workers.pool import ConversionPool
from wikicrawler.reports.providers.edgar.values import AnswerError

if TYPE_CHECKING:
    from collections.abc import Callable


class WorkerFetcher(PlainFetcher):
    """Runs functions in real worker processes."""

    pool: ConversionPool

    async def run(self, function: Callable[..., Any], *arguments: Any) -> Any:
        return await self.pool.run("an answer", function, *arguments)


@deferred_f_from_coro_f
async def test_all_answers_are_read_in_workers() -> None:
    with asking() as made:
        fetch = made.fetch = WorkerFetcher(made.clock)
        fetch.pool = ConversionPool(workers=1, cpu_seconds=20, wall_seconds=60, memory_mb=300)
        try:
            found = await made.find(name="Demo")
            assert [source.priority_score for source in found] == [5, 20]
            made.sec.replace("/submissions/CIK0000000043.json", b"[" * 1_000_000)
            with pytest.raises(AnswerError, match="is nested too deep"):
                await made.find(cik=43)
            many = b'{"a":[' + b'{"b":{}},' * 1_500_000 + b"1]}"
            made.sec.replace("/submissions/CIK0000000044.json", many)
            with pytest.raises(AnswerError, match="could not be read: memory_limit"):
                await made.find(cik=44)
            assert await made.find(2022)
        finally:
            await fetch.pool.close()
