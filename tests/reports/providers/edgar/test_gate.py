"""Fair access: the pace of all requests, and the silence after a block."""

from __future__ import annotations

import asyncio
import itertools
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.reports.fetcher import PlainFetcher
from tests.reports.providers.edgar.asking import DEMO, asking
from wikicrawler.errors import TierInterruptedError
from wikicrawler.reports.errors import (
    DocumentNotFoundError,
    FetchError,
    Outcome,
    RateLimitExceededError,
    RequestTimeoutError,
)
from wikicrawler.reports.models import CompanyRef

if TYPE_CHECKING:
    from pathlib import Path

    from tests.reports.providers.edgar.asking import Asking

MANY = [replace(DEMO, cik=cik, name=f"Demo {cik}", tickers=(f"D{cik}",)) for cik in range(42, 62)]


def most_in_a_second(times: list[float]) -> int:
    """The largest number of requests in any second, whenever it begins."""
    return max(sum(start <= time < start + 1 for time in times) for start in times)


@deferred_f_from_coro_f
async def test_all_hosts_together_get_eight_requests_a_second() -> None:
    with asking(*MANY) as made:
        await asyncio.gather(*(made.find(ticker=company.tickers[0]) for company in MANY))
        assert {request.host for request in made.sec.requests} == {"www", "data"}
        times = [request.time for request in made.sec.requests]
        assert len(times) == 1 + 3 * len(MANY)
        assert most_in_a_second(times) == 8
        assert made.fetch.slots == {"sec.gov"}


@deferred_f_from_coro_f
async def test_a_lower_rate_is_kept() -> None:
    with asking(requests_per_second=0.5) as made:
        await made.find()
        times = [request.time for request in made.sec.requests]
        assert min(b - a for a, b in itertools.pairwise(times)) >= 2


@deferred_f_from_coro_f
async def test_slow_answers_do_not_let_more_requests_arrive_in_a_second() -> None:
    class Slow(PlainFetcher):
        """Each second request takes half a second to arrive."""

        async def get(self, url: str, **options: object) -> object:  # type: ignore[override]
            if len(made.sec.requests) % 9 == 0:
                self.clock.now += 0.5
            return await super().get(url, **options)  # type: ignore[arg-type]

    with asking(*MANY) as made:
        made.fetch = Slow(made.clock)
        for company in MANY:
            await made.find(cik=company.cik)
        assert most_in_a_second([request.time for request in made.sec.requests]) <= 8


@pytest.mark.parametrize(
    ("status", "undeclared"), [(403, False), (403, True), (200, False), (429, False)]
)
@deferred_f_from_coro_f
async def test_a_block_is_followed_by_ten_minutes_of_silence(status: int, undeclared: bool) -> None:
    with asking(*MANY) as made:
        await made.find(cik=42)
        before = len(made.sec.requests)
        made.sec.block(1, status, undeclared)
        found = await asyncio.gather(*(made.find(cik=company.cik) for company in MANY))
        assert all(found)
        blocked, first = made.sec.requests[before : before + 2]
        assert blocked.path == first.path
        assert first.time - blocked.time >= 600
        assert {request.status for request in made.sec.requests[before + 1 :]} == {200}


@deferred_f_from_coro_f
async def test_a_second_block_fails_all_requests_until_the_silence_ends() -> None:
    with asking(*MANY) as made:
        made.sec.block(2)
        outcomes = await asyncio.gather(
            *(made.find(cik=company.cik) for company in MANY), return_exceptions=True
        )
        assert {type(outcome) for outcome in outcomes} == {RateLimitExceededError}
        assert len(made.sec.requests) == 2
        assert "Request Rate Threshold" in str(outcomes[0])
        assert "SEC blocks this address, for another 600 s" in str(outcomes[1])
        assert isinstance(outcomes[1], RateLimitExceededError)
        assert outcomes[1].retry_after == 600
        made.clock.now += 599
        with pytest.raises(RateLimitExceededError, match="for another 1 s"):
            await made.find(cik=42)
        made.clock.now += 1
        assert await made.find(cik=42)
        assert made.sec.requests[2].time - made.sec.requests[1].time >= 600


@deferred_f_from_coro_f
async def test_a_request_after_two_blocks_that_is_blocked_fails_at_once() -> None:
    with asking() as made:
        made.sec.block(3)
        for _ in range(2):
            with pytest.raises(RateLimitExceededError, match="Request Rate Threshold"):
                await made.find()
            made.clock.now += 600
        assert len(made.sec.requests) == 3
        assert await made.find()


@deferred_f_from_coro_f
async def test_an_undeclared_user_agent_is_told_what_to_set() -> None:
    with asking() as made:
        made.fetch.user_agent = "somebody"
        with pytest.raises(RateLimitExceededError, match="set WIKICRAWLER_CONTACT"):
            await made.find()


@deferred_f_from_coro_f
async def test_errors_of_the_server_are_retried_by_the_provider() -> None:
    with asking() as made:
        made.sec.fail("/submissions/", 2)
        assert await made.find()
        assert [delay for delay in made.fetch.sleeps if delay >= 2] == [2, 8]
        made.sec.fail("index.htm", 3)
        with pytest.raises(FetchError, match=r"0000000042-22-000106-index\.htm.*answers 500"):
            await made.find(2022)


@deferred_f_from_coro_f
async def test_a_busy_server_is_no_block() -> None:
    with asking() as made:
        made.sec.replace("/submissions/CIK0000000042.json", b"", 503)
        with pytest.raises(RateLimitExceededError, match="answers 503"):
            await made.find()
        assert len(made.sec.requests) == 3
        assert sum(made.fetch.sleeps) < 20


@deferred_f_from_coro_f
async def test_time_outs_are_retried_and_robots_is_not() -> None:
    with asking() as made:
        made.fetch.failures = [RequestTimeoutError("no answer"), FetchError("reset")]
        assert await made.find()
        made.fetch.failures = [RequestTimeoutError("no answer")] * 3
        with pytest.raises(RequestTimeoutError, match=r"index\.htm: no answer"):
            await made.find(2022)
        asked = len(made.sec.requests)
        made.fetch.failures = [FetchError("robots.txt", Outcome.ROBOTS)]
        with pytest.raises(FetchError, match=r"robots\.txt"):
            await made.find(2022)
        assert len(made.sec.requests) == asked


@pytest.mark.parametrize("error", [TierInterruptedError("stopped"), asyncio.CancelledError()])
@deferred_f_from_coro_f
async def test_a_stop_passes_and_the_next_request_is_sent(error: Exception) -> None:
    with asking() as made:
        made.fetch.failures = [error]
        with pytest.raises(type(error)):
            await made.find()
        assert await made.find()


@deferred_f_from_coro_f
async def test_a_stop_ends_the_silence() -> None:
    class Stopping(PlainFetcher):
        async def sleep(self, seconds: float) -> None:
            raise TierInterruptedError("stopped")

    with asking() as made:
        made.sec.block()
        with pytest.raises(TierInterruptedError):
            await made.provider.find(CompanyRef(cik="42"), 2023, ("10-K",), Stopping(made.clock))
        assert len(made.sec.requests) == 1


@pytest.mark.parametrize("status", [404, 403])
@deferred_f_from_coro_f
async def test_a_missing_file_is_no_block(status: int) -> None:
    with asking(missing_status=status) as made:
        with pytest.raises(DocumentNotFoundError, match="SEC has no company with the CIK 4711"):
            await made.find(cik=4711)
        assert len(made.sec.requests) == 1
        assert await made.find()


@deferred_f_from_coro_f
async def test_other_statuses_fail_at_once() -> None:
    with asking() as made:
        made.sec.replace("/submissions/CIK0000000042.json", b"<p>No.", 403)
        with pytest.raises(FetchError, match=r"CIK0000000042\.json: answers 403"):
            await made.find()
        assert len(made.sec.requests) == 1


# --- Downloads


async def download(made: Asking, target: Path) -> bytes:
    source = await made.best(2023, cik="42")
    assert source is not None
    company = CompanyRef(cik="42")
    saved = await made.provider.download(source, company, 2023, target, made.fetch)
    assert saved.path == target
    return await asyncio.to_thread(target.read_bytes)


@pytest.mark.parametrize("status", [403, 200, 429])
@deferred_f_from_coro_f
async def test_a_block_in_place_of_a_document_is_followed_by_silence(
    status: int, tmp_path: Path
) -> None:
    with asking() as made:
        await made.find()
        made.sec.block(1, status)
        assert b"For the fiscal year ended December 31, 2023" in await download(
            made, tmp_path / "report"
        )
        blocked, again = made.sec.requests[-2:]
        assert blocked.path == again.path
        assert again.time - blocked.time >= 600
        made.sec.block(2, status)
        with pytest.raises(RateLimitExceededError):
            await download(made, tmp_path / "other")
        assert not (tmp_path / "other").exists()


@deferred_f_from_coro_f
async def test_downloads_keep_the_pace_and_are_retried(tmp_path: Path) -> None:
    with asking() as made:
        await made.find()
        made.sec.fail("dmo-20231231.htm", 1)
        for number in range(10):
            assert await download(made, tmp_path / f"{number}")
        assert most_in_a_second([request.time for request in made.sec.requests]) <= 8
        assert made.fetch.slots == {"sec.gov"}


@pytest.mark.parametrize("status", [404, 403])
@deferred_f_from_coro_f
async def test_a_missing_document_is_not_found(status: int, tmp_path: Path) -> None:
    with asking(missing_status=status) as made:
        source = await made.best(2023, cik="42")
        assert source is not None
        made.sec.companies.clear()
        with pytest.raises(DocumentNotFoundError, match=r"dmo-20231231\.htm"):
            await made.provider.download(
                source, CompanyRef(cik="42"), 2023, tmp_path / "x", made.fetch
            )


@deferred_f_from_coro_f
async def test_a_rate_limit_without_a_status_is_a_block(tmp_path: Path) -> None:
    with asking() as made:
        source = await made.best(2023, cik="42")
        assert source is not None
        made.fetch.failures = [RateLimitExceededError("busy")]
        await download(made, tmp_path / "report")
        assert max(made.fetch.sleeps) >= 599


@deferred_f_from_coro_f
async def test_a_refused_document_is_an_error_and_no_block(tmp_path: Path) -> None:
    with asking() as made:
        source = await made.best(2023, cik="42")
        assert source is not None
        made.sec.replace(f"/{str(source.url).split('/', 3)[3]}", b"<p>No.", 403)
        with pytest.raises(FetchError, match="answers 403"):
            await download(made, tmp_path / "report")
        assert made.sec.requests[-2].path != made.sec.requests[-1].path


@deferred_f_from_coro_f
async def test_a_long_report_that_mentions_a_block_is_a_report(tmp_path: Path) -> None:
    body = b"<html>" + b"<p>Request Rate Threshold Exceeded</p>" * 5000
    with asking() as made:
        source = await made.best(2023, cik="42")
        assert source is not None
        made.sec.replace(f"/{str(source.url).split('/', 3)[3]}", body)
        assert await download(made, tmp_path / "report") == body
