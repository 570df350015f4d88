"""A crawl with a damaged state folder ends whole, or says what is wrong.

Each damage is random by its number. ``WIKICRAWLER_DAMAGES`` of them meet a whole ``scrapy crawl``
(24 in CI, else 6). The others do without: the folder yields what it held, or it is refused.
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import threading
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.frontier.damages import DAMAGES, DATABASE, FEED_DAMAGES
from tests.frontier.sites import Crawl, ManyPages
from wikicrawler.errors import StateError
from wikicrawler.frontier.protocol import FrontierError, Unreadable
from wikicrawler.frontier.spider_state import JsonSpiderState
from wikicrawler.frontier.sqlite.commit_mark import read_mark
from wikicrawler.frontier.state_folder import StateFolder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

IN_ALL = 200
CRAWLS = int(os.environ.get("WIKICRAWLER_DAMAGES") or (24 if os.environ.get("CI") == "true" else 6))
PAGES = 80
JOB = ("-s", "JOBDIR=job", "-s", "WIKICRAWLER_SKIPPED_FILE=skipped.jsonl")
NOBODY = 65534


class HeldPages(ManyPages):
    """A site that answers *few* pages, and the others when it is set free."""

    def __init__(self) -> None:
        super().__init__(PAGES, delay=0.05, holes=9)
        self.free = threading.Event()
        self.free.set()
        self.few = 0

    def answer(self, path: str) -> tuple[int, str, str]:
        if len(self.asked) > self.few:
            self.free.wait(600)
        return super().answer(path)


def until(crawl: Crawl, site: HeldPages, requests: int, number: signal.Signals) -> None:
    """Crawl until the site has answered so many, and end the process when all is committed."""
    site.asked.clear()
    site.few = requests
    site.free.clear()
    process = crawl.start(*JOB)
    seen: list[object] = []

    def is_quiet() -> bool:
        # Nothing is committed any more: the looks of over half a second are the same.
        seen.append((len(site.asked), len(crawl.lines()), read_mark(crawl.folder / "job")))
        return len(site.asked) > requests and len(set(seen[-60:])) == 1

    crawl.wait_for(is_quiet, process)
    process.send_signal(number)
    if number == signal.SIGKILL:
        process.wait()
    site.free.set()
    assert process.wait(600) in {-number, 128 + number}


class Bases(NamedTuple):
    """Crawls in the middle, each with its state of an earlier moment in ``earlier``."""

    site: HeldPages
    killed: Crawl
    settled: Crawl
    """As *killed*, with all in the main file of the database."""

    def copy(self, chance: random.Random, folder: Path) -> Crawl:
        base = chance.choice([self.killed, self.settled])
        shutil.copytree(base.folder, folder, dirs_exist_ok=True)
        return Crawl(folder, base.seeds)


@pytest.fixture(scope="module")
def bases(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bases]:
    with HeldPages() as site:
        killed = Crawl(tmp_path_factory.mktemp("killed"), f"{site.url}/0")
        until(killed, site, 6, signal.SIGTERM)  # leaves a spider.state
        until(killed, site, 14, signal.SIGKILL)
        shutil.copytree(killed.folder / "job", killed.folder / "earlier")
        until(killed, site, 14, signal.SIGKILL)
        assert 20 <= len(killed.lines()) < PAGES
        folder = tmp_path_factory.mktemp("settled")
        shutil.copytree(killed.folder, folder, dirs_exist_ok=True)
        database = sqlite3.connect(folder / "job" / DATABASE)
        (commits,) = database.execute("SELECT value FROM about WHERE name = 'commits'").fetchone()
        database.close()  # which moves all to the main file
        mark = read_mark(killed.folder / "job")
        assert mark is not None
        assert mark.commits == int(commits)
        yield Bases(site, killed, Crawl(folder, killed.seeds))


# Without a crawl


class Places:
    """Room for every request."""

    def held(self) -> Mapping[str, int]:
        return Counter()

    def has_room(self, key: str, held: int) -> bool:
        return True


class Held(NamedTuple):
    """What a state folder yields."""

    requests: Counter[bytes]
    unreadable: list[str]
    notes: dict[str, set[bytes]]
    feeds: list[object]
    seen: list[object]


async def yields(job: Path) -> Held:
    """
    :raises StateError: the folder is refused
    :raises FrontierError: the crawl would stop
    """
    folder = StateFolder(job, "wiki")
    try:
        JsonSpiderState(job / "spider.state")
        frontier = folder.frontier
        await frontier.open(Places())
        requests: Counter[bytes] = Counter()
        unreadable = []
        while frontier.has_pending():
            lease = frontier.pop()
            assert lease is not None
            if isinstance(lease.request, Unreadable):
                unreadable.append(lease.request.url)
            else:
                assert isinstance(lease.request, bytes)
                requests[lease.request] += 1
        names = ("written", "listed", "scope", "seeds", "seeded", "families")
        notes = {name: frontier.noted(name) for name in names}
        feeds = [frontier.feed(f"../{name}.jsonl") for name in ("pages", "skipped")]
        execute = folder.database._execute
        seen = [*execute("SELECT * FROM seen"), *execute("SELECT * FROM written")]
        return Held(requests, unreadable, notes, feeds, seen)
    finally:
        folder.close()


REMEDIES = r"restore|name another|another JOBDIR|is it yours|not yours|go on with|that can be"


def check_sentence(text: str, job: Path) -> None:
    """One or two lines for a person, which name the folder or a file in it."""
    assert str(job) in text
    assert len(text.splitlines()) <= 2
    assert re.search(REMEDIES, text)


async def outcome(job: Path, whole: Held) -> str:
    """``whole``, ``unreadable`` or ``refused``; anything else fails."""
    try:
        found = await yields(job)
    except StateError as error:
        check_sentence(str(error), job)
        return "refused"
    except FrontierError:
        return "refused"
    assert found[2:] == whole[2:]
    if not found.unreadable:
        assert found.requests == whole.requests
        return "whole"
    missing = whole.requests - found.requests
    assert not found.requests - whole.requests
    urls = sorted(json.loads(request)["url"] for request in missing.elements())
    assert sorted(found.unreadable) == urls
    return "unreadable"


@pytest.mark.timeout(600)
@deferred_f_from_coro_f
async def test_a_damaged_folder_yields_what_it_held_or_is_refused(bases: Bases) -> None:
    results: Counter[tuple[str, str]] = Counter()
    failures: list[str] = []
    root = below_nothing_private()
    try:
        shutil.copytree(bases.settled.folder / "job", root / "base")
        whole = await yields(root / "base")
        for number in range(IN_ALL - 24):
            chance = random.Random(number)  # noqa: S311
            crawl = bases.copy(chance, root / str(number))
            job = crawl.folder / "job"
            damage = DAMAGES[number % len(DAMAGES)]
            what = damage(job, chance)
            try:
                found = await as_nobody(root, lambda job=job: outcome(job, whole))
            except Exception as error:
                found = "failed"
                failures.append(f"{number}: {damage.__name__}: {what}: {error!r}")
            results[damage.__name__, found] += 1
            shutil.rmtree(crawl.folder)
    finally:
        shutil.rmtree(root)
    ends = Counter(end for (_, end), count in results.items() for _ in range(count))
    print(*sorted(results.items()), ends, sep="\n")  # noqa: T201
    assert not failures, "\n".join(failures)
    assert ends.total() == IN_ALL - 24
    assert set(ends) == {"whole", "unreadable", "refused"}


def below_nothing_private() -> Path:
    """Return a new folder; those of pytest only root can reach."""
    root = Path(tempfile.mkdtemp())
    root.chmod(0o755)
    return root


def give_away(root: Path) -> None:
    for path in (root, *root.rglob("*")):
        os.chown(path, NOBODY, NOBODY, follow_symlinks=False)


async def as_nobody(root: Path, call: Callable[[], object]) -> str:
    """Await *call* without root's rights, which no permission holds up."""
    if os.geteuid() != 0:
        return await call()  # type: ignore[misc,no-any-return]
    give_away(root)
    os.seteuid(NOBODY)
    try:
        return await call()  # type: ignore[misc,no-any-return]
    finally:
        os.seteuid(0)


# With a crawl


def check_end(crawl: Crawl, site: HeldPages, code: int, output: str) -> str:
    """``whole``, ``unreadable`` or ``refused``; anything else fails."""
    assert "Traceback" not in output, output[-3000:]
    if code == 6:
        lines = output.splitlines()
        found = [
            line for line in lines if "error: " in line or ("ERROR: " in line and "JOBDIR" in line)
        ]
        assert len(found) == 1, output[-3000:]
        return "refused"
    assert code == 0, output[-3000:]
    written = crawl.written()
    assert set(written.values()) == {1}
    skipped = [json.loads(line) for line in (crawl.folder / "skipped.jsonl").open("rb")]
    assert set(Counter(line["url"] for line in skipped).values()) == {1}
    unreadable = {line["url"] for line in skipped if line["reason"] == "unreadable"}
    assert site.urls() - unreadable <= set(written) <= site.urls()
    assert output.count("cannot be read, and is skipped") == len(unreadable)
    holes = {line["url"] for line in skipped if line["reason"] == "missing"} | unreadable
    # The links of a page that cannot be read are not known.
    read = [n for n in range(PAGES) if f"{site.url}/{n}" not in unreadable]
    assert {f"{site.url}/missing-{n}" for n in read if n % site.holes == 0} <= holes
    return "unreadable" if unreadable else "whole"


@pytest.mark.timeout(1800)
def test_a_crawl_with_a_damaged_folder_or_feed_ends_whole_or_says_why(
    bases: Bases, tmp_path: Path
) -> None:
    results: Counter[tuple[str, str]] = Counter()
    failures: list[str] = []
    for number in range(IN_ALL - 24, IN_ALL - 24 + CRAWLS):
        chance = random.Random(number)  # noqa: S311
        crawl = bases.copy(chance, tmp_path / str(number))
        (crawl.folder / "log").unlink()
        kinds = DAMAGES if number % 2 else FEED_DAMAGES
        damage = kinds[number // 2 % len(kinds)]
        what = damage(crawl.folder / "job", chance)
        process = crawl.start(*JOB, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        output = process.communicate(timeout=600)[0]
        try:
            found = check_end(crawl, bases.site, process.returncode, output)
        except Exception as error:  # all of them are shown
            found = "failed"
            failures.append(f"{number}: {damage.__name__}: {what}: {error!r}")
        results[damage.__name__, found] += 1
    print(*sorted(results.items()), sep="\n")  # noqa: T201
    assert not failures, "\n".join(failures)
