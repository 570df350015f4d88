"""The screen of manifests in a real browser."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from tests.dashboard.screens.watched import (
    SETTINGS,
    accessible,
    activate,
    click,
    described,
    rows,
    serve_rules,
    told,
    too_wide,
    words,
)
from tests.servers.dashboard import RealDashboard
from tests.servers.scripted import ScriptedServer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.servers.chromium import Chromium

HOSTILE = (
    "<script>window.hit = 1</script>",
    "\"><img src=x onerror='window.hit = 1'>",
    "</textarea><svg onload=window.hit=1>",
    "</code></bdi><iframe srcdoc='<script>parent.hit=1</script>'></iframe>",
    "<a href='javascript:window.hit=1' autofocus onfocus='window.hit=1'>x</a>",
    "<div hx-get='/manifest' hx-trigger='load' hx-on:click='window.hit=1'>x</div>",
    "{{ 7 * 7 }}{% raw %}",
    "\u202etxet desrever\u2066\u200f",
    "&lt;b&gt;&#x3c;script&#x3e;",
    "x" * 150,
)


@pytest.fixture(scope="module")
def dashboard(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealDashboard]:
    with (
        ScriptedServer() as site,
        RealDashboard(tmp_path_factory.mktemp("page") / "project", SETTINGS) as running,
    ):
        serve_rules(site)
        manifest = described(site)
        activate(running, manifest)
        running.manifest = manifest  # type: ignore[attr-defined]
        yield running


@pytest.fixture
def manifest(dashboard: RealDashboard) -> dict[str, Any]:
    """The active manifest, to be changed."""
    first = dashboard.manifest  # type: ignore[attr-defined]
    activate(dashboard, first)
    copied: dict[str, Any] = json.loads(json.dumps(first))
    return copied


@pytest.fixture(autouse=True)
def own_look(request: pytest.FixtureRequest) -> None:
    """Each test begins with a wide page and with scripts."""
    if {"chromium", "axe"} & set(request.fixturenames):
        browser = request.getfixturevalue("chromium")
        browser.scripts(enabled=True)
        browser.size(1280)


def choose(browser: Chromium, dashboard: RealDashboard, tmp_path: Path, text: str) -> None:
    """Choose a file with *text* on the page of manifests."""
    file = tmp_path / "new.json"
    file.write_text(text, "utf-8")
    browser.driver.get(dashboard.url + "/manifest")
    browser.driver.find_element(By.ID, "file").send_keys(str(file))


def check(browser: Chromium) -> None:
    """Check the file that was chosen."""
    click(browser, "Check")
    browser.until(lambda: words(browser, "h1") == ["Check of new.json"])


def hits(browser: Chromium) -> object:
    return browser.driver.execute_script("return window.hit || null")


def test_each_page_is_accessible(
    dashboard: RealDashboard, axe: Chromium, tmp_path: Path, manifest: dict[str, Any]
) -> None:
    activate(dashboard, manifest | {"version": "1.0.1"})
    for path in ("/manifest", "/manifest/1", "/manifest/1?source=guide"):
        axe.driver.get(dashboard.url + path)
        accessible(axe)
    axe.driver.get(dashboard.url + "/manifest/differences?old=1&new=2")
    accessible(axe)
    manifest["sources"][0]["priority"] = "urgent"
    choose(axe, dashboard, tmp_path, json.dumps(manifest, indent=1))
    check(axe)
    accessible(axe)
    manifest["sources"][0]["priority"] = "low"
    choose(axe, dashboard, tmp_path, json.dumps(manifest | {"version": "0.0.1"}, indent=1))
    check(axe)
    accessible(axe)


@pytest.mark.parametrize("with_scripts", [True, False])
def test_a_file_is_checked_corrected_and_activated(
    dashboard: RealDashboard,
    chromium: Chromium,
    tmp_path: Path,
    manifest: dict[str, Any],
    with_scripts: bool,
) -> None:
    chromium.scripts(enabled=with_scripts)
    version = f"5.{int(with_scripts)}.0"
    manifest["version"] = version
    manifest["sources"][0]["priority"] = "urgent"
    driver = chromium.driver
    choose(chromium, dashboard, tmp_path, json.dumps(manifest, indent=1))
    check(chromium)
    chromium.click(By.CSS_SELECTOR, ".faults a")
    line = chromium.until(lambda: driver.find_element(By.CSS_SELECTOR, ".listing :target"))
    assert "urgent" in line.text
    field = driver.find_element(By.ID, "pasted")
    text = field.get_attribute("value")
    assert text is not None
    driver.execute_script("arguments[0].value = arguments[1]", field, text.replace("urgent", "low"))
    click(chromium, "Check")
    chromium.until(lambda: words(chromium, ".differences ins") == [version, "low"])
    driver.find_element(By.ID, "reason").send_keys("tried in a browser")
    driver.find_element(By.ID, "robots").click()
    click(chromium, "Activate")
    told(chromium, f"version {version}")
    stored = rows(dashboard, "SELECT version, reason FROM manifests ORDER BY number DESC LIMIT 1")
    assert stored == [(version, "tried in a browser")]


def test_a_dropped_file_is_chosen(dashboard: RealDashboard, chromium: Chromium) -> None:
    chromium.driver.get(dashboard.url + "/manifest")
    chromium.driver.execute_script(
        "const data = new DataTransfer(); data.items.add(new File(['{'], 'dropped.json'));"
        "document.querySelector('[data-drop]').dispatchEvent("
        "new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true}));"
    )
    click(chromium, "Check")
    chromium.until(lambda: words(chromium, "h1") == ["Check of dropped.json"])


def test_an_earlier_manifest_is_restored_by_keyboard_alone(
    dashboard: RealDashboard, chromium: Chromium, manifest: dict[str, Any]
) -> None:
    activate(dashboard, manifest | {"version": "9.0.0"})
    number = rows(dashboard, "SELECT max(number) FROM manifests")[0][0]
    driver = chromium.driver
    driver.get(f"{dashboard.url}/manifest/{number - 1}#restore")

    def press(key: str) -> None:
        driver.switch_to.active_element.send_keys(key)

    for _ in range(60):
        press(Keys.TAB)
        focused = driver.switch_to.active_element
        if focused.get_attribute("id") == "robots":
            press(Keys.SPACE)
        if focused.text == "Roll back":
            break
    press(Keys.ENTER)
    chromium.until(lambda: driver.switch_to.alert).dismiss()
    assert rows(dashboard, "SELECT max(number) FROM manifests") == [(number,)]
    press(Keys.ENTER)
    chromium.until(lambda: driver.switch_to.alert).accept()
    told(chromium, f"restores number {number - 1}")


@pytest.mark.parametrize("with_scripts", [True, False])
def test_nothing_of_a_hostile_manifest_is_executed(
    dashboard: RealDashboard,
    chromium: Chromium,
    tmp_path: Path,
    manifest: dict[str, Any],
    with_scripts: bool,
) -> None:
    chromium.scripts(enabled=with_scripts)
    first = manifest["sources"][1]
    # Valid texts in fields that take any line, then the same in fields that don't.
    valid = [
        first
        | {
            "id": f"hostile-{n}",
            "name": text,
            "regulatory_domain": text,
            "jurisdiction": text,
            "citation": text,
            "metadata": {"agency": text, "notes": text},
        }
        for n, text in enumerate(HOSTILE)
        if text.isprintable()
    ]
    texts = json.dumps(manifest | {"version": "99.0.0", "sources": valid}, ensure_ascii=False)
    invalid = [
        first | {"id": text, "priority": text, text: text, "frequency": text, "url": text}
        for text in (*HOSTILE, "\x1b[2J\x07", "\x00")
    ]
    faulty = json.dumps(
        manifest | {"vertical": HOSTILE[0], "sources": invalid}, ensure_ascii=False, indent=1
    )
    driver = chromium.driver
    for text in (faulty, texts, HOSTILE[0] + "\n" + HOSTILE[2] + ": [", "\x1b]0;x\x07" + faulty):
        choose(chromium, dashboard, tmp_path, text)
        check(chromium)
        assert hits(chromium) is None
        assert driver.find_elements(By.CSS_SELECTOR, "main script, main iframe, main svg") == []
        assert driver.find_elements(By.CSS_SELECTOR, "main img, [hx-get], [onfocus]") == []
        source = driver.page_source
        assert not {"\u202e", "\u2066", "\x1b"} & set(source.partition("<textarea")[0])
    choose(chromium, dashboard, tmp_path, texts)
    check(chromium)
    for box in ("robots", "force"):
        driver.find_element(By.ID, box).click()
    driver.find_element(By.ID, "reason").send_keys(HOSTILE[1])
    click(chromium, "Activate")
    told(chromium, "version 99.0.0")
    number = rows(dashboard, "SELECT max(number) FROM manifests")[0][0]
    paths = (
        "/manifest",
        f"/manifest/{number}",
        f"/manifest/{number}?source=hostile-0",
        f"/manifest/differences?old=1&new={number}",
        "/runs",
    )
    for path in paths:
        driver.get(dashboard.url + path)
        assert hits(chromium) is None
        assert driver.find_elements(By.CSS_SELECTOR, "main script, main iframe, main img") == []
        assert "onerror" in driver.page_source or path.endswith("hostile-0")
        for width in (360, 1280):
            chromium.size(width)
            assert too_wide(chromium) == []
    assert chromium.violations() == []
    activate(dashboard, manifest)
