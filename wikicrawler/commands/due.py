"""``scrapy due``: the arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.commands import BaseRunSpiderCommand

if TYPE_CHECKING:
    import argparse


class Command(BaseRunSpiderCommand):
    """Exit codes: those of ``scrapy crawl``; 0 if nothing is due."""

    requires_project = True

    def syntax(self) -> str:
        return "[options]"

    def short_desc(self) -> str:
        return "Visit the watched sources that are due"

    def long_desc(self) -> str:
        return (
            "Visit the sources of the active manifest that are due, as the schedule would: "
            "off-peak hours count, and five failed visits in a row pause a source. Several "
            "machines may run it at the same time on one PostgreSQL: each source is visited by one "
            "of them."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--manifest", metavar="FILE", help="a manifest, instead of the active")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        # Imported here because Scrapy loads all commands, and most do not need these libraries.
        from wikicrawler.commands.sources_answer import is_anything_due  # noqa: PLC0415

        assert self.settings is not None  # noqa: S101 - Scrapy has set them by now
        code = is_anything_due(self.settings, opts.manifest)
        if code is not None:
            self.exitcode = code
        else:
            opts.spargs = {"scheduled": "true", **opts.spargs}
            if opts.manifest:
                opts.spargs["manifest"] = opts.manifest
            from wikicrawler.commands.source_crawl import crawl_sources  # noqa: PLC0415

            crawl_sources(self, opts)
