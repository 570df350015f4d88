"""``scrapy explain``: explain the tiers chosen for a page, or show the history of a site."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from wikicrawler.commands.arguments import add_json, print_lines, read_urls
from wikicrawler.errors import ConfigError, StoreError
from wikicrawler.explain.page_text import page_lines
from wikicrawler.explain.site_text import site_lines
from wikicrawler.process.exit_codes import ExitCode
from wikicrawler.text.safe import quoted, safe_lines
from wikicrawler.urls.addresses import parse_domain, redact
from wikicrawler.urls.sites import host_of

if TYPE_CHECKING:
    import argparse

    from scrapy.settings import BaseSettings

    from wikicrawler.explain.facts import PageExplanation
    from wikicrawler.explain.site import SiteHistory

_DEFAULT_ATTEMPTS = 10


class Command(ScrapyCommand):
    """Exit codes: 0 explained; 1 nothing is recorded about the site; 2 wrong arguments,
    configuration or database."""

    requires_project = True
    requires_crawler_process = False  # nothing is crawled

    def syntax(self) -> str:
        return "[options] <url> ... | --site <domain>"

    def short_desc(self) -> str:
        return "Explain which tier a page is fetched with, or show the history of a site"

    def long_desc(self) -> str:
        return (
            "Print for each URL the evidence from similar pages, each tier's probability of "
            "success and cost, the tier that is tried first, and the last attempts. With --site: "
            "the attempts on a host or a registered domain, its changes and pauses. The command "
            "sends no requests and only reads the database."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        add_json(parser)
        parser.add_argument("--site", metavar="DOMAIN", help="show the history of this site")
        parser.add_argument(
            "--attempts",
            type=int,
            default=_DEFAULT_ATTEMPTS,
            metavar="N",
            help="show the last N attempts on the domain of a URL (default: %(default)s)",
        )

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        if opts.attempts < 0:
            raise UsageError(f"--attempts is {opts.attempts}: expected 0 or more", print_help=False)
        if opts.site is not None and args:
            raise UsageError("URLs or --site, not both", print_help=False)
        host = None if opts.site is None else _host(opts.site)
        urls = read_urls(args) if host is None else []
        assert self.settings is not None  # noqa: S101 - Scrapy has set them by now
        try:
            if host is None:
                self._explain_pages(self.settings, urls, opts)
            else:
                self._explain_site(self.settings, host, as_json=opts.json)
        except (ConfigError, StoreError) as error:
            _report(f"error: {error}")
            self.exitcode = ExitCode.BAD_CONFIGURATION

    def _explain_pages(
        self, settings: BaseSettings, urls: list[str], opts: argparse.Namespace
    ) -> None:
        # Imported here because Scrapy loads all commands, and most do not need these libraries.
        from wikicrawler.explain import queries  # noqa: PLC0415

        pages, nothing = queries.explain_pages(settings, urls, opts.attempts)
        if nothing:
            _report(f"{nothing}; explained without evidence")
        if opts.json:
            print_lines(map(_json, pages))
        else:
            print_lines("\n".join((*page_lines(page), "")) for page in pages)

    def _explain_site(self, settings: BaseSettings, host: str, *, as_json: bool) -> None:
        from wikicrawler.explain import queries  # noqa: PLC0415

        history, nothing = queries.explain_site(settings, host)
        if history is None:
            _report(nothing)
            self.exitcode = ExitCode.FAILED
        else:
            print_lines([_json(history)] if as_json else site_lines(history))


def _host(text: str) -> str:
    """Return the host in *text*, without a port: attempts are recorded without ports."""
    try:
        return host_of(f"http://{parse_domain(text)}/")
    except ValueError as error:
        raise UsageError(f"--site {quoted(redact(text))} {error}", print_help=False) from None


def _report(message: str) -> None:
    sys.stderr.write(f"scrapy explain: {safe_lines(message)}\n")


def _json(explained: PageExplanation | SiteHistory) -> str:
    """Return a line of JSON. Times are ISO 8601 in UTC; numbers are not rounded."""
    return json.dumps(asdict(explained), default=_utc_text)


def _utc_text(at: datetime) -> str:
    return at.astimezone(UTC).isoformat().replace("+00:00", "Z")
