"""A list of JSON lines, in objects of a bucket.

S3 cannot append: a run has an object of its own in the folder of the list, which each new line
replaces by one that is longer. Before it becomes so long that this is slow, the run begins another.
"""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import count
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wikicrawler.sources.staging.s3 import Objects

MAX_OBJECT = 131_072
"""Bytes in an object after which a run begins another."""
_LINES = "application/x-ndjson"


def folder_of_list(name: str) -> str:
    """Return the folder of the list *name*: ``_index/`` for ``_index.jsonl``."""
    return name.removesuffix(".jsonl") + "/"


class ObjectList:
    """What a run appends to the list *name*. Threads may use it at once.

    :param prefix: what all keys begin with
    """

    def __init__(self, objects: Objects, prefix: str, name: str, run_id: str) -> None:
        self._objects = objects
        self._prefix = prefix
        self._folder = folder_of_list(name)
        self._run = run_id
        self._lock = Lock()
        self._path = ""
        self._data = b""

    def append(self, line: bytes) -> str:
        """Append *line*, and return the path of the object that has it.

        :raises OSError: it could not be written, or may have been
        """
        with self._lock:
            if not self._path or len(self._data) + len(line) > MAX_OBJECT:
                self._path, self._data = self._begin(line), line
            else:
                data = self._data + line
                path, self._path = self._path, ""
                # If this fails, the object may have the line: the next one begins another.
                self._objects.put(self._prefix + path, data, _LINES)
                self._path, self._data = path, data
            return self._path

    def _begin(self, line: bytes) -> str:
        """Write a new object, and return its path."""
        for path in self._paths():
            if self._objects.create(self._prefix + path, line, _LINES):
                return path
        raise AssertionError("unreachable")

    def _paths(self) -> Iterator[str]:
        # Microseconds: two short runs in a second are read in their order, too.
        now = f"{datetime.now(UTC):%Y-%m-%dT%H%M%S.%fZ}"
        yield f"{self._folder}{now}_{self._run}.jsonl"
        for number in count(2):
            yield f"{self._folder}{now}_{self._run}-{number}.jsonl"
