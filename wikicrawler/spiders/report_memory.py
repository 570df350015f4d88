"""What a crawl for reports remembers beside its requests, so that it can be resumed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from wikicrawler.frontier.scheduler import frontier_of

if TYPE_CHECKING:
    from scrapy import Spider

_PART = "reports"


class ReportMemory:
    """The records of a job, as they were written.

    With the add-on's scheduler and ``JOBDIR`` they are kept with the requests. With another
    scheduler they are kept in ``spider.state``.
    """

    def __init__(self, spider: Spider) -> None:
        self._frontier = frontier_of(spider.crawler)
        kept = getattr(spider, "state", None)
        self._state: dict[str, Any] = kept.setdefault(_PART, {}) if isinstance(kept, dict) else {}
        self._known: dict[str, dict[str, Any]] = dict(self._state)
        if self._frontier is not None:
            for value in self._frontier.noted(_PART):
                unit, record = json.loads(value)
                self._known[unit] = record

    def record(self, unit: str) -> dict[str, Any] | None:
        """Return the record of a company and year, if it was written, or about to be."""
        return self._known.get(unit)

    def add(self, unit: str, record: dict[str, Any]) -> None:
        """Remember a record that is about to be written.

        After a kill the very same record is written again, which a feed recognises. So it is
        committed before the feed has it.
        """
        self._known[unit] = record
        if self._frontier is None:
            self._state[unit] = record
            return
        self._frontier.note(_PART, json.dumps([unit, record]).encode())
        self._frontier.commit()
