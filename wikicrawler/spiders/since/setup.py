"""Read the argument ``since``, before anything is fetched."""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import UTC, datetime
from inspect import getmembers_static
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from scrapy.extensions.feedexport import apply_uri_params
from scrapy.utils.misc import load_object
from w3lib.url import file_uri_to_path

from wikicrawler.errors import ConfigError
from wikicrawler.feeds.known_pages import KnownPages, feeds_at
from wikicrawler.spiders.since.crawl import SinceCrawl
from wikicrawler.spiders.since.job import check
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scrapy.extensions.feedexport import UriParamsCallableT
    from scrapy.settings import BaseSettings

    from wikicrawler.spiders.since.spider import SinceSpider


def since_crawl(spider: SinceSpider, argument: str) -> SinceCrawl:
    """Return the part of the crawl of *spider* that checks the pages in the feed *argument*.

    :raises ConfigError: the feed cannot be read, or the crawl would overwrite it
    """
    if not argument.strip():
        raise ConfigError("since is empty (name the feed or the JOBDIR of a crawl)")
    path = Path.cwd() / argument.strip()
    if "\0" in argument or not _exists(path):
        raise ConfigError(
            f"since: {one_line(path)} does not exist (name the feed or the JOBDIR of a crawl)"
        )
    _check_job(path, spider.settings)
    _check_outputs(feeds_at(path), spider)
    known = KnownPages.read(path)
    spider.logger.info("since: %s has %d pages", one_line(path), len(known))
    return SinceCrawl(spider, known)


def _check_job(path: Path, settings: BaseSettings) -> None:
    job = settings.get("JOBDIR")
    if job and path.is_dir() and path.resolve() == Path(job).resolve():
        raise ConfigError(
            f"since: {one_line(path)} is the JOBDIR of this crawl too (name another JOBDIR)"
        )
    if job:
        check(Path(job))


def _check_outputs(files: list[Path], spider: SinceSpider) -> None:
    """
    :raises ConfigError: one of *files* would be overwritten by a feed of the crawl
    """
    for uri, feed in spider.settings.getdict("FEEDS").items():
        if not isinstance(feed, dict) or not feed.get("overwrite"):
            continue
        template = str(uri.absolute()) if isinstance(uri, Path) else str(uri)
        function = feed.get("uri_params") or spider.settings.get("FEED_URI_PARAMS")
        for file in files:
            if any(_is_same(file, one) for one in _uris(template, function, file, spider)):
                raise ConfigError(
                    f"since: {one_line(file)} would be overwritten (write the changes to another "
                    "file, or append them: -o instead of -O)"
                )


def _uris(
    template: str, function: UriParamsCallableT | str | None, file: Path, spider: SinceSpider
) -> Iterator[str]:
    """Yield what *template* may become, with the numbers of batches that *file* may have."""
    now = datetime.now(UTC)
    for number in {1, *map(int, re.findall("[0-9]{1,9}", file.name))}:
        params = dict(getmembers_static(spider)) | {
            "time": now.replace(microsecond=0).isoformat().replace(":", "-"),
            "batch_time": now.isoformat().replace(":", "-"),
            "batch_id": number,
        }
        if function:
            params = load_object(function)(params, spider) or params
        with suppress(KeyError, TypeError, ValueError):  # Scrapy fails with it, too
            yield apply_uri_params(template, params)


def _is_same(file: Path, uri: str) -> bool:
    """Return True if a feed at *uri* is written to *file*."""
    if urlsplit(uri).scheme not in {"", "file"}:
        return False
    try:
        return file.samefile(file_uri_to_path(uri))
    except (OSError, ValueError):
        return False


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):
        return False
