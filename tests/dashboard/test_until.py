"""How tests wait for what a page shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from selenium.webdriver.common.by import By

if TYPE_CHECKING:
    from tests.servers.chromium import Chromium

LATER = "setTimeout(() => document.body.append('Later'), 300)"
PAGE = f"data:text/html,<p>First</p><script>{LATER}</script>"


def test_what_comes_later_is_waited_for(chromium: Chromium) -> None:
    driver = chromium.driver
    driver.get(PAGE)
    body = driver.find_element(By.TAG_NAME, "body")
    assert chromium.until(lambda: "Later" in body.text and body.text) == "First\nLater"


def test_what_never_comes_is_named_with_the_page(chromium: Chromium) -> None:
    driver = chromium.driver
    driver.get(PAGE)
    with pytest.raises(AssertionError) as failed:
        chromium.until(lambda: driver.find_element(By.ID, "nowhere"), seconds=0.1)
    said = str(failed.value)
    assert 'find_element(By.ID, "nowhere")' in said
    assert "no such element" in said
    assert "data:text/html" in said
    assert "First" in said
