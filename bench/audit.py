"""The audit log with a million records: the operator's questions, verification, and its cost.

    python -m bench.audit [--records N] [--only sqlite|postgresql]

The records are those of a year: 90 sources, three engines, some failures, and an outcome for every
fourth operation. They are appended as a crawl does, but in larger batches. Each question is asked
five times on a connection of its own; the figure is the median. PostgreSQL is Debian's, as the
tests start it.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from datetime import UTC, date, datetime, timedelta
from hashlib import sha256
from itertools import islice
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from scrapy import Request
from scrapy.http.headers import Headers

from tests.servers.postgres import RealPostgres
from wikicrawler.audit.export import export_proof
from wikicrawler.audit.proof import check_proof
from wikicrawler.audit.record import Answer, Label, Sent, outcome_fields, request_fields
from wikicrawler.audit.verification import verify
from wikicrawler.store.audit_chain import Entry, append
from wikicrawler.store.audit_queries import Wanted, find
from wikicrawler.store.audit_summaries import Question, summarise
from wikicrawler.store.database import Database

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_START = datetime(2026, 1, 1, tzinfo=UTC)
_DAYS = 365
_SOURCES = 90
_BATCH = 2000
_ROUNDS = 5
_PAGE = 100  # operations, as scrapy audit lists them
_HEADERS = {
    "Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
    "Accept-Encoding": "gzip, deflate, br, zstd",
    "Accept-Language": "en",
    "User-Agent": "wikicrawler/1.0 (+https://example.org/crawler)",
}


def entries(number: int, run: str) -> Iterator[Entry]:
    """Yield *number* records of a year."""
    rng = random.Random(7)  # noqa: S311 - not for secrets
    source = ""
    step = timedelta(days=_DAYS) / number
    body_hash = sha256(b"body").hexdigest()
    for index in range(1, number + 1):
        at = _START + index * step
        if index % 5:
            source = f"source-{rng.randrange(_SOURCES):02}"
        else:
            changed = rng.random() < 0.05
            label = Label("page", "http", source)
            facts: dict[str, Any] = {"content_hash": body_hash, "content_changed": changed}
            facts |= {"staged_path": None, "error": None, "credits_consumed": None}
            fields = outcome_fields(label, at=at, **facts)
            yield Entry(fields | {"run_id": run, "number": index}, index - 1)
            continue
        engine = rng.choices(("http", "mediawiki", "browser"), (85, 5, 10))[0]
        status = rng.choices((200, 304, 404, 503, None), (90, 4, 2, 2, 2))[0]
        url = f"https://{source}.example.org/rules/{rng.randrange(10**6)}"
        sent = Sent.of(Request(url, headers=_HEADERS))
        answer = Answer(status, url, 20_000, body_hash, None if status else "DownloadTimeoutError")
        fields = request_fields(
            sent,
            Label("page", engine, source),
            answer,
            at=at,
            ms=int(rng.lognormvariate(5.5, 1)),
            credits_consumed=1 if engine == "browser" else None,
        )
        yield Entry(fields | {"run_id": run, "number": index})


def fill(database: Database, number: int) -> float:
    """Append *number* records; return the seconds."""
    run, seconds, made = str(uuid4()), 0.0, entries(number, "")
    for _ in range(0, number, _BATCH):
        batch = [Entry(e.fields | {"run_id": run}, e.of) for e in islice(made, _BATCH)]
        began = perf_counter()
        with database.write() as connection:
            append(connection, run, batch)
        seconds += perf_counter() - began
    return seconds


def questions() -> dict[str, Callable[[Any], object]]:
    """Return the operator's questions by name."""
    day, month = date(2026, 6, 15), (date(2026, 6, 10), date(2026, 7, 9))

    def listed(**wanted: Any) -> Callable[[Any], object]:
        return lambda connection: list(find(connection, Wanted(**wanted), _PAGE))

    def summed(by: str, *period: date, **wanted: Any) -> Callable[[Any], object]:
        return lambda connection: summarise(connection, Question(by, *period, **wanted))

    return {
        "audit": listed(),
        "audit --source": listed(source="source-07"),
        "audit --source of no record": listed(source="nobody"),
        "audit --source --from --to": listed(source="source-07", first=day, last=day),
        "audit --from --to": listed(first=day, last=day),
        "audit --status 503": listed(status=503),
        "audit --status 418 (none)": listed(status=418),
        "audit --engine mediawiki": listed(engine="mediawiki"),
        "audit --engine browser --status 404": listed(engine="browser", status=404),
        "audit --errors": listed(failed=True),
        "audit --errors --source": listed(failed=True, source="source-07"),
        "audit --errors --status 200 (none)": listed(failed=True, status=200),
        "audit --errors --engine nothing": listed(failed=True, engine="nothing"),
        "audit --status 200 --from --to": listed(status=200, first=day, last=day),
        "summary --by source": summed("source"),
        "summary --by source, 30 days": summed("source", *month),
        "summary --by engine": summed("engine"),
        "summary --by day": summed("day"),
        "summary --by day --source": summed("day", source="source-07"),
        "summary --by source --engine": summed("source", engine="browser"),
    }


def measure(name: str, database: Database, number: int) -> None:
    seconds = fill(database, number)
    print(f"\n## {name}: {number:,} records, appended with {seconds / number * 1e6:.0f} µs each")
    if name == "postgresql":  # as its autovacuum does
        with database.write() as connection:
            connection.exec_driver_sql("ANALYZE")
    for question, ask in questions().items():
        took = []
        for _ in range(_ROUNDS):
            began = perf_counter()
            with database.read() as connection:
                ask(connection)
            took.append((perf_counter() - began) * 1000)
            database.close()
        print(f"{question:40} {median(took):8.1f} ms (longest {max(took):.1f})", flush=True)
    for with_sums in (False, True):
        began = perf_counter()
        with database.read() as connection:
            result = verify(connection, with_sums=with_sums)
        seconds = perf_counter() - began
        extra = " with sums" if with_sums else ""
        print(
            f"verify{extra}: {result.records / seconds:,.0f} records/s, {result.faults}", flush=True
        )
    began = perf_counter()
    with database.read() as connection:
        proof, _ = export_proof(connection, "source-07", date(2026, 6, 15))
    seconds = perf_counter() - began
    began = perf_counter()
    found = check_proof(proof)
    print(
        f"prove: {len(found.records)} records, {found.last - found.first + 1:,} links, "
        f"{len(proof):,} bytes in {seconds:.1f} s; checked in {perf_counter() - began:.1f} s"
    )


def measure_recorder() -> None:
    """Print what the recorder adds to a page of 20 kB in the event loop."""
    number, body = 20_000, b"x" * 20_000
    headers = Headers(_HEADERS)
    label = Label("page", "http", "source-07")
    requests = [Request(f"https://example.org/{n}", headers=headers) for n in range(number)]
    began = perf_counter()
    for request in requests:
        sent = Sent.of(request)
        answer = Answer(200, request.url, len(body), sha256(body).hexdigest())
        request_fields(sent, label, answer, at=datetime.now(UTC), ms=1, credits_consumed=None)
    took = (perf_counter() - began) / number
    began = perf_counter()
    for _ in range(number):
        sha256(body).hexdigest()
    hashing = (perf_counter() - began) / number
    print(
        f"recorder: {took * 1e6:.0f} µs a page, {hashing * 1e6:.0f} µs of it its hash", flush=True
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=1_000_000)
    parser.add_argument("--only", choices=("sqlite", "postgresql"))
    given = parser.parse_args()
    measure_recorder()
    if given.only != "postgresql":
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "audit.sqlite"
            measure("sqlite", Database(f"sqlite:///{file}"), given.records)
            print(f"file: {file.stat().st_size / given.records:,.0f} bytes a record")
    if given.only != "sqlite":
        with RealPostgres() as server:
            measure("postgresql", Database(server.empty_database()), given.records)


if __name__ == "__main__":
    sys.exit(main())
