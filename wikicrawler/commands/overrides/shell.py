"""``scrapy shell`` without the address guard: every URL is the operator's own."""

from __future__ import annotations

from typing import Any, ClassVar

from scrapy.commands import shell

from wikicrawler import options


class Command(shell.Command):
    """Scrapy's own command, without the guard against private addresses."""

    default_settings: ClassVar[dict[str, Any]] = {
        **shell.Command.default_settings,
        options.ADDRESS_GUARD_ENABLED.name: False,
    }
