"""``scrapy fleet``: the arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

if TYPE_CHECKING:
    import argparse

SUBCOMMANDS = ("status", "dead", "forget")


class Command(ScrapyCommand):
    """Exit codes: 0 done; 1 there is no such job, or it was not confirmed; 2 wrong arguments or
    configuration; 6 Redis cannot be used."""

    requires_project = True
    requires_crawler_process = False

    def syntax(self) -> str:
        return "[options] [status | dead | forget]"

    def short_desc(self) -> str:
        return "Show a crawl on several workers: who runs, what is queued, what waits for what"

    def long_desc(self) -> str:
        return (
            "status: show the workers of a job, its requests, its largest sites and what waits for "
            "what; without a job: the jobs in the Redis. dead: list the requests of a job that "
            "were given up. forget: delete what Redis has of a job."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        add = parser.add_argument
        add(
            "--frontier",
            metavar="URL",
            help="the Redis (default: WIKICRAWLER_FRONTIER, of the settings or the environment)",
        )
        add("--job", metavar="JOB", help="the job (default: WIKICRAWLER_FRONTIER_JOB)")
        add("--spider", metavar="NAME", default="wiki", help="its spider (default: wiki)")
        add(
            "--sites",
            metavar="N",
            type=int,
            default=10,
            help="status: show the N sites with the most requests (default: 10, at most 200)",
        )
        add(
            "--limit",
            metavar="N",
            type=int,
            default=100,
            help="dead: list at most N (default: 100)",
        )
        add("--yes", action="store_true", help="forget: do not ask")
        add("--json", action="store_true", help="print JSON, an object per line")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        # Imported here because Scrapy loads all commands, and most do not need these libraries.
        from wikicrawler.commands.fleet_answer import dead, forget, status  # noqa: PLC0415

        assert self.settings is not None  # noqa: S101 - Scrapy has set them by now
        match args:
            case [] | ["status"]:
                self.exitcode = status(self.settings, opts)
            case ["dead"]:
                self.exitcode = dead(self.settings, opts)
            case ["forget"]:
                self.exitcode = forget(self.settings, opts)
            case [name, *_] if name in SUBCOMMANDS:
                raise UsageError(
                    f"{name} takes no arguments: name the job with --job", print_help=False
                )
            case _:
                raise UsageError(f"known: {', '.join(SUBCOMMANDS)}", print_help=False)
