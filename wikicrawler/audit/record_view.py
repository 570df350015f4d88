"""One record of the audit log with all about it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from wikicrawler.store.audit_chain import kept_response, link_at
from wikicrawler.store.audit_search import outcomes_by_operation
from wikicrawler.store.chain_text import digest_of, hash_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wikicrawler.store.audit_chain import KeptResponse, Link
    from wikicrawler.store.database import Database

_MAX_SEQUENCE = 1 << 62


@dataclass(frozen=True, slots=True)
class RecordView:
    """A record."""

    sequence: int
    link: Link
    """Its text, and its place in the chain."""
    fields: Mapping[str, Any]
    """Empty if the text was changed so that it is no JSON."""
    outcome: Mapping[str, Any] | None
    """The last outcome of an operation."""
    response: KeptResponse | None
    """Of a failed operation. Its headers and its body are a stranger's."""

    @property
    def is_sound(self) -> bool:
        """Whether the text has the hash that is stored. The records before it are not checked."""
        return self.link.hash == hash_of(digest_of(self.link.text), self.link.prev_hash)


def record_view(database: Database, sequence: int) -> RecordView | None:
    """Return the record with this sequence; None if there is none.

    :raises StoreError: the database is unavailable
    """
    if not 0 < sequence < _MAX_SEQUENCE or not database.has_tables():
        return None
    with database.read() as connection:
        link = link_at(connection, sequence)
        if link is None:
            return None
        fields = _fields(link.text)
        outcome = response = None
        if fields.get("kind") == "request":
            outcome = outcomes_by_operation(connection, [sequence]).get(sequence)
            run, number = fields.get("run_id"), fields.get("number")
            if isinstance(run, str) and isinstance(number, int):
                response = kept_response(connection, run, number)
    return RecordView(sequence, link, fields, outcome, response)


def _fields(text: str) -> Mapping[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
