"""How long the screens of the dashboard take over a large database while a crawl writes to it, and
what that costs the crawl.

    python -m bench.dashboard --only sqlite --keep FOLDER      # makes the database, once
    python -m bench.dashboard_screens FOLDER

The crawl fetches 1,000 small pages of this machine, with its attempts and its audit log in the same
database. It runs alone, and beside somebody who opens one screen a second, in turns.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from statistics import median
from time import perf_counter, sleep
from typing import TYPE_CHECKING

import requests

from tests.servers.dashboard import RealDashboard
from wikicrawler import options
from wikicrawler.demo.regulations import Regulations

if TYPE_CHECKING:
    from collections.abc import Sequence

PAGES = 1_000
ROUNDS = 3
SCREENS = (
    "/",
    "/?sort=next_visit",
    "/?status=failed&q=rule",
    "/errors",
    "/errors?view=each",
    "/manifest",
    "/runs",
    "/sites",
    "/costs",
    "/alerts",
    "/audit",
    "/audit?kind=control",
    "/audit/summary",
    "/audit/summary?by=month",
    "/audit/summary?by=engine",
    "/audit/summary?by=source",
    "/fields",
    "/reports",
)
_OF_A_SOURCE = ("", "/documents", "/versions", "/calendar", "/errors", "/schedule", "/entry")
_OF_A_SITE = ("",)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--database", metavar="URL", help="another one than the folder's")
    given = parser.parse_args(arguments)
    folder = given.folder.absolute()
    settings = {
        options.DATABASE_URL.name: given.database or f"sqlite:///{folder / 'dashboard.sqlite'}",
        options.STAGING.name: str(folder / "staging"),
        options.PRIVATE_HOSTS.name: "127.0.0.1",
        options.DOMAIN_THROTTLE_ENABLED.name: "False",  # the site would be slowed down
        options.RECORD_ATTEMPTS.name: "True",
        options.AUDIT.name: "True",
    }
    with (
        Regulations() as site,
        tempfile.TemporaryDirectory() as project,
        RealDashboard(Path(project) / "project", settings) as dashboard,
    ):
        site.days = dict.fromkeys(range(1, PAGES + 1), 5)
        paths = [*SCREENS, *_paths(dashboard)]
        for path in paths:  # what is read once
            dashboard.get(path).raise_for_status()
        quiet = _measured(dashboard, paths, seconds=0)
        alone, beside, busy = [], [], {path: [] for path in paths}
        for _ in range(ROUNDS):
            alone.append(_crawl(dashboard, site))
            with _Visitor(dashboard, paths) as visitor:
                beside.append(_crawl(dashboard, site))
            for path, times in visitor.times.items():
                busy[path] += times
        with _Crawling(dashboard, site):
            for path, times in _measured(dashboard, paths, seconds=0).items():
                busy[path] += times
        print(f"{'screen':44} {'quiet':>8} {'crawl':>8}  median ms")
        for path in paths:
            crawling = median(busy[path]) if busy[path] else float("nan")
            print(f"{path:44} {median(quiet[path]):8.0f} {crawling:8.0f}")
        print(f"crawl alone {min(alone):.1f} s, beside a visitor {min(beside):.1f} s: ", end="")
        print(f"{100 * (min(beside) / min(alone) - 1):+.1f} % (all: {alone} {beside})")
    return 0


def _paths(dashboard: RealDashboard) -> list[str]:
    """The pages of the first source, and of the site with the most attempts."""
    source = dashboard.get("/api/sources?sort=last_change&descending=true").json()
    source_id = source["lines"][0]["source"]["id"]
    site = dashboard.get("/api/sites?sort=attempt_count").json()["lines"][0]["site"]
    pages = [f"/sources/{source_id}{part}" for part in _OF_A_SOURCE]
    return [
        *(path for path in pages if dashboard.get(path).status_code == 200),
        *(f"/sites/{site}{part}" for part in _OF_A_SITE),
    ]


def _measured(
    dashboard: RealDashboard, paths: Sequence[str], seconds: float, rounds: int = 5
) -> dict[str, list[float]]:
    """Milliseconds of *rounds* answers for each path."""
    found: dict[str, list[float]] = {path: [] for path in paths}
    for _ in range(rounds):
        for path in paths:
            began = perf_counter()
            dashboard.get(path)
            found[path].append((perf_counter() - began) * 1000)
            sleep(seconds)
    return found


def _crawl(dashboard: RealDashboard, site: Regulations) -> float:
    """Seconds of a crawl."""
    began = perf_counter()
    subprocess.run(_command(dashboard, site), cwd=dashboard.folder, check=True)
    return round(perf_counter() - began, 1)


def _command(dashboard: RealDashboard, site: Regulations) -> list[str]:
    named = ["crawl", "wiki", "-a", f"seeds={site.url}/1024/", "-O", "pages.jsonl"]
    return [*dashboard.command(*named), "-s", "LOG_LEVEL=ERROR"]


class _Visitor:
    """Somebody who opens a screen a second."""

    def __init__(self, dashboard: RealDashboard, paths: Sequence[str]) -> None:
        self.times: dict[str, list[float]] = {path: [] for path in paths}
        self._url, self._paths = dashboard.url, paths
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._visit)

    def __enter__(self) -> _Visitor:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _visit(self) -> None:
        with requests.Session() as session:
            session.trust_env = False
            while True:
                for path in self._paths:
                    began = perf_counter()
                    session.get(self._url + path, timeout=60)
                    self.times[path].append((perf_counter() - began) * 1000)
                    if self._over.wait(1.0):
                        return


class _Crawling:
    """A crawl beside what is measured, again and again."""

    def __init__(self, dashboard: RealDashboard, site: Regulations) -> None:
        self._dashboard, self._site = dashboard, site
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._crawl)

    def __enter__(self) -> None:
        self._thread.start()
        sleep(3)

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _crawl(self) -> None:
        while not self._over.is_set():
            _crawl(self._dashboard, self._site)


if __name__ == "__main__":
    sys.exit(main())
