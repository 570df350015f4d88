"""A small Scrapy project, and ways to break it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from wikicrawler.process.exit_codes import ExitCode

if TYPE_CHECKING:
    from pathlib import Path

_SETTINGS = """
BOT_NAME = "shop"
SPIDER_MODULES = ["shop.spiders"]
ROBOTSTXT_OBEY = False
TELNETCONSOLE_ENABLED = False
REMOTE_CONTROL_ENABLED = False
"""
ADDON = """
ADDONS = {**globals().get("ADDONS", {}), "wikicrawler.WikiCrawler": 500}
DOMAIN_THROTTLE_REQUESTS_PER_MINUTE = 60_000
WIKICRAWLER_CONTENT_WORKERS = 0
WIKICRAWLER_RETRY = {"network": []}
"""
COMMANDS = 'COMMANDS_MODULE = "wikicrawler.commands.overrides"\n'
_SPIDER = """
import scrapy
from shop.items import Page

class PagesSpider(scrapy.Spider):
    name = "pages"

    async def start(self):
        yield scrapy.Request("data:text/html,<p>x")

    def parse(self, response):
        yield Page(url=response.url)

"""
_ITEMS = """
import scrapy

class Page(scrapy.Item):
    url = scrapy.Field()

"""
_FILES = {
    "scrapy.cfg": "[settings]\ndefault = shop.settings\n",
    "shop/__init__.py": "",
    "shop/spiders/__init__.py": "",
    "shop/settings.py": _SETTINGS,
    "shop/spiders/pages.py": _SPIDER,
    "shop/items.py": _ITEMS,
}


@dataclass(frozen=True)
class Breakage:
    """One way to break the project: the files that differ, what is shown, the exit code."""

    name: str
    files: dict[str, str]
    shown: str
    """A part of the output that names the fault."""
    code: ExitCode = ExitCode.FAILED

    def write(self, folder: Path, more_settings: str = "") -> Path:
        """Write the broken project to *folder*, and return it."""
        for name, text in (_FILES | self.files).items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        with (folder / "shop" / "settings.py").open("a") as settings:
            settings.write(more_settings)
        return folder


def _settings(name: str, line: str, shown: str, code: ExitCode = ExitCode.FAILED) -> Breakage:
    return Breakage(name, {"shop/settings.py": f"{_SETTINGS}{line}\n"}, shown, code)


def _spider(name: str, body: str, shown: str, code: ExitCode = ExitCode.FAILED) -> Breakage:
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    return Breakage(name, {"shop/spiders/pages.py": f"{_SPIDER}{lines}\n"}, shown, code)


def _component(
    name: str, body: str, setting: str, shown: str, code: ExitCode = ExitCode.FAILED
) -> Breakage:
    files = {"shop/own.py": body, "shop/settings.py": f"{_SETTINGS}{setting}\n"}
    return Breakage(name, files, shown, code)


_INIT_FAILS = "class Own:\n    def __init__(self):\n        1 / 0\n"
_LISTENS = """
from scrapy import signals

class Own:
    @classmethod
    def from_crawler(cls, crawler):
        own = cls()
        crawler.signals.connect(own.hear, signals.SIGNAL)
        return own

    def hear(self):
        1 / 0
"""


_INIT = "def __init__(self, **kwargs):\n    super().__init__(**kwargs)\n    "
_ZERO = "ZeroDivisionError: division by zero"
_OWN = '{"shop.own.Own": 500}'
_FINISHED = ExitCode.OK  # Scrapy logs the error and goes on

WAYS = [
    # what Scrapy imports before the crawl
    _settings("settings: syntax", "X = (", "SyntaxError: '(' was never closed"),
    _settings("settings: import", "import nosuchlib", "No module named 'nosuchlib'"),
    Breakage(
        "scrapy.cfg: other settings",
        {"scrapy.cfg": "[settings]\ndefault = shop.setings\n"},
        "No module named 'shop.setings'",
    ),
    _settings("settings: no spiders", 'SPIDER_MODULES = ["shop.spider"]', "'shop.spider'"),
    Breakage(
        "spider: import",
        {"shop/spiders/pages.py": f"import nosuchlib\n{_SPIDER}"},
        "No module named 'nosuchlib'",
    ),
    Breakage(
        "spider: another name",
        {"shop/spiders/pages.py": _SPIDER.replace('"pages"', '"page"')},
        "Spider not found: pages",
    ),
    Breakage(
        "items: error at import",
        {"shop/items.py": f"{_ITEMS}class Other(Pgae): pass\n"},
        "NameError: name 'Pgae' is not defined",
    ),
    # the spider
    _spider("spider: __init__", f"{_INIT}1 / 0", _ZERO),
    _spider(
        "spider: pydantic in __init__",
        f'{_INIT}from pydantic import TypeAdapter\n    TypeAdapter(int).validate_python("x")',
        "Input should be a valid integer",
    ),
    _spider(
        "spider: an argument is missing",
        "def __init__(self, city, **kwargs):\n    super().__init__(**kwargs)",
        "missing 1 required positional argument: 'city'",
    ),
    _spider(
        "spider: from_crawler",
        "@classmethod\ndef from_crawler(cls, crawler):\n    crawler.nothing",
        "'Crawler' object has no attribute 'nothing'",
    ),
    _spider("spider: start", "async def start(self):\n    1 / 0\n    yield", _ZERO),
    _spider("spider: callback", "def parse(self, response):\n    1 / 0", _ZERO, _FINISHED),
    _spider(
        "items: unknown field",
        'def parse(self, response):\n    yield Page(ulr="x")',
        "KeyError: 'Page does not support field: ulr'",
        _FINISHED,
    ),
    _spider(
        "items: no item class",
        "def parse(self, response):\n    yield 7",
        "'item_scraped_count': 1",
        _FINISHED,
    ),
    # components
    _component("pipeline: wrong path", "", f"ITEM_PIPELINES = {_OWN}", "named 'Own'"),
    _component("pipeline: __init__", _INIT_FAILS, f"ITEM_PIPELINES = {_OWN}", _ZERO),
    _component(
        "pipeline: open_spider",
        "class Own:\n    def open_spider(self):\n        1 / 0\n",
        f"ITEM_PIPELINES = {_OWN}",
        _ZERO,
    ),
    _component(
        "pipeline: process_item",
        "class Own:\n    def process_item(self, item):\n        1 / 0\n",
        f"ITEM_PIPELINES = {_OWN}",
        _ZERO,
        _FINISHED,
    ),
    _component("extension: __init__", _INIT_FAILS, f"EXTENSIONS = {_OWN}", _ZERO),
    _component("add-on: wrong path", "", f"ADDONS = {_OWN}", "named 'Own'"),
    _component(
        "signal handler: spider_opened",
        _LISTENS.replace("SIGNAL", "spider_opened"),
        f"EXTENSIONS = {_OWN}",
        _ZERO,
        _FINISHED,
    ),
    _component(
        "signal handler: item_scraped",
        _LISTENS.replace("SIGNAL", "item_scraped"),
        f"EXTENSIONS = {_OWN}",
        _ZERO,
        _FINISHED,
    ),
    _component(
        "downloader middleware: import",
        "import nosuchlib",
        f"DOWNLOADER_MIDDLEWARES = {_OWN}",
        "No module named 'nosuchlib'",
    ),
    _component(
        "downloader middleware: process_request",
        "class Own:\n    def process_request(self, request):\n        1 / 0\n",
        f"DOWNLOADER_MIDDLEWARES = {_OWN}",
        _ZERO,
        _FINISHED,
    ),
    _component(
        "spider middleware: process_start",
        "class Own:\n    async def process_start(self, start):\n        1 / 0\n        yield\n",
        f"SPIDER_MIDDLEWARES = {_OWN}",
        _ZERO,
    ),
    _component(
        "dupe filter: request_seen",
        "from scrapy.dupefilters import RFPDupeFilter\n\n"
        "class Own(RFPDupeFilter):\n    def request_seen(self, request):\n        1 / 0\n",
        'DUPEFILTER_CLASS = "shop.own.Own"',
        _ZERO,
    ),
    # output, and settings of Scrapy
    _component(
        "feed: exporter",
        "from scrapy.exporters import JsonLinesItemExporter\n\n"
        "class Own(JsonLinesItemExporter):\n    def export_item(self, item):\n        1 / 0\n",
        'FEED_EXPORTERS = {"own": "shop.own.Own"}\nFEEDS = {"out.own": {"format": "own"}}',
        _ZERO,
        _FINISHED,
    ),
    _settings("feed: no dict", 'FEEDS = "out.jsonl"', "JSONDecodeError: Expecting value"),
    _settings(
        "feed: unknown parameter",
        'FEEDS = {"out-%(city)s.jsonl": {"format": "jsonlines"}}',
        "KeyError: 'city'",
        _FINISHED,
    ),
    _settings(
        "number that is none",
        'CONCURRENT_REQUESTS = "many"',
        "invalid literal for int() with base 10: 'many'",
    ),
]
