"""``scrapy spending``: the credits that paid services have charged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand

if TYPE_CHECKING:
    import argparse


class Command(ScrapyCommand):
    """Exit codes: 0 printed; 2 wrong arguments, configuration or database."""

    requires_project = True
    requires_crawler_process = False

    def syntax(self) -> str:
        return "[options]"

    def short_desc(self) -> str:
        return "Show the credits that paid services have charged"

    def long_desc(self) -> str:
        return (
            "Print for each month and service the credits that were used, the operator's limit "
            "(WIKICRAWLER_CREDITS) and, for this month, what it will be at its end."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--json", action="store_true", help="print one JSON object per line")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        # Imported here because Scrapy loads all commands, and most do not need these libraries.
        from wikicrawler.commands.spending_answer import answer  # noqa: PLC0415

        assert self.settings is not None  # noqa: S101 - Scrapy has set them by now
        self.exitcode = answer(self.settings, args, as_json=opts.json)
