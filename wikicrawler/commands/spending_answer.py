"""The answer of ``scrapy spending``."""

from __future__ import annotations

import json
import sys
from time import time
from typing import TYPE_CHECKING, Any

from scrapy.exceptions import UsageError

from wikicrawler.commands.arguments import print_lines
from wikicrawler.commands.project import require_addon
from wikicrawler.errors import ConfigError, StoreError
from wikicrawler.process.exit_codes import ExitCode
from wikicrawler.spending.report import MonthReport, report
from wikicrawler.store.database import Database
from wikicrawler.text.safe import safe_lines
from wikicrawler.tiers.registry import TierRegistry

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

_HEAD = ("month", "service", "requests", "credits", "limit", "used", "forecast")


def answer(settings: BaseSettings, args: list[str], *, as_json: bool) -> int:
    """Print what was spent; return the exit code.

    :raises UsageError: there are arguments, or the project does not use the add-on
    """
    require_addon(settings)
    if args:
        raise UsageError("scrapy spending has no arguments", print_help=False)
    try:
        TierRegistry.from_settings(settings)  # checks the limits
        found = report(settings, Database.from_settings(settings, read_only=True), time())
    except (ConfigError, StoreError) as error:
        sys.stderr.write(f"scrapy spending: error: {safe_lines(error)}\n")
        return ExitCode.BAD_CONFIGURATION
    if as_json:
        print_lines(json.dumps(one._asdict()) for one in found)
    else:
        print_lines(_table(found) if found else ["no credits were used, and there is no limit"])
    return 0


def _table(found: list[MonthReport]) -> list[str]:
    rows = [_HEAD, *(_row(one) for one in found)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]


def _row(one: MonthReport) -> tuple[str, ...]:
    share = "" if not one.limit else f"{100 * one.credits / one.limit:.0f} %"
    return (
        one.month,
        one.service,
        str(one.requests),
        f"{one.credits:g}",
        _number(one.limit),
        share,
        _number(one.forecast),
    )


def _number(value: Any) -> str:
    return "" if value is None else f"{value:.6g}"
