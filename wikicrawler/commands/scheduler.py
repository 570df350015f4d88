"""``scrapy scheduler``: the arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

if TYPE_CHECKING:
    import argparse

SUBCOMMANDS = ("pause", "resume", "status")


class Command(ScrapyCommand):
    """Exit codes: 0 done, or stopped by a signal; 1 refused; 2 wrong arguments or configuration;
    with ``--once`` that of the crawl; 128 + N if a second signal N ended it at once."""

    requires_project = True
    requires_crawler_process = False

    def syntax(self) -> str:
        return "[options] [pause | resume | status]"

    def short_desc(self) -> str:
        return "Start crawls whenever watched sources are due"

    def long_desc(self) -> str:
        return (
            "Run until a signal, and start scrapy due whenever a source of the active manifest is "
            "due; or, with --scrapyd, a job of the spider sources. -s options are passed on to the "
            "crawls. Several schedulers may use one PostgreSQL. pause: have each scheduler and "
            "scrapy due start nothing until resume; what operators start goes on. status: show "
            "whether it is paused."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        add = parser.add_argument
        add("--manifest", metavar="FILE", help="a manifest, instead of the active one")
        add(
            "--every",
            metavar="SECONDS",
            type=float,
            default=60.0,
            help="look at least so often what is due (default: 60)",
        )
        add(
            "--longest",
            metavar="SECONDS",
            type=float,
            default=86_400.0,
            help="stop a crawl that takes longer (default: 86400)",
        )
        add("--scrapyd", metavar="URL", help="start jobs by this Scrapyd")
        add("--project", metavar="NAME", help="with --scrapyd: the project (default: BOT_NAME)")
        add("--why", metavar="TEXT", default="", help="pause, resume: the reason")
        add("--by", metavar="NAME", default="", help="pause, resume: who (default: the user)")
        add("--json", action="store_true", help="status: print JSON")
        add("--once", action="store_true", help="start one crawl if a source is due, and end")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        # Imported here because Scrapy loads all commands, and most do not need these libraries.
        from wikicrawler.commands.scheduler_answer import answer, steer  # noqa: PLC0415

        assert self.settings is not None  # noqa: S101 - Scrapy has set them by now
        if not args:
            self.exitcode = answer(self.settings, opts)
        elif len(args) == 1 and args[0] in SUBCOMMANDS:
            self.exitcode = steer(self.settings, args[0], opts)
        else:
            raise UsageError(f"known: {', '.join(SUBCOMMANDS)}", print_help=False)
