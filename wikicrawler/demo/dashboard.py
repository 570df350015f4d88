"""Show the dashboard over sources on this machine that change, fail and refuse.

python -m wikicrawler.demo.dashboard [OPTIONS OF scrapy dashboard]
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from scrapy.utils.conf import closest_scrapy_cfg

from wikicrawler import options
from wikicrawler.demo import DemoWiki
from wikicrawler.demo.__main__ import run
from wikicrawler.demo.agencies import Agencies
from wikicrawler.demo.company import Company
from wikicrawler.demo.regulations import Regulations
from wikicrawler.demo.watch import MANIFEST, SOURCE, Failed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_VISITS = 3
_NO_MODEL = MappingProxyType(  # the page states the values for machines
    {
        options.FIELDS_BASE_URL.name: "http://127.0.0.1:9/v1",
        options.FIELDS_MODEL.name: "openai/none",
        options.FIELDS_API_KEYS.name: "sk-demonstration",
    }
)
_EVERY = 20.0
"""Seconds after which the sites change while the dashboard is served."""


class Demonstration:
    """The demonstration, with all its files in *folder*."""

    def __init__(
        self, regulations: Regulations, agencies: Agencies, wiki: DemoWiki, folder: Path
    ) -> None:
        self._regulations = regulations
        self._agencies = agencies
        self._wiki = wiki
        self._folder = folder
        self._round = 0
        self.settings = {
            options.STAGING.name: str(folder / "staged"),
            options.DATABASE_URL.name: f"sqlite:///{folder / 'demonstration.sqlite'}",
            options.PRIVATE_HOSTS.name: "127.0.0.1,localhost",
            options.DOMAIN_THROTTLE_REQUESTS_PER_MINUTE.name: "6000",
            options.RECORD_ATTEMPTS.name: "True",
            options.AUDIT.name: "True",
            options.DASHBOARD_RESULTS.name: str(folder / "feeds"),
            "LOG_LEVEL": "ERROR",
        }

    def prepare(self) -> None:
        """Activate a manifest, crawl a wiki, and visit all sources several times.

        :raises Failed: a command failed
        """
        manifest = self._folder / "manifest.json"
        manifest.write_text(json.dumps(MANIFEST | {"sources": self._sources()}, indent=1))
        self._scrapy("manifest", "activate", str(manifest), "--why", "the demonstration")
        _say("crawling a wiki of 33 pages")
        pages = str(self._folder / "pages.jsonl")
        start = f"seeds={self._wiki.url}/wiki/Main_Page"
        self._scrapy("crawl", "wiki", "-a", start, "-O", pages)
        ids = [source["id"] for source in self._sources()]
        for number in range(1, _VISITS + 1):
            _say(f"visit {number} of {_VISITS} to {len(ids)} sources")
            self._scrapy("sources", "run", *ids, fails=True)
            self.advance()
        self._scrapy("sources", "pause", "handbook", "--why", "it is being rewritten")

    def write_feeds(self) -> None:
        """Write a feed of fields, and one of reports.

        :raises Failed: a command failed
        """
        feeds = self._folder / "feeds"
        feeds.mkdir()
        _say("extracting fields, and looking for the reports of three companies")
        with Company() as company:
            page = f"url={company.url}/hive"
            named = ("-a", "fields=name: string, price: number, sku: string")
            output = ("-O", str(feeds / "fields.jsonl"))
            self._scrapy("crawl", "fields", "-a", page, *named, *output, more=_NO_MODEL)
        self._run([sys.executable, "-m", "wikicrawler.demo.reports", str(feeds / "reports.jsonl")])

    def advance(self) -> None:
        """Change the sites."""
        self._round += 1
        self._agencies.advance()
        section = 7 * self._round % len(self._regulations.days) + 1
        self._regulations.days[section] += 1

    def _sources(self) -> list[dict[str, Any]]:
        agencies, part = self._agencies.url, f"{self._regulations.url}/1024/"
        return [
            SOURCE | {"url": part},
            _source("notices", "Notices of proposed rules", f"{agencies}/notices", "daily"),
            _source("programs", "Counselling programs", f"{agencies}/programs", "monthly"),
            _source("handbook", "Handbook of 2019", f"{agencies}/moved", "monthly"),
            _source("members", "Area of members", f"{agencies}/members", "weekly"),
            _source("forms", "Forms", f"{agencies}/forms", "weekly"),
        ]

    def _scrapy(
        self, *command: str, fails: bool = False, more: Mapping[str, str] = MappingProxyType({})
    ) -> None:
        given = [part for item in more.items() for part in ("-s", "{}={}".format(*item))]
        self._run([*self.command(command), *given], fails=fails)

    def _run(self, command: Sequence[str], *, fails: bool = False) -> None:
        done = subprocess.run(  # noqa: S603 - our own command
            command, capture_output=True, text=True, check=False
        )
        if done.returncode and not fails:
            named = " ".join(command[1:5])
            raise Failed(f"{named} …: exit code {done.returncode}\n{done.stderr}")

    def command(self, arguments: Sequence[str]) -> list[str]:
        """Return the command line of ``scrapy`` with *arguments*."""
        settings = self.settings.items()
        given = [part for name, value in settings for part in ("-s", f"{name}={value}")]
        return [sys.executable, "-m", "scrapy", *arguments, *given]


def _source(source_id: str, name: str, url: str, frequency: str) -> dict[str, Any]:
    return SOURCE | {
        "id": source_id,
        "name": name,
        "url": url,
        "domain": "localhost",
        "citation": None,
        "source_type": "guidance",
        "method": "scrape",
        "frequency": frequency,
        "priority": "medium",
    }


def _say(text: str) -> None:
    print(f"dashboard: {text}", flush=True)


def main() -> int:
    """Run the demonstration; return the exit code."""
    if not closest_scrapy_cfg():  # outside of a Scrapy project
        os.environ.setdefault("SCRAPY_SETTINGS_MODULE", "wikicrawler.settings")
    over = threading.Event()
    with (
        Regulations() as regulations,
        Agencies() as agencies,
        DemoWiki() as wiki,
        tempfile.TemporaryDirectory() as folder,
    ):
        demonstration = Demonstration(regulations, agencies, wiki, Path(folder))
        try:
            demonstration.prepare()
            demonstration.write_feeds()
        except Failed as error:
            sys.stderr.write(f"dashboard: {error}\n")
            return 1
        except KeyboardInterrupt:
            return 130

        def change() -> None:
            while not over.wait(_EVERY):
                demonstration.advance()

        threading.Thread(target=change, daemon=True).start()
        _say(f"the sites go on changing every {_EVERY:.0f} s: visit a source to see it")
        with suppress(KeyboardInterrupt):
            code = run(demonstration.command(["dashboard", *sys.argv[1:]]))
        over.set()
    return code


if __name__ == "__main__":
    sys.exit(main())
