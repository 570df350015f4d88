"""What ``scrapy alerts`` does, and what ``scrapy due`` does about alerts where nothing is due."""

from __future__ import annotations

import json
import sys
from time import time
from typing import TYPE_CHECKING

from scrapy.exceptions import UsageError

from wikicrawler import options
from wikicrawler.commands.arguments import print_lines
from wikicrawler.commands.project import require_addon
from wikicrawler.control.alerts import resolve_alerts
from wikicrawler.control.context import Context
from wikicrawler.errors import ConfigError, StoreError
from wikicrawler.process.exit_codes import ExitCode
from wikicrawler.sources.alerts.book import DAY, AlertBook
from wikicrawler.sources.alerts.channels import read_channels
from wikicrawler.sources.alerts.checks import check_credits, check_sources
from wikicrawler.sources.alerts.messages import moment
from wikicrawler.sources.alerts.outbox import Outbox
from wikicrawler.sources.alerts.sending import send
from wikicrawler.store.alert_deliveries import Delivery, deliveries_of
from wikicrawler.store.alerts import AlertRow, find_alerts
from wikicrawler.store.database import Database
from wikicrawler.text.safe import one_line, quoted, safe_lines

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scrapy.settings import BaseSettings

    from wikicrawler.sources.agenda.agenda import Entry


def show(settings: BaseSettings, *, only_open: bool, subject: str, as_json: bool) -> int:
    """Print the alerts; return the exit code."""
    require_addon(settings)
    alerts: list[AlertRow] = []
    try:
        database = Database.from_settings(settings, read_only=True)
        if database.has_tables():
            with database.read() as connection:
                alerts = find_alerts(connection, only_open=only_open, subject=subject)
                sent = deliveries_of(connection, [alert.id for alert in alerts])
    except (ConfigError, StoreError) as error:
        return _report(error)
    if as_json:
        print_lines(json.dumps(_fields(alert, sent[alert.id])) for alert in alerts)
    elif alerts:
        print_lines(_line(alert, sent[alert.id]) for alert in alerts)
    else:
        print_lines(["no alert is open" if only_open else "there are no alerts"])
    return ExitCode.OK


def test(settings: BaseSettings) -> int:
    """Send a message to each channel, and print what came of it; return the exit code."""
    require_addon(settings)
    try:
        channels = read_channels(settings)
        timeout = options.ALERT_TIMEOUT.read(settings)
    except ConfigError as error:
        return _report(error)
    if not channels:
        return _report(ConfigError(f"there are no channels: {options.ALERTS.name} is unset"))
    code = ExitCode.OK
    for channel in channels:
        why = send(channel, "[test] wikicrawler", "This is a test message.", "info", timeout)
        print_lines([f"{channel.name}  {f'failed: {why}' if why else 'delivered'}"])
        if why:
            code = ExitCode.FAILED
    return code


def resolve(settings: BaseSettings, ids: list[str], *, by: str, why: str) -> int:
    """Resolve alerts by hand; return the exit code.

    :raises UsageError: an id is not a number
    """
    require_addon(settings)
    for text in ids:
        if not (text.isascii() and text.isdigit() and len(text) < 10):
            raise UsageError(f"{quoted(text, 40)} is not the id of an alert", print_help=False)
    numbers = list(map(int, ids))
    try:
        done = resolve_alerts(Context.of(settings, by), numbers, why)
    except (ConfigError, StoreError) as error:
        return _report(error)
    missing = [number for number in numbers if number not in done]
    for number in missing:
        sys.stderr.write(f"scrapy alerts: there is no open alert {number}\n")
    return ExitCode.FAILED if missing else ExitCode.OK


def check_alerts(settings: BaseSettings, entries: Iterable[Entry]) -> None:
    """Report and print what no visit reports, and deliver what waits.

    :raises ConfigError: a setting is wrong
    :raises StoreError: the database is unavailable
    """
    book = AlertBook.from_settings(settings)
    timeout = options.ALERT_TIMEOUT.read(settings)
    patience = options.ALERT_UNCHANGED_DAYS.read(settings) * DAY
    if not book.database.has_tables():
        return
    book.remind()
    notices = check_sources(book, entries, time(), patience)
    notices += check_credits(book, settings, time())
    print_lines(one_line(notice.text) for notice in notices)
    for one in Outbox(book.database, book.channels, timeout).deliver(again=True):
        if one.error:
            sys.stderr.write(
                f"A message about an alert was not delivered to {one.channel}: {one.error}\n"
            )


def _line(alert: AlertRow, sent: list[Delivery]) -> str:
    state = f"resolved {moment(alert.resolved_at)}" if alert.resolved_at else "open"
    times = f"{alert.times} {'time' if alert.times == 1 else 'times'}"
    return "  ".join(
        (
            f"{alert.id:>4}",
            f"{alert.severity:<7}",
            f"{alert.event:<9}",
            one_line(alert.subject, 100),
            moment(alert.first_seen),
            times,
            state,
            *_sent(sent),
            one_line(alert.message),
        )
    )


def _sent(sent: list[Delivery]) -> list[str]:
    delivered = sorted({one.channel for one in sent if one.delivered_at is not None})
    waiting = sorted({one.channel for one in sent if one.delivered_at is None})
    found = [f"sent to {', '.join(delivered)}"] if delivered else []
    return found + ([f"not delivered to {', '.join(waiting)}"] if waiting else [])


def _fields(alert: AlertRow, sent: list[Delivery]) -> dict[str, object]:
    names = ("kind", "channel", "at", "delivered_at", "attempts", "error")
    deliveries = [{name: getattr(one, name) for name in names} for one in sent]
    return alert._asdict() | {"deliveries": deliveries}


def _report(error: Exception) -> int:
    sys.stderr.write(f"scrapy alerts: error: {safe_lines(error)}\n")
    return ExitCode.BAD_CONFIGURATION
