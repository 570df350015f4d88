"""``scrapy sites``: the arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

if TYPE_CHECKING:
    import argparse

SUBCOMMANDS = ("list", "pause", "release")


class Command(ScrapyCommand):
    """Exit codes: 0 done; 1 refused; 2 wrong arguments, configuration or database."""

    requires_project = True
    requires_crawler_process = False

    def syntax(self) -> str:
        return "[options] [list | pause <site> --for <time> | release <site>]"

    def short_desc(self) -> str:
        return "Show the sites that are paused, pause one and release it"

    def long_desc(self) -> str:
        return (
            "list: show the sites that are paused, by operators or because they blocked every "
            "tier. pause: ask nothing of a site for a time; crawls that run wait with its pages, "
            "and sources on it stay due. release: end all pauses of a site."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        add = parser.add_argument
        add("--for", dest="time", metavar="TIME", help="pause: how long, like 90s, 30m, 2h or 1d")
        add("--why", metavar="TEXT", default="", help="pause, release: the reason")
        add(
            "--by",
            metavar="NAME",
            default="",
            help="pause, release: who (default: the user)",
        )
        add("--all", action="store_true", help="list: all sites that were ever asked")
        add("--json", action="store_true", help="print JSON, an object per line")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        # Imported here because Scrapy loads all commands, and most do not need these libraries.
        from wikicrawler.commands.sites_answer import pause, release, show  # noqa: PLC0415

        assert self.settings is not None  # noqa: S101 - Scrapy has set them by now
        match args:
            case [] | ["list"]:
                self.exitcode = show(self.settings, every=opts.all, as_json=opts.json)
            case ["pause", site]:
                if opts.time is None:
                    raise UsageError("pause needs --for TIME (like 2h)", print_help=False)
                self.exitcode = pause(self.settings, site, opts)
            case ["release", site]:
                self.exitcode = release(self.settings, site, opts)
            case ["pause" | "release" as name, *_]:
                raise UsageError(f"{name} needs one site", print_help=False)
            case _:
                raise UsageError(f"known: {', '.join(SUBCOMMANDS)}", print_help=False)
