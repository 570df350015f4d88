"""``scrapy explain URL``: why a page is tried by which tier; ``--site``: what became of a site."""

from __future__ import annotations

import json
import sys
from contextlib import contextmanager, nullcontext
from dataclasses import asdict
from datetime import UTC, datetime
from time import time
from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from wikicrawler.addresses import parse_domain, redact
from wikicrawler.commands.arguments import add_json, read_urls
from wikicrawler.commands.explained_page import page_lines
from wikicrawler.commands.explained_site import site_lines
from wikicrawler.config import Config
from wikicrawler.errors import ConfigError, StoreError
from wikicrawler.frontier.exit_codes import ExitCode
from wikicrawler.learning.costs import costs_of
from wikicrawler.learning.explain import PageExplainer
from wikicrawler.learning.history import history_of
from wikicrawler.learning.restore import read_evidence
from wikicrawler.safe_text import one_line, quoted, safe_lines
from wikicrawler.store.database import Database
from wikicrawler.urls import host_of

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator

    from scrapy.settings import BaseSettings

    from wikicrawler.learning.explanation import PageExplanation
    from wikicrawler.learning.history import SiteHistory

_ATTEMPTS = 10


class Command(ScrapyCommand):
    """Exit: 0 explained, 1 nothing is known of the site, 2 wrong arguments, configuration or
    database."""

    requires_project = True
    requires_crawler_process = False  # nothing is crawled

    def syntax(self) -> str:
        return "[options] <url> ... | --site <domain>"

    def short_desc(self) -> str:
        return "Say what was learned of a page or a site, and which tier follows from it"

    def long_desc(self) -> str:
        return (
            "Print for each URL what is known of pages like it, how probably each tier brings it, "
            "what that costs, which tier is tried first and the attempts behind it. With --site: "
            "the attempts on a host or a registered domain, its changes and pauses. No server is "
            "asked, and the database is only read."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        add_json(parser)
        parser.add_argument("--site", metavar="DOMAIN", help="tell the history of this site")
        parser.add_argument(
            "--attempts",
            type=int,
            default=_ATTEMPTS,
            metavar="N",
            help="show the last N attempts on the domain of a URL (default: %(default)s)",
        )

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        if opts.attempts < 0:
            raise UsageError(f"--attempts is {opts.attempts}: 0 or more is right", print_help=False)
        if opts.site is not None and args:
            raise UsageError("URLs or --site, not both", print_help=False)
        host = None if opts.site is None else _host(opts.site)
        urls = read_urls(args) if host is None else []
        assert self.settings is not None  # noqa: S101 - Scrapy has set them by now
        try:
            with _opened(self.settings) as database:
                if host is not None:
                    self._explain_site(self.settings, database, host, as_json=opts.json)
                else:
                    self._explain_pages(self.settings, database, urls, opts)
        except (ConfigError, StoreError) as error:
            _tell(f"error: {error}")
            self.exitcode = ExitCode.BAD_CONFIGURATION

    def _explain_pages(
        self, settings: BaseSettings, database: Database, urls: list[str], opts: argparse.Namespace
    ) -> None:
        now, costs = time(), costs_of(settings)
        there = database.has_tables()
        evidence = read_evidence(database, now)
        with database.read() if there else nullcontext() as connection:
            explainer = PageExplainer(settings, evidence, connection, costs, now)
            pages = [explainer.explain(url, opts.attempts) for url in urls]
        if not there:
            _tell(f"{_empty(database)}; explained without any evidence")
        if opts.json:
            _print(map(_json, pages))
        else:
            _print("\n".join((*page_lines(page), "")) for page in pages)

    def _explain_site(
        self, settings: BaseSettings, database: Database, host: str, *, as_json: bool
    ) -> None:
        config = Config.from_settings(settings)
        if not database.has_tables():
            _tell(_empty(database))
            self.exitcode = ExitCode.FAILED
            return
        with database.read() as connection:
            history = history_of(connection, config, host, time())
        if not history.is_known:
            _tell(f"{database}: nothing is recorded of {one_line(host)}")
            self.exitcode = ExitCode.FAILED
            return
        _print([_json(history)] if as_json else site_lines(history))


@contextmanager
def _opened(settings: BaseSettings) -> Iterator[Database]:
    database = Database.from_settings(settings, read_only=True)
    try:
        yield database
    finally:
        database.close()


def _host(text: str) -> str:
    """The host that *text* names, with or without a port, which no attempt is told apart by."""
    try:
        return host_of(f"http://{parse_domain(text)}/")
    except ValueError as error:
        raise UsageError(f"--site {quoted(redact(text))} {error}", print_help=False) from None


def _empty(database: Database) -> str:
    return (
        f"{database}: nothing is recorded there (WIKICRAWLER_DATABASE_URL names the database; "
        "crawls record in it with WIKICRAWLER_RECORD_ATTEMPTS or a policy that learns)"
    )


def _tell(what: str) -> None:
    sys.stderr.write(f"scrapy explain: {safe_lines(what)}\n")


def _print(lines: Iterable[str]) -> None:
    sys.stdout.writelines(f"{line}\n" for line in lines)


def _json(explained: PageExplanation | SiteHistory) -> str:
    """As a line of JSON; times are ISO 8601 in UTC, and figures are not rounded."""
    return json.dumps(asdict(explained), default=_in_utc)


def _in_utc(at: datetime) -> str:
    return at.astimezone(UTC).isoformat().replace("+00:00", "Z")
