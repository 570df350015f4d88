"""A large database for the measurements of the dashboard: a year of 5,000 watched sources.

The records of the audit log are appended as a crawl does, but in larger batches, so the chain is
sound; the other tables are filled directly. ``bench.dashboard`` uses it.
"""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from itertools import islice
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid4

from scrapy import Request

from wikicrawler.audit.record import Answer, Label, Sent, outcome_fields, request_fields, run_fields
from wikicrawler.sources.manifest.activation import activate, new_candidate
from wikicrawler.sources.manifest.reader import read_manifest
from wikicrawler.sources.staging.folder import StagingFolder
from wikicrawler.sources.staging.protocol import INDEX
from wikicrawler.store.alert_deliveries import add_deliveries
from wikicrawler.store.alerts import add_notice, raise_alert, resolve_alert
from wikicrawler.store.attempts import FetchAttempt, add_attempts
from wikicrawler.store.audit_chain import Entry, KeptResponse, append
from wikicrawler.store.model_usage import ModelUsage, add_usage
from wikicrawler.store.rows import insert_rows
from wikicrawler.store.sites import SitePause, TierChange, add_changes, note_sites
from wikicrawler.store.source_states import SourceState, save_states
from wikicrawler.store.spending import reserve_credits
from wikicrawler.store.tables import source_pages, source_visits

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from wikicrawler.store.database import Database

END = datetime(2026, 11, 20, 12, tzinfo=UTC)
"""The moment at which the measurements are made."""
DAYS = 365
ENGINES = ("http", "mediawiki", "browser", "firecrawl")
ERRORS = ("busy: HTTP 503", "blocked: HTTP 403", "timeout", "missing: HTTP 404")
_DAY = 86_400.0
_BATCH = 2_000
_HASH = sha256(b"body").hexdigest()
_HEADERS = {
    "Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
    "Accept-Encoding": "gzip, deflate, br, zstd",
    "Accept-Language": "en",
    "User-Agent": "wikicrawler/1.0 (+https://example.org/crawler)",
}


@dataclass(frozen=True)
class Size:
    """Numbers of rows."""

    sources: int = 5_000
    records: int = 1_000_000
    attempts: int = 200_000
    sites: int = 500
    documents: int = 10
    """Of each source."""
    versions: int = 60_000
    """Lines of the index of the staging folder."""


def source_id(number: int) -> str:
    return f"source-{number:04}"


def manifest(size: Size) -> bytes:
    """Return a manifest; each tenth source is visited daily, and some by a cron expression."""
    sources = []
    for number in range(size.sources):
        domain = f"agency{number % size.sites}.example.{('gov', 'org', 'com')[number % 3]}"
        one: dict[str, Any] = {
            "id": source_id(number),
            "name": f"Regulation {number}",
            "url": f"https://{domain}/rules/{number}",
            "domain": domain,
            "regulatory_domain": ("RESPA", "TILA", "ECOA", "FHA")[number % 4],
            "citation": f"12 C.F.R. Part {number}",
            "jurisdiction": "federal" if number % 5 else f"state:{('CA', 'NY', 'TX')[number % 3]}",
            "source_type": ("regulation", "guide")[number % 2],
            "content_type": "html",
            "method": "crawl",
            "frequency": "daily" if number % 10 == 0 else "weekly",
            "priority": ("high", "medium", "low")[number % 3],
            "status": "paused" if number % 100 == 99 else "active",
            "metadata": {"agency": "CFPB"},
        }
        if number % 20 == 1:
            one["frequency"] = "cron"
            one["schedule"] = {"cron": "30 4 * * 1-5", "time_zone": "America/New_York"}
        sources.append(one)
    at = "2025-11-01T00:00:00Z"
    head = {"version": "1.0.0", "created": at, "updated": at, "vertical": "fthb"}
    return json.dumps(head | {"sources": sources}, separators=(",", ":")).encode()


def fill(database: Database, folder: Path, size: Size) -> None:
    """Fill *database*, which is empty, and the staging folder *folder*."""
    rng = random.Random(7)  # noqa: S311 - not for secrets
    candidate = new_candidate(database, read_manifest(manifest(size)))
    activate(database, candidate, by="bench", robots_checked=False)
    _fill_sources(database, size, rng)
    _fill_attempts(database, size, rng)
    _fill_alerts(database, size, rng)
    _fill_costs(database, rng)
    fill_log(database, size, rng)
    _fill_staging(folder, size, rng)
    if not str(database).startswith("/"):  # as autovacuum does in PostgreSQL
        with database.write() as connection:
            connection.exec_driver_sql("ANALYZE")


def _fill_sources(database: Database, size: Size, rng: random.Random) -> None:
    end = END.timestamp()
    states, visits, pages = [], [], []
    for number in range(size.sources):
        name, every = source_id(number), 1 if number % 10 == 0 else 7
        offset, last, success, change = rng.random() * _DAY, None, None, None
        for day in range(DAYS, 0, -every):
            started = end - day * _DAY + offset
            error = rng.choice(ERRORS) if rng.random() < 0.03 else None
            changed = 1 if error is None and rng.random() < 0.06 else 0
            last = started
            success = success if error else started
            change = started if changed else change
            run = str(UUID(int=rng.getrandbits(128)))
            counts = (10, 10, 0, changed, 10 - changed, 0, 1 if error else 0)
            visits.append(
                (run, name, "1.0.0", started, started + 30, False, error is None, error, *counts)
            )
        states.append(SourceState(name, end - DAYS * _DAY, last, success, change, visits=DAYS))
        for page in range(size.documents):
            domain = f"agency{number % size.sites}.example.{('gov', 'org', 'com')[number % 3]}"
            url = f"https://{domain}/rules/{number}" + (f"/{page}" if page else "")
            facts = (True, f"sha256:{_HASH}", _HASH, "1", ENGINES[number % 4], None, None, None, 0)
            known = (str(UUID(int=number)), None, min(page, 1), end - 9e6, last, change)
            pages.append((name, url, *facts, *known))
    with database.write() as connection:
        save_states(connection, states)
        insert_rows(connection, source_visits, visits)
        insert_rows(connection, source_pages, pages)


def _fill_attempts(database: Database, size: Size, rng: random.Random) -> None:
    end = END.timestamp()
    with database.write() as connection:
        found = [_attempt(size, rng, end) for _ in range(size.attempts)]
        add_attempts(connection, 1, enumerate(found, 1))
        asked = [(one.registered_domain, one.at) for one in found]
        paused = [
            SitePause(end - 60, f"site{number}.example", end + 3600, 2, "blocked")
            for number in range(0, size.sites, 50)
        ]
        note_sites(connection, asked, paused)
        changes = [
            TierChange(one.at, one.registered_domain, one.domain, one.tier, 0.5, one.ok)
            for one in found[:200]
        ]
        add_changes(connection, 1, enumerate(changes, 1))


def _attempt(size: Size, rng: random.Random, end: float) -> FetchAttempt:
    # A few sites have most of the attempts.
    number = min(int(rng.paretovariate(0.6)) - 1, size.sites - 1) if rng.random() < 0.5 else None
    site = f"site{rng.randrange(size.sites) if number is None else number}.example"
    ok = rng.random() < 0.9
    return FetchAttempt(
        at=end - rng.random() * 120 * _DAY,
        url=f"https://www.{site}/wiki/{rng.randrange(10**6)}",
        domain=f"www.{site}",
        registered_domain=site,
        suffix="example",
        shape="/wiki/*",
        scheme="https",
        wiki="",
        configured="http",
        tier=rng.choices(ENGINES, (70, 10, 15, 5))[0],
        ok=ok,
        reason="ok" if ok else rng.choice(("blocked", "busy", "timeout", "missing")),
        final=False,
        is_banned=not ok and rng.random() < 0.3,
        status=200 if ok else 503,
        latency=rng.lognormvariate(-1, 1),
        size=20_000,
        cost=1.0,
        policy="static",
        propensity=1.0,
        step=1,
    )


def _fill_alerts(database: Database, size: Size, rng: random.Random) -> None:
    end = END.timestamp()
    with database.write() as connection:
        for number in range(size.sources):
            name, now = source_id(number), end - rng.random() * DAYS * _DAY
            facts: dict[str, Any] = {"severity": "high", "message": "five failures", "url": None}
            if number % 10:
                alert = add_notice(connection, "changed", name, now=now, **facts)
            else:
                alert = raise_alert(connection, "blocked", name, now=now, **facts)
                if number % 20:
                    resolve_alert(connection, alert.id, now=now + 60, why="it works again")
            message = {"severity": "high", "title": "an alert", "body": "text", "now": now}
            add_deliveries(connection, alert.id, "raised", ["mail", "chat"], **message)


def _fill_costs(database: Database, rng: random.Random) -> None:
    with database.write() as connection:
        for month in range(1, 12):
            for service in ("browser", "firecrawl"):
                at = datetime(2026, month, 2, tzinfo=UTC).timestamp()
                price = rng.random() * 9_000
                reserve_credits(connection, service, f"2026-{month:02}", price, now=at)
        used = []
        for day in range(DAYS):
            at = END - timedelta(days=day)
            for model in ("openai/gpt-4o-mini", "openai/gpt-4o", "local/llama"):
                used += [
                    ModelUsage(f"{at:%Y-%m-%d}", model, f"site{n}.example", 10, 1, 20_000, 500, 0.1)
                    for n in range(20)
                ]
        add_usage(connection, used)


def fill_log(database: Database, size: Size, rng: random.Random) -> None:
    """Append the records of the audit log."""
    runs = 200
    of_run = max(2, size.records // runs)
    step = timedelta(days=DAYS) / size.records
    at = END - timedelta(days=DAYS)
    for _ in range(size.records // of_run):
        run = str(uuid4())
        made = _records(size, rng, run, of_run, at=at, step=step)
        while batch := list(islice(made, _BATCH)):
            with database.write() as connection:
                append(connection, run, batch)
        at += of_run * step


def _records(
    size: Size, rng: random.Random, run: str, number: int, *, at: datetime, step: timedelta
) -> Iterator[Entry]:
    yield Entry(run_fields("start", at, spider="sources") | {"run_id": run, "number": 1})
    last, name = 0, ""
    for index in range(2, number + 1):
        at += step
        if index % 5 == 0 and last:
            label = Label("page", "http", name)
            is_changed = rng.random() < 0.05
            path = f"agency.example/{at:%Y-%m-%d}/{name}__{index}.json" if is_changed else None
            fields = outcome_fields(
                label,
                at=at,
                content_hash=_HASH,
                content_changed=is_changed,
                staged_path=path,
                error=None,
                credits_consumed=None,
            )
            yield Entry(fields | {"run_id": run, "number": index}, last)
            continue
        source = rng.randrange(size.sources)
        last, name = index, source_id(source)
        engine = rng.choices(ENGINES, (80, 5, 10, 5))[0]
        status = rng.choices((200, 304, 404, 503, 403, None), (88, 5, 2, 2, 1, 2))[0]
        url = f"https://agency{source % size.sites}.example.org/rules/{rng.randrange(10**6)}"
        answer = Answer(status, url, 20_000, _HASH, None if status else "DownloadTimeoutError: 30s")
        fields = request_fields(
            Sent.of(Request(url, headers=_HEADERS)),
            Label("page", engine, name),
            answer,
            at=at,
            ms=int(rng.lognormvariate(5.5, 1)),
            credits_consumed=1 if engine in {"browser", "firecrawl"} else None,
        )
        kept = None
        if status in {403, 503} and index % 7 == 0:
            kept = KeptResponse([("Server", "nginx")], b"busy" * 200, 800)
        yield Entry(fields | {"run_id": run, "number": index}, None, kept)


def _fill_staging(root: Path, size: Size, rng: random.Random) -> None:
    StagingFolder(root).prepare()
    with (root / INDEX).open("w", encoding="utf-8") as file:
        for number in range(size.versions):
            name = source_id(rng.randrange(size.sources))
            at = END - timedelta(days=DAYS) + timedelta(days=DAYS) / size.versions * number
            line = {
                "envelope_id": str(UUID(int=rng.getrandbits(128))),
                "manifest_id": name,
                "url": f"https://agency.example/{name}/{rng.randrange(10)}",
                "staged_at": f"{at:%Y-%m-%dT%H:%M:%SZ}",
                "path": f"agency.example/{at:%Y-%m-%d}/{name}__index__{number:08x}.json",
                "content_changed": True,
                "change_type": "modified",
                "content_hash": f"sha256:{_HASH}",
            }
            file.write(json.dumps(line) + "\n")
