"""A project in which a crawl failed in several ways, and strangers said what they liked."""

from __future__ import annotations

import json
import shutil
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from lxml import html

from tests import scrapy_runs
from tests.audit.samples import operation, write
from tests.crawling import FAST
from tests.servers.dashboard import RealDashboard
from tests.servers.scripted import Reply, ScriptedServer
from tests.sources.watching import manifest_of, source
from wikicrawler import options
from wikicrawler.store.audit_chain import KeptResponse
from wikicrawler.store.database import Database

if TYPE_CHECKING:
    from pathlib import Path

    from tests.servers.chromium import Chromium

HOSTILE = (
    "<script>document.title='run'</script>",
    "\"><img src=x onerror=document.title='run'>",
    "'><svg/onload=document.title='run'>",
    "{{7*7}}{% raw %}",
    "\u202egnp.exe\x00\x1b[31m\r\nX-Header: 1",
    "javascript:document.title='run'",
    '=HYPERLINK("http://evil.test")',
    "@SUM(1)",
    "+1-1",
    "</pre></details></textarea><meta http-equiv=refresh content=0;url=//evil.test>",
)
# Without the last one, which would send the crawl elsewhere.
BODY = "<h1>Denied</h1>" + "".join(HOSTILE[:-1]) + "<b>tail</b>"
PAGE = "<!doctype html><title>Rule</title><main><h1>Rule</h1><p>" + "Words. " * 200


def hostile_site() -> ScriptedServer:
    """A server whose pages fail, each in its way."""
    server = ScriptedServer()
    server.on("/robots.txt", Reply(404))
    server.on("/well", Reply(body=PAGE))
    denied = {"X-Why": HOSTILE[1], "Via": "<script>alert(1)</script>", "Set-Cookie": "a=secret"}
    server.on("/denied", Reply(403, denied, BODY))
    server.on("/gone", Reply(404, {}, BODY))
    server.on("/slow-down", Reply(429, {}, "later"))
    server.on("/broken", Reply(500, {}, BODY))
    server.on("/dropped", Reply(drop=True))
    return server


def crawl_failing(folder: Path, server: ScriptedServer) -> RealDashboard:
    """Make *folder* a project, crawl sources at *server*, and return its dashboard, not started."""
    retry = {str(row): delays for row, delays in FAST["WIKICRAWLER_RETRY"].items()}
    settings = {name: value for name, value in FAST.items() if isinstance(value, int)}
    dashboard = RealDashboard(
        folder,
        settings
        | {
            "WIKICRAWLER_PRIVATE_HOSTS": "127.0.0.0/8",
            "WIKICRAWLER_RETRY": json.dumps(retry | {"500": [0.05]}),
            "WIKICRAWLER_AUDIT": "True",
        },
    )
    sources = [
        source(server.url(f"/{name}"), name, name=f"Rule {name}")
        for name in ("well", "denied", "gone", "slow-down", "broken", "dropped")
    ]
    file = folder / "manifest.json"
    file.write_text(json.dumps(manifest_of(*sources)))
    for command in (
        ("manifest", "activate", str(file)),
        ("crawl", "sources", "-a", "force=true"),
    ):
        done = scrapy_runs.run(dashboard.command(*command)[3:], cwd=folder)
        assert done.returncode == 0, done.stderr[-4000:]
    return dashboard


def database_of(dashboard: RealDashboard) -> Database:
    return Database(str(dashboard.settings[options.DATABASE_URL.name]))


def add_hostile(dashboard: RealDashboard) -> None:
    """Add records in which each text of :data:`HOSTILE` is a URL, an error, a source, an engine and
    a response."""
    database = database_of(dashboard)
    start = datetime.now(UTC) - timedelta(days=1)
    entries = []
    for number, text in enumerate(HOSTILE, 1):
        response = KeptResponse([(text, text), ("server", text)], text.encode(), len(text))
        entries.append(
            operation(
                number,
                run="hostile",
                url=f"https://evil.test/{text}",
                at=start + timedelta(seconds=number),
                source=text,
                engine=text,
                status=None,
                error=text,
                response=response,
            )
        )
    write(database, *entries, run="hostile")
    database.close()


def copy_of(crawled: Path, folder: Path, *arguments: str, **settings: object) -> RealDashboard:
    """A dashboard, not started, of a copy of the project *crawled* in *folder*."""
    shutil.copytree(crawled, folder)
    return RealDashboard(folder, settings, *arguments)


def rows_of(page: str, label: str) -> list[str]:
    """The texts of the rows of the table in the region with this *label*."""
    table = html.fromstring(page).xpath(f"//div[@aria-label='{label}']//tbody")[0]
    return [
        " ".join(" ".join(cell.text_content() for cell in row).split())
        for row in table.xpath("./tr")
    ]


def run_by(browser: Chromium) -> list[str]:
    """What a page of strangers' texts ran or had refused; nothing if all of them are inert."""
    title = browser.driver.title
    return [*(["script"] if title == "run" else []), *browser.violations()]
