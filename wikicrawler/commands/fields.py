"""``scrapy fields``: the arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.commands import BaseRunSpiderCommand

if TYPE_CHECKING:
    import argparse


class Command(BaseRunSpiderCommand):
    """Exit codes: those of ``scrapy crawl``."""

    requires_project = True

    def syntax(self) -> str:
        return "[options] <url or file> <fields or file>"

    def short_desc(self) -> str:
        return "Extract fields from pages by an LLM, and show them"

    def long_desc(self) -> str:
        return (
            "Read the fields of the page at a URL, or of those in a file of URLs, by the model, "
            "and print each value with its place and what it cost. The fields are like 'name: "
            "string, price: number', or a YAML or JSON file. Keys of the model's provider are in "
            "its usual environment variable, as OPENAI_API_KEY."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument(
            "--mode",
            choices=("scrape", "many", "crawl"),
            help="one page, many, or a site from the URL on (default: by the first argument)",
        )
        parser.add_argument("--model", help="the model, like openai/gpt-4o-mini")
        parser.add_argument("--backend", help="http, browser or auto")
        parser.add_argument("--config", metavar="FILE", help="settings, in YAML or JSON")
        parser.add_argument("--max-pages", metavar="N", help="read at most N pages of a site")
        parser.add_argument("--max-tokens", metavar="N", help="use at most N tokens")
        parser.add_argument("--max-cost", metavar="USD", help="spend at most so much")
        parser.add_argument(
            "--estimate", action="store_true", help="ask no model; print what it would cost"
        )
        parser.add_argument(
            "--html", metavar="FILE", help="write a page that shows each value in its place"
        )

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        super().process_options(args, opts)
        assert self.settings is not None  # noqa: S101 - Scrapy has set them by now
        from wikicrawler.commands.fields_answer import prepare  # noqa: PLC0415 - heavy

        prepare(self.settings)

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        # Imported here because Scrapy loads all commands, and most do not need these libraries.
        from wikicrawler.commands.fields_answer import answer  # noqa: PLC0415

        answer(self, args, opts)
