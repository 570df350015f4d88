"""``scrapy merge``: the arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand

if TYPE_CHECKING:
    import argparse


class Command(ScrapyCommand):
    """Exit codes: 0 done; 2 wrong arguments, or a file cannot be read; 4 the output cannot be
    written."""

    requires_project = False  # feeds are files like any other
    requires_crawler_process = False  # nothing is crawled

    def syntax(self) -> str:
        return "<feed> <changes>… [-O <file>]"

    def short_desc(self) -> str:
        return "Apply the changes that crawls with -a since= have written to a feed"

    def long_desc(self) -> str:
        return (
            "Write a feed of JSON lines with the changes of later ones applied, in the order of "
            "the arguments: to standard output, or to the file of -O, which may be one of the "
            "feeds. The last record of a page counts; deleted pages, and addresses that pages have "
            "moved from, are left out. Feeds may be compressed with gzip. docs/since.md has more."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("-O", "--output", metavar="FILE", help="write to this file, at once")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        # Imported here because Scrapy loads all commands, and most do not need these libraries.
        from wikicrawler.commands.merge_answer import answer  # noqa: PLC0415

        self.exitcode = answer(args, opts.output)
