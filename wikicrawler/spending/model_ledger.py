"""Counts the calls of language models by day, where all crawls of the project see them."""

from __future__ import annotations

import asyncio
import logging
from datetime import UTC, datetime
from time import monotonic, time
from typing import TYPE_CHECKING

from scrapy import signals

from wikicrawler import options
from wikicrawler.errors import StoreError
from wikicrawler.store.database import Database
from wikicrawler.store.model_usage import ModelUsage, add_usage
from wikicrawler.text.safe import one_line
from wikicrawler.urls.sites import site_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Self

    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)

SECONDS = 5.0
"""Time in seconds after which what was counted is written."""
_MAX_NAME = 200
_PATIENCE = 5.0
_Key = tuple[str, str, str]


class ModelLedger:
    """The calls of models of one crawl.

    They are added to the database that ``WIKICRAWLER_DATABASE_URL`` names, or to the project's
    default one if it exists: none is created for them. A database that cannot be used is reported
    once, and does not stop the crawl: what it misses is not counted. A crawl that is killed loses
    the last :data:`SECONDS`.

    :param clock: returns the time in seconds since the epoch
    """

    def __init__(
        self, database: Database, *, creates: bool = True, clock: Callable[[], float] = time
    ) -> None:
        self._database = database
        self._creates = creates
        self._clock = clock
        self._counted: dict[_Key, ModelUsage] = {}
        self._written = monotonic()
        self._writing: asyncio.Task[None] | None = None
        self._warned = False

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """
        :raises ConfigError: the database's URL is wrong
        """
        settings = crawler.settings
        creates = bool(options.DATABASE_URL.read(settings))
        ledger = cls(Database.from_settings(settings, patience=_PATIENCE), creates=creates)
        crawler.signals.connect(ledger.close, signals.spider_closed)
        return ledger

    def note(
        self,
        model: str,
        url: str,
        *,
        requests: int,
        cached: int,
        prompt_tokens: int,
        completion_tokens: int,
        cost: float | None,
    ) -> None:
        """Count calls of *model* for the page at *url*. Never fails; called in the event loop.

        :param cost: US dollars; None: the price is not known
        """
        day = f"{datetime.fromtimestamp(self._clock(), UTC):%Y-%m-%d}"
        key = day, one_line(model, _MAX_NAME), one_line(site_of(url), _MAX_NAME)
        known = self._counted.get(key) or ModelUsage(*key)
        self._counted[key] = ModelUsage(
            *key,
            known.requests + requests,
            known.cached + cached,
            known.prompt_tokens + prompt_tokens,
            known.completion_tokens + completion_tokens,
            known.cost + (cost or 0.0),
            known.unpriced + (requests if cost is None else 0),
        )
        if self._writing is None and monotonic() - self._written >= SECONDS:
            self._writing = asyncio.create_task(self._write())

    async def close(self) -> None:
        """Write what was counted, and close the database."""
        if self._writing is not None:
            await self._writing
        await self._write()
        self._database.close()

    async def _write(self) -> None:
        counted, self._counted = self._counted, {}
        try:
            if counted:
                await asyncio.to_thread(self._add, list(counted.values()))
        except StoreError as error:
            if not self._warned:
                self._warned = True
                logger.warning("The calls of models are not counted by day: %s", error)
        finally:
            self._written, self._writing = monotonic(), None

    def _add(self, used: list[ModelUsage]) -> None:
        if not self._creates and not self._database.has_tables():
            return
        with self._database.write() as connection:
            add_usage(connection, used)
