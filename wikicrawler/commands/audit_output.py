"""What ``scrapy audit`` and ``scrapy prove`` print. All text of pages and servers is escaped."""

from __future__ import annotations

import json
import sys
from datetime import date
from typing import TYPE_CHECKING, Any

from scrapy.exceptions import UsageError

from wikicrawler.errors import StoreError
from wikicrawler.store.database import Database
from wikicrawler.text.safe import one_line, quoted, safe_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scrapy.settings import BaseSettings

    from wikicrawler.store.audit_queries import Operation
    from wikicrawler.store.audit_summaries import Summary


def report(command: str, message: object) -> None:
    """Print *message* on standard error."""
    sys.stderr.write(f"scrapy {command}: {safe_lines(message)}\n")


def parse_day(option: str, text: str | None) -> date | None:
    """
    :raises UsageError: *text* is no day
    """
    if text is None:
        return None
    try:
        if len(text) != 10:
            raise ValueError
        return date.fromisoformat(text)
    except ValueError:
        raise UsageError(
            f"{option} {quoted(text, 40)}: not a day (right would be 2026-02-13)", print_help=False
        ) from None


def open_log(settings: BaseSettings) -> Database:
    """Return the database, which is only read.

    :raises StoreError: it has no tables
    """
    database = Database.from_settings(settings, read_only=True)
    if not database.has_tables():
        raise StoreError(f"{database}: has no tables yet: the next audited crawl makes them")
    return database


def operation_line(operation: Operation) -> str:
    """Return an operation as a line for a person."""
    fields, outcome = operation.fields, operation.outcome or {}
    error = fields["error"]
    found = [
        f"{fields['sequence']:>8}",
        fields["timestamp"][:19].replace("T", " "),
        f"{_or_dash(fields['http_status']):>3}",
        f"{fields['response_time_ms']:>6} ms",
        f"{_or_dash(fields['bytes']):>9}",
        _word(fields["engine"]),
        _word(fields["operation"]),
        _word(fields["manifest_id"]),
        one_line(fields["url"], 300),
    ]
    if fields["page_url"]:
        found.append(f"for {one_line(fields['page_url'], 300)}")
    if fields["retry_count"]:
        found.append(f"retry {fields['retry_count']}")
    if error is not None:
        found.append(f"({one_line(error, 200)})")
    if outcome.get("content_changed") is not None:
        found.append("changed" if outcome["content_changed"] else "unchanged")
    if outcome.get("staged_path"):
        found.append(f"-> {one_line(outcome['staged_path'], 200)}")
    return "  ".join(found)


def control_line(fields: dict[str, Any]) -> str:
    """Return what an operator did as a line for a person."""
    detail = [f"{name} {one_line(value, 200)}" for name, value in fields["detail"].items() if value]
    found = [
        f"{fields['sequence']:>8}",
        fields["timestamp"][:19].replace("T", " "),
        _word(fields["action"]),
        one_line(fields["subject"], 200),
        f"by {_word(fields['by'])} ({_word(fields['via'])})",
        *detail,
    ]
    return "  ".join(found)


def _word(value: object) -> str:
    return one_line(value, 60) if value else "-"


def _or_dash(value: object) -> str:
    return "-" if value is None else str(value)


def summary_lines(by: str, summaries: Sequence[Summary]) -> Iterator[str]:
    """Yield a table for a person."""
    titles = [by, "operations", "failed", "p50 ms", "p95 ms", "bytes", "credits", "changed"]
    rows = [titles]
    for one in summaries:
        times = [_or_dash(t and round(t)) for t in (one.p50_ms, one.p95_ms)]
        failed = f"{one.failures:,} ({one.failure_rate:.1%})"
        rows.append(
            [
                one_line(one.group if one.group is not None else "-", 60),
                f"{one.operations:,}",
                failed,
                *times,
                f"{one.bytes:,}",
                f"{one.credits:,g}",
                _changes(one),
            ]
        )
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        first, *rest = row
        cells = [cell.rjust(width) for cell, width in zip(rest, widths[1:], strict=True)]
        yield "  ".join([first.ljust(widths[0]), *cells]).rstrip()


def _changes(summary: Summary) -> str:
    if not summary.observed:
        return "-"
    shown = f"{summary.changed:,} of {summary.observed:,}"
    if summary.observed_days:
        shown += f" (on {summary.changed_days} of {summary.observed_days} days)"
    return shown


def to_json(data: Any) -> str:
    """Return a line of JSON in ASCII."""
    return json.dumps(data)
