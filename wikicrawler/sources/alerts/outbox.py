"""Delivers the messages that are queued in the database, each at least once."""

from __future__ import annotations

import threading
from functools import partial
from time import time
from typing import TYPE_CHECKING, NamedTuple

from wikicrawler.errors import StoreError
from wikicrawler.process.owner import is_gone, own_name
from wikicrawler.sources.alerts.book import DAY
from wikicrawler.sources.alerts.sending import send
from wikicrawler.sources.alerts.writing import write
from wikicrawler.store.alert_deliveries import (
    claim_deliveries,
    note_delivered,
    note_failed,
    release_deliveries,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

    from wikicrawler.sources.alerts.channels import Channel
    from wikicrawler.store.alert_deliveries import Delivery
    from wikicrawler.store.database import Database

MAX_AGE = 7 * DAY
"""Seconds after which a message that could not be delivered is no longer tried."""
_LEASE = 600.0
_PATIENCE = 3
"""Number of failures after which a message no longer holds up those behind it."""


class Delivered(NamedTuple):
    """What came of an attempt to deliver a message."""

    channel: str
    title: str
    error: str
    """Why it was not delivered; empty if it was."""


class Outbox:
    """The queue of messages in *database*. The methods block; call them in a thread.

    A message is marked after its delivery. So a process that is killed in between delivers it
    again, and one whose channel answers after the deadline does, too.

    :param timeout: deadline of a message in seconds
    """

    def __init__(self, database: Database, channels: Sequence[Channel], timeout: float) -> None:
        self._database = database
        self._channels = {channel.name: channel for channel in channels}
        self._timeout = timeout
        self._owner = own_name()

    def deliver(self, *, again: bool) -> list[Delivered]:
        """Deliver the messages that wait; return what came of each that was tried.

        Channels are independent of each other. A channel that fails gets no more messages this
        time.

        :param again: also messages whose delivery has failed before, and those behind them
        :raises StoreError: the database is unavailable
        """
        if not self._channels or not self._database.has_tables():
            return []
        claimed = write(self._database, lambda connection: self._claim(connection, again=again))
        found: list[Delivered] = []
        threads = []
        for name in {one.channel for one in claimed}:
            mine = [one for one in claimed if one.channel == name]
            work = threading.Thread(target=self._serve, args=(mine, found), daemon=True)
            work.start()
            threads.append(work)
        for work in threads:
            work.join()
        return found

    def _claim(self, connection: Connection, *, again: bool) -> list[Delivery]:
        now = time()
        return claim_deliveries(
            connection,
            list(self._channels),
            owner=self._owner,
            is_gone=is_gone,
            now=now,
            until=now + _LEASE,
            oldest=now - MAX_AGE,
            again=again,
        )

    def _serve(self, waiting: list[Delivery], found: list[Delivered]) -> None:
        """Deliver the messages of one channel in order."""
        channel = self._channels[waiting[0].channel]
        left = [one.id for one in waiting]
        for one in waiting:
            error = send(channel, one.title, one.body, one.severity, self._timeout)
            found.append(Delivered(channel.name, one.title, error))
            try:
                if error:
                    write(self._database, partial(note_failed, number=one.id, error=error))
                else:
                    write(self._database, partial(note_delivered, number=one.id, now=time()))
            except StoreError:
                return  # it is delivered again when the claim is free
            left.remove(one.id)
            if error and one.attempts < _PATIENCE:
                break
        try:
            if left:
                write(self._database, partial(release_deliveries, numbers=left))
        except StoreError:
            return
