"""The child process of a scraper as the scraper sees it: its messages, its death and its end."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.fields.llm.wire import run
from tests.fields.scraper.processes import children_of, has_ended, soon
from wikicrawler.fields.definitions.define import define_fields
from wikicrawler.fields.errors import AllKeysExhaustedError, ConfigError, ScraperError
from wikicrawler.fields.llm.errors import QuotaExhaustedError
from wikicrawler.fields.models import ScraperConfig
from wikicrawler.fields.scraper.service import FieldService

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

KEY = "sk-correct-horse-battery"
FIELDS = define_fields("title")
URL = "https://books.example/1"


@asynccontextmanager
async def service(
    act: str, *, close_seconds: float = 60.0, verbose: bool = False
) -> AsyncIterator[FieldService]:
    config = ScraperConfig(model=act, api_keys=(KEY,), verbose=verbose)
    module = "tests.fields.scraper.scripted_service"
    found = FieldService(config, {}, module=module, close_seconds=close_seconds)
    await found.start()
    try:
        yield found
    finally:
        await found.close()


async def ask(act: str, *, verbose: bool = False) -> str:
    """Ask a process that acts as *act* says for a page."""
    async with service(act, verbose=verbose) as found, found.job(FIELDS) as job:
        done = await job.page(URL)
    return str(done.result.data["said"])


def test_a_page_is_asked_for_and_answered() -> None:
    assert run(ask("answers")) == f"answers: {URL}"
    assert children_of() == []


def test_pages_are_told_apart() -> None:
    async def work() -> list[str]:
        async with service("answers") as found, found.job(FIELDS) as job:
            done = await asyncio.gather(*(job.page(f"{URL}{number}") for number in range(20)))
        return [one.result.url for one in done]

    assert run(work()) == [f"{URL}{number}" for number in range(20)]


def test_no_key_stands_where_other_users_see_it() -> None:
    async def work() -> bytes:
        async with service("answers"):
            (pid,) = children_of()
            found = Path(f"/proc/{pid}")
            return (found / "cmdline").read_bytes() + (found / "environ").read_bytes()

    assert KEY.encode() not in run(work())


def test_a_process_that_dies_is_an_error_with_the_end_of_its_log() -> None:
    with pytest.raises(ScraperError, match=r"ended \(by signal 9\): make a new Scraper") as caught:
        run(ask("dies"))
    assert caught.value.details["exit_code"] == -9
    assert "got page" in caught.value.details["log"]
    assert r"\x1b[31mdying" in caught.value.message
    assert "\x1b" not in caught.value.message
    assert children_of() == []


def test_after_its_death_further_pages_are_the_same_error() -> None:
    async def work() -> None:
        async with service("dies") as found, found.job(FIELDS) as job:
            both = await asyncio.gather(job.page(URL), job.page(URL), return_exceptions=True)
            assert [type(one) for one in both] == [ScraperError] * 2
            with pytest.raises(ScraperError, match="signal 9"):
                await job.page(URL)
            with pytest.raises(ScraperError, match="signal 9"):
                async with found.job(FIELDS):
                    pass

    run(work())


def test_what_is_no_message_ends_it() -> None:
    with pytest.raises(ScraperError, match="sent what is no message"):
        run(ask("babbles"))
    assert children_of() == []


def test_a_process_that_sends_no_more_is_ended() -> None:
    async def work() -> None:
        async with service("closes", close_seconds=0.1) as found, found.job(FIELDS) as job:
            await job.page(URL)

    with pytest.raises(ScraperError, match="signal 9"):
        run(work())
    assert children_of() == []


def test_a_process_that_cannot_start_says_why() -> None:
    with pytest.raises(ConfigError, match="LOG_LEVEL is 5") as refused:
        run(ask("refuses"))
    assert refused.value.details == {"setting": "LOG_LEVEL"}
    with pytest.raises(ScraperError, match="ImportError: there is no such module"):
        run(ask("breaks"))
    assert children_of() == []


def test_an_error_of_a_job_is_raised_as_it_was() -> None:
    with pytest.raises(QuotaExhaustedError, match="no money is left") as caught:
        run(ask("is out of money"))
    assert isinstance(caught.value, AllKeysExhaustedError)
    assert caught.value.details == {"reason": "insufficient_quota"}


def test_the_answer_to_a_dropped_page_is_nobodys() -> None:
    async def work() -> str:
        async with service("answers the second") as found, found.job(FIELDS) as job:
            task = asyncio.create_task(job.page("https://books.example/first"))
            await asyncio.sleep(0)  # it is asked for
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            # The script answers to the drop before it answers to this one.
            return (await job.page(URL)).result.url

    assert run(work()) == URL


@pytest.mark.parametrize("verbose", [True, False])
def test_the_log_is_shown_on_demand(verbose: bool, capfd: pytest.CaptureFixture[str]) -> None:
    run(ask("answers", verbose=verbose))
    assert ("got page" in capfd.readouterr().err) is verbose


def test_a_page_in_work_ends_with_the_service() -> None:
    async def work() -> None:
        async with service("waits") as found, found.job(FIELDS) as job:
            task = asyncio.create_task(job.page(URL))
            await asyncio.sleep(0)
            await found.close()
            with pytest.raises(ScraperError, match="closed"):
                await task

    run(work())
    assert children_of() == []


def test_a_process_that_does_not_end_is_killed() -> None:
    async def work() -> int:
        async with service("never ends", close_seconds=0.1):
            (pid,) = children_of()
            return pid

    assert has_ended(run(work()))


def test_a_start_that_is_cancelled_leaves_no_process() -> None:
    async def work() -> None:
        config = ScraperConfig(model="answers")
        found = FieldService(config, {}, module="tests.fields.scraper.scripted_service")
        task = asyncio.create_task(found.start())
        assert await asyncio.to_thread(soon, children_of)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    run(work())
    assert children_of() == []


def test_no_descriptor_is_left() -> None:
    def descriptors() -> int:
        return len(list(Path("/proc/self/fd").iterdir()))

    run(ask("answers"))
    before = descriptors()
    for _ in range(3):
        run(ask("answers"))
    assert descriptors() <= before
