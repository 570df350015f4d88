"""``scrapy staged``: the arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

if TYPE_CHECKING:
    import argparse


class Command(ScrapyCommand):
    """Exit codes: 0 all is well; 1 faults were found; 2 wrong arguments or configuration."""

    requires_project = True
    requires_crawler_process = False

    def syntax(self) -> str:
        return "[options] verify | schema"

    def short_desc(self) -> str:
        return "Verify the envelopes in the staging folder"

    def long_desc(self) -> str:
        return (
            "verify: check each envelope in the staging folder against the JSON Schema, recompute "
            "its hashes, and compare the folder with its index. schema: print the JSON Schema."
        )

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        # Imported here because Scrapy loads all commands, and most do not need these libraries.
        from wikicrawler.commands.staged_answer import print_schema, verify  # noqa: PLC0415

        assert self.settings is not None  # noqa: S101 - Scrapy has set them by now
        if args == ["verify"]:
            self.exitcode = verify(self.settings)
        elif args == ["schema"]:
            self.exitcode = print_schema()
        else:
            raise UsageError("known: verify, schema", print_help=False)
