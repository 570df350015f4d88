"""A real browser opens the report without a word on its console."""

from __future__ import annotations

import os
import re
import subprocess
from typing import TYPE_CHECKING

import pytest

from tests.fields.report.findings import found_text, result_of
from tests.servers.crawl4ai import BROWSER
from wikicrawler.fields.definitions.define import define_fields
from wikicrawler.fields.report.rendering import render_report

if TYPE_CHECKING:
    from pathlib import Path

TEXT = "# Shop\n\nThe price is 14.50 EUR, <script>document.title = 'run'</script>\n"
EVIL = "</style><script>document.title = 'run'</script><img src=x onerror=\"document.title='run'\">"
pytestmark = pytest.mark.browser


@pytest.fixture
def browser(tmp_path: Path) -> Browser:
    if not BROWSER.exists():
        reason = "needs Debian's chromium-headless-shell (run scripts/install-test-packages)"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    return Browser(tmp_path)


class Browser:
    """Opens pages, each in a browser of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def open(self, html: str) -> tuple[str, list[str]]:
        """Return what became of the page, and what the browser says on its console."""
        page = self._folder / "page.html"
        page.write_text(html, "utf-8")
        done = subprocess.run(
            [
                *(BROWSER, "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"),
                *("--enable-logging=stderr", "--dump-dom", f"--user-data-dir={self._folder}/home"),
                page.as_uri(),
            ],
            capture_output=True,
            encoding="utf-8",
            timeout=120,
            check=True,
        )
        return done.stdout, re.findall(r"CONSOLE.*", done.stderr)


def report() -> str:
    fields = define_fields("price: number, title")
    findings = [
        found_text(TEXT, "price", "14.50", value=14.5, marks=("addressed", "hidden")),
        found_text(TEXT, "title", "Shop", value=EVIL),
    ]
    result = result_of(findings, fields, partial=EVIL)
    return render_report([result], {result.url: TEXT}, fields, title=EVIL)


def test_the_browser_has_nothing_to_say(browser: Browser) -> None:
    dom, console = browser.open(report())
    assert console == []
    assert '<mark id="evidence-2" class="addressed hidden"' in dom
    assert "<title>run</title>" not in dom


def test_the_policy_stops_what_would_not_be_escaped(browser: Browser) -> None:
    foreign = "<style>b { color: red }</style><script>document.title = 'run'</script>"
    dom, console = browser.open(report().replace("<main>", f"<main>{foreign}", 1))
    assert "<title>run</title>" not in dom
    assert len([line for line in console if "Content Security Policy" in line]) == 2
