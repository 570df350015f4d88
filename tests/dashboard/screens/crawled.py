"""A project whose crawl used two tiers, one of them a paid service."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from lxml import html

from tests import scrapy_runs
from tests.crawling import FAST
from tests.servers.dashboard import RealDashboard
from tests.servers.firecrawl import ScriptedFirecrawl, scraped
from tests.servers.scripted import Reply, ScriptedServer
from tests.sources.watching import manifest_of, source

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

PLAIN, SHELLS = ("well", "second"), ("app-0", "app-1", "app-2", "app-3")
SHELL = '<html><body><div id="root"></div><script src="/app.js"></script></body></html>'
WORDS = "<p>Each lender keeps its records for seven years after the loan ends.</p>" * 12
ARTICLE = f"<!doctype html><title>Rule</title><main><h1>Rule</h1>{WORDS}</main>"
LIMIT = 5


def serve_pages() -> ScriptedServer:
    """A site with plain pages, and pages that need a browser."""
    server = ScriptedServer()
    server.on("/robots.txt", Reply(404))
    for name in PLAIN:
        server.on(f"/{name}", Reply(body=ARTICLE))
    for name in SHELLS:
        server.on(f"/{name}", Reply(body=SHELL))
    return server


def serve_firecrawl() -> ScriptedFirecrawl:
    firecrawl = ScriptedFirecrawl()
    firecrawl.every_page = scraped(ARTICLE)
    return firecrawl


def project_of(
    folder: Path, site: ScriptedServer, firecrawl: ScriptedFirecrawl, *arguments: str
) -> RealDashboard:
    """A project that watches the pages of *site*, and its dashboard, not started."""
    settings = {name: value for name, value in FAST.items() if isinstance(value, (int, str))}
    dashboard = RealDashboard(
        folder,
        settings
        | firecrawl.settings
        | {
            "WIKICRAWLER_PRIVATE_HOSTS": "127.0.0.0/8",
            "WIKICRAWLER_TIERS": "http,firecrawl",
            "WIKICRAWLER_DISCOVER_WIKIS": "False",
            "WIKICRAWLER_RECORD_ATTEMPTS": "True",
            "WIKICRAWLER_AUDIT": "True",
            "WIKICRAWLER_CREDITS": json.dumps({"firecrawl": LIMIT}),
        },
        *arguments,
    )
    sources = [
        source(site.url(f"/{name}"), name, name=f"Rule {name}", method="scrape")
        for name in (*PLAIN, *SHELLS)
    ]
    file = folder / "manifest.json"
    file.write_text(json.dumps(manifest_of(*sources)))
    run(dashboard, "manifest", "activate", str(file))
    return dashboard


def run(dashboard: RealDashboard, *command: str) -> None:
    """Run a command of the project."""
    done = scrapy_runs.run(dashboard.command(*command)[3:], cwd=dashboard.folder)
    assert done.returncode == 0, done.stderr[-4000:]


def crawl(dashboard: RealDashboard, names: Iterable[str] = (), *, force: bool = True) -> None:
    """Visit the sources *names*, or all."""
    only = ("-a", f"only={','.join(names)}") if names else ()
    run(dashboard, "crawl", "sources", "-a", f"force={str(force).lower()}", *only)


def rows_of(page: str, label: str) -> list[str]:
    """The rows of the table in the region with this *label*: the texts of their cells."""
    table = html.fromstring(page).xpath(f"//div[@aria-label='{label}']//tbody")[0]
    cells = ([cell.text_content() for cell in row] for row in table.xpath("./tr"))
    return [" ".join(" ".join(row).split()) for row in cells]
