"""A crawl with ``-a since=`` that is killed again and again, and goes on with its JOBDIR."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests import scrapy_runs
from tests.scrapy_runs import Running
from tests.servers.mediawiki import RealMediaWiki
from tests.servers.wiki_editor import WikiEditor
from tests.spiders.since.crawls import changes, merge, records

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.mediawiki
KILLS = 4


@pytest.fixture
def wiki(mediawiki_server: RealMediaWiki, tmp_path: Path) -> Iterator[RealMediaWiki]:
    with RealMediaWiki(tmp_path / "wiki") as server:
        yield server


def command(*arguments: str) -> list[str]:
    given = [one for argument in arguments for one in ("-a", argument)]
    pace = ("-s", "DOMAIN_THROTTLE_REQUESTS_PER_MINUTE=600", "-s", "WIKICRAWLER_CONTENT_WORKERS=0")
    return ["crawl", "wiki", *given, *pace]


def run(*command: str) -> None:
    done = scrapy_runs.run(command)
    assert done.returncode == 0, done.stderr


def kill_after(wiki: RealMediaWiki, requests: int, *command: str) -> bool:
    """Kill a crawl when the wiki has answered so many requests; False if it ended before."""
    wiki.clear_log()
    with (
        Path(os.devnull).open("w") as nothing,
        Running(command, stdout=nothing, stderr=nothing, start_new_session=True) as process,
    ):
        while process.poll() is None and len(wiki.access_log()) < requests:
            time.sleep(0.05)
        if process.poll() is not None:
            return False
        os.killpg(process.pid, signal.SIGKILL)
        return True


def test_a_kill_loses_nothing(wiki: RealMediaWiki, tmp_path: Path) -> None:
    editor = WikiEditor(wiki, tmp_path / "wiki")
    for number in range(20):
        editor.edit(f"Shell {number}", f"Shell number {number} lies on the beach.")
    editor.age()
    first, update, full = (tmp_path / f"{name}.jsonl" for name in ("first", "update", "full"))
    seeds = f"seeds={wiki.article_url('Main Page')}"
    run(*command(seeds, "all_pages=true"), "-O", str(first))
    for number in range(0, 20, 4):
        editor.append(f"Shell {number}", "It has changed.")
        editor.delete(f"Shell {number + 1}")
        editor.move(f"Shell {number + 2}", f"Moved shell {number}", redirect=False)
    editor.run_jobs()

    job = ("-o", str(update), "-s", f"JOBDIR={tmp_path / 'job'}")
    again = (*command(f"since={first}", "all_pages=true"), *job)
    killed = [kill_after(wiki, 4 + 3 * number, *again) for number in range(KILLS)]
    assert any(killed)
    run(*again)

    run(*command(seeds, "all_pages=true"), "-O", str(full))
    assert records(merge(tmp_path / "mirror.jsonl", first, update)) == records(full)
    found = changes(update)
    assert list(found.values()).count("moved") == 5
    assert len(update.read_text().splitlines()) == len(found)  # each once
