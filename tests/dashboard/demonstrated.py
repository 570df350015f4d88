"""The dashboard over the demonstration, and a path of each of its pages."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from lxml import html
from starlette.routing import compile_path

import wikicrawler
from tests.dashboard.routes import parameters_of, paths_of
from tests.servers.dashboard import RealDashboard
from tests.servers.openai_model import ScriptedModel
from tests.servers.scripted import Reply, ScriptedServer
from wikicrawler import options
from wikicrawler.demo import DemoWiki
from wikicrawler.demo.agencies import Agencies
from wikicrawler.demo.company import Company
from wikicrawler.demo.dashboard import Demonstration
from wikicrawler.demo.regulations import Regulations

if TYPE_CHECKING:
    from collections.abc import Iterator

_ABOUT = (
    "<!doctype html><title>Acme</title><main><h1>Acme</h1><p>Acme makes frames, smokers and other "
    "tools for people who keep bees, and sells them by mail.</p><p>Price: 14.50 EUR</p>"
    "<p>Founded: 1987</p></main>"
)
_MOST = 8
"""Pages of a route whose links are followed."""


@contextmanager
def demonstrated(folder: Path) -> Iterator[RealDashboard]:
    """The dashboard over a demonstration that is prepared in *folder*."""
    with Regulations() as regulations, Agencies() as agencies, DemoWiki() as wiki:
        demonstration = Demonstration(regulations, agencies, wiki, folder)
        demonstration.prepare()
        more = {options.DASHBOARD_RESULTS.name: "feeds"}
        dashboard = RealDashboard(folder / "project", demonstration.settings | more)
        with_feeds(dashboard.folder / "feeds")
        manifest = folder / "manifest.json"
        described = manifest.read_text().replace("Handbook of 2019", "Handbook of 2026")
        manifest.write_text(described.replace('"version": "1.0.0"', '"version": "1.1.0"'))
        activate = ("manifest", "activate", str(manifest), "--offline")
        dashboard.scrapy(*activate, "--why", "the handbook is another one")
        with dashboard:
            yield dashboard


def screens(dashboard: RealDashboard) -> dict[str, str]:
    """The path of a page of each route that has pages, by route: the first that links lead to."""
    routes = {path: compile_path(path)[0] for path in paths_of("GET")}
    found: dict[str, list[str]] = {}
    waiting = [path for path in routes if not parameters_of(path)]
    waiting.append("/manifest/differences?old=1&new=2")
    pages: dict[str, str] = {}
    while waiting:
        path = waiting.pop(0)
        bare = urlsplit(path).path
        route = next((name for name, regex in routes.items() if regex.match(bare)), "")
        known = found.setdefault(route, [])
        if not route or path in known or len(known) >= _MOST or bare == "/runs/live":
            continue
        known.append(path)
        answer = dashboard.get(path)
        is_page = answer.headers.get("Content-Type", "").startswith("text/html")
        if answer.status_code != 200 or not is_page or path.startswith("/preview/"):
            continue
        pages.setdefault(route, path)
        links = html.fromstring(answer.text).xpath("//main//a/@href")
        waiting += [
            link if link.startswith("/") else bare + link
            for link in (link.partition("#")[0] for link in links)
            if link.startswith(("/", "?"))
        ]
    return pages


def with_feeds(folder: Path) -> None:
    """Write feeds of the spiders ``reports`` and ``fields`` into *folder*."""
    (folder / "work").mkdir(parents=True)
    command = "import sys; from pathlib import Path; from wikicrawler.demo.reports import run; "
    feed = folder / "reports.jsonl"
    _run(folder, "-c", command + "sys.exit(run(*map(Path, sys.argv[1:])))", feed, folder / "work")
    with ScriptedModel(["sk-one"]) as model, Company() as company, ScriptedServer() as site:
        site.on("/about", Reply(body=_ABOUT))
        settings = {
            "WIKICRAWLER_FIELDS_BASE_URL": model.base_url,
            "WIKICRAWLER_FIELDS_API_KEYS": "sk-one",
            "WIKICRAWLER_FIELDS_MODEL": "any",
            "WIKICRAWLER_FIELDS_CACHE": folder / "answers",
            options.PRIVATE_HOSTS.name: "127.0.0.1",
            "ROBOTSTXT_OBEY": "False",
        }
        (folder / "urls.txt").write_text(f"{site.url('/about')}\n{company.url}/hive\n")
        _run(
            folder,
            *("-m", "scrapy", "crawl", "fields", "-a", f"urls={folder / 'urls.txt'}"),
            *("-a", "fields=name: string, price: number, founded: integer, sku: string"),
            *(part for item in settings.items() for part in ("-s", "{}={}".format(*item))),
            *("-O", folder / "fields.jsonl"),
        )


def _run(folder: Path, *command: object) -> None:
    environment = os.environ | {"SCRAPY_SETTINGS_MODULE": "wikicrawler.settings"}
    subprocess.run(
        [sys.executable, *map(str, command)],
        cwd=folder,
        env=environment | {"PYTHONPATH": str(Path(wikicrawler.__file__).parents[1])},
        check=True,
        capture_output=True,
        timeout=300,
    )
