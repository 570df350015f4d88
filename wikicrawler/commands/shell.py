"""``scrapy shell``, where every address is the operator's own."""

from __future__ import annotations

from typing import Any, ClassVar

from scrapy.commands import shell


class Command(shell.Command):
    """Scrapy's, without the guard against private addresses."""

    default_settings: ClassVar[dict[str, Any]] = {
        **shell.Command.default_settings,
        "WIKICRAWLER_ADDRESS_GUARD_ENABLED": False,
    }
