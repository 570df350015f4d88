"""A real Chromium, driven by Selenium and Debian's chromedriver."""

from __future__ import annotations

import os
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selenium.webdriver import Chrome

DRIVER = Path("/usr/bin/chromedriver")
SHELL = Path("/usr/lib/chromium/chromium-headless-shell")
"""Not the script of this name in ``/usr/bin``: it leaves a browser behind at each end."""


@contextmanager
def chromium(*arguments: str) -> Iterator[Chrome]:
    """Start a browser. It asks no server on the Internet for a driver."""
    webdriver = pytest.importorskip("selenium.webdriver")
    missing = [str(file) for file in (DRIVER, SHELL) if not file.exists()]
    if missing:
        pytest.skip(
            f"needs {', '.join(missing)} (Debian: chromium-driver, chromium-headless-shell)"
        )
    os.environ["SE_OFFLINE"] = "true"
    options = webdriver.ChromeOptions()
    options.binary_location = str(SHELL)
    for argument in ("--no-sandbox", "--disable-dev-shm-usage", *arguments):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    service = webdriver.ChromeService(str(DRIVER))
    driver = webdriver.Chrome(options=options, service=service)
    try:
        yield driver
    finally:
        driver.quit()
