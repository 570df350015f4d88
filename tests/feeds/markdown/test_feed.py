"""``scrapy crawl … -O folder/``: a file for each page, also after kills and full disks."""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import pytest
import yaml
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.crawling import project_settings, run
from tests.feeds.test_line_feeds import Items
from tests.frontier.sites import Crawl, ManyPages
from tests.frontier.test_processes import mounted
from tests.servers.scripted import Reply, ScriptedServer
from wikicrawler.feeds.markdown.front_matter import split_page
from wikicrawler.items import CrawlResult, PageChange
from wikicrawler.process.exit_codes import ExitCode
from wikicrawler.spiders.wiki import WikiSpider

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[3]
KILLS = 20
PAGES = int(os.environ.get("WIKICRAWLER_FOLDER_PAGES", "500"))
"""Pages of the crawl that is killed."""
JOB = ("-s", "JOBDIR=job")


@pytest.fixture
def site() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        server.on("/robots.txt", Reply(404)).on("/", Reply(body="<title>x</title><p>x"))
        yield server


def heads(folder: Path) -> dict[str, dict[str, Any]]:
    """The front matters of the pages in *folder* by the names of their files."""
    found = {}
    for path in folder.rglob("*.md"):
        if path.name != "index.md":
            head = split_page(path.read_text()).head
            found[path.relative_to(folder).as_posix()] = yaml.safe_load(head[4:-4])
    return found


async def export(folder: Path, site: ScriptedServer, *items: Any, **settings: Any) -> Any:
    settings = {"FEEDS": {f"{folder}/": {"format": "markdown"}}} | settings
    return await run(Items, project_settings(**settings), url=site.url("/"), items=list(items))


@pytest.mark.timeout(1200)
def test_pages_are_there_once_and_whole_after_many_kills(tmp_path: Path) -> None:
    seed = os.environ.get("WIKICRAWLER_KILL_SEED") or str(time.time_ns())
    chance = random.Random(seed)  # noqa: S311
    print(f"WIKICRAWLER_KILL_SEED={seed}")  # noqa: T201
    folder = tmp_path / "pages"
    with ManyPages(PAGES, redirects=7) as site:
        crawl = Crawl(tmp_path, f"{site.url}/0")
        output = ("-O", "pages/%(site)s/:markdown")

        def count() -> int:
            return sum(1 for _ in folder.rglob("[0-9]*.md"))

        for left in range(KILLS, 0, -1):
            until = count() + chance.randint(1, max(1, 2 * (PAGES - count()) // left))
            process = crawl.start(*JOB, output=output)
            crawl.wait_for(lambda end=until: count() >= end, process)
            time.sleep(chance.uniform(0, 0.02))
            process.send_signal(signal.SIGKILL)
            process.wait(120)
            for path in folder.rglob("*.md"):
                assert split_page(path.read_text()).head, f"{path} is torn"
        assert crawl.run(*JOB, output=output) == 0, crawl.log[-3000:]
        assert sorted(head["url"] for head in heads(folder).values()) == sorted(site.urls())
        assert not list(folder.rglob("*.part"))
        assert not list((folder / ".wikicrawler").glob("unsettled*"))
        for path in folder.rglob("[0-9]*.md"):
            targets = re.findall(r"\]\(([^)]*)\)", split_page(path.read_text()).body)
            assert targets
            assert all((path.parent / target).is_file() for target in targets)


def test_the_demonstration_wiki_becomes_a_folder_of_linked_files(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "wikicrawler.demo", "crawl", "--"]
    done = subprocess.run(
        [*command, "-O", "vault/%(site)s/"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    (wiki,) = (path for path in (tmp_path / "vault").iterdir() if not path.name.startswith("."))
    found = heads(wiki)
    assert len(found) == 33
    head = found["wiki/Honey_bee.md"]
    assert head["title"] == "Honey bee"
    assert head["categories"] == ["Bees"]
    assert head["tier"] == "mediawiki"
    assert next(iter(head)) == "url"
    text = (wiki / "wiki/Frame/Dimensions.md").read_text()
    assert "](../Bee_space.md)" in text
    assert "](Varroa_mite.md)" in (wiki / "wiki/Wintering.md").read_text()  # links to a redirect
    index = (wiki / "index.md").read_text()
    for target in re.findall(r"\]\(([^)]*)\)", index):
        assert (wiki / unquote(target)).is_file()
    assert index.count("\n- [") == 33


@deferred_f_from_coro_f
async def test_a_second_crawl_writes_only_what_changed(
    tmp_path: Path, site: ScriptedServer
) -> None:
    one = CrawlResult("https://w.test/a", "A", "text", fetched_at="2026-01-01T00:00:00+00:00")
    two = CrawlResult("https://w.test/b", "B", "text", fetched_at="2026-01-01T00:00:00+00:00")
    outcome = await export(tmp_path / "pages", site, one, two)
    assert outcome.stats["markdown_files/written_count"] == 2
    later = "2026-01-02T00:00:00+00:00"
    one = CrawlResult("https://w.test/a", "A", "text", fetched_at=later)
    two = CrawlResult("https://w.test/b", "B", "other", fetched_at=later)
    outcome = await export(tmp_path / "pages", site, one, two)
    assert outcome.stats["markdown_files/written_count"] == 1
    assert outcome.stats["markdown_files/unchanged_count"] == 1
    times = {name: head["fetched_at"][:10] for name, head in heads(tmp_path / "pages").items()}
    assert times == {"a.md": "2026-01-01", "b.md": "2026-01-02"}


@deferred_f_from_coro_f
async def test_a_page_that_is_deleted_moved_or_redirected_has_no_file(
    tmp_path: Path, site: ScriptedServer
) -> None:
    urls = [f"https://w.test/{name}" for name in "abcd"]
    links = " ".join(f"[x]({url})" for url in urls)
    pages = [CrawlResult(url, "", links) for url in urls]
    await export(tmp_path / "pages", site, *pages)
    outcome = await export(
        tmp_path / "pages",
        site,
        PageChange(urls[0], "", "", change="deleted"),
        PageChange("https://w.test/new", "", "", change="moved", previous_url=urls[1]),
        CrawlResult(urls[3], "", links, redirected_from=urls[2]),
    )
    assert outcome.stats["markdown_files/removed_count"] == 3
    assert set(heads(tmp_path / "pages")) == {"d.md", "new.md"}
    body = split_page((tmp_path / "pages/d.md").read_text()).body.strip()
    assert body == f"[x]({urls[0]}) [x](new.md) [x](d.md) [x](d.md)"


@pytest.mark.parametrize(
    ("content", "body"),
    [
        ("[b](/b) [c](/c_(d)) `[b](/b)`", "[b](b.md) [c](https://w.test/c_(d)) `[b](/b)`"),
        (
            "[b][1] [c][2]\n\n[1]: https://w.test/b\n[2]: https://w.test/c",
            "[b][1] [c][2]\n\n[1]: b.md\n[2]: https://w.test/c",
        ),
        ("b", "b"),
    ],
    ids=["relative", "references", "text"],
)
@deferred_f_from_coro_f
async def test_links_of_any_form_lead_to_files_or_to_the_site(
    tmp_path: Path, site: ScriptedServer, content: str, body: str
) -> None:
    pages = [CrawlResult("https://w.test/a", "", content), CrawlResult("https://w.test/b", "", "b")]
    await export(tmp_path / "pages", site, *pages)
    assert split_page((tmp_path / "pages/a.md").read_text()).body.strip() == body
    assert heads(tmp_path / "pages")["a.md"]["content_hash"] == pages[0].content_hash


@deferred_f_from_coro_f
async def test_a_page_that_the_server_does_not_have_any_more_has_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    page = "<title>{0}</title><main><h1>{0}</h1><p>The text of the page {0}, which is long enough."
    with ScriptedServer() as server:
        server.on("/robots.txt", Reply(404)).on("/b", Reply(body=page.format("B")))
        server.on("/a", Reply(body=page.format("A") + '<p>See <a href="/b">the other page</a>.'))
        settings = project_settings(FEEDS={"pages/": {"format": "md"}}, WIKICRAWLER_TIERS="http")
        await run(WikiSpider, settings, seeds=server.url("/a"))
        assert set(heads(tmp_path / "pages")) == {"a.md", "b.md"}
        assert "[the other page](b.md)" in (tmp_path / "pages/a.md").read_text()
        server.on("/b", Reply(404))
        await run(WikiSpider, settings, seeds=server.url("/a"))
        assert set(heads(tmp_path / "pages")) == {"a.md"}
        assert f"[the other page]({server.url('/b')})" in (tmp_path / "pages/a.md").read_text()


@deferred_f_from_coro_f
async def test_items_of_other_kinds_are_left_out_and_said_once(
    tmp_path: Path, site: ScriptedServer, caplog: pytest.LogCaptureFixture
) -> None:
    own = {"url": "https://w.test/own", "content": "text", "extra": 3}
    outcome = await export(tmp_path / "pages", site, {"name": "x"}, {"url": "u"}, own)
    assert outcome.stats["markdown_files/left_out_count"] == 2
    assert caplog.text.count("an item of the class dict has no file") == 1
    assert set(heads(tmp_path / "pages")) == {"own.md"}


@deferred_f_from_coro_f
async def test_the_front_matter_has_the_fields_of_the_feed(
    tmp_path: Path, site: ScriptedServer
) -> None:
    feeds = {f"{tmp_path}/pages/": {"format": "markdown", "fields": ["title", "content"]}}
    page = CrawlResult("https://w.test/a", "A", "text", lang="en")
    await export(tmp_path / "pages", site, page, FEEDS=feeds)
    assert list(heads(tmp_path / "pages")["a.md"]) == ["url", "title", "content_hash"]


@pytest.mark.skipif(os.geteuid() != 0, reason="mounts a file system")
def test_a_full_disk_stops_the_crawl_and_it_goes_on_when_there_is_room(tmp_path: Path) -> None:
    with ManyPages(60) as site, mounted(tmp_path / "disk", "nr_inodes=40"):
        crawl = Crawl(tmp_path, f"{site.url}/0")
        output = ("-o", "disk/pages/:markdown")
        assert crawl.run(*JOB, output=output) == ExitCode.OUTPUT_FAILED
        assert "disk/pages: cannot be written: No space left on device" in crawl.log
        assert "Traceback" not in crawl.log
        subprocess.run(["mount", "-o", "remount,nr_inodes=400", tmp_path / "disk"], check=True)
        assert crawl.run(*JOB, output=output) == 0
        found = heads(tmp_path / "disk/pages")
        assert sorted(head["url"] for head in found.values()) == sorted(site.urls())


@pytest.mark.parametrize(
    ("output", "problem"),
    [
        ("pages", "needs a format, like pages.jsonl; or a slash at its end, like pages/"),
        ("pages.md", "needs a format, like pages.jsonl; or a slash at its end, like pages/"),
        ("file/:markdown", "needs a format, like pages.jsonl; or a slash at its end"),
        (
            "%(site)s.jsonl",
            "%(site)s is for a folder of the format markdown, like folder/%(site)s/",
        ),
    ],
)
def test_an_output_that_is_no_folder_is_refused(tmp_path: Path, output: str, problem: str) -> None:
    (tmp_path / "file").write_text("mine")
    crawl = Crawl(tmp_path, "http://127.0.0.1:9/")
    assert crawl.run(output=("-O", output)) == ExitCode.BAD_CONFIGURATION
    assert problem in crawl.log
    assert "Traceback" not in crawl.log
    assert (tmp_path / "file").read_text() == "mine"


def test_a_folder_that_another_crawl_writes_is_refused(tmp_path: Path) -> None:
    with ManyPages(40) as site:
        crawl = Crawl(tmp_path, f"{site.url}/0")
        slowly = ("-s", "DOMAIN_THROTTLE_REQUESTS_PER_MINUTE=6")
        process = crawl.start(*slowly, output=("-O", "pages/"))
        crawl.wait_for((tmp_path / "pages/0.md").exists, process)
        (tmp_path / "other").mkdir()
        other = Crawl(tmp_path / "other", f"{site.url}/0")
        assert other.run(output=("-O", "../pages/")) == ExitCode.OUTPUT_FAILED
        assert re.search(r"pages: process \d+ .* crawls with this folder", other.log)
        process.terminate()
        assert process.wait(60) == 128 + signal.SIGTERM


def test_more_than_one_folder_and_a_feed_of_lines_are_written_at_once(tmp_path: Path) -> None:
    with ManyPages(12) as site:
        crawl = Crawl(tmp_path, f"{site.url}/0")
        output = ("-O", "one/", "-O", "two/%(site)s/:md", "-O", "pages.jsonl")
        assert crawl.run(output=output) == 0
        assert len(heads(tmp_path / "one")) == len(heads(tmp_path / "two")) == 12
        assert len(crawl.lines()) == 12


@deferred_f_from_coro_f
async def test_a_format_of_that_name_in_a_project_of_its_own_stands(
    tmp_path: Path, site: ScriptedServer
) -> None:
    exporters = {"md": "scrapy.exporters.JsonLinesItemExporter"}
    feeds = {str(tmp_path / "items.md"): {"format": "md"}}
    await export(tmp_path, site, {"n": 1}, FEEDS=feeds, FEED_EXPORTERS=exporters)
    assert (tmp_path / "items.md").read_text() == '{"n": 1}\n'
