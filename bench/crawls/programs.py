"""The programs that crawl: ours as its users run it, and the peers in environments of their own."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from bench.crawls.corpus import FOLLOW
from bench.environments import (
    CACHE,
    PEERS,
    ROOT,
    Environment,
    InstallError,
    own_environment,
    versions_of,
)
from tests.compiled_package import BuildError, compiled_package

if TYPE_CHECKING:
    from pathlib import Path

CONCURRENCY = 16
OURS = "ours"
SETTINGS = {
    "CONCURRENT_REQUESTS": str(CONCURRENCY),
    "CONCURRENT_REQUESTS_PER_DOMAIN": str(CONCURRENCY),
    "DOMAIN_THROTTLE_REQUESTS_PER_MINUTE": "1000000",
    "DOMAIN_THROTTLE_MAX_DELAY": "0",
    "WIKICRAWLER_IMAGES": "markdown",
}
"""What opens our politeness for a server of one's own, where robots.txt is obeyed, and has images
written as the peers write them: texts of images in a line could not be compared."""


class Crawl(NamedTuple):
    """One crawl to make: of which page of which site, and where its records and its log go."""

    site: str
    """``http://127.0.0.1:PORT``."""
    path: str
    out: Path
    log: Path

    @property
    def start(self) -> str:
        """The URL of its first page."""
        return self.site + self.path

    @property
    def follow(self) -> str:
        """A regular expression for the URLs to follow."""
        return f"^{re.escape(self.site)}{FOLLOW}"


@dataclass(frozen=True)
class Program:
    """Something that crawls a site and writes records as JSON lines."""

    name: str
    what: str
    """In words, with the library's names."""
    folder: str = ""
    """Of ``bench/peers``; empty for ours."""
    arguments: tuple[str, ...] = ()
    floor: bool = False
    """Does less than the work, to show what the rest costs."""
    variant: bool = False
    """Ours in another way; not in the picture."""
    asks_api: bool = False
    """Asks the wiki's API, so it needs a corpus with its answers."""
    compiled: bool = False
    """Ours with its conversion compiled."""

    def folder_of(self, run: Path) -> Path:
        """The folder to run it in; a peer's is that of its *run*."""
        if self.folder:
            return run
        return compiled_package() if self.compiled else ROOT

    def command(self, crawl: Crawl) -> list[str]:
        """What runs *crawl*."""
        if self.folder:
            script = PEERS / self.folder / "crawl.py"
            files = [str(crawl.out), str(crawl.log)]
            return [
                Environment(self.folder).python,
                str(script),
                crawl.start,
                crawl.follow,
                *files,
                *self.arguments,
            ]
        settings = [f"-s{name}={value}" for name, value in SETTINGS.items()]
        return [
            *(sys.executable, "-m", "scrapy", "crawl", "wiki", "-a", f"seeds={crawl.start}"),
            *("-a", f"follow={crawl.follow}", *settings, *self.arguments),
            *("-O", str(crawl.out), "--logfile", str(crawl.log)),
        ]

    def environment(self) -> dict[str, str]:
        """The environment of its processes."""
        ours = {"PYTHONPATH": str(self.folder_of(ROOT))} if not self.folder else {}
        return own_environment() | ours | {"CRAWL4_AI_BASE_DIRECTORY": str(CACHE / "crawl4ai")}

    def prepare(self) -> None:
        """Make its environment, where that is not yet as its ``requirements.txt`` says.

        :raises SystemExit: pip could not
        """
        try:
            if self.folder:
                Environment(self.folder).prepare()
            elif self.compiled:
                compiled_package()
        except (InstallError, BuildError) as error:
            raise SystemExit(f"bench: {error}") from error

    def versions(self) -> dict[str, str]:
        """Version by name of what its ``requirements.txt`` names."""
        if self.folder:
            return Environment(self.folder).versions()
        names = ["scrapy", "lxml", "markdownify", "readability-lxml"]
        return versions_of(sys.executable, names)


_SCRAPY = "scrapy-markdownify"
_HTTP = "-sWIKICRAWLER_TIERS=http"
PROGRAMS = (
    Program(OURS, "`scrapy crawl wiki`, pages by plain HTTP", arguments=(_HTTP,)),
    *(
        Program(
            f"ours-{workers}-workers" if workers > 1 else "ours-1-worker",
            f"the same, `WIKICRAWLER_CONTENT_WORKERS={workers}`",
            arguments=(_HTTP, f"-sWIKICRAWLER_CONTENT_WORKERS={workers}"),
            variant=True,
        )
        for workers in (1, 2, 3)
    ),
    Program(
        "ours-compiled",
        "the same as ours, with its conversion compiled",
        arguments=(_HTTP,),
        variant=True,
        compiled=True,
    ),
    Program(
        "ours-mediawiki",
        "the same as ours, pages by the wiki's API (recorded answers)",
        arguments=("-sWIKICRAWLER_TIERS=mediawiki,http",),
        variant=True,
        asks_api=True,
    ),
    Program("scrapy-markdownify", "Scrapy, markdownify on BeautifulSoup's lxml tree", _SCRAPY),
    Program(
        "scrapy-html.parser",
        "the same on `html.parser`'s, markdownify's default",
        _SCRAPY,
        ("--parser", "html.parser"),
    ),
    Program(
        "scrapy-linkextractor",
        "the same as the first, links by LinkExtractor",
        _SCRAPY,
        ("--link-extractor",),
    ),
    Program("crawlee", "Crawlee's HttpCrawler, markdownify", "crawlee"),
    Program("crawlee-parsel", "Crawlee's ParselCrawler, markdownify", "crawlee", ("--parsel",)),
    Program("crawl4ai", "crawl4ai's HTTP strategy, breadth first", "crawl4ai"),
    Program("aiohttp-markdownify", "asyncio and aiohttp, markdownify", "aiohttp-markdownify"),
    Program("trafilatura", "trafilatura, 16 threads", "trafilatura"),
    Program("markitdown", "Scrapy, markitdown", "markitdown"),
    Program("html-to-markdown", "Scrapy, html-to-markdown (Rust)", "html-to-markdown"),
    Program(
        "download-only",
        "Scrapy, links by a regular expression, no conversion",
        _SCRAPY,
        ("--download-only",),
        floor=True,
    ),
)
