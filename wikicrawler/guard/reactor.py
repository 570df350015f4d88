"""The reactor that the guards need."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from scrapy.utils.reactor import is_reactor_installed

from wikicrawler.errors import ConfigError

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

_NOTEBOOK = (
    "In a notebook run the crawl as a command (!scrapy crawl …), or start the reactor first "
    "(asyncioreactor.install(asyncio.get_running_loop()), then "
    "reactor.startRunning(installSignalHandlers=False))"
)


def require_reactor(settings: BaseSettings) -> None:
    """Check that the crawl has a Twisted reactor.

    Without one Scrapy downloads by another library, whose connections the guards do not see: any
    page could lead to private addresses, and headers and certificates would not be checked.

    :raises ConfigError: there is none, or it will never run
    """
    if not settings.getbool("TWISTED_REACTOR_ENABLED"):
        raise ConfigError(
            "TWISTED_REACTOR_ENABLED is False: wikicrawler needs the Twisted reactor, without "
            "which it could not keep pages from leading to private addresses. Remove the setting. "
            + _NOTEBOOK
        )
    if not is_reactor_installed() or not _loop_is_running():
        return  # Scrapy installs or starts it, or says that it is missing
    from twisted.internet import reactor  # noqa: PLC0415 - installs one

    if not reactor.running:
        raise ConfigError(f"The Twisted reactor is installed, but does not run. {_NOTEBOOK}")


def _loop_is_running() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
