"""Every page of the dashboard for everybody: narrow and wide, light and dark, by keyboard alone,
without scripts, with forced colours and without motion."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from tests.dashboard.demonstrated import demonstrated, screens
from tests.dashboard.routes import parameters_of, paths_of
from tests.dashboard.screens.watched import all_looks, too_wide

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tests.servers.chromium import Chromium
    from tests.servers.dashboard import RealDashboard

WITHOUT_PAGES = {
    "/healthz",
    "/metrics",
    "/login",  # no password is asked for
    "/runs/live",
    "/sources/{source}/proofs/{day}.json",
    "/preview/{source}/{envelope}/rendered",
    "/preview/{source}/{envelope}/original",
    "/manifest/{number}/download",
    "/audit/anchor",
    # Pages of forms, which lead to the form if somebody loads them again.
    *(path for path in paths_of("POST") if path in paths_of("GET")),
}
# What a keyboard has to reach, in the order of the page. A group of radio buttons is one.
_WATCH = """
const shown = (one) => one.checkVisibility({visibilityProperty: true}) && !one.disabled;
const all = [...document.querySelectorAll(
  "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']")];
const groups = new Set();
const wanted = all.filter(shown).filter((one) => {
  if (one.type !== "radio") return true;
  const known = groups.has(one.name);
  const chosen = document.querySelector(`[name="${CSS.escape(one.name)}"]:checked`);
  if (chosen ? one !== chosen : known) return false;
  groups.add(one.name);
  return true;
});
window.wanted = wanted;
window.reached = [];
window.unseen = [];
document.addEventListener("focusin", ({target}) => {
  window.reached.push(wanted.indexOf(target));
  const style = getComputedStyle(target);
  const isSeen = target.matches(":focus-visible") && style.outlineStyle !== "none"
    && parseFloat(style.outlineWidth) >= 2;
  if (!isSeen && target !== document.body) window.unseen.push(target.outerHTML.slice(0, 150));
});
return wanted.length;
"""
_REACHED = """
// A part that was replaced meanwhile, by news of the server, is another element now.
const missing = window.wanted.filter(
  (one, at) => one.isConnected && !window.reached.includes(at));
const order = window.reached.filter((at) => at >= 0);
const isInOrder = order.every((at, n) => n === 0 || at >= order[n - 1] || at === 0);
return {missing: missing.map((one) => one.outerHTML.slice(0, 150)), isInOrder,
        unseen: window.unseen};
"""
_LOADS = "return window.htmx !== undefined && document.querySelector('[hx-trigger=load]') !== null"
_UNUSABLE = """
return [...document.forms].filter((form) => {
  const isSent = [...form.elements].some((one) => one.type === "submit" || one.type === "image");
  const hasToken = form.method !== "post" || form.elements.csrf?.value;
  return !isSent || !hasToken;
}).map((form) => form.outerHTML.slice(0, 300));
"""
_FORGET = "document.getElementById('learned')?.remove()"
"""What a page loads by itself is a page of its own where scripts do not run."""
MOST_KEYS = 400


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealDashboard]:
    """The dashboard over the demonstration."""
    with demonstrated(tmp_path_factory.mktemp("demo")) as dashboard:
        yield dashboard


@pytest.fixture(scope="module")
def pages(demo: RealDashboard) -> Mapping[str, str]:
    """The path of a page of each route."""
    return screens(demo)


def load(browser: Chromium, url: str) -> None:
    """Load the page at *url*, and what it loads by itself if scripts run."""
    browser.driver.get(url)
    browser.until(lambda: not browser.driver.execute_script(_LOADS))


def words(browser: Chromium) -> list[str]:
    """What the page shows, without numbers, which change while it stands."""
    text = browser.driver.execute_script("return document.querySelector('main').innerText")
    return re.findall(r"[^\W\d_]{3,}", text.lower())


def test_each_route_has_a_page(pages: Mapping[str, str]) -> None:
    is_export = re.compile(r"/export$|^/api/")
    lacks = {path for path in paths_of("GET") if path not in pages and not is_export.search(path)}
    assert lacks - WITHOUT_PAGES == set()
    assert [path for path in pages if parameters_of(path)] != []


def test_each_page_is_accessible_and_fits(
    demo: RealDashboard, axe: Chromium, pages: Mapping[str, str]
) -> None:
    faults: list[str] = []
    for path in pages.values():
        load(axe, demo.url + path)

        found: list[str] = []
        all_looks(axe, lambda found=found: found.extend([*axe.axe(), *too_wide(axe)]))
        faults += [f"{path}: {fault}" for fault in [*found, *axe.violations()]]
    assert "\n".join(faults) == ""


def test_each_control_is_reached_by_keyboard_in_order(
    demo: RealDashboard, chromium: Chromium, pages: Mapping[str, str]
) -> None:
    chromium.size(1280)
    faults = []
    for path in pages.values():
        load(chromium, demo.url + path)
        count = chromium.driver.execute_script(_WATCH)
        for _ in range(min(count + 30, MOST_KEYS)):
            for kind in ("rawKeyDown", "keyUp"):
                chromium.cdp(
                    "Input.dispatchKeyEvent",
                    type=kind,
                    key="Tab",
                    code="Tab",
                    windowsVirtualKeyCode=9,
                )
        found = chromium.driver.execute_script(_REACHED)
        if count < MOST_KEYS - 30:
            faults += [f"{path}: not reached: {one}" for one in found["missing"]]
        faults += [f"{path}: focus is not seen: {one}" for one in found["unseen"]]
        if not found["isInOrder"]:
            faults.append(f"{path}: not in the order of the page")
    assert "\n".join(faults) == ""


def test_enter_uses_what_has_the_focus(demo: RealDashboard, chromium: Chromium) -> None:
    driver = chromium.driver
    driver.get(demo.url + "/")
    body = driver.find_element(By.TAG_NAME, "body")
    body.send_keys(Keys.TAB)
    assert driver.switch_to.active_element.text == "Skip to content"
    driver.switch_to.active_element.send_keys(Keys.ENTER)
    chromium.until(lambda: driver.switch_to.active_element.get_attribute("id") == "main")
    link = driver.find_element(By.LINK_TEXT, "Errors")
    driver.execute_script("arguments[0].focus()", link)
    driver.switch_to.active_element.send_keys(Keys.ENTER)
    chromium.until(lambda: driver.current_url == demo.url + "/errors")


def test_each_page_shows_its_content_without_scripts(
    demo: RealDashboard, chromium: Chromium, pages: Mapping[str, str]
) -> None:
    chromium.size(1280)
    faults = []
    for path in pages.values():
        load(chromium, demo.url + path)
        chromium.driver.execute_script(_FORGET)
        expected = words(chromium)
        chromium.scripts(enabled=False)
        try:
            chromium.driver.get(demo.url + path)
            lacks = set(expected) - set(words(chromium))
            if len(lacks) > 0.05 * len(set(expected)) + 2:
                faults.append(f"{path}: without scripts there is no {sorted(lacks)[:20]}")
            unusable = chromium.driver.execute_script(_UNUSABLE)
            faults += [f"{path}: a form that cannot be sent: {one}" for one in unusable]
        finally:
            chromium.scripts(enabled=True)
    assert "\n".join(faults) == ""


@pytest.mark.parametrize(
    "features",
    [{"forced_colors": "active"}, {"prefers_reduced_motion": "reduce"}],
    ids=["forced-colors", "reduced-motion"],
)
def test_nothing_is_hidden_by_preferences(
    demo: RealDashboard, chromium: Chromium, pages: Mapping[str, str], features: dict[str, str]
) -> None:
    chromium.size(1280)
    faults = []
    for path in pages.values():
        load(chromium, demo.url + path)
        expected = set(words(chromium))
        chromium.media(**features)
        lacks = expected - set(words(chromium))
        chromium.media(**dict.fromkeys(features, ""))
        if len(lacks) > 2:
            faults.append(f"{path}: {sorted(lacks)[:20]}")
    assert "\n".join(faults) == ""
