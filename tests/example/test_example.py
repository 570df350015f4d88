"""The project in ``example/`` uses the add-on, the scope and the commands as a stranger's would."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import threading
import time
from collections import Counter
from contextlib import closing
from importlib.metadata import distribution
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.servers.traps import TrapSite
from wikicrawler.demo.server import DemoWiki

if TYPE_CHECKING:
    from collections.abc import Iterator

EXAMPLE = Path(__file__).parents[2] / "example"
FAST = ("-s", "DOMAIN_THROTTLE_REQUESTS_PER_MINUTE=60000", "-s", "WIKICRAWLER_CONTENT_WORKERS=1")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A copy of the project: a crawl writes into it."""
    ignore = shutil.ignore_patterns("__pycache__")
    return shutil.copytree(EXAMPLE, tmp_path / "example", ignore=ignore)


@pytest.fixture
def demo() -> Iterator[DemoWiki]:
    with DemoWiki() as wiki:
        yield wiki


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "scrapy", *arguments]


def environment() -> dict[str, str]:
    """That of the tests, but with nothing but the installed package to import."""
    return {k: v for k, v in os.environ.items() if k not in {"PYTHONPATH", "CRAWL4AI_URL"}}


def scrapy(project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(*arguments),
        cwd=project,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )


def crawl(project: Path, url: str, *arguments: str) -> tuple[list[dict[str, Any]], str]:
    """The items of a crawl of the example's spider, and its log."""
    done = scrapy(project, "crawl", "chapters", "-a", f"url={url}", "-o", "out.jsonl", *arguments)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    return items(project), done.stderr


def items(project: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (project / "out.jsonl").read_text("utf-8").splitlines()]


def test_a_wiki_is_crawled_into_the_projects_own_items(demo: DemoWiki, project: Path) -> None:
    found, log = crawl(project, f"{demo.url}/wiki/Main_Page", *FAST)
    assert len(found) > 30
    assert {frozenset(item) for item in found} == {
        frozenset({"url", "heading", "words", "markdown", "tier"})
    }
    assert max(Counter(item["url"] for item in found).values()) == 1
    assert {item["tier"] for item in found} == {"http", "mediawiki"}
    assert not any("/wiki/Talk:" in item["url"] for item in found)
    honey = next(item for item in found if item["url"].endswith("/wiki/Honey"))
    assert honey["heading"] == "Honey"
    assert honey["words"] > 50
    assert "pages skipped" in log  # redirects to pages that have their item


def test_traps_are_left_out(project: Path) -> None:
    with TrapSite("list", "calendar", "loop", few=True) as site:
        found, log = crawl(project, site.url + "/", *FAST, "-s", "WIKICRAWLER_DISCOVER_WIKIS=0")
        urls = {item["url"].removeprefix(site.url) for item in found}
        assert set(site.good) <= urls
        assert len(site.in_trap()) < 100
    assert "are left out as nothing_new" in log
    assert "are left out as repeating_path" in log


def test_a_skipped_page_gives_its_place_to_another(project: Path) -> None:
    with TrapSite(few=True) as site:
        site.good["/good"] = site.good["/good"].replace("<p>", '<p><a href="/gone">Gone</a> ', 1)
        skipped = ("-s", "WIKICRAWLER_SKIPPED_FILE=skipped.jsonl")
        found, _ = crawl(project, site.url + "/", *FAST, *skipped, "-a", "max_pages=4")
        assert len(found) == 4
        assert len(site.asked) == 4 + 1 + 1  # and robots.txt, and the page that is gone
    (line,) = (project / "skipped.jsonl").read_text().splitlines()
    assert json.loads(line)["url"] == site.url + "/gone"
    assert json.loads(line)["reason"] == "missing"


class HeldSite(TrapSite):
    """Its requests after :attr:`few` have no answer until :attr:`free` is set."""

    few = 15

    def __init__(self) -> None:
        super().__init__("list", few=True)
        self.free = threading.Event()

    def page(self, path: str) -> str | None:
        page = super().page(path)
        if len(self.asked) > self.few:
            self.free.wait(300)
        return page


def is_done(job: Path, url: str) -> bool:
    """Whether the state folder has the crawl without the request of *url*, as committed."""
    try:
        with closing(sqlite3.connect(f"file:{job}/frontier.sqlite?mode=ro", uri=True)) as database:
            left = {bytes(row[0]) for row in database.execute("SELECT url FROM requests")}
    except sqlite3.OperationalError:  # it has not been made yet
        return False
    return bool(left) and url.encode() not in left


def test_a_crawl_that_is_killed_goes_on(project: Path) -> None:
    with HeldSite() as site:
        numbers = range(40)
        for n in numbers:  # pages enough for a crawl to be killed among them
            site.good[f"/chapter-{n}"] = site.good["/good"].replace("Good", f"Chapter {n}")
        links = "".join(f'<p><a href="/chapter-{n}">Chapter {n}</a></p>' for n in numbers)
        site.good["/good"] = site.good["/good"].replace("<p>", links + "<p>", 1)
        job = ("-s", "JOBDIR=job", "-s", "DOMAIN_THROTTLE_REQUESTS_PER_MINUTE=6000")
        arguments = ("crawl", "chapters", "-a", f"url={site.url}/", "-o", "out.jsonl", *job)
        process = subprocess.Popen(
            command(*arguments), cwd=project, env=environment(), stderr=subprocess.DEVNULL
        )
        try:
            give_up = time.monotonic() + 120
            while time.monotonic() < give_up:
                if len(site.asked) > site.few and is_done(project / "job", f"{site.url}/"):
                    break
                time.sleep(0.02)
        finally:
            process.kill()
            process.wait()
        before = len(site.asked)
        site.free.set()
        assert before == site.few + 1
        assert is_done(project / "job", f"{site.url}/")
        found, log = crawl(project, site.url + "/", *job)
        asked = Counter(path for path in site.asked[before:] if path != "/robots.txt")
    assert "Resuming crawl" in log
    urls = Counter(item["url"].removeprefix(site.url) for item in found)
    assert max(urls.values()) == 1
    assert set(site.good) <= set(urls)
    assert max(asked.values()) == 1
    assert "/" not in asked  # it was done


def test_max_pages_hold_over_a_resumption(project: Path) -> None:
    job = ("-s", "JOBDIR=job", *FAST, "-a", "max_pages=5")
    with TrapSite(few=True) as site:
        first, _ = crawl(project, site.url + "/", *job, "-s", "CLOSESPIDER_PAGECOUNT=2")
        assert 1 <= len(first) < 5
        both, _ = crawl(project, site.url + "/", *job)
    assert len(both) == 5
    assert len({item["url"] for item in both}) == 5


# The commands


def test_tiers_and_explain_work_in_the_project(demo: DemoWiki, project: Path) -> None:
    url = f"{demo.url}/wiki/Honey"
    tiers = scrapy(project, "tiers", "--json", url)
    assert tiers.returncode == 0, tiers.stderr
    assert [step["tier"] for step in json.loads(tiers.stdout)["steps"]] == ["http", "browser"]
    explain = scrapy(project, "explain", url)
    assert explain.returncode == 0, explain.stderr
    assert explain.stdout.startswith(url)
    wrong = scrapy(project, "explain", "nonsense")
    assert (wrong.returncode, "nonsense" in wrong.stderr) == (2, True)


def test_genspider_writes_into_the_project(project: Path) -> None:
    done = scrapy(project, "genspider", "news", "https://news.example/")
    assert done.returncode == 0, done.stderr
    assert (project / "handbook" / "spiders" / "news.py").is_file()
    assert scrapy(project, "list").stdout.split() == ["chapters", "news"]


@pytest.mark.parametrize("name", ["tiers", "explain"])
def test_a_project_without_the_add_on_is_told_what_it_lacks(project: Path, name: str) -> None:
    settings = project / "handbook" / "settings.py"
    text = settings.read_text()
    settings.write_text(text.replace("ADDONS", "NONE_OF_THEM"))
    done = scrapy(project, name, "https://x.example/")
    assert done.returncode == 2
    assert "ADDONS = {" in done.stderr
    (project / "scrapy.cfg").unlink()
    done = scrapy(project, name, "https://x.example/")
    assert done.returncode == 2
    assert "within a Scrapy project" in done.stderr


def test_only_commands_of_names_that_scrapy_lacks_are_given_to_other_projects() -> None:
    points = distribution("wikicrawler").entry_points.select(group="scrapy.commands")
    assert {point.name for point in points} == {
        *("alerts", "audit", "dashboard", "due", "explain", "fields", "fleet", "jobs"),
        *("manifest", "merge", "parquet", "prove", "scheduler", "sites", "sources", "spending"),
        *("staged", "tiers"),
    }


def test_the_commands_load_nothing_heavy() -> None:
    code = (
        "import sys, scrapy.commands; before = set(sys.modules)\n"
        "from importlib.metadata import entry_points\n"
        "[p.load()() for p in entry_points(group='scrapy.commands')]\n"
        "print(sorted(set(sys.modules) - before))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment()
    )
    loaded = {name for name in eval(done.stdout) if name.startswith("wikicrawler")}  # noqa: S307
    assert loaded == {
        "wikicrawler",
        "wikicrawler.version",
        "wikicrawler.commands",
        "wikicrawler.commands.alerts",
        "wikicrawler.commands.audit",
        "wikicrawler.commands.due",
        "wikicrawler.commands.dashboard",
        "wikicrawler.commands.explain",
        "wikicrawler.commands.jobs",
        "wikicrawler.commands.sites",
        "wikicrawler.commands.fields",
        "wikicrawler.commands.fleet",
        "wikicrawler.commands.manifest",
        "wikicrawler.commands.manifest.command",
        "wikicrawler.commands.merge",
        "wikicrawler.commands.parquet",
        "wikicrawler.commands.prove",
        "wikicrawler.commands.scheduler",
        "wikicrawler.commands.sources",
        "wikicrawler.commands.spending",
        "wikicrawler.commands.staged",
        "wikicrawler.commands.tiers",
    }


def test_a_projects_own_command_stands(project: Path) -> None:
    (project / "handbook" / "commands").mkdir()
    (project / "handbook" / "commands" / "__init__.py").touch()
    (project / "handbook" / "commands" / "tiers.py").write_text(
        "from scrapy.commands import ScrapyCommand\n"
        "class Command(ScrapyCommand):\n"
        "    requires_crawler_process = False\n"
        "    def short_desc(self): return ''\n"
        "    def run(self, args, opts): print('their own')\n"
    )
    done = scrapy(project, "tiers", "-s", "COMMANDS_MODULE=handbook.commands")
    assert done.returncode == 2  # Scrapy reads COMMANDS_MODULE before the command line
    with (project / "handbook" / "settings.py").open("a") as settings:
        settings.write('COMMANDS_MODULE = "handbook.commands"\n')
    done = scrapy(project, "tiers")
    assert (done.returncode, done.stdout) == (0, "their own\n"), done.stderr


def test_the_documentation_shows_this_spider() -> None:
    spider = (EXAMPLE / "handbook" / "spiders" / "chapters.py").read_text()
    page = (EXAMPLE.parent / "docs" / "scope.md").read_text("utf-8")
    shown = page.partition("```python\n")[2].partition("```")[0]
    assert shown == spider[spider.index("class ChaptersSpider") :]
