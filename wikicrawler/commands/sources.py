"""``scrapy sources``: the arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.commands import BaseRunSpiderCommand
from scrapy.exceptions import UsageError

if TYPE_CHECKING:
    import argparse

SUBCOMMANDS = ("list", "show", "live", "run", "pause", "resume", "override")

_CHOOSING = ("run", "pause", "resume", "override")


class Command(BaseRunSpiderCommand):
    """Exit codes: 0 done; 1 refused; 2 wrong arguments, configuration or database, no such source;
    with ``run`` those of ``scrapy crawl``."""

    requires_project = True

    def syntax(self) -> str:
        return (
            "[options] list | show <id>... | live <id>... | run <id>... | pause <id>... | "
            "resume <id>... | override <id>... <time>"
        )

    def short_desc(self) -> str:
        return "Show and steer when watched sources are visited"

    def long_desc(self) -> str:
        return (
            "list: show each active source, when it was visited and when it is due. show: the same "
            "of some sources, with the kept responses of their failed fetches. live: show the "
            "lines of their documents that changed at several visits, with patterns for "
            "ignore_changes of the manifest. run: visit "
            "sources now. pause: visit sources no more until they are resumed. resume: visit "
            "sources again that were paused, or that failed five times in a row. override: visit a "
            "source at a time besides its schedule, once; the time is like 2026-12-01T03:00Z. The "
            "last four take --category or --all instead of ids, and are recorded in the audit log."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--manifest", metavar="FILE", help="a manifest, instead of the active")
        parser.add_argument("--why", metavar="TEXT", default="", help="pause: the reason")
        parser.add_argument(
            "--category",
            metavar="FIELD=VALUE",
            help="run, pause, resume, override: sources like jurisdiction=federal instead of ids",
        )
        parser.add_argument(
            "--all", action="store_true", help="run, pause, resume, override: all active sources"
        )
        parser.add_argument(
            "--by",
            metavar="NAME",
            default="",
            help="run, pause, resume, override: who does it (default: the user's name)",
        )
        parser.add_argument("--due", action="store_true", help="run: only those that are due")
        parser.add_argument(
            "--detach",
            action="store_true",
            help="run: start a process of its own, print the id of its job and do not wait",
        )
        parser.add_argument("--json", action="store_true", help="list, show, live: print JSON")

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        super().process_options(args, opts)
        self.requires_crawler_process = args[:1] == ["run"] and not opts.detach

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        # Imported here because Scrapy loads all commands, and most do not need these libraries.
        from wikicrawler.commands.sources_answer import answer, request_crawl  # noqa: PLC0415

        assert self.settings is not None  # noqa: S101 - Scrapy has set them by now
        name, *rest = args or [""]
        if name not in SUBCOMMANDS:
            raise UsageError(f"known: {', '.join(SUBCOMMANDS)}", print_help=False)
        if (opts.category is not None or opts.all) and name not in _CHOOSING:
            raise UsageError(f"--category and --all are not options of {name}", print_help=False)
        if name != "list" and not (rest or opts.category is not None or opts.all):
            raise UsageError(f"{name} needs the id of a source", print_help=False)
        if name != "run":
            self.exitcode = answer(self.settings, name, rest, opts)
            return
        arguments = request_crawl(self.settings, rest, opts)
        if isinstance(arguments, int):
            self.exitcode = arguments
            return
        opts.spargs = {**arguments, **opts.spargs}
        from wikicrawler.commands.source_crawl import crawl_sources  # noqa: PLC0415

        crawl_sources(self, opts)
