"""``scrapy manifest``: the arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand

if TYPE_CHECKING:
    import argparse


class Command(ScrapyCommand):
    """Exit codes: 0 done; 1 faults or differences found, not activated, or not there; 2 wrong
    arguments, configuration, file or database."""

    requires_project = True
    requires_crawler_process = False  # only activate, rollback and robots fetch robots.txt

    def syntax(self) -> str:
        return (
            "[options] validate <file>... | diff <old> <new> | activate <file> | "
            "rollback <version> | robots <file> | history | show [<id>] | download [<version>] | "
            "prompt [<file>]"
        )

    def short_desc(self) -> str:
        return "Check, compare and activate manifests of watched sources"

    def long_desc(self) -> str:
        return (
            "validate: list all faults of manifests in JSON or YAML, by line. diff: show what "
            "differs between two manifests, files or activated versions. activate: make a manifest "
            "the active one, after checking each source against its robots.txt. rollback: activate "
            "an earlier version again. robots: only check robots.txt. history: list the "
            "activations. show: show the active manifest, or one source of it. download: print an "
            "activated manifest as it was. "
            "prompt: print a prompt with which a language model writes a manifest from a file."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--json", action="store_true", help="print JSON, an object per line")
        parser.add_argument(
            "--force",
            action="store_true",
            help="activate: allow a lower version, other content of the active version, and "
            "another vertical",
        )
        parser.add_argument(
            "--offline",
            action="store_true",
            help="activate, rollback: do not check robots.txt",
        )
        parser.add_argument(
            "--by",
            metavar="NAME",
            help="activate, rollback: who activates the manifest (default: the user's name)",
        )
        parser.add_argument(
            "--why", metavar="TEXT", help="activate, rollback: the reason, for the history"
        )
        parser.add_argument(
            "--vertical", metavar="NAME", help="prompt: the field of business of the sources"
        )

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        super().process_options(args, opts)
        if args[:1] in (["activate"], ["rollback"], ["robots"]) and not opts.offline:
            from wikicrawler.commands.tiers_answer import prepare  # noqa: PLC0415 - heavy

            assert self.settings is not None  # noqa: S101 - Scrapy has set them by now
            self.requires_crawler_process = True
            prepare(self.settings)

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        # Imported here because Scrapy loads all commands, and most do not need these libraries.
        from wikicrawler.commands.manifest.answer import answer  # noqa: PLC0415

        assert self.settings is not None  # noqa: S101 - Scrapy has set them by now
        self.exitcode = answer(self.settings, self.crawler_process, args, opts)
