"""Records of the audit log for tests."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from scrapy import Request

from wikicrawler.audit.record import (
    Answer,
    Label,
    Sent,
    outcome_fields,
    request_fields,
    run_fields,
)
from wikicrawler.store.audit_chain import Entry, append

if TYPE_CHECKING:
    from wikicrawler.store.database import Database

DAY = datetime(2026, 2, 13, 14, 30, tzinfo=UTC)
RUN = "193767b7-922d-4f68-bb21-39a3148ae1d6"
HASH = "a" * 64


def operation(number: int, run: str = RUN, **given: Any) -> Entry:
    """The record of a request."""
    url = given.pop("url", f"https://example.org/{number}")
    at = given.pop("at", DAY + timedelta(seconds=number))
    ms, spent = given.pop("ms", 20), given.pop("credits_consumed", None)
    label = Label(
        given.pop("operation", "page"), given.pop("engine", "http"), given.pop("source", "reg-x")
    )
    response = given.pop("response", None)
    answer = Answer(**({"status": 200, "final_url": url, "size": 9, "body_hash": HASH} | given))
    sent = Sent.of(Request(url, headers={"Accept": "text/html"}))
    fields = request_fields(sent, label, answer, at=at, ms=ms, credits_consumed=spent)
    return Entry(fields | {"run_id": run, "number": number}, None, response)


def outcome(number: int, of: int, run: str = RUN, **given: Any) -> Entry:
    """The record of what became known of the request *of* later."""
    label = Label("page", given.pop("engine", "http"), given.pop("source", "reg-x"))
    facts = {"at": DAY + timedelta(seconds=number), "content_hash": HASH, "content_changed": True}
    facts |= {"staged_path": "example.org/x.json", "error": None, "credits_consumed": None}
    fields = outcome_fields(label, **(facts | given))
    return Entry(fields | {"run_id": run, "number": number}, of)


def start(number: int = 1, run: str = RUN) -> Entry:
    return Entry(run_fields("start", DAY, spider="s") | {"run_id": run, "number": number})


def write(database: Database, *entries: Entry, run: str = RUN) -> None:
    with database.write() as connection:
        append(connection, run, entries)
