"""Counts the credits of one service, and refuses what exceeds the operator's limit."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from time import time
from typing import TYPE_CHECKING, TypeVar

from wikicrawler import options
from wikicrawler.errors import Reason, StoreError, TierError
from wikicrawler.signals import credits_low
from wikicrawler.spending.limits import read_limits
from wikicrawler.spending.months import forecast, month_of
from wikicrawler.store.database import Database
from wikicrawler.store.spending import (
    Spending,
    list_spending,
    reserve_credits,
    settle_credits,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Self

    from scrapy.crawler import Crawler
    from sqlalchemy import Connection

T = TypeVar("T")

logger = logging.getLogger(__name__)

WARN_SHARE = 0.8
"""Share of the limit whose use is reported."""
_TRIES = 4
_PAUSE = 0.2
"""Number of tries at a busy database, and seconds between two."""


class CreditsUsedUpError(TierError):
    """The operator's limit is reached, or the credits cannot be counted: nothing is sent."""

    reason = Reason.SERVICE_CONFIG


@dataclass(frozen=True, slots=True)
class Reservation:
    """Credits reserved for a request that is sent."""

    month: str
    price: float
    counted: bool
    """False if the database could not be written to."""


class CreditLedger:
    """The credits of one service, as one crawl uses them.

    A request's price is reserved in the database before it is sent, and settled when the service
    has said what it charged. So crawls that share a database exceed the limit by no more than what
    requests in flight cost beyond their price. A request whose response never came keeps its price.

    Without a limit, a database that cannot be used is reported once, and the request is sent. With
    a limit it is not sent.

    Stats: ``spending/credits/{service}`` (of this crawl), ``spending/month_credits/{service}``,
    ``spending/forecast/{service}``, ``spending/refused_count/{service}``.

    :param service: the name of the tier
    :param limit: maximum number of credits in a calendar month; None: no limit
    :param clock: returns the time in seconds since the epoch
    """

    def __init__(
        self,
        service: str,
        database: Database,
        crawler: Crawler,
        *,
        limit: float | None = None,
        clock: Callable[[], float] = time,
    ) -> None:
        self.limit = limit
        self._service = service
        self._database = database
        self._crawler = crawler
        self._clock = clock
        self._unsettled: dict[str, float] = {}
        self._reported: tuple[str, float] = "", 0.0  # the month, and the share of the limit
        self._used_up = ""  # the month
        self._warned = False
        self._used = 0.0

    @classmethod
    def from_crawler(cls, crawler: Crawler, service: str) -> Self:
        """
        :raises ConfigError: a limit or the database's URL is wrong
        """
        limit = read_limits(crawler.settings).get(service)
        return cls(service, Database.from_settings(crawler.settings), crawler, limit=limit)

    @property
    def refusal(self) -> str:
        """Why nothing may be sent this month; empty if something may."""
        if self._used_up != month_of(self._clock()):
            return ""
        return (
            f"the {self.limit:g} credits of {self._service} for {self._used_up} are used up "
            f"({options.CREDITS.name})"
        )

    async def reserve(self, price: float) -> Reservation:
        """Reserve *price* credits for a request that is about to be sent.

        :raises CreditsUsedUpError: that exceeds the limit, or the credits cannot be counted
        """
        now = self._clock()
        month = month_of(now)
        if self.refusal:
            raise self._refused(self.refusal)
        try:
            found = await self._write(
                lambda connection: reserve_credits(
                    connection, self._service, month, price, now=now, limit=self.limit
                )
            )
        except StoreError as error:
            if self.limit is not None:
                why = f"the credits of {self._service} cannot be counted: {error}"
                raise self._refused(why) from None
            self._warn(error)
            return Reservation(month, price, counted=False)
        if found is None:
            self._used_up = month
            await self._report_used_up(month, now)
            raise self._refused(self.refusal)
        return Reservation(month, price, counted=True)

    async def settle(self, reservation: Reservation, used: float) -> None:
        """Note what the request of *reservation* cost. Never fails."""
        self._used += used
        self._crawler.stats.set_value(f"spending/credits/{self._service}", self._used)
        month = reservation.month
        if not reservation.counted:
            return
        difference = used - reservation.price + self._unsettled.pop(month, 0.0)
        try:
            found = await self._write(
                lambda connection: settle_credits(connection, self._service, month, difference)
            )
        except StoreError as error:
            self._unsettled[month] = self._unsettled.get(month, 0.0) + difference
            self._warn(error)
            return
        if found is not None:
            self._note(found)

    async def spent(self) -> Spending | None:
        """Return what was used this month; None if nothing was.

        :raises StoreError: the database is unavailable
        """
        month = month_of(self._clock())

        def read() -> list[Spending]:
            if not self._database.has_tables():
                return []
            with self._database.read() as connection:
                return list_spending(connection, month)

        found = await asyncio.to_thread(read)
        return next((one for one in found if one.service == self._service), None)

    def close(self) -> None:
        """Close the database."""
        self._database.close()

    async def _write(self, work: Callable[[Connection], T]) -> T:
        def write() -> T:
            with self._database.write() as connection:
                return work(connection)

        for _ in range(_TRIES - 1):
            try:
                return await asyncio.shield(asyncio.to_thread(write))
            except StoreError:
                await asyncio.sleep(_PAUSE)
        return await asyncio.shield(asyncio.to_thread(write))

    def _note(self, found: Spending) -> None:
        expected = forecast(found.credits, found.month, found.first_at, self._clock())
        stats = self._crawler.stats
        stats.set_value(f"spending/month_credits/{self._service}", found.credits)
        stats.set_value(f"spending/forecast/{self._service}", round(expected, 1))
        if self.limit and found.credits >= WARN_SHARE * self.limit and self._is_new(found.month):
            self._reported = found.month, WARN_SHARE
            logger.warning(
                "%s: %g of the %g credits for %s are used (%.0f %%); at this pace it will be %.0f",
                self._service,
                found.credits,
                self.limit,
                found.month,
                100 * found.credits / self.limit,
                expected,
            )
            self._send(found.month, found.credits, expected)

    async def _report_used_up(self, month: str, now: float) -> None:
        if self._reported == (month, 1.0):
            return
        self._reported = month, 1.0
        logger.error("Tier %s is not used until the month ends: %s", self._service, self.refusal)
        try:
            found = await self.spent()
        except StoreError:
            found = None
        used = found.credits if found else 0.0
        self._send(month, used, forecast(used, month, found.first_at if found else now, now))

    def _is_new(self, month: str) -> bool:
        return self._reported[0] != month

    def _send(self, month: str, used: float, expected: float) -> None:
        self._crawler.signals.send_catch_log(
            credits_low,
            service=self._service,
            month=month,
            used=used,
            limit=self.limit,
            forecast=expected,
        )

    def _refused(self, why: str) -> CreditsUsedUpError:
        self._crawler.stats.inc_value(f"spending/refused_count/{self._service}")
        return CreditsUsedUpError(why)

    def _warn(self, error: StoreError) -> None:
        if not self._warned:
            self._warned = True
            logger.warning("The credits of %s are not counted: %s", self._service, error)
