"""``scrapy check`` that also checks the log-ins and proxies of ``sources.yml``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from scrapy.commands import check

from wikicrawler.errors import ConfigError
from wikicrawler.process.exit_codes import ExitCode
from wikicrawler.text.safe import safe_lines

if TYPE_CHECKING:
    import argparse


class Command(check.Command):
    """Scrapy's own command, which first lists the sites with a log-in or a proxy, and reads their
    secrets. Exit code 2: one cannot be read."""

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        # Imported here because Scrapy loads all commands, and most do not need these libraries.
        from wikicrawler.commands.access_answer import access_lines  # noqa: PLC0415

        assert self.settings is not None  # noqa: S101 - Scrapy has set them by now
        try:
            for line in access_lines(self.settings):
                sys.stdout.write(f"{line}\n")
        except ConfigError as error:
            sys.stderr.write(f"scrapy check: error: {safe_lines(error)}\n")
            self.exitcode = ExitCode.BAD_CONFIGURATION
            return
        super().run(args, opts)
