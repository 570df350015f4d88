"""A dashboard over a slow site of this machine, for tests of the controls."""

from __future__ import annotations

import html
import json
import sqlite3
import time
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any

from scrapy.settings import Settings
from selenium.webdriver.common.by import By

from tests.servers.scripted import Reply, ScriptedServer
from tests.sources.watching import manifest_of, source
from wikicrawler.control.context import Context
from wikicrawler.control.manifests import activate_manifest
from wikicrawler.sources.manifest.reader import read_manifest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from tests.servers.chromium import Chromium
    from tests.servers.dashboard import RealDashboard

PAGES = 2_000
SETTINGS = {
    "WIKICRAWLER_PRIVATE_HOSTS": "127.0.0.0/8",
    "WIKICRAWLER_TIERS": "http",
    "WIKICRAWLER_DISCOVER_WIKIS": "False",
    "WIKICRAWLER_CONTENT_WORKERS": "0",
    "DOMAIN_THROTTLE_REQUESTS_PER_MINUTE": "150",
    "CONCURRENT_REQUESTS_PER_DOMAIN": "1",
}
_PATIENCE = 120.0
_TOO_WIDE = """
const root = document.documentElement;
if (root.scrollWidth <= root.clientWidth) return [];
return ["page", ...[...document.querySelectorAll("body *")]
  .filter((one) => one.getBoundingClientRect().right > root.clientWidth && !one.closest(".scroll"))
  .map((one) => one.outerHTML.slice(0, 200))];
"""


def page(title: str, links: Iterable[str] = ()) -> Reply:
    anchors = " ".join(f'<a href="{link}">{link}</a>' for link in links)
    text = f"<p>{f'The rule {title} applies to each lender. ' * 30}</p>{anchors}"
    return Reply(body=f"<!doctype html><title>{title}</title><article><h1>{title}</h1>{text}")


def serve_rules(site: ScriptedServer) -> ScriptedServer:
    """Let *site* have an index with many pages, and three single pages."""
    site.on("/robots.txt", Reply(404))
    paths = [f"/rules/{number}" for number in range(PAGES)]
    site.on("/rules/", page("Index", paths))
    for path in paths:
        site.on(path, page(f"Page {path}"))
    for name in ("one", "two", "three"):
        site.on(f"/{name}", page(name))
    return site


def described(site: ScriptedServer, **fields: Any) -> dict[str, Any]:
    """The manifest of the sources of *site*: ``guide`` is crawled, the others are single pages."""
    single: dict[str, Any] = {"method": "scrape"}
    sources = [
        source(site.url("/rules/"), "guide", name="Guide"),
        source(site.url("/one"), "one", jurisdiction="state:CA", **single),
        source(site.url("/two"), "two", jurisdiction="state:CA", **single),
        source(site.url("/three"), "three", jurisdiction="state:NY", **single),
    ]
    return manifest_of(*sources) | fields


def activate(dashboard: RealDashboard, manifest: dict[str, Any]) -> None:
    """Make *manifest* the active one, as the command does it."""
    with context(dashboard) as steering:
        reading = read_manifest(json.dumps(manifest).encode())
        activate_manifest(steering, reading, check=None, force=True)


@contextmanager
def context(dashboard: RealDashboard) -> Iterator[Context]:
    """What the commands use the controls of the project with."""
    settings = Settings(dict(dashboard.settings))
    steering = Context.of(settings, "ann")
    try:
        yield steering
    finally:
        steering.database.close()


def rows(dashboard: RealDashboard, statement: str) -> list[tuple[Any, ...]]:
    """What *statement* finds in the database."""
    with closing(sqlite3.connect(dashboard.folder / "crawl.sqlite")) as connection:
        return connection.execute(statement).fetchall()


def until(condition: Callable[[], object], why: Callable[[], object] = lambda: "") -> None:
    """Wait until *condition* holds."""
    latest = time.monotonic() + _PATIENCE
    while not condition():
        assert time.monotonic() < latest, why()
        time.sleep(0.1)


def said(dashboard: RealDashboard, path: str = "/runs") -> str:
    """The message of the last control."""
    text = dashboard.get(path).text.partition('id="message"')[2].partition("</div>")[0]
    return html.unescape(text.partition("<bdi>")[2].rpartition("</bdi>")[0])


def click(browser: Chromium, words: str) -> None:
    """Click the button that is called *words*."""
    browser.click(By.XPATH, f'//button[normalize-space(.) = "{words}"]')


def words(browser: Chromium, selector: str) -> list[str]:
    """The texts of the elements that *selector* finds, all of one moment."""
    script = "return [...document.querySelectorAll(arguments[0])].map((one) => one.innerText)"
    return list(browser.driver.execute_script(script, selector))


def text(browser: Chromium, selector: str) -> str:
    """The text of all elements that *selector* finds."""
    return " ".join(words(browser, selector))


def told(browser: Chromium, message: str) -> None:
    """Wait for the message of a control."""
    browser.until(lambda: message in text(browser, "#message"))


def all_looks(browser: Chromium, check: Callable[[], None]) -> None:
    """Call *check* for a narrow and a wide page, light and dark."""
    for scheme in ("light", "dark"):
        for width in (360, 1280):
            browser.media(prefers_color_scheme=scheme)
            browser.size(width)
            check()
    browser.media(prefers_color_scheme="light")


def too_wide(browser: Chromium) -> list[str]:
    """What makes the page scroll sideways."""
    return list(browser.driver.execute_script(_TOO_WIDE))


def accessible(browser: Chromium) -> None:
    """Check that the page is accessible, fits its window, and that nothing was refused."""

    def look() -> None:
        assert browser.axe() == []
        wide = too_wide(browser)
        assert not wide, (browser.driver.current_url, wide)

    all_looks(browser, look)
    assert browser.violations() == []
