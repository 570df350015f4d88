"""Nothing in a preview runs, sends a request or leaves the page, in a real browser."""

from __future__ import annotations

from time import monotonic, sleep
from typing import TYPE_CHECKING

import pytest

from tests.dashboard.chromium import chromium
from tests.dashboard.preview.payloads import payloads
from tests.servers.counter import Counter
from tests.servers.scripted import Reply, ScriptedServer
from wikicrawler.dashboard.preview import (
    PREVIEW_HEADERS,
    original_document,
    preview_document,
    raw,
    rendered,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selenium.webdriver import Chrome

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; frame-src 'self'; frame-ancestors 'self'; "
    "base-uri 'none'"
)
"""Of the page around the frame."""
AROUND = (
    "<!doctype html><title>Around</title>"
    '<iframe sandbox src="{}" title="Preview" width="600" height="400"></iframe>'
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Chrome]:
    with chromium() as driver:
        yield driver


@pytest.fixture
def other() -> Iterator[Counter]:
    with Counter() as counter:
        yield counter


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        yield server


def shown(driver: Chrome, server: ScriptedServer, name: str, document: str | bytes) -> list[str]:
    """Show *document* in a frame and by itself, and return what did not stay as it was."""
    server.on(f"/{name}", Reply(headers=PREVIEW_HEADERS, body=document))
    around = AROUND.format(server.url(f"/{name}"))
    server.on(
        f"/around-{name}",
        Reply(
            headers={"Content-Type": "text/html", "Content-Security-Policy": POLICY}, body=around
        ),
    )
    faults = []
    for path in (f"/around-{name}", f"/{name}"):
        driver.get(server.url(path))
        sleep(0.05)
        if path.startswith("/around"):
            frame = driver.find_element("css selector", "iframe")
            driver.switch_to.frame(frame)
        where = driver.execute_script("return [document.URL, document.title]")
        if where[0] != server.url(f"/{name}") or where[1] == "ran":
            faults.append(f"{path}: {where}")
        driver.switch_to.default_content()
        if driver.current_url != server.url(path):
            faults.append(f"{path} left to {driver.current_url}")
    return faults


def test_nothing_of_a_preview_runs_or_leaves(
    browser: Chrome, server: ScriptedServer, other: Counter
) -> None:
    faults = []
    texts = payloads(other.origin)
    assert len(texts) >= 60
    for name, text in texts.items():
        faults += shown(browser, server, f"m-{name}", preview_document(text, text))
        faults += shown(browser, server, f"o-{name}", original_document(text, text))
    sleep(1)
    assert faults == []
    assert other.seen == []
    expected = {f"/{kind}-{name}" for name in texts for kind in "mo"}
    expected |= {f"/around{path.replace('/', '-', 1)}" for path in expected}
    assert set(server.paths()) - {"/favicon.ico"} == expected


def test_the_headers_alone_stop_everything_too(
    browser: Chrome, server: ScriptedServer, other: Counter
) -> None:
    faults = []
    for name, text in payloads(other.origin).items():
        if name.startswith("html-"):
            server.on(f"/{name}", Reply(headers=PREVIEW_HEADERS, body=text))
            browser.get(server.url(f"/{name}"))
            sleep(0.05)
            if browser.current_url != server.url(f"/{name}") or browser.title == "ran":
                faults.append(name)
    sleep(1)
    assert faults == []
    assert other.seen == []


def test_nothing_of_a_preview_in_the_page_itself_runs(
    browser: Chrome, server: ScriptedServer, other: Counter
) -> None:
    """The raw text and rendered Markdown are also safe without a policy."""
    texts = payloads(other.origin)
    body = "".join(rendered(text) + raw(text, what=text) for text in texts.values())
    page = f"<!doctype html><title>Page</title>{body}"
    server.on("/page", Reply(headers={"Content-Type": "text/html; charset=utf-8"}, body=page))
    browser.get(server.url("/page"))
    sleep(1)
    assert browser.title == "Page"
    assert other.seen == []
    risky = "script,style,iframe,object,embed,img,link,meta,base,form,input,svg,[href],[src],[id]"
    found = browser.execute_script(
        "return [...document.body.querySelectorAll(arguments[0])].map(e => e.outerHTML)", risky
    )
    assert found == []


def test_the_payloads_run_without_protection(
    browser: Chrome, server: ScriptedServer, other: Counter
) -> None:
    """Without headers and without writing the document anew, the other server is reached."""
    for name in ("html-script", "html-img-onerror", "html-meta-refresh", "html-style-url"):
        before = len(other.seen)
        server.on(f"/{name}", Reply(body=payloads(other.origin)[name]))
        browser.get(server.url(f"/{name}"))
        give_up = monotonic() + 60
        while len(other.seen) == before:
            assert monotonic() < give_up, name
            sleep(0.05)


def test_the_style_sheet_of_a_preview_applies(browser: Chrome, server: ScriptedServer) -> None:
    server.on("/p", Reply(headers=PREVIEW_HEADERS, body=preview_document("[a](http://b/)", "T")))
    browser.get(server.url("/p"))
    link = browser.find_element("css selector", ".preview-link")
    assert "dotted" in link.value_of_css_property("text-decoration")
    assert browser.title == "T"
