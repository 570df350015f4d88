"""The frame of all pages, in a real browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

if TYPE_CHECKING:
    from tests.servers.chromium import Chromium
    from tests.servers.dashboard import RealDashboard


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_a_page_is_accessible(
    dashboard: RealDashboard, axe: Chromium, scheme: str, width: int
) -> None:
    axe.size(width)
    axe.media(prefers_color_scheme=scheme)
    axe.driver.get(dashboard.url + "/")
    assert axe.axe() == []
    assert axe.violations() == []


def test_a_narrow_page_does_not_scroll_sideways(
    dashboard: RealDashboard, chromium: Chromium
) -> None:
    chromium.size(360)
    chromium.driver.get(dashboard.url + "/")
    width = chromium.driver.execute_script("return document.documentElement.scrollWidth")
    assert width <= 360


def test_the_first_tab_stop_skips_the_navigation(
    dashboard: RealDashboard, chromium: Chromium
) -> None:
    chromium.driver.get(dashboard.url + "/")
    body = chromium.driver.find_element(By.TAG_NAME, "body")
    body.send_keys(Keys.TAB)
    focused = chromium.driver.switch_to.active_element
    assert focused.text == "Skip to content"
    focused.send_keys(Keys.ENTER)
    chromium.until(lambda: chromium.driver.switch_to.active_element.get_attribute("id") == "main")
