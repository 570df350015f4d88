"""``scrapy sources``: the arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.commands import BaseRunSpiderCommand
from scrapy.exceptions import UsageError

if TYPE_CHECKING:
    import argparse

SUBCOMMANDS = ("list", "show", "live", "run", "pause", "resume", "override")


class Command(BaseRunSpiderCommand):
    """Exit codes: 0 done; 1 there is no such source; 2 wrong arguments, configuration or database;
    with ``run`` those of ``scrapy crawl``."""

    requires_project = True

    def syntax(self) -> str:
        return (
            "[options] list | show <id>... | live <id>... | run <id>... | pause <id>... | "
            "resume <id>... | override <id> <time>"
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
            "source at a time besides its schedule, once; the time is like 2026-12-01T03:00Z."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--manifest", metavar="FILE", help="a manifest, instead of the active")
        parser.add_argument("--why", metavar="TEXT", default="", help="pause: the reason")
        parser.add_argument("--json", action="store_true", help="list, show, live: print JSON")

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        super().process_options(args, opts)
        self.requires_crawler_process = args[:1] == ["run"]

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        # Imported here because Scrapy loads all commands, and most do not need these libraries.
        from wikicrawler.commands.sources_answer import answer  # noqa: PLC0415

        assert self.settings is not None  # noqa: S101 - Scrapy has set them by now
        name, *rest = args or [""]
        if name not in SUBCOMMANDS:
            raise UsageError(f"known: {', '.join(SUBCOMMANDS)}", print_help=False)
        if name != "list" and not rest:
            raise UsageError(f"{name} needs the id of a source", print_help=False)
        if name == "run":
            opts.spargs = {"force": "true", "only": ",".join(rest), **opts.spargs}
            if opts.manifest:
                opts.spargs["manifest"] = opts.manifest
            from wikicrawler.commands.source_crawl import crawl_sources  # noqa: PLC0415

            crawl_sources(self, opts)
        else:
            self.exitcode = answer(self.settings, name, rest, opts)
