"""The answers of ``scrapy explain``."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.exceptions import UsageError

from wikicrawler.commands.arguments import print_lines, read_urls
from wikicrawler.commands.project import require_addon
from wikicrawler.errors import ConfigError, StoreError
from wikicrawler.explain import queries
from wikicrawler.explain.given import given_lines
from wikicrawler.explain.page_text import page_lines
from wikicrawler.explain.report_text import is_about, is_report, report_lines
from wikicrawler.explain.site_text import site_lines
from wikicrawler.feeds.record_lines import read_json_lines
from wikicrawler.process.exit_codes import ExitCode
from wikicrawler.text.safe import one_line, quoted, safe_lines
from wikicrawler.urls.addresses import parse_domain, redact
from wikicrawler.urls.sites import host_of

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Mapping

    from scrapy.settings import BaseSettings

    from wikicrawler.explain.facts import PageExplanation
    from wikicrawler.explain.given import GivenExplanation
    from wikicrawler.explain.site import SiteHistory


def answer(settings: BaseSettings, args: list[str], opts: argparse.Namespace) -> int:
    """Print what is known of the pages at the URLs *args*, or of a site; return the exit code.

    :raises UsageError: the arguments are wrong, or the project does not use the add-on
    """
    require_addon(settings)
    if opts.attempts < 0:
        raise UsageError(f"--attempts is {opts.attempts}: expected 0 or more", print_help=False)
    if opts.site is not None and args:
        raise UsageError("URLs or --site, not both", print_help=False)
    if opts.given and (args or opts.site is not None):
        raise UsageError("--given, or URLs, or --site", print_help=False)
    if opts.reports is not None:
        if opts.given or opts.site is not None:
            raise UsageError("--reports, or --given, or --site", print_help=False)
        return _explain_reports(Path(opts.reports), args, as_json=opts.json)
    conditions = _conditions(opts.given or ())
    host = None if opts.site is None else _host(opts.site)
    urls = read_urls(args) if host is None and not conditions else []
    try:
        if host is not None:
            return _explain_site(settings, host, as_json=opts.json)
        if conditions:
            return _explain_given(settings, conditions, as_json=opts.json)
        _explain_pages(settings, urls, opts)
    except (ConfigError, StoreError) as error:
        _report(f"error: {error}")
        return ExitCode.BAD_CONFIGURATION
    return 0


def _explain_reports(path: Path, companies: list[str], *, as_json: bool) -> int:
    try:
        records = [
            line.record
            for line in read_json_lines(path, skip_torn=True)
            if is_report(line.record)
            and (not companies or any(is_about(line.record, one) for one in companies))
        ]
    except ConfigError as error:
        _report(f"error: {error}")
        return ExitCode.BAD_CONFIGURATION
    if not records:
        what = f" of {', '.join(companies)}" if companies else ""
        _report(f"{one_line(path)}: no report{one_line(what)}")
        return ExitCode.FAILED
    if as_json:
        print_lines(map(json.dumps, records))
    else:
        print_lines("\n".join((*report_lines(record), "")) for record in records)
    return 0


def _explain_pages(settings: BaseSettings, urls: list[str], opts: argparse.Namespace) -> None:
    pages, nothing = queries.explain_pages(settings, urls, opts.attempts)
    if nothing:
        _report(f"{nothing}; explained without evidence")
    if opts.json:
        print_lines(map(_json, pages))
    else:
        print_lines("\n".join((*page_lines(page), "")) for page in pages)


def _explain_site(settings: BaseSettings, host: str, *, as_json: bool) -> int:
    history, nothing = queries.explain_site(settings, host)
    if history is None:
        _report(nothing)
        return ExitCode.FAILED
    print_lines([_json(history)] if as_json else site_lines(history))
    return 0


def _explain_given(settings: BaseSettings, conditions: Mapping[str, str], *, as_json: bool) -> int:
    explained, nothing = queries.explain_given(settings, conditions)
    if explained is None:
        _report(nothing)
        return ExitCode.FAILED
    print_lines([_json(explained)] if as_json else given_lines(explained))
    return 0


def _conditions(given: Iterable[str]) -> dict[str, str]:
    """Return the value by name of each ``NAME=VALUE``."""
    found: dict[str, str] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not name or not equals:
            raise UsageError(f"--given {quoted(text)}: expected NAME=VALUE", print_help=False)
        if name in found:
            raise UsageError(f"--given {quoted(name)} is given twice", print_help=False)
        found[name] = value
    return found


def _host(text: str) -> str:
    """Return the host in *text*, without a port: attempts are recorded without ports."""
    try:
        return host_of(f"http://{parse_domain(text)}/")
    except ValueError as error:
        raise UsageError(f"--site {quoted(redact(text))} {error}", print_help=False) from None


def _report(message: str) -> None:
    sys.stderr.write(f"scrapy explain: {safe_lines(message)}\n")


def _json(explained: PageExplanation | SiteHistory | GivenExplanation) -> str:
    """Return a line of JSON. Times are ISO 8601 in UTC; numbers are not rounded."""
    return json.dumps(asdict(explained), default=_utc_text)


def _utc_text(at: datetime) -> str:
    return at.astimezone(UTC).isoformat().replace("+00:00", "Z")
