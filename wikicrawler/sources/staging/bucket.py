"""The staging folder in a bucket of S3, or of a server with its API.

An envelope is written by a conditional request (``If-None-Match: *``): an object that exists is
never overwritten. S3 cannot append, so that a list like the index is a folder of objects, one for
each run; see :mod:`~wikicrawler.sources.staging.object_list`.
"""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from wikicrawler.errors import ConfigError
from wikicrawler.sources.staging.object_list import ObjectList, folder_of_list
from wikicrawler.sources.staging.protocol import HEAD, INDEX, envelope_of, line_of, listed_in

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from wikicrawler.sources.staging.s3 import Found, Objects

MARK = "_staging.json"
"""Object by which a bucket proves that it has conditional writes."""
_MARK = json.dumps({"layout": 1}).encode()
_JSON = "application/json"
_CLOCKS = 3600.0
"""Seconds by which the clock of the server may differ."""


class StagingBucket:
    """A :class:`~wikicrawler.sources.staging.protocol.Staging` in a bucket.

    :param location: ``s3://bucket/prefix``
    :param prefix: what all keys begin with, empty or with a slash at its end
    """

    def __init__(self, objects: Objects, location: str, prefix: str) -> None:
        self._objects = objects
        self._location = location
        self._prefix = prefix
        self._run = str(uuid4())
        self._lists: dict[str, ObjectList] = {}

    def __str__(self) -> str:
        return self._location

    def prepare(self) -> None:
        """Check that the bucket can be listed and written, and that it has conditional writes."""
        try:
            next(self._objects.list(self._prefix, limit=1), None)
            # The second write of an object has to be refused.
            refused = not self._objects.create(self._key(MARK), _MARK, _JSON)
            refused = refused or not self._objects.create(self._key(MARK), _MARK, _JSON)
        except OSError as error:
            hint = ""
            if getattr(error, "status", None) == 501:
                hint = "; the server needs conditional writes (If-None-Match: *)"
            raise ConfigError(f"the staging bucket {self} cannot be used: {error}{hint}") from None
        if not refused:
            raise ConfigError(
                f"the staging bucket {self} cannot be used: its server ignores If-None-Match, so "
                "that envelopes could be overwritten; a server with conditional writes is needed"
            )

    def exists(self) -> bool:
        with suppress(FileNotFoundError):
            return bool(self._objects.get(self._key(MARK)))
        return False

    def name_run(self, run_id: str) -> None:
        if run_id != self._run:
            self._run, self._lists = run_id, {}

    def write(self, paths: Iterable[str], data: bytes) -> str:
        for path in paths:
            if self._objects.create(self._key(path), data, _JSON):
                return path
        raise ValueError("no path was free")

    def find(self, paths: Iterable[str], envelope_id: str) -> str | None:
        for path in paths:
            try:
                head = self._objects.get(self._key(path), HEAD)
            except FileNotFoundError:
                return None
            if envelope_id.encode() in head:
                return path
        return None

    def read(self, path: str) -> dict[str, Any]:
        return envelope_of(self.read_bytes(path), path)

    def read_bytes(self, path: str) -> bytes:
        return self._objects.get(self._key(path))

    def remove(self, path: str) -> None:
        self._objects.delete(self._key(path))

    def paths(self) -> Iterator[str]:
        for found in self._objects.list(self._prefix):
            path = self._path(found)
            if path.count("/") == 2 and path.endswith(".json") and not path.startswith("_"):
                yield path

    def sizes(self, paths: Collection[str]) -> dict[str, int]:
        wanted = set(paths)
        found = self._objects.list(self._prefix)
        return {path: one.size for one in found if (path := self._path(one)) in wanted}

    def with_prefix(self, prefix: str) -> list[str]:
        return sorted(self._path(found) for found in self._objects.list(self._key(prefix)))

    def append(self, name: str, line: dict[str, Any]) -> str:
        # setdefault is atomic: threads that are here at once get the same list.
        new = ObjectList(self._objects, self._prefix, name, self._run)
        return self._lists.setdefault(name, new).append(line_of(line))

    def lines(self, name: str) -> Iterator[bytes]:
        for found in self._objects_of(name):
            yield from self._objects.get(found.key).splitlines()

    def listed(self, envelope_ids: Collection[str], since: float) -> dict[str, str]:
        places: dict[str, str] = {}
        for found in self._objects_of(INDEX):
            if found.modified >= since - _CLOCKS:
                lines = self._objects.get(found.key).splitlines()
                places |= dict.fromkeys(listed_in(lines, envelope_ids), self._path(found))
        return places

    def _objects_of(self, name: str) -> list[Found]:
        """Return the objects of the list *name*, in the order of their writing."""
        folder = self._key(folder_of_list(name))
        # One that was copied from a local folder is an object, too.
        found = self._objects.list(folder.removesuffix("/"))
        keys = [one for one in found if one.key == self._key(name) or one.key.startswith(folder)]
        return sorted(keys, key=lambda one: one.key.removesuffix(".jsonl"))  # x before x-2

    def _key(self, path: str) -> str:
        return self._prefix + path

    def _path(self, found: Found) -> str:
        return found.key.removeprefix(self._prefix)
