"""Who uses a control, and with what."""

from __future__ import annotations

import getpass
import os
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Literal, Self

from wikicrawler.audit.control import record_controls
from wikicrawler.audit.record import utc_text
from wikicrawler.store.database import Database
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scrapy.settings import BaseSettings
    from sqlalchemy import Connection

    from wikicrawler.audit.control import Control

Via = Literal["command", "dashboard", "api"]
MAX_REASON = 1_000
"""Maximum number of characters that are stored of a reason."""


@dataclass(frozen=True, slots=True)
class Context:
    """Who uses a control, how, and in which project."""

    settings: BaseSettings
    database: Database
    by: str
    """Name of the person or program."""
    via: Via = "command"

    @classmethod
    def of(cls, settings: BaseSettings, by: str = "", via: Via = "command") -> Self:
        """Return the context of the project's database. Without *by* it is the user of this
        process.

        :raises ConfigError: ``WIKICRAWLER_DATABASE_URL`` cannot be used
        """
        return cls(settings, Database.from_settings(settings), by or current_user(), via)

    def record(self, connection: Connection, controls: Sequence[Control], at: float) -> None:
        """Record *controls* in the audit log, in the transaction of *connection*.

        :param at: seconds since the epoch
        """
        moment = datetime.fromtimestamp(at, UTC)
        record_controls(connection, controls, by=self.by, via=self.via, at=moment)


def current_user() -> str:
    """Return the name of the user of this process."""
    try:
        return getpass.getuser()
    except (OSError, KeyError):  # a process whose user has no name
        return f"user {os.getuid()}"


def shown_reason(reason: str) -> str:
    """Return *reason* as it is stored: a line, cut to :data:`MAX_REASON` characters."""
    return one_line(reason, MAX_REASON)


def shown_time(seconds: float | None) -> str | None:
    """Return a time as ISO 8601 in UTC, for a record; None for None."""
    return None if seconds is None else utc_text(datetime.fromtimestamp(seconds, UTC))
