"""What is left of a crawl whose program is interrupted or killed: nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.fields.scraper.processes import SECONDS, children_of, has_ended
from tests.fields.scraper.scraping import SETTINGS, page

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.servers.openai_model import ScriptedModel
    from tests.servers.scripted import ScriptedServer

ROOT = Path(__file__).parents[3]
HEAD = """
import asyncio, sys, time
from wikicrawler.fields import Scraper, scrape_many_sync
url, base_url = sys.argv[1:]
urls = [f"{url}?{number}" for number in range(50)]
given = dict(model="any", base_url=base_url, api_keys=["sk-one"], settings=%r)
"""
WITH_LOOP = """
async def main():
    async with Scraper(**given) as scraper:
        async for result in scraper.scrape_many(urls, "title"):
            print(result.data, flush=True)
            await asyncio.sleep(600)
asyncio.run(main())
"""
WITHOUT_LOOP = """
for result in scrape_many_sync(urls, "title", **given):
    print(result.data, flush=True)
    time.sleep(600)
"""
WITHOUT_END = """
results = scrape_many_sync(urls, "title", **given)
print(next(results).data, flush=True)
sys.stdin.read()
"""


@contextmanager
def program(
    source: str, site: ScriptedServer, model: ScriptedModel
) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """Run *source* until it has a result; yield it and the process id of its crawl."""
    site.on("/", page("Home"))
    process = subprocess.Popen(
        [sys.executable, "-c", HEAD % SETTINGS + source, site.url("/"), model.base_url],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=ROOT,
        text=True,
        start_new_session=True,
    )
    with process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "{'title': 'Home'}\n"
            (crawl,) = children_of(process.pid)
            yield process, crawl
        finally:
            process.kill()


@pytest.mark.parametrize("source", [WITH_LOOP, WITHOUT_LOOP])
def test_ctrl_c_ends_the_crawl(source: str, site: ScriptedServer, model: ScriptedModel) -> None:
    with program(source, site, model) as (process, crawl):
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does
        assert process.wait(SECONDS) in {1, -signal.SIGINT}
        assert has_ended(crawl)


@pytest.mark.parametrize("source", [WITH_LOOP, WITHOUT_LOOP])
def test_a_kill_ends_the_crawl(source: str, site: ScriptedServer, model: ScriptedModel) -> None:
    with program(source, site, model) as (process, crawl):
        process.kill()
        process.wait(SECONDS)
        assert has_ended(crawl)


def test_the_end_of_the_program_ends_the_crawl(site: ScriptedServer, model: ScriptedModel) -> None:
    with program(WITHOUT_END, site, model) as (process, crawl):
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(SECONDS) == 0
        assert has_ended(crawl)


def test_the_import_is_light() -> None:
    source = "import sys, wikicrawler.fields; print(*{n.partition('.')[0] for n in sys.modules})"
    done = subprocess.run(
        [sys.executable, "-c", source], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert not {"scrapy", "twisted", "sqlalchemy"} & set(done.stdout.split())
    assert "pydantic" in done.stdout
