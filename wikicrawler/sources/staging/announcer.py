"""One event for consumers about what each run has staged.

The database keeps what is staged until an event names it, and an event until the consumer has
confirmed it: what a killed process did not announce, the next one does. An event that was confirmed
just before its process was killed is sent again, with the same id.
"""

from __future__ import annotations

import json
import logging
from collections import Counter
from datetime import UTC, datetime
from itertools import groupby
from time import time
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from wikicrawler.errors import StoreError
from wikicrawler.process.owner import is_gone
from wikicrawler.sources.agenda.agenda import LEASE
from wikicrawler.sources.envelopes.build import timestamp
from wikicrawler.sources.staging.webhook import Webhook
from wikicrawler.store.staging_events import (
    EventRow,
    StagedRow,
    add_event,
    claim_event,
    drop_event,
    events_of,
    owners_of_staged,
    release_event,
    take_staged,
)
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scrapy.settings import BaseSettings

    from wikicrawler.store.database import Database

logger = logging.getLogger(__name__)

EVENT_TYPE = "envelopes.staged"
MAX_DAYS = 7
"""Days after which an event that fails is dropped."""
MAX_LISTED = 100
"""Maximum number of envelopes that an event names; of more it has only the number."""


class Announcer:
    """Announces what is staged in a staging folder. The methods block; call them in a thread.

    :param staging: the location of the staging folder
    :param owner: name of this process
    """

    def __init__(self, webhook: Webhook, database: Database, staging: str, owner: str) -> None:
        self._webhook = webhook
        self._database = database
        self._staging = staging
        self._owner = owner
        self._refused: set[str] = set()

    @classmethod
    def from_settings(
        cls, settings: BaseSettings, database: Database, staging: str, owner: str
    ) -> Announcer | None:
        """Return the announcer of a crawl; None if no webhook is configured.

        :raises ConfigError: a setting is wrong
        """
        webhook = Webhook.from_settings(settings)
        return None if webhook is None else cls(webhook, database, staging, owner)

    def announce(self) -> dict[str, int]:
        """Send the events about what this process and those that ended have staged, and the earlier
        ones that were not confirmed. Return the number of ``delivered`` and of ``failed`` ones.

        Errors are logged, and the events kept for :data:`MAX_DAYS`. After one that the receiver
        refuses the others are sent; while it cannot be reached, they wait.
        """
        counts: Counter[str] = Counter()
        try:
            self._make_events()
            while not self._webhook.is_stopped and (event := self._next_event()) is not None:
                problem = self._webhook.send(event.event_id, event.body.encode())
                is_over = problem is not None and self._is_over(event)
                with self._database.write() as connection:
                    if problem is None or is_over:
                        drop_event(connection, event.event_id)
                    else:
                        release_event(connection, event.event_id)
                counts["failed" if problem else "delivered"] += 1
                if problem is None:
                    continue
                then = (
                    f"dropped after {MAX_DAYS} days" if is_over else "the next crawl sends it again"
                )
                logger.log(
                    logging.ERROR if is_over else logging.WARNING,
                    "The event of the run %s was not delivered to %s: %s; %s",
                    *(event.run, self._webhook, one_line(problem.reason), then),
                )
                if problem.may_pass:
                    break
                self._refused.add(event.event_id)
        except StoreError as error:
            logger.warning("What was staged is not announced before the next crawl: %s", error)
        return dict(counts)

    def stop(self, seconds: float) -> None:
        """Send nothing more, and give up the event that is under way after *seconds*: the database
        keeps what was not sent."""
        self._webhook.stop(seconds)

    def _is_over(self, event: EventRow) -> bool:
        """Return whether *event*, which has failed, has failed for too long."""
        return not self._webhook.is_stopped and event.at <= time() - MAX_DAYS * 86_400

    def _make_events(self) -> None:
        now = time()
        with self._database.write() as connection:
            owners = [
                owner
                for owner, last in owners_of_staged(connection, self._staging).items()
                # A process of another machine that went quiet has ended, for all that is known.
                if owner == self._owner or is_gone(owner) or last < now - LEASE
            ]
            rows = take_staged(connection, self._staging, owners) if owners else []
            for event in _events(self._staging, rows, now):
                add_event(connection, event)

    def _next_event(self) -> EventRow | None:
        """Return the oldest event that no other process sends, claimed by this one, without those
        that the receiver has refused."""
        now = time()
        with self._database.write() as connection:
            for event in events_of(connection, self._staging):
                if event.event_id in self._refused:
                    continue
                is_free = (
                    event.owner is None
                    or event.owner == self._owner
                    or (event.leased_until or 0.0) <= now
                    or is_gone(event.owner)
                )
                until = now + self._webhook.longest + LEASE
                if is_free and claim_event(connection, event, self._owner, until):
                    return event
        return None


def _events(staging: str, rows: list[StagedRow], now: float) -> Iterator[EventRow]:
    """Yield an event for each run in *rows*."""
    by_run = sorted(rows, key=lambda row: row.run)  # keeps the order within a run
    for run, group in groupby(by_run, key=lambda row: row.run):
        event_id = f"evt_{uuid4().hex}"
        body = _body(staging, run, list(group), now)
        text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
        yield EventRow(event_id, staging, run, now, text, 0, None, None)


def _body(staging: str, run: str, rows: Sequence[StagedRow], now: float) -> dict[str, Any]:
    counts = Counter(row.change_type for row in rows)
    index = sorted({row.index_path for row in rows})
    return {
        "type": EVENT_TYPE,
        "timestamp": timestamp(datetime.fromtimestamp(now, UTC)),
        "data": {
            "run_id": run,
            "staging": staging,
            "counts": {
                "envelopes": len(rows),
                **{name: counts[name] for name in ("new", "modified", "deleted")},
            },
            "index": index if len(index) <= MAX_LISTED else None,
            "envelopes": [_entry(row) for row in rows] if len(rows) <= MAX_LISTED else None,
        },
    }


def _entry(row: StagedRow) -> dict[str, str]:
    return {
        "envelope_id": row.envelope_id,
        "manifest_id": row.source,
        "change_type": row.change_type,
        "path": row.path,
    }
