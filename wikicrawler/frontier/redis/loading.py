"""The frontier in Redis of a crawl, by its settings."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from typing import TYPE_CHECKING

from scrapy.exceptions import NotConfigured

from wikicrawler import options
from wikicrawler.errors import ConfigError, StateError
from wikicrawler.frontier.protocol import FrontierError
from wikicrawler.frontier.redis.away import AwayError
from wikicrawler.frontier.redis.frontier import START_PATIENCE, RedisFrontier
from wikicrawler.frontier.redis.server import check_server, connect
from wikicrawler.frontier.redis.url import shown_url
from wikicrawler.frontier.redis.worker_name import worker_of
from wikicrawler.frontier.sqlite.database import CrawlDatabase
from wikicrawler.frontier.state_folder import StateFolder, is_used
from wikicrawler.process.internals.engine_slot import check_engine

if TYPE_CHECKING:
    from typing import Self

    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings

MAX_JOB = 200
"""Characters."""
_PAUSE = 0.25  # seconds between two tries


class SharedFrontierCheck:
    """Scrapy extension that ends the start of a crawl which cannot share its frontier.

    It stands before the extension that takes the state folder, and long before the engine, which
    would report the reason among its own errors.
    """

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """
        :raises ConfigError: a setting is wrong
        :raises StateError: Redis cannot be used
        """
        settings = crawler.settings
        if not options.FRONTIER.read(settings):
            raise NotConfigured
        if not is_used(crawler):
            raise ConfigError(
                f"{options.FRONTIER.name} needs the scheduler of wikicrawler (SCHEDULER is "
                f"{settings['SCHEDULER']!r}: remove the one or the other)"
            )
        check_engine()
        url, _ = _url_and_job(settings)
        _check_redis(url)
        return cls()


def redis_frontier(crawler: Crawler) -> RedisFrontier:
    """Return the frontier in Redis that *crawler* shares with other workers, not open yet.

    :raises ConfigError: a setting is wrong
    :raises StateError: the state folder cannot be used
    """
    settings = crawler.settings
    url, job = _url_and_job(settings)
    job = f"{crawler.spidercls.name}:{job}"
    lease = options.FRONTIER_LEASE.read(settings)
    places = max(1, settings.getint("CONCURRENT_REQUESTS"))
    if settings.get("JOBDIR"):
        folder = StateFolder.of(crawler)
        return RedisFrontier(
            url,
            job,
            folder.database,
            folder.path,
            lease_seconds=lease,
            places=places,
            tells_tries=True,
            worker=worker_of(crawler),
            may_lack_writes=folder.may_lack_writes,
            release=folder.release,
        )
    # What feeds hold is of no use to a later process then.
    scratch = TemporaryDirectory(prefix="wikicrawler-")
    path = Path(scratch.name)
    return RedisFrontier(
        url,
        job,
        CrawlDatabase.open(path),
        path,
        lease_seconds=lease,
        places=places,
        tells_tries=True,
        worker=worker_of(crawler),
        release=scratch.cleanup,
    )


def _url_and_job(settings: BaseSettings) -> tuple[str, str]:
    """
    :raises ConfigError: one of them is wrong, or the package redis is missing
    """
    url, job = options.FRONTIER.read(settings), options.FRONTIER_JOB.read(settings)
    if not job:
        raise ConfigError(
            f"{options.FRONTIER_JOB.name} is missing: name the crawl that the workers share, like "
            f"{options.FRONTIER_JOB.name}=handbook"
        )
    if len(job) > MAX_JOB:
        raise ConfigError(
            f"{options.FRONTIER_JOB.name} has {len(job)} characters: at most {MAX_JOB} are allowed"
        )
    try:
        connect(url).close()
    except FrontierError as error:
        raise ConfigError(f"{options.FRONTIER.name}: {error}; {error.advice}") from None
    return url, job


def _check_redis(url: str) -> None:
    """Wait for the Redis at *url*, for a while, and check it.

    :raises StateError: it is away, or of a kind that cannot be used
    """
    client, give_up = connect(url), monotonic() + START_PATIENCE
    try:
        while True:
            try:
                return check_server(client)
            except AwayError as error:
                if monotonic() >= give_up:
                    raise StateError(
                        f"{shown_url(url)}: Redis is away: {error}; start the same command when it "
                        "is back"
                    ) from None
            sleep(_PAUSE)
    except FrontierError as error:
        raise StateError(f"{shown_url(url)}: {error}; {error.advice}") from None
    finally:
        client.close()
