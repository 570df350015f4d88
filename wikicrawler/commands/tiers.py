"""``scrapy tiers URL``: show the tiers that would be tried, and whether their servers answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand

if TYPE_CHECKING:
    import argparse


class Command(ScrapyCommand):
    """Exit codes: 0 the servers answer; 1 one does not, or the project failed to start (the log has
    the traceback); 2 wrong arguments or configuration."""

    requires_project = True

    def syntax(self) -> str:
        return "[options] <url> ..."

    def short_desc(self) -> str:
        return "Show which tiers would be tried for a page, and whether their servers answer"

    def long_desc(self) -> str:
        return (
            "Print for each URL the tiers that would be tried, in order, and why. The page itself "
            "is not fetched: the command requests the siteinfo of the wiki's API, and has crawl4ai "
            "render a page that needs no network."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--json", action="store_true", help="print one JSON object per line")

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        from wikicrawler.commands.tiers_answer import prepare  # noqa: PLC0415 - heavy

        super().process_options(args, opts)
        assert self.settings is not None  # noqa: S101 - Scrapy has set them by now
        prepare(self.settings)

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        from wikicrawler.commands.tiers_answer import answer  # noqa: PLC0415 - heavy

        assert self.crawler_process is not None  # noqa: S101 - ScrapyCommand requires one
        self.exitcode = answer(self.crawler_process, args, as_json=opts.json)
