"""Crawls of the projects here, as their owners start them: in processes of their own."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.projects.auction_site import Auctions
from tests.projects.sites import SITES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.projects.sites import Site
    from tests.servers.redis import RealRedis
    from tests.servers.scripted import Exchange

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
SPIDERS = {
    "bookshop": "books",
    "quotes": "quotes",
    "wallpapers": "gallery",
    "members": "account",
    "prices": "prices",
    "archive": "pages",
}
"""The spiders of the projects that need nothing but their site, by the projects' names."""
ADDONS = '\nADDONS = {"wikicrawler.addon.WikiCrawler": 500}\n'
# What a request has from the connection.
OF_THE_CONNECTION = {"Host", "Connection"}


@dataclass(frozen=True)
class Crawl:
    """What came of one."""

    items: list[str]  # as JSON, in alphabetical order
    requests: Counter[str]  # robots.txt aside
    robots: int
    log: str
    seconds: float  # from the first request to the last


def crawl(name: str, folder: Path, *, addon: bool, settings: Mapping[str, Any] = {}) -> Crawl:
    """Crawl the site of the project *name* by a copy in *folder*, with or without the ADDONS line.

    :param settings: of the command line
    :raises AssertionError: if the command failed; with its log
    """
    with SITES[name]() as site:
        return _crawl(name, SPIDERS[name], site, folder, addon=addon, settings=settings)


def copy_of(name: str, folder: Path, *, addon: bool) -> Path:
    """The folder of a copy of the project *name* in *folder*, with or without the ADDONS line."""
    project = shutil.copytree(HERE / name, folder / f"{name}-{'with' if addon else 'without'}")
    if addon:
        with (project / name / "settings.py").open("a") as file:
            file.write(ADDONS)
    return project


def crawl_auctions(
    redis: RealRedis, folder: Path, *, addon: bool, settings: Mapping[str, Any] = {}
) -> Crawl:
    """As :func:`crawl`, for the project whose queue is in *redis*, which is emptied before."""
    redis.empty()
    with Auctions() as site, redis.client() as client:
        client.rpush("lots:start_urls", *site.start_urls())
        settings = {"REDIS_URL": redis.url, **settings}
        return _crawl("auctions", "lots", site, folder, addon=addon, settings=settings)


def _crawl(
    name: str, spider: str, site: Site, folder: Path, *, addon: bool, settings: Mapping[str, Any]
) -> Crawl:
    project = copy_of(name, folder, addon=addon)
    base = site.url("")
    command = [sys.executable, "-m", "scrapy", "crawl", spider, "-a", f"site={base}"]
    command += ["-O", "items.jsonl"]
    for key, setting in settings.items():
        command += ["-s", f"{key}={setting}"]
    done = subprocess.run(
        command,
        cwd=project,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    exchanges = [x for x in site.exchanges if x.path != "/robots.txt"]
    lines = (project / "items.jsonl").read_text().splitlines()
    return Crawl(
        items=sorted(json.dumps(json.loads(line), sort_keys=True) for line in lines),
        requests=Counter(_as_line(x, site.netloc) for x in exchanges),
        robots=len(site.exchanges) - len(exchanges),
        log=done.stderr,
        seconds=exchanges[-1].start - exchanges[0].start if exchanges else 0.0,
    )


def _as_line(exchange: Exchange, netloc: str) -> str:
    headers = {
        name: text.replace(netloc, "site")
        for name, text in sorted(exchange.headers.items())
        if name not in OF_THE_CONNECTION
    }
    return f"{exchange.method} {exchange.path} {exchange.body.decode()} {json.dumps(headers)}"
