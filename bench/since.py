"""Requests and bytes of ``-a since=`` on a wiki of 700 pages, beside a crawl of the whole wiki.

::

    python -m bench.since [--pages 700] [--changed 0,2,20] [--no-template]

The wiki is Debian's MediaWiki on loopback, with the tests' pages and generated ones, of which every
tenth uses a template. The changes are edits, with creations, deletions and moves among them; one
row changes the template alone. At the end the mirror (the feed with all changes) is compared with a
full crawl. Prints a table in Markdown.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.servers import mediawiki_build as build
from tests.servers.mediawiki import RealMediaWiki
from tests.servers.wiki_editor import WikiEditor
from wikicrawler.feeds.merge import merged

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[1]
_VOLATILE = {"fetched_at", "attempts", "tier", "status", "redirected_from"}
_STAT = r"'{}': (\d+)"
_WORDS = ("tide", "shell", "foam", "sand", "gull", "kelp", "wreck", "pier", "salt", "rope", "lamp")


@dataclass
class Crawl:
    """What a crawl cost."""

    label: str
    requests: int
    received: int
    seconds: float
    records: int


class Bench:
    """A wiki, and the feeds of its crawls in *folder*."""

    def __init__(self, wiki: RealMediaWiki, folder: Path, pages: int) -> None:
        self.wiki, self.folder = wiki, folder
        self.editor = WikiEditor(wiki, folder / "wiki")
        self.titles = [f"Strand {number}" for number in range(pages)]
        self._random = random.Random(1)  # noqa: S311 - the same pages each time
        self._made = 0

    def fill(self) -> None:
        """Create the pages."""
        pages = {"Template:Tide": "The tide is low."}
        for number, title in enumerate(self.titles):
            tide = "{{Tide}}\n" if number % 10 == 0 else ""
            pages[title] = tide + self._text() + f"\n[[Strand {number + 1}]]\n[[Category:Strands]]"
        dump = self.folder / "dump.xml"
        dump.write_text(build._dump(pages), "utf-8")
        env = build.environment(self.folder / "wiki", self.wiki.url)
        build._run("importDump", "--username-prefix=imported", str(dump), env=env)
        build._run("initSiteStats", "--update", env=env)
        self.editor.run_jobs()
        self.editor.age()

    def crawl(self, label: str, feed: str, *arguments: str) -> Crawl:
        """Crawl into *feed*."""
        given = [one for argument in (*arguments, "all_pages=true") for one in ("-a", argument)]
        pace = ("DOMAIN_THROTTLE_REQUESTS_PER_MINUTE=60000", "DOMAIN_THROTTLE_MAX_DELAY=0")
        settings = (*(one for setting in pace for one in ("-s", setting)), "-O", feed)
        command = [sys.executable, "-m", "scrapy", "crawl", "wiki", *given, *settings]
        done = subprocess.run(
            command, cwd=ROOT, capture_output=True, text=True, timeout=1800, check=True
        )

        def stat(name: str) -> int:
            found = re.search(_STAT.format(name), done.stderr)
            return int(found[1]) if found else 0

        elapsed = re.search(r"'elapsed_time_seconds': ([\d.]+)", done.stderr)
        return Crawl(
            label,
            stat("downloader/request_count"),
            stat("downloader/response_bytes"),
            float(elapsed[1]) if elapsed else 0.0,
            stat("item_scraped_count"),
        )

    def full(self, name: str) -> Crawl:
        return self.crawl(
            "full crawl", self.path(name), f"seeds={self.wiki.article_url('Main Page')}"
        )

    def update(self, label: str) -> Crawl:
        """Bring the mirror up to date."""
        mirror, changes = Path(self.path("mirror")), Path(self.path("changes"))
        found = self.crawl(label, str(changes), f"since={mirror}")
        lines = b"".join(merged([mirror, changes]))
        mirror.write_bytes(lines)
        time.sleep(11)  # what was touched a moment ago counts as touched
        self.editor.age()
        return found

    def change(self, share: float) -> None:
        """Change that share of the pages: of ten, one is new, one gone, one moved, seven edited."""
        for number in range(round(share * len(self.titles))):
            kind = number % 10
            if kind == 0:
                self._made += 1
                self.titles.append(f"New strand {self._made}")
                self.editor.edit(self.titles[-1], self._text())
                continue
            title = self.titles.pop(self._random.randrange(len(self.titles)))
            if kind == 1:
                self.editor.delete(title)
                continue
            if kind == 2:
                self.editor.move(title, title + " (moved)", redirect=number % 20 == 2)
                title += " (moved)"
            else:
                self.editor.append(title, "\n\n" + self._text())
            self.titles.append(title)
        self.editor.run_jobs()

    def path(self, name: str) -> str:
        return str(self.folder / f"{name}.jsonl")

    def _text(self) -> str:
        return "\n\n".join(
            " ".join(self._random.choices(_WORDS, k=60)).capitalize() + "." for _ in range(8)
        )


def records(feed: Path) -> dict[str, Any]:
    """The records of *feed* by URL, without what two crawls write differently."""
    found = map(json.loads, feed.read_text("utf-8").splitlines())
    return {one["url"]: {k: v for k, v in one.items() if k not in _VOLATILE} for one in found}


def measure(pages: int, shares: list[float], *, template: bool) -> Iterator[Crawl]:
    """Yield the costs of a full crawl, and of those after changes."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with RealMediaWiki(folder / "wiki") as wiki:
            bench = Bench(wiki, folder, pages)
            bench.fill()
            yield bench.full("mirror")
            for share in shares:
                bench.change(share / 100)
                yield bench.update(f"since, {share:g} % changed")
            if template:
                bench.editor.edit("Template:Tide", f"The tide is high, {time.time():.0f}.")
                bench.editor.run_jobs()
                yield bench.update("since, a template of 10 % changed")
            yield bench.full("control")
            mirror, control = (records(Path(bench.path(name))) for name in ("mirror", "control"))
            print(
                f"\nThe mirror has {len(mirror):,} pages, the last full crawl {len(control):,}; "
                f"they are {'the same' if mirror == control else 'NOT THE SAME'}."
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--pages", type=int, default=700)
    parser.add_argument("--changed", default="0,2,20", help="shares in percent")
    parser.add_argument("--no-template", action="store_true", help="leave out the last row")
    asked = parser.parse_args()
    shares = [float(share) for share in asked.changed.split(",") if share]
    print("| crawl | requests | received | seconds | records |")
    print("|---|--:|--:|--:|--:|")
    for one in measure(asked.pages, shares, template=not asked.no_template):
        received = f"{one.received / 1000:,.0f} kB"
        print(
            f"| {one.label} | {one.requests:,} | {received} | {one.seconds:.0f} | "
            f"{one.records:,} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
