"""What the lists of the staging area say of its envelopes."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from wikicrawler.errors import ConfigError
from wikicrawler.sources.envelopes.build import timestamp
from wikicrawler.sources.staging.protocol import CONFIRMED, INDEX, REMOVED

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wikicrawler.sources.staging.protocol import Staging


class Entry(NamedTuple):
    """A line of the index."""

    envelope_id: str
    source: str
    url: str
    path: str
    staged_at: datetime
    change_type: str
    content_hash: str

    @property
    def document(self) -> tuple[str, str]:
        """Identifies the document that the envelope is a version of."""
        return self.source, self.url


def mend(folder: Staging) -> None:
    """Cut what a killed process tore from the lists of *folder*, if it has envelopes.

    :raises ConfigError: it cannot be written
    :raises OSError: it cannot be read
    """
    if next(iter(folder.lines(INDEX)), None) is not None:
        folder.prepare()


def entries(folder: Staging) -> Iterator[Entry]:
    """Yield the envelopes in the index, in its order, those that were removed too.

    :raises ConfigError: a line is not one of an index
    """
    for number, line in enumerate(folder.lines(INDEX), 1):
        try:
            yield _entry(json.loads(line))
        except (ValueError, KeyError, TypeError, RecursionError):
            raise ConfigError(
                f"{folder}: line {number} of {INDEX} is not a line of an index "
                "(scrapy staged verify lists all faults)"
            ) from None


def _entry(line: dict[str, Any]) -> Entry:
    return Entry(
        str(line["envelope_id"]),
        str(line["manifest_id"]),
        str(line["url"]),
        str(line["path"]),
        read_time(line["staged_at"]),
        str(line["change_type"]),
        str(line["content_hash"]),
    )


def confirmations(folder: Staging) -> dict[str, datetime]:
    """Return when the ingestion of each envelope was confirmed first, by its id.

    :raises ConfigError: a line is not one of the list
    """
    found: dict[str, datetime] = {}
    for line in _lines(folder, CONFIRMED):
        at = read_time(line["confirmed_at"])
        for envelope_id in line["envelope_ids"]:
            found.setdefault(envelope_id, at)
    return found


def removals(folder: Staging) -> dict[str, str]:
    """Return the path of each envelope that was removed, by its id. A process that was killed may
    have left the file.

    :raises ConfigError: a line is not one of the list
    """
    found: dict[str, str] = {}
    for line in _lines(folder, REMOVED):
        for one in line["envelopes"]:
            found[one["envelope_id"]] = one["path"]
    return found


def _lines(folder: Staging, name: str) -> Iterator[dict[str, Any]]:
    for number, line in enumerate(folder.lines(name), 1):
        try:
            found = json.loads(line)
            if name == CONFIRMED:
                sound = all(isinstance(one, str) for one in found["envelope_ids"])
                read_time(found["confirmed_at"])
            else:
                sound = all(
                    isinstance(one["envelope_id"], str) and isinstance(one["path"], str)
                    for one in found["envelopes"]
                )
            if not sound:
                raise ValueError
        except (ValueError, KeyError, TypeError, RecursionError):
            raise ConfigError(f"{folder}: line {number} of {name} is not one of ours") from None
        yield found


def add_confirmed(folder: Staging, envelope_ids: Sequence[str], at: datetime) -> None:
    """Add a line to the list of confirmations."""
    folder.append(CONFIRMED, {"confirmed_at": timestamp(at), "envelope_ids": list(envelope_ids)})


def add_removed(folder: Staging, removed: Sequence[Entry], at: datetime) -> None:
    """Add a line to the list of removals."""
    envelopes = [
        {
            "envelope_id": entry.envelope_id,
            "manifest_id": entry.source,
            "url": entry.url,
            "path": entry.path,
            "content_hash": entry.content_hash,
        }
        for entry in removed
    ]
    folder.append(REMOVED, {"removed_at": timestamp(at), "envelopes": envelopes})


def read_time(text: Any) -> datetime:
    """Return the time *text*, ISO 8601 with an offset.

    :raises ValueError, TypeError: it is none
    """
    at = datetime.fromisoformat(text)
    if at.tzinfo is None:
        raise ValueError(f"the time {text} has no offset from UTC")
    return at.astimezone(UTC)
