"""``scrapy audit``: the arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand

if TYPE_CHECKING:
    import argparse

_DEFAULT_LIMIT = 100


class Command(ScrapyCommand):
    """Exit codes: 0 done; 1 the log is not sound, or has nothing that was asked for; 2 wrong
    arguments, configuration, file or database."""

    requires_project = True
    requires_crawler_process = False  # nothing is crawled

    def syntax(self) -> str:
        return "[options] [verify | summary --by <group> | anchor <file> | show <sequence>]"

    def short_desc(self) -> str:
        return "Show, sum up and verify the audit log"

    def long_desc(self) -> str:
        return (
            "Without a subcommand: list the network operations of audited crawls, the newest "
            "first; with --controls what operators did, and who. verify: check the chain of "
            "hashes, and the anchors of a file. summary: operations, failures, response times, "
            "credits and changes by source, engine or day. anchor: add the hash of the last record "
            "to a file, to be kept elsewhere. show: print an operation, and the response if it "
            "failed, or a control. Days are in UTC."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        add = parser.add_argument
        add("--source", metavar="ID", help="list, summary: only this watched source")
        add("--from", dest="first", metavar="DATE", help="list, summary: from this day on")
        add("--to", dest="last", metavar="DATE", help="list, summary: up to this day")
        add("--status", type=int, metavar="CODE", help="list: only this HTTP status")
        add("--engine", metavar="NAME", help="list, summary: only this engine (tier)")
        add("--errors", action="store_true", help="list: only failed operations")
        add("--controls", action="store_true", help="list: what operators did, not operations")
        add(
            "--limit",
            type=int,
            metavar="N",
            help=f"list: at most N operations; 0: all (default: {_DEFAULT_LIMIT})",
        )
        add("--by", metavar="GROUP", help="summary: source, engine or day")
        add("--sums", action="store_true", help="verify: also compare the sums with the records")
        add(
            "--anchor", metavar="FILE", help="verify: the anchors of this file must be in the chain"
        )
        add("--json", action="store_true", help="print JSON, an object per line")
        add("--csv", action="store_true", help="list, summary: print CSV")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        # Imported here because Scrapy loads all commands, and most do not need these libraries.
        from wikicrawler.commands.audit_answer import answer  # noqa: PLC0415

        assert self.settings is not None  # noqa: S101 - Scrapy has set them by now
        if opts.limit is None and not args:
            opts.limit = _DEFAULT_LIMIT
        self.exitcode = answer(self.settings, args, opts)
