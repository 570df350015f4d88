"""``scrapy parquet``: the arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand

if TYPE_CHECKING:
    import argparse


class Command(ScrapyCommand):
    """Exit codes: 0 done; 2 wrong arguments, or a file cannot be read; 4 the file cannot be
    written."""

    requires_project = False  # feeds are files like any other
    requires_crawler_process = False  # nothing is crawled

    def syntax(self) -> str:
        return "<file.parquet>"

    def short_desc(self) -> str:
        return "Complete the Parquet file of a crawl that was killed"

    def long_desc(self) -> str:
        return (
            "Bring the rows that a crawl with -o FILE.parquet had written when it was killed into "
            "the file: they are in FILE.parquet.journal. The next crawl with -o does the same."
        )

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        # Imported here because Scrapy loads all commands, and most do not need these libraries.
        from wikicrawler.commands.parquet_answer import answer  # noqa: PLC0415

        self.exitcode = answer(args)
