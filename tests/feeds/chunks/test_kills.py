"""Real crawls that write chunks beside pages, and are killed or run out of space."""

from __future__ import annotations

import json
import os
import random
import time
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

import pytest

from tests.frontier.sites import Crawl, ManyPages
from tests.frontier.test_processes import fill, mounted

if TYPE_CHECKING:
    from pathlib import Path

KILLS = 20
PAGES = 400
OUTPUT = ("-o", "pages.jsonl", "-o", "chunks.jsonl:chunks")
ARGUMENTS = ("-s", "JOBDIR=job", "-s", "WIKICRAWLER_CHUNK_TOKENS=40")


def groups(path: Path) -> dict[str, list[dict[str, Any]]]:
    """The chunks in the file by page. Each page has all of them, once, on consecutive lines."""
    found: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    last = ""
    for line in path.read_bytes().splitlines():
        chunk = json.loads(line)
        assert chunk["url"] == last or chunk["url"] not in found
        last = chunk["url"]
        found[last].append(chunk)
    for chunks in found.values():
        assert [one["index"] for one in chunks] == list(range(chunks[0]["count"]))
    return found


def same_text(path: Path, chunks: dict[str, list[dict[str, Any]]]) -> None:
    """The chunks are those of the pages in the file."""
    for line in path.read_bytes().splitlines():
        page = json.loads(line)
        for one in chunks[page["url"]]:
            assert one["text"] == one["prefix"] + page["content"][one["start"] : one["end"]]


@pytest.mark.timeout(1800)
def test_a_crawl_that_is_killed_again_and_again_has_the_chunks_of_each_page_once(
    tmp_path: Path,
) -> None:
    seed = os.environ.get("WIKICRAWLER_KILL_SEED") or str(time.time_ns())
    chance = random.Random(seed)  # noqa: S311
    print(f"WIKICRAWLER_KILL_SEED={seed}")  # noqa: T201
    cut = 0
    with ManyPages(PAGES) as site:
        (tmp_path / "whole").mkdir()
        whole = Crawl(tmp_path / "whole", f"{site.url}/0")
        assert whole.run(*ARGUMENTS, output=OUTPUT) == 0, whole.log[-3000:]
        expected = groups(tmp_path / "whole" / "chunks.jsonl")
        assert min(map(len, expected.values())) > 2
        crawl = Crawl(tmp_path, f"{site.url}/0")
        path = tmp_path / "chunks.jsonl"
        for left in range(KILLS, 0, -1):
            pages = len(crawl.lines())
            until = pages + chance.randint(1, max(1, 2 * (PAGES - pages) // left))
            process = crawl.start(*ARGUMENTS, output=OUTPUT)
            crawl.wait_for(lambda end=until: len(crawl.lines()) >= end, process)
            time.sleep(chance.uniform(0, 0.02))
            process.kill()
            process.wait(120)
            cut += tear(path, expected, chance)
        assert crawl.run(*ARGUMENTS, output=OUTPUT) == 0, crawl.log[-3000:]
    assert set(crawl.written()) == site.urls()
    assert set(crawl.written().values()) == {1}
    found = groups(path)
    assert {url: [one["id"] for one in chunks] for url, chunks in found.items()} == {
        url: [one["id"] for one in chunks] for url, chunks in expected.items()
    }
    same_text(tmp_path / "pages.jsonl", found)
    assert cut > KILLS // 2
    assert crawl.log.count("the chunks of its last page were torn") >= cut
    assert "Traceback" not in crawl.log


def tear(path: Path, expected: dict[str, list[dict[str, Any]]], chance: random.Random) -> bool:
    """Leave in the file what a kill in the middle of a group leaves, of a page that it lacks; a
    kill rarely meets a write so short. Return whether whole lines are among it."""
    data = path.read_bytes()
    if data and not data.endswith(b"\n"):
        return False  # the kill has torn a line itself
    written = Counter(json.loads(line)["url"] for line in data.splitlines())
    missing = sorted(set(expected) - set(written))
    if not missing:
        return False
    group = expected[chance.choice(missing)]
    text = b"".join(json.dumps(one).encode() + b"\n" for one in group)
    torn = text[: chance.randrange(text.index(b"\n") + 1, len(text) - 1)]
    path.write_bytes(data + torn)
    return True


@pytest.mark.skipif(os.geteuid() != 0, reason="mounts a file system")
def test_a_full_disk_leaves_whole_groups_and_the_crawl_goes_on(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    output = ("-o", "pages.jsonl", "-o", f"{disk}/chunks.jsonl:chunks")
    with ManyPages(120, delay=0.02) as site, mounted(disk, "size=2m"):
        crawl = Crawl(tmp_path, f"{site.url}/0")
        process = crawl.start(
            *ARGUMENTS, "-s", "DOMAIN_THROTTLE_REQUESTS_PER_MINUTE=1200", output=output
        )
        crawl.wait_for(lambda: len(crawl.lines()) > 5, process)
        fill(disk / "filler")
        assert process.wait(120) == 4, crawl.log[-2000:]
        assert 0 < len(groups(disk / "chunks.jsonl")) < site.count
        (disk / "filler").unlink()
        assert crawl.run(*ARGUMENTS, output=output) == 0, crawl.log[-2000:]
        assert set(groups(disk / "chunks.jsonl")) == site.urls() == set(crawl.written())
        assert set(crawl.written().values()) == {1}
    assert "Traceback" not in crawl.log
