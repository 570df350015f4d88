"""``scrapy alerts``: the arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

if TYPE_CHECKING:
    import argparse


class Command(ScrapyCommand):
    """Exit codes: 0 done; 1 a channel failed, or there is no such open alert; 2 wrong arguments,
    configuration or database."""

    requires_project = True
    requires_crawler_process = False

    def syntax(self) -> str:
        return "[options] [test | resolve <id>...]"

    def short_desc(self) -> str:
        return "Show the alerts about watched sources and paid services"

    def long_desc(self) -> str:
        return (
            "Without arguments: show the open alerts. test: send a message to each channel of "
            "WIKICRAWLER_ALERTS and show what came of it. resolve: close alerts by hand, without a "
            "message to the channels."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        which = parser.add_mutually_exclusive_group()
        which.add_argument("--open", action="store_true", help="open alerts only (default)")
        which.add_argument("--all", action="store_true", help="resolved alerts, too")
        parser.add_argument("--json", action="store_true", help="print one JSON object per line")
        parser.add_argument(
            "--source", metavar="ID", default="", help="of this source or service only"
        )
        parser.add_argument("--why", metavar="TEXT", default="", help="resolve: the reason")
        parser.add_argument(
            "--by",
            metavar="NAME",
            default="",
            help="resolve: who does it (default: the user's name)",
        )

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        # Imported here because Scrapy loads all commands, and most do not need these libraries.
        from wikicrawler.commands.alerts_answer import resolve, show, test  # noqa: PLC0415

        assert self.settings is not None  # noqa: S101 - Scrapy has set them by now
        match args:
            case []:
                self.exitcode = show(
                    self.settings, only_open=not opts.all, subject=opts.source, as_json=opts.json
                )
            case ["test"]:
                self.exitcode = test(self.settings)
            case ["resolve", _, *_]:
                self.exitcode = resolve(self.settings, args[1:], by=opts.by, why=opts.why)
            case ["resolve"]:
                raise UsageError("resolve needs the id of an alert", print_help=False)
            case _:
                raise UsageError("known: test, resolve <id>...", print_help=False)
