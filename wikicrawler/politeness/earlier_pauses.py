"""Restores the pauses of sites that earlier crawls recorded in the database.

Imports SQLAlchemy: only crawls that have a database import this module.
"""

from __future__ import annotations

import logging
from datetime import datetime
from operator import itemgetter
from time import time
from typing import TYPE_CHECKING

from wikicrawler.politeness.pauses import FORGOTTEN
from wikicrawler.store.database import Database
from wikicrawler.store.sites import paused_sites
from wikicrawler.store.startup_reading import StartupReading
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scrapy.settings import BaseSettings

    from wikicrawler.politeness.pauses import SitePauses
    from wikicrawler.store.sites import Site

logger = logging.getLogger(__name__)

LONGEST_READING = 5.0
"""Seconds that the first pages wait for the pauses: longer than a connection that fails takes."""


class EarlierPauses:
    """Reads the pauses of the database once, before the first page, into those of one crawl.

    A database that does not exist is not created. One that cannot be read, or not within
    :data:`LONGEST_READING` seconds, is logged, and the crawl goes on without.

    :raises ConfigError: ``WIKICRAWLER_DATABASE_URL`` cannot be used
    """

    def __init__(self, pauses: SitePauses, settings: BaseSettings) -> None:
        self._pauses = pauses
        self._database = Database.from_settings(settings)
        self._reading = StartupReading(
            self._database,
            "What earlier crawls paused",
            self._read,
            self._restore,
            LONGEST_READING,
        )

    async def ready(self) -> None:
        """Return when the pauses are known, or cannot be known in time."""
        await self._reading.ready()

    def _read(self) -> list[Site]:
        if not self._database.has_tables():
            return []
        with self._database.read() as connection:
            return paused_sites(connection, time() - FORGOTTEN)

    def _restore(self, sites: Sequence[Site]) -> None:
        for site in sites:
            self._pauses.restore(site.site, site.paused_until, site.risk_level)
        paused = [(site.site, until) for site in sites if (until := self._pauses.until(site.site))]
        if paused:
            name, until = max(paused, key=itemgetter(1))
            logger.warning(
                "%d sites that blocked every tier in earlier crawls are left alone yet, the last "
                "of them until %s: %s",
                len(paused),
                datetime.fromtimestamp(until).astimezone().strftime("%Y-%m-%d %H:%M"),
                one_line(name, 200),
            )
