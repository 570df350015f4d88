"""The control of alerts."""

from __future__ import annotations

from time import time
from typing import TYPE_CHECKING

from wikicrawler.audit.control import Control
from wikicrawler.control.context import shown_reason
from wikicrawler.store.alerts import resolve_alert

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wikicrawler.control.context import Context

_MAX_ID = 2**31 - 1


def resolve_alerts(context: Context, ids: Iterable[int], reason: str = "") -> list[int]:
    """Resolve open alerts by hand, without a message to the channels; return the ids of those that
    were open.

    :raises StoreError: the database is unavailable
    """
    if not context.database.has_tables():
        return []
    now, why = time(), shown_reason(reason)
    resolution = "resolved by an operator" + (f": {why}" if why else "")
    with context.database.write() as connection:
        done = [
            number
            for number in dict.fromkeys(ids)
            if 0 < number <= _MAX_ID and resolve_alert(connection, number, now=now, why=resolution)
        ]
        controls = [Control("alert.resolve", str(number), {"reason": why}) for number in done]
        context.record(connection, controls, now)
    return done
