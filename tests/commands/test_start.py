"""What a command imports before it does something, in real processes: modules are counted, because
each costs time at every start."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, NamedTuple

import pytest

from tests.servers.scripted import Reply, ScriptedServer
from wikicrawler.spiders.loader import PACKAGE, SPIDERS

if TYPE_CHECKING:
    from pathlib import Path

RUN = """
import atexit, gc, json, sys
def report():
    with open("loaded.json", "w") as file:
        json.dump([[*sys.modules], gc.isenabled(), gc.get_freeze_count()], file)
atexit.register(report)
from scrapy.cmdline import execute
execute()
"""
CONVERT = """
import json, sys
from wikicrawler.content.form import DEFAULT
from wikicrawler.content.workers.worker import PageInput, convert_page
page = PageInput(sys.argv[1], "https://a.example/wiki/A", None, None, DEFAULT, True, True)
assert convert_page(page).markdown
print(json.dumps([*sys.modules]))
"""
PAGE = "<h1>A</h1><p>Some text."
WIKI_PAGE = """
<body class="mediawiki"><h1 id="firstHeading">A</h1><div class="mw-parser-output">
<h2>B</h2><p>Some <b>text</b>, <a href="/wiki/C" title="C">a link</a> and
<a href="https://b.example/Ä?x=ö">another</a>.<ul><li>An item</ul><table><tr><td>1</table></div>
"""
SERVERS = ("aiohttp", "jinja2", "starlette", "twisted.conch", "uvicorn")
PARSERS = ("bs4", "markdownify", "rapidfuzz", "readability", "turbohtml")
OTHERS = ("httpx", "jsonschema", "requests", "rich", "sqlalchemy", "wikicrawler.content.chunks")
RARE = (*SERVERS, *PARSERS, *OTHERS)


class Loaded(NamedTuple):
    """What a process had loaded at its end."""

    modules: list[str]
    collects: bool
    frozen: int
    """Number of objects that the garbage collector never looks at."""

    def any_of(self, *names: str) -> set[str]:
        return {*names} & {*self.modules}

    def ours(self) -> list[str]:
        return [name for name in self.modules if name.partition(".")[0] == "wikicrawler"]


def run(folder: Path, *arguments: str) -> Loaded:
    (folder / "scrapy.cfg").write_text("[settings]\ndefault = wikicrawler.settings\n")
    command = [sys.executable, "-c", RUN, *arguments]
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    return Loaded(*json.loads((folder / "loaded.json").read_text()))


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Loaded:
    """A crawl of one page without a terminal and a database."""
    folder = tmp_path_factory.mktemp("crawl")
    with ScriptedServer() as site:
        site.on("/robots.txt", Reply(404)).on("/", Reply(body=f"<p>{'Some text. ' * 99}"))
        loaded = run(folder, "crawl", "wiki", "-a", f"seeds={site.url('/')}", "-O", "a.jsonl")
    assert (folder / "a.jsonl").stat().st_size
    return loaded


def test_a_list_of_spiders_imports_none_of_them(tmp_path: Path) -> None:
    loaded = run(tmp_path, "list")
    spiders = (f"{PACKAGE}.{name}" for name in SPIDERS)
    assert not loaded.any_of(*RARE, *spiders, "tldextract", "wikicrawler.addon", "yaml")
    assert len(loaded.ours()) < 60


def test_a_crawl_imports_its_own_spider_alone(crawl: Loaded) -> None:
    assert crawl.any_of(*(f"{PACKAGE}.{name}" for name in SPIDERS)) == {f"{PACKAGE}.wiki"}
    assert not [name for name in crawl.ours() if name.startswith("wikicrawler.fields.")]


def test_a_crawl_of_a_page_imports_nothing_that_it_does_not_need(crawl: Loaded) -> None:
    assert not crawl.any_of(*RARE)
    assert len(crawl.ours()) < 350


def test_scrapys_deprecated_classes_are_made_while_few_modules_are_loaded(crawl: Loaded) -> None:
    before = crawl.modules[: crawl.modules.index("scrapy.core.downloader.contextfactory")]
    assert not [name for name in before if name.startswith("wikicrawler.addon")]
    assert len(before) < len(crawl.modules) * 3 // 4


def test_garbage_is_collected_again_once_a_crawl_has_started(crawl: Loaded) -> None:
    assert crawl.collects
    assert crawl.frozen > 50_000


def loaded_to_convert(page: str) -> Loaded:
    done = subprocess.run(
        [sys.executable, "-c", CONVERT, page],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return Loaded(json.loads(done.stdout), collects=True, frozen=0)


def test_a_conversion_worker_imports_neither_scrapy_nor_what_finds_sites() -> None:
    loaded = loaded_to_convert(PAGE)
    others = ("filelock", "pydantic", "requests", "scrapy", "tldextract", "turbohtml", "twisted")
    assert not loaded.any_of(*others, "urllib3", "yaml", "bs4", "markdownify", "readability")
    assert len(loaded.ours()) < 130


def test_a_worker_that_converts_pages_of_a_wiki_imports_nothing_for_other_pages() -> None:
    loaded = loaded_to_convert(WIKI_PAGE)
    assert not loaded.any_of(*PARSERS, "email.utils", "logging", "ssl", "urllib.request")
    others = ("wikicrawler.options", "wikicrawler.content.article.extraction")
    assert not loaded.any_of(*others, "wikicrawler.content.deferred.data")
    assert len(loaded.ours()) < 90
