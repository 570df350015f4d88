"""Debian's Chromium, driven by Selenium, and what tests ask of its pages."""

from __future__ import annotations

import base64
import inspect
import os
import signal
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from selenium import webdriver
from selenium.common.exceptions import (
    NoAlertPresentException,
    NoSuchElementException,
    StaleElementReferenceException,
    WebDriverException,
)
from selenium.webdriver.chrome.service import Service

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

Value = TypeVar("Value")

BINARY = Path("/usr/lib/chromium/chromium-headless-shell")
DRIVER = Path("/usr/bin/chromedriver")
AXE = Path(__file__).parents[2] / ".cache" / "axe" / "axe.min.js"
"""Of ``scripts/install-test-axe``."""
_ARGUMENTS = (
    "--no-sandbox",  # the tests may run as root
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
_ABSENT = (NoAlertPresentException, NoSuchElementException, StaleElementReferenceException)
_PAUSE = 0.05  # seconds between two looks at a page
_CSP = """
window.__violations = [];
document.addEventListener("securitypolicyviolation", (e) => window.__violations.push(
  `${e.violatedDirective} ${e.blockedURI}`));
"""


def missing() -> list[str]:
    """What the browser lacks on this machine."""
    return [str(path) for path in (BINARY, DRIVER) if not path.exists()]


class Chromium:
    """Context manager: a headless browser.

    :param hosts: names that it resolves to 127.0.0.1
    """

    def __init__(self, hosts: Sequence[str] = ()) -> None:
        os.environ["SE_OFFLINE"] = "true"  # Selenium asks the network for drivers otherwise
        options = webdriver.ChromeOptions()
        options.binary_location = str(BINARY)
        for argument in _ARGUMENTS:
            options.add_argument(argument)
        if hosts:
            rules = ", ".join(f"MAP {host} 127.0.0.1" for host in hosts)
            options.add_argument(f"--host-resolver-rules={rules}")
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service(str(DRIVER)))
        self.cdp("Page.addScriptToEvaluateOnNewDocument", source=_CSP)

    def __enter__(self) -> Chromium:
        return self

    def __exit__(self, *_: object) -> None:
        service = self.driver.service.process.pid
        children = _children(service)
        with suppress(Exception):
            self.driver.quit()
        # The program of the package is a shell script without exec, which quit() leaves behind.
        for process in children:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)

    def until(self, condition: Callable[[], Value], seconds: float = 120) -> Value:
        """Wait until *condition* holds, and return what it returned.

        It does not hold while an element or an alert that it looks for is not there, or not any
        more. A click and a key return before the page that they lead to has come, so *condition*
        has to be one that the page before does not fulfil.

        :raises AssertionError: it does not hold within *seconds*; the message has the condition,
            what it returned last, the URL and the text of the page
        """
        latest = time.monotonic() + seconds
        while True:
            found: object
            try:
                value = condition()
            except _ABSENT as error:
                found = error.msg
            else:
                if value:
                    return value
                found = value
            if time.monotonic() > latest:
                raise AssertionError(
                    f"not within {seconds} seconds: {_source(condition)}\nIt returned {found!r}\n"
                    f"{self._shown()}"
                )
            time.sleep(_PAUSE)

    def click(self, by: str, value: str) -> None:
        """Click an element, another one if the page replaces it meanwhile."""

        def clicked() -> bool:
            self.driver.find_element(by, value).click()
            return True

        self.until(clicked)

    def _shown(self) -> str:
        """The URL and the text of the page, for messages."""
        try:
            text = self.driver.execute_script("return (document.body || {}).innerText || ''")
        except WebDriverException as error:  # a dialog is open, or the browser is gone
            return str(error.msg)
        return f"The page {self.driver.current_url} has the text:\n{text[:2000]}"

    def cdp(self, command: str, /, **parameters: Any) -> Mapping[str, Any]:
        """Run a command of the DevTools protocol."""
        return self.driver.execute_cdp_cmd(command, parameters)

    def size(self, width: int, height: int = 900) -> None:
        """Set the size of the window's content in CSS pixels."""
        self.cdp(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )

    def media(self, **features: str) -> None:
        """Emulate media features: ``media(prefers_color_scheme="dark")``."""
        named = [{"name": n.replace("_", "-"), "value": v} for n, v in features.items()]
        self.cdp("Emulation.setEmulatedMedia", features=named)

    def scripts(self, *, enabled: bool) -> None:
        """Let pages run scripts, or not."""
        self.cdp("Emulation.setScriptExecutionDisabled", value=not enabled)

    def violations(self) -> list[str]:
        """What the content security policy of the page refused, by events and by the log."""
        events = self.driver.execute_script("return window.__violations || []")
        logged = [
            entry["message"]
            for entry in self.driver.get_log("browser")
            if "Content Security Policy" in entry["message"]
        ]
        return [*events, *logged]

    def axe(self) -> list[str]:
        """Violations of accessibility rules on the page, a line each."""
        self.driver.execute_script(AXE.read_text("utf-8"))
        result = self.driver.execute_async_script(
            "const done = arguments[arguments.length - 1];"
            "axe.run(document, {resultTypes: ['violations']}).then(r => done(r), e => done(e));"
        )
        return [
            f"{found['id']} ({found['impact']}): {found['help']}: {node['html'][:200]}"
            for found in result["violations"]
            for node in found["nodes"][:5]
        ]

    def screenshot(self, path: Path, *, whole: bool = True) -> None:
        """Write a picture of the page to *path* (PNG)."""
        taken = self.cdp("Page.captureScreenshot", captureBeyondViewport=whole)
        path.write_bytes(base64.b64decode(taken["data"]))


def _source(condition: Callable[[], object]) -> str:
    with suppress(OSError, TypeError):
        return " ".join(inspect.getsource(condition).split())
    return repr(condition)


def _children(process: int) -> list[int]:
    """Return all descendants of *process*."""
    parents: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError, IndexError, ValueError):
                fields = (entry / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()
                parents.setdefault(int(fields[1]), []).append(int(entry.name))
    found, waiting = [], [process]
    while waiting:
        own = parents.get(waiting.pop(), [])
        found += own
        waiting += own
    return found
