"""Files of the staging folder.

An envelope is written to a temporary file, synchronised, and linked to its name, which must be
free: a file that has a name is complete and never changes. ``_index.jsonl`` and ``_errors.jsonl``
are only appended to.
"""

from __future__ import annotations

import fcntl
import json
import os
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from wikicrawler.errors import ConfigError
from wikicrawler.feeds.line_file import LineFile, mend

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

INDEX = "_index.jsonl"
ERRORS = "_errors.jsonl"
_INCOMING = ".incoming"  # temporary files, on the file system of the others


class StagingFolder:
    """A local staging folder. Several processes may write to it at once.

    :param root: the folder; :meth:`prepare` creates it
    """

    def __init__(self, root: Path) -> None:
        self.root = root.absolute()

    def __str__(self) -> str:
        return str(self.root)

    def prepare(self) -> None:
        """Create the folder, and cut what a killed process tore from its lists.

        :raises ConfigError: it cannot be created or written
        """
        try:
            (self.root / _INCOMING).mkdir(parents=True, exist_ok=True)
            for name in (INDEX, ERRORS):
                path = self.root / name
                path.touch()
                with self._locked(name):
                    mend(path)
        except OSError as error:
            raise ConfigError(
                f"the staging folder {self.root} cannot be used: {error.strerror or error}"
            ) from error

    def write(self, paths: Iterable[str], data: bytes) -> str:
        """Write *data* to the first of *paths* that is free, and return that path.

        When the method returns, the file survives a power failure.

        :param paths: relative to the folder, in the order of preference
        :raises OSError: the file cannot be written
        """
        temporary = self.root / _INCOMING / str(uuid4())
        try:
            with temporary.open("xb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            for path in paths:
                target = self.root / path
                target.parent.mkdir(parents=True, exist_ok=True)
                try:
                    os.link(temporary, target)
                except FileExistsError:
                    continue
                _sync_folder(target.parent)
                return path
        finally:
            with suppress(FileNotFoundError):
                temporary.unlink()
        raise ValueError("no path was free")

    def find(self, paths: Iterable[str], envelope_id: str) -> str | None:
        """Return that of *paths* where the envelope *envelope_id* is; None if it is not there."""
        for path in paths:
            try:
                with (self.root / path).open("rb") as file:
                    head = file.read(100)
            except FileNotFoundError:
                return None
            if envelope_id.encode() in head:
                return path
        return None

    def read(self, path: str) -> dict[str, Any]:
        """Return the envelope at *path*.

        :raises OSError, ValueError: there is none, or it is damaged
        """
        envelope = json.loads((self.root / path).read_bytes())
        if not isinstance(envelope, dict):
            raise ValueError(f"{path}: not an envelope")
        return envelope

    def append(self, name: str, line: dict[str, Any]) -> None:
        """Append *line* to the list *name* (:data:`INDEX` or :data:`ERRORS`)."""
        data = json.dumps(line, ensure_ascii=False).encode("utf-8", "replace") + b"\n"
        with self._locked(name):
            file = LineFile(self.root / name)
            try:
                file.write(data)
            finally:
                file.close()

    def is_listed(self, envelope_id: str) -> bool:
        """Return whether the index has a line of the envelope *envelope_id*."""
        wanted = envelope_id.encode()
        with (self.root / INDEX).open("rb") as file:
            return any(wanted in line for line in file)

    @contextmanager
    def _locked(self, name: str) -> Iterator[None]:
        with (self.root / name).open("ab") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
