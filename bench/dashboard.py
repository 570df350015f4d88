"""The time of each question behind the dashboard, on a year of 5,000 watched sources.

    python -m bench.dashboard [--records N] [--only sqlite|postgresql] [--keep FOLDER]

The database is that of ``bench.dashboard_data``, opened read-only. Each question is asked nine
times; the figures are the medians of the time, and of the CPU time of this process. PostgreSQL is
Debian's, as the tests start it. With ``--crawl`` a process writes records meanwhile, as a busy
crawl does.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import sys
import tempfile
from contextlib import contextmanager, nullcontext
from datetime import timedelta
from pathlib import Path
from statistics import median
from time import perf_counter, process_time, sleep
from typing import TYPE_CHECKING

from scrapy.settings import Settings

from bench.dashboard_data import END, Size, fill, fill_log, source_id
from tests.servers.postgres import RealPostgres
from wikicrawler.audit.browsing import log_page, operation_view
from wikicrawler.explain.sites import site_view, sites_page
from wikicrawler.sources.alerts.view import alert_page
from wikicrawler.sources.overview.directory import SourceDirectory
from wikicrawler.sources.overview.error_rows import ErrorsAsked
from wikicrawler.sources.overview.errors import errors
from wikicrawler.sources.overview.listing import Asked, SortBy
from wikicrawler.sources.overview.source import calendar, documents, runs
from wikicrawler.sources.overview.status import Status
from wikicrawler.sources.overview.versions import chain_place, versions_of
from wikicrawler.sources.schedule.timing import DEFAULT_TIMING
from wikicrawler.sources.staging.folder import StagingFolder
from wikicrawler.spending.costs import month_costs
from wikicrawler.store.audit_search import Search
from wikicrawler.store.database import Database

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_ROUNDS = 9
_NOW = END.timestamp()


def questions(database: Database, folder: Path) -> dict[str, Callable[[], object]]:
    """Return the questions by name. The first one reads the manifest."""
    directory = SourceDirectory(database, DEFAULT_TIMING)
    staging = StagingFolder(folder)
    name, month_ago = source_id(10), END.date() - timedelta(days=30)
    year_ago = END.date() - timedelta(days=364)

    def table(**asked: object) -> Callable[[], object]:
        return lambda: directory.current().overview.page(
            database,
            Asked(**asked),
            _NOW,  # type: ignore[arg-type]
        )

    def log(**wanted: object) -> Callable[[], object]:
        return lambda: log_page(database, Search(**wanted))  # type: ignore[arg-type]

    def failures(**asked: object) -> Callable[[], object]:
        return lambda: errors(database, ErrorsAsked(**asked), now=_NOW)  # type: ignore[arg-type]

    def place() -> object:
        version = versions_of(staging, name).versions[0]
        return chain_place(database, version)

    found: dict[str, Callable[[], object]] = {"overview": table()}
    found |= {f"overview, sorted by {one}": table(sort=one, descending=True) for one in SortBy}
    found |= {
        "overview, page 50": table(page=50),
        "overview, failed": table(status=Status.FAILED),
        "overview, text": table(text="regulation 49"),
        "source: line": lambda: directory.current().overview.line(database, name, _NOW),
        "source: visits": lambda: runs(database, name),
        "source: documents": lambda: documents(database, name),
        "source: calendar": lambda: calendar(database, name, END.date()),
        "source: versions": lambda: versions_of(staging, name),
        "source: place in the chain": place,
        "errors, 30 days": failures(),
        "errors, a year": failures(first=year_ago),
        "errors of a source, a year": failures(source=name, first=year_ago),
        "errors, a status, a year": failures(status=503, first=year_ago),
        "errors, unresolved": failures(resolved=False),
        "costs": lambda: month_costs(Settings(), database, _NOW),
        "costs, an earlier month": lambda: month_costs(Settings(), database, _NOW, "2026-05"),
        "sites": lambda: sites_page(database, now=_NOW),
        "sites, most attempts": lambda: sites_page(database, order="attempt_count", now=_NOW),
        "sites, text": lambda: sites_page(database, text="site4", now=_NOW),
        "site, the largest": lambda: site_view(database, "site0.example", _NOW),
        "site, a small one": lambda: site_view(database, "site400.example", _NOW),
        "audit": log(),
        "audit, source": log(source=name),
        "audit, source and kind": log(source=name, kind="outcome"),
        "audit, kind start": log(kind="start"),
        "audit, status 503": log(status=503),
        "audit, status 418 (none)": log(status=418),
        "audit, engine and status": log(engine="browser", status=404),
        "audit, failed": log(failed=True),
        "audit, failed, source": log(failed=True, source=name),
        "audit, days": log(first=month_ago, last=month_ago),
        "audit, URL, many": log(url="https://agency"),
        "audit, URL of a site": log(url="https://agency7.example.org/"),
        "audit, URL of nobody": log(url="https://nobody.example/"),
        "audit, URL in a source": log(source=name, url="https://agency10.example.org/rules/1"),
        "audit, page in the middle": lambda: log_page(database, Search(), before=500_000),
        "audit, an operation": lambda: operation_view(database, 500_001),
        "alerts": lambda: alert_page(database),
        "alerts, open": lambda: alert_page(database, state="open"),
    }
    return found


def measure(name: str, database: Database, folder: Path) -> None:
    """Print the median of each question."""
    print(f"\n## {name}", flush=True)
    for question, ask in questions(database, folder).items():
        took, used = [], []
        for _ in range(_ROUNDS):
            began, cpu = perf_counter(), process_time()
            ask()
            took.append((perf_counter() - began) * 1000)
            used.append((process_time() - cpu) * 1000)
        times = f"{median(took):8.1f} ms {median(used):8.1f} ms of CPU"
        print(f"{question:36} {times} (longest {max(took):.1f})", flush=True)


def _write(url: str) -> None:
    """Write as a busy crawl: 100 records a second or so, for ever."""
    database, rng = Database(url), random.Random(8)  # noqa: S311 - not for secrets
    while True:
        fill_log(database, Size(records=200), rng)
        sleep(1)


@contextmanager
def _crawling(url: str) -> Iterator[None]:
    process = multiprocessing.get_context("spawn").Process(target=_write, args=(url,), daemon=True)
    process.start()
    try:
        yield
    finally:
        process.terminate()
        process.join()


def run(name: str, url: str, folder: Path, size: Size, *, crawl: bool) -> None:
    """Fill the database at *url* unless it has tables, and measure."""
    database = Database(url)
    if not database.has_tables():
        began = perf_counter()
        fill(database, folder, size)
        print(f"{name}: filled in {perf_counter() - began:.0f} s", flush=True)
    database.close()
    with _crawling(url) if crawl else nullcontext():
        measure(name, Database(url, read_only=True), folder)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=1_000_000)
    parser.add_argument("--only", choices=("sqlite", "postgresql"))
    parser.add_argument("--keep", type=Path, help="folder of the SQLite database, used again")
    parser.add_argument("--crawl", action="store_true")
    given = parser.parse_args()
    size = Size(records=given.records)
    with tempfile.TemporaryDirectory() as temporary:
        folder = (given.keep or Path(temporary)).absolute()
        folder.mkdir(parents=True, exist_ok=True)
        staging = folder / "staging"
        if given.only != "postgresql":
            url = f"sqlite:///{folder}/dashboard.sqlite"
            run("sqlite", url, staging, size, crawl=given.crawl)
        if given.only != "sqlite":
            with RealPostgres() as server:
                run("postgresql", server.empty_database(), staging, size, crawl=given.crawl)


if __name__ == "__main__":
    sys.exit(main())
