"""``scrapy staged``: the arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

if TYPE_CHECKING:
    import argparse

SUBCOMMANDS = ("verify", "schema", "confirm", "prune", "replay")
RETENTION_DAYS = 90


class Command(ScrapyCommand):
    """Exit codes: 0 all is well; 1 faults were found, or an id is unknown; 2 wrong arguments,
    configuration or database."""

    requires_project = True
    requires_crawler_process = False

    def syntax(self) -> str:
        return "[options] verify | schema | confirm [<envelope id>...] | prune | replay"

    def short_desc(self) -> str:
        return "Verify, confirm, remove and convert again the envelopes in the staging folder"

    def long_desc(self) -> str:
        return (
            "verify: check each envelope in the staging folder against the JSON Schema, recompute "
            "its hashes, and compare the folder with its index. schema: print the JSON Schema. "
            "confirm: state that a consumer has ingested envelopes. prune: show which envelopes "
            "were confirmed long ago; --apply removes them. replay: convert the original pages "
            "again and name each whose text differs."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        add = parser.add_argument
        add("--all-before", metavar="TIME", help="confirm: all that were staged before this time")
        add(
            "--from",
            dest="from_file",
            metavar="FILE",
            help="confirm: the envelopes in a file, an id or a line of the index each; - is stdin",
        )
        add(
            "--days",
            metavar="N",
            default=str(RETENTION_DAYS),
            help="prune: days from the confirmation to the removal (default: %(default)s)",
        )
        add("--apply", action="store_true", help="prune: remove, instead of only showing")
        add("--source", metavar="ID", help="replay: this source only")
        add("--since", metavar="DATE", help="replay: staged on this day or later, in UTC")
        add("--diff", action="store_true", help="replay: show the first lines that differ")
        add("--fail", action="store_true", help="replay: exit code 1 if a text differs")
        add("--json", action="store_true", help="prune, replay: print JSON, an object per line")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        # Imported here because Scrapy loads all commands, and most do not need these libraries.
        from wikicrawler.commands.staged_answer import answer  # noqa: PLC0415

        assert self.settings is not None  # noqa: S101 - Scrapy has set them by now
        name, *rest = args or [""]
        if name not in SUBCOMMANDS:
            raise UsageError(f"known: {', '.join(SUBCOMMANDS)}", print_help=False)
        if rest and name != "confirm":
            raise UsageError(f"{name} takes options only", print_help=False)
        self.exitcode = answer(self.settings, name, rest, opts)
