"""``scrapy dashboard``: the arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand

if TYPE_CHECKING:
    import argparse

_PORT = 8765


class Command(ScrapyCommand):
    """Exit codes: 0 stopped by a signal; 2 wrong arguments or configuration."""

    requires_project = True
    requires_crawler_process = False

    def syntax(self) -> str:
        return "[options]"

    def short_desc(self) -> str:
        return "Serve web pages that show and control the crawls of this project"

    def long_desc(self) -> str:
        return (
            "Serve web pages over what the crawls of this project recorded: watched sources, "
            "changes, errors, sites, costs; with controls for runs, schedules and manifests. Runs "
            "until a signal, on this machine alone unless --host names another address, which "
            "needs a password."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        add = parser.add_argument
        add("--host", default="127.0.0.1", help="address to listen on (default: 127.0.0.1)")
        add("--port", type=int, default=_PORT, help=f"0: a free one (default: {_PORT})")
        add("--open", action="store_true", help="open the overview in a browser")
        add("--read-only", action="store_true", help="show pages, and refuse all changes")
        add(
            "--hash-password",
            action="store_true",
            help="ask for a password, print its hash for WIKICRAWLER_DASHBOARD_USERS, and end",
        )

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        # Imported here because Scrapy loads all commands, and most do not need these libraries.
        from wikicrawler.commands.dashboard_answer import answer  # noqa: PLC0415

        assert self.settings is not None  # noqa: S101 - Scrapy has set them by now
        self.exitcode = answer(self.settings, args, opts)
