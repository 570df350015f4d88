"""``scrapy explain``: explain the tiers chosen for a page, or show the history of a site."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand

if TYPE_CHECKING:
    import argparse

_DEFAULT_ATTEMPTS = 10


class Command(ScrapyCommand):
    """Exit codes: 0 explained; 1 nothing is recorded about the site; 2 wrong arguments,
    configuration or database."""

    requires_project = True
    requires_crawler_process = False  # nothing is crawled

    def syntax(self) -> str:
        return (
            "[options] <url> ... | --site <domain> | --given <name>=<value> ..."
            " | --reports <feed> [<company> ...]"
        )

    def short_desc(self) -> str:
        return "Explain which tier a page is fetched with, or show the history of a site"

    def long_desc(self) -> str:
        return (
            "Print for each URL the evidence from similar pages, each tier's probability of "
            "success and cost, the tier that is tried first, and the last attempts. With --site: "
            "the attempts on a host or a registered domain, its changes and pauses. With --given: "
            "each tier's probability of success on pages with these heuristics. With --reports: "
            "what a crawl for reports has found and tried, from its feed. The command "
            "sends no requests and only reads the database, or that feed."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--json", action="store_true", help="print one JSON object per line")
        parser.add_argument("--site", metavar="DOMAIN", help="show the history of this site")
        parser.add_argument(
            "--given",
            action="append",
            metavar="NAME=VALUE",
            help="show P(success) of each tier given this heuristic, such as suffix=.pdf or "
            "server=nginx; several must all be met",
        )
        parser.add_argument(
            "--reports",
            metavar="FEED",
            help="show the candidates and the choice of each report of this feed, or of those of "
            "the companies that are named (ticker, CIK or a part of the name)",
        )
        parser.add_argument(
            "--attempts",
            type=int,
            default=_DEFAULT_ATTEMPTS,
            metavar="N",
            help="show the last N attempts on the domain of a URL (default: %(default)s)",
        )

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        # Imported here because Scrapy loads all commands, and most do not need these libraries.
        from wikicrawler.commands.explain_answer import answer  # noqa: PLC0415

        assert self.settings is not None  # noqa: S101 - Scrapy has set them by now
        self.exitcode = answer(self.settings, args, opts)
