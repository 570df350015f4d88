"""What the rest of the package needs of a place where envelopes are staged."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

INDEX = "_index.jsonl"
ERRORS = "_errors.jsonl"
CONFIRMED = "_confirmed.jsonl"
"""Envelopes that a consumer has ingested."""
REMOVED = "_removed.jsonl"
"""Envelopes whose files were removed."""
LISTS = (INDEX, ERRORS, CONFIRMED, REMOVED)
HEAD = 100
"""Bytes at the start of an envelope that contain its id."""


class Staging(Protocol):
    """A staging folder, on a local file system or in a bucket.

    Paths are relative to it and have ``/`` between their parts. Several processes may use it at
    once. The methods block, and threads may call them at once.
    """

    def __str__(self) -> str:
        """Return its location, by which the database knows it."""

    def prepare(self) -> None:
        """Make it ready for writing.

        :raises ConfigError: it cannot be used
        """

    def exists(self) -> bool:
        """Return whether it was ever prepared.

        :raises OSError: it cannot be read
        """

    def name_run(self, run_id: str) -> None:
        """Write from now on under the name of a run."""

    def write(self, paths: Iterable[str], data: bytes) -> str:
        """Write *data* to the first of *paths* that is free, and return that path.

        What has a path is complete and never changes. When the method returns, it is durable.

        :param paths: in the order of preference
        :raises OSError: it cannot be written
        """

    def find(self, paths: Iterable[str], envelope_id: str) -> str | None:
        """Return that of *paths* where the envelope *envelope_id* is; None if it is not there.

        :raises OSError: a path cannot be read
        """

    def read(self, path: str) -> dict[str, Any]:
        """Return the envelope at *path*.

        :raises OSError, ValueError: there is none, or it is damaged
        """

    def read_bytes(self, path: str) -> bytes:
        """Return what is at *path*.

        :raises OSError: there is nothing, or it cannot be read
        """

    def remove(self, path: str) -> None:
        """Remove what is at *path*, if anything is.

        :raises OSError: it cannot be removed
        """

    def paths(self) -> Iterator[str]:
        """Yield the paths of all envelopes, in alphabetical order.

        :raises OSError: they cannot be listed
        """

    def sizes(self, paths: Collection[str]) -> dict[str, int]:
        """Return the sizes in bytes of what is at *paths*, without those where nothing is.

        :raises OSError: they cannot be listed
        """

    def with_prefix(self, prefix: str) -> list[str]:
        """Return the paths that begin with *prefix*, a folder and a part of a name, in order.

        :raises OSError: they cannot be listed
        """

    def append(self, name: str, line: dict[str, Any]) -> str:
        """Append *line* to the list *name*, like :data:`INDEX`, and return the path of the file
        or object that has it. When the method returns, the line survives the end of the process.

        :raises OSError: it cannot be written; it may have been written nevertheless
        """

    def lines(self, name: str) -> Iterator[bytes]:
        """Yield the lines of the list *name*, without their ends; none if there is no such list.

        :raises OSError: it cannot be read
        """

    def listed(self, envelope_ids: Collection[str], since: float) -> dict[str, str]:
        """Return which of *envelope_ids* the index has, each with the path of the file or object
        that has its line.

        :param since: time before which none of these lines was written
        :raises OSError: the index cannot be read
        """


def envelope_of(data: bytes, path: str) -> dict[str, Any]:
    """Return the envelope that *data* is.

    :param path: where it was read, for the message
    :raises ValueError: it is none
    """
    envelope = json.loads(data)
    if not isinstance(envelope, dict):
        raise ValueError(f"{path}: not an envelope")
    return envelope


def line_of(facts: dict[str, Any]) -> bytes:
    """Return a line of a list with its end."""
    return json.dumps(facts, ensure_ascii=False).encode("utf-8", "replace") + b"\n"


def listed_in(lines: Iterable[bytes], wanted: Collection[str]) -> set[str]:
    """Return the ids of *wanted* that are in *lines*."""
    missing = {envelope_id.encode() for envelope_id in wanted}
    found: set[bytes] = set()
    for line in lines:
        here = {envelope_id for envelope_id in missing if envelope_id in line}
        found |= here
        missing -= here
        if not missing:
            break
    return {envelope_id.decode() for envelope_id in found}
