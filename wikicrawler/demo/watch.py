"""Watch a small site of regulations on this machine: manifest, visits, staging and proof.

python -m wikicrawler.demo.watch
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from scrapy.utils.conf import closest_scrapy_cfg

from wikicrawler import options
from wikicrawler.demo.regulations import Regulations

SOURCE = {
    "id": "reg-x",
    "name": "Regulation X",
    "domain": "127.0.0.1",
    "regulatory_domain": "RESPA",
    "citation": "12 C.F.R. Part 1024",
    "jurisdiction": "federal",
    "source_type": "regulation",
    "content_type": "html",
    "method": "crawl",
    "frequency": "weekly",
    "priority": "high",
    "status": "active",
}
MANIFEST = {
    "version": "1.0.0",
    "created": "2026-01-01T00:00:00Z",
    "updated": "2026-01-01T00:00:00Z",
    "vertical": "demo",
}


class Failed(Exception):  # noqa: N818 - it ends the demonstration
    """A command failed."""


class Demonstration:
    """The demonstration, with all its files in *folder*."""

    def __init__(self, site: Regulations, folder: Path) -> None:
        self._site = site
        self._folder = folder
        self._settings = {
            options.STAGING.name: str(folder / "staged"),
            options.DATABASE_URL.name: f"sqlite:///{folder / 'watch.sqlite'}",
            options.PRIVATE_HOSTS.name: "127.0.0.1",
            options.DOMAIN_THROTTLE_REQUESTS_PER_MINUTE.name: "6000",
            "LOG_LEVEL": "ERROR",
        }

    def run(self) -> None:
        """Print each step.

        :raises Failed: a command failed
        """
        manifest = self._folder / "manifest.json"
        source = SOURCE | {"url": f"{self._site.url}/1024/"}
        manifest.write_text(json.dumps(MANIFEST | {"sources": [source]}, indent=1))
        self._scrapy("manifest", "activate", str(manifest))
        first = self._visit("first visit", "due")
        second = self._visit("second visit", "sources", "run", "reg-x")
        print(f"             {100 * second / first:.1f} % of the bytes of the first visit")
        self._site.days[7] = 3
        self._visit("one section of 50 changed", "sources", "run", "reg-x")
        self._scrapy("staged", "verify")
        self._scrapy("audit", "verify")
        proof, today = self._folder / "proof.json", f"{datetime.now(UTC):%Y-%m-%d}"
        self._scrapy("prove", "--source", "reg-x", "--date", today, "-o", str(proof), quiet=True)
        self._scrapy("prove", "--check", str(proof), last=True)

    def _visit(self, title: str, *command: str) -> int:
        """Visit the source, print what came of it, and return the bytes that the site sent."""
        self._site.sent = 0
        feed = self._folder / "visits.jsonl"
        self._scrapy(*command, "-O", str(feed), quiet=True)
        lines = [json.loads(line) for line in feed.read_text("utf-8").splitlines()]
        (visit,) = [line for line in lines if line["type"] == "visit"]
        counts = ", ".join(f"{visit[n]} {n}" for n in ("new", "modified", "unchanged", "deleted"))
        print(f"{title}: {counts}; {self._site.sent:,} bytes")
        for line in lines:
            if line["type"] == "document" and line["change_type"] == "modified":
                print(f"             {line['change_class']}: {line['path']}")
        return self._site.sent

    def _scrapy(self, *command: str, quiet: bool = False, last: bool = False) -> None:
        settings = self._settings.items()
        given = [part for name, value in settings for part in ("-s", f"{name}={value}")]
        done = subprocess.run(  # noqa: S603 - our own command
            [sys.executable, "-m", "scrapy", *command, *given],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise Failed(f"scrapy {' '.join(command)}: exit code {done.returncode}\n{done.stderr}")
        lines = done.stdout.strip().splitlines()
        for line in lines[-1:] if last else [] if quiet else lines:
            print(f"scrapy {' '.join(command[:2])}: {line}")


def main() -> int:
    """Run the demonstration; return the exit code."""
    if not closest_scrapy_cfg():  # outside of a Scrapy project
        os.environ.setdefault("SCRAPY_SETTINGS_MODULE", "wikicrawler.settings")
    with Regulations() as site, tempfile.TemporaryDirectory() as folder:
        try:
            Demonstration(site, Path(folder)).run()
        except Failed as error:
            sys.stderr.write(f"watch: {error}\n")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
