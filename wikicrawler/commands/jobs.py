"""``scrapy jobs``: the arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

if TYPE_CHECKING:
    import argparse

SUBCOMMANDS = ("list", "stop")


class Command(ScrapyCommand):
    """Exit codes: 0 done; 1 refused; 2 wrong arguments, configuration or database."""

    requires_project = True
    requires_crawler_process = False

    def syntax(self) -> str:
        return "[options] [list | stop <id>...]"

    def short_desc(self) -> str:
        return "Show the crawls that run, and stop them"

    def long_desc(self) -> str:
        return (
            "list: show the crawls that run or were requested, and the last ones that ended. stop: "
            "ask crawls to end as after Ctrl-C; what they have not done stays to be done."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        add = parser.add_argument
        add("--all", action="store_true", help="list: all that are kept, not the last 20")
        add("--json", action="store_true", help="print JSON, an object per line")
        add("--why", metavar="TEXT", default="", help="stop: the reason")
        add("--by", metavar="NAME", default="", help="stop: who does it (default: the user's name)")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        # Imported here because Scrapy loads all commands, and most do not need these libraries.
        from wikicrawler.commands.jobs_answer import show, stop  # noqa: PLC0415

        assert self.settings is not None  # noqa: S101 - Scrapy has set them by now
        match args:
            case [] | ["list"]:
                self.exitcode = show(self.settings, every=opts.all, as_json=opts.json)
            case ["stop", _, *_]:
                self.exitcode = stop(self.settings, args[1:], opts)
            case ["stop"]:
                raise UsageError("stop needs the id of a job", print_help=False)
            case _:
                raise UsageError(f"known: {', '.join(SUBCOMMANDS)}", print_help=False)
