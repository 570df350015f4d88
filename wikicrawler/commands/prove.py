"""``scrapy prove``: the arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand

if TYPE_CHECKING:
    import argparse


class Command(ScrapyCommand):
    """Exit codes: 0 done; 1 nothing is recorded, or the proof is not sound; 2 wrong arguments,
    configuration, file or database."""

    requires_project = False  # a proof is checked anywhere
    requires_crawler_process = False  # nothing is crawled

    def syntax(self) -> str:
        return "--source <id> --date <day> [-o <file>] [--anchor <file>] | --check <file>"

    def short_desc(self) -> str:
        return "Prove what was fetched from a watched source on a day"

    def long_desc(self) -> str:
        return (
            "Print the operations of the audit log of a source on a day (in UTC), with the hashes "
            "of request and response, the staged files and the place in the chain. -o writes a "
            "proof, which --check verifies on any machine, without the database. --anchor adds the "
            "end of the chain to a file, to be kept elsewhere; with --check the proof must agree "
            "with the anchors of the file. docs/audit.md says what a proof proves."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        add = parser.add_argument
        add("--source", metavar="ID", help="the watched source")
        add("--date", metavar="DATE", help="the day, as 2026-02-13")
        add("-o", "--output", metavar="FILE", help="write the proof to this file")
        add("--check", metavar="FILE", help="check the proof in this file")
        add("--anchor", metavar="FILE", help="add an anchor to this file; with --check read it")
        add("--json", action="store_true", help="print JSON, an object per line")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        # Imported here because Scrapy loads all commands, and most do not need these libraries.
        from wikicrawler.commands.prove_answer import answer  # noqa: PLC0415

        assert self.settings is not None  # noqa: S101 - Scrapy has set them by now
        self.exitcode = answer(self.settings, args, opts)
