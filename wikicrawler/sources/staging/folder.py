"""The staging folder on a local file system.

An envelope is written to a temporary file, synchronised, and linked to its name, which must be
free: a file that has a name is complete and never changes. The lists (``_index.jsonl`` and the
others) are only appended to.
"""

from __future__ import annotations

import fcntl
import os
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from wikicrawler.errors import ConfigError
from wikicrawler.feeds.line_file import LineFile, mend
from wikicrawler.sources.staging.protocol import (
    HEAD,
    INDEX,
    LISTS,
    envelope_of,
    line_of,
    listed_in,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator
    from pathlib import Path

_INCOMING = ".incoming"  # temporary files, on the file system of the others


class StagingFolder:
    """A :class:`~wikicrawler.sources.staging.protocol.Staging` on a local file system.

    :param root: the folder; :meth:`prepare` creates it
    """

    def __init__(self, root: Path) -> None:
        self.root = root.absolute()

    def __str__(self) -> str:
        return str(self.root)

    def prepare(self) -> None:
        """Create the folder, and cut what a killed process tore from its lists."""
        try:
            (self.root / _INCOMING).mkdir(parents=True, exist_ok=True)
            for name in LISTS:
                path = self.root / name
                path.touch()
                with self._locked(name):
                    mend(path)
        except OSError as error:
            raise ConfigError(
                f"the staging folder {self.root} cannot be used: {error.strerror or error}"
            ) from error

    def exists(self) -> bool:
        return (self.root / INDEX).exists()

    def name_run(self, run_id: str) -> None:
        """Do nothing: all runs append to the same lists."""

    def write(self, paths: Iterable[str], data: bytes) -> str:
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
        for path in paths:
            try:
                with (self.root / path).open("rb") as file:
                    head = file.read(HEAD)
            except FileNotFoundError:
                return None
            if envelope_id.encode() in head:
                return path
        return None

    def read(self, path: str) -> dict[str, Any]:
        return envelope_of(self.read_bytes(path), path)

    def read_bytes(self, path: str) -> bytes:
        return (self.root / path).read_bytes()

    def remove(self, path: str) -> None:
        target = self.root / path
        with suppress(FileNotFoundError):
            target.unlink()
            _sync_folder(target.parent)
            if path.count("/") > 1:
                with suppress(OSError):  # it has other envelopes
                    target.parent.rmdir()

    def paths(self) -> Iterator[str]:
        for path in sorted(self.root.glob("*/*/*.json")):
            yield path.relative_to(self.root).as_posix()

    def sizes(self, paths: Collection[str]) -> dict[str, int]:
        found: dict[str, int] = {}
        for path in paths:
            with suppress(FileNotFoundError):
                found[path] = (self.root / path).stat().st_size
        return found

    def with_prefix(self, prefix: str) -> list[str]:
        folder, _, start = prefix.rpartition("/")
        try:
            names = [path.name for path in (self.root / folder).iterdir()]
        except FileNotFoundError:
            return []
        return sorted(f"{folder}/{name}" for name in names if name.startswith(start))

    def append(self, name: str, line: dict[str, Any]) -> str:
        with self._locked(name):
            mend(self.root / name)  # nobody writes now: a torn line is that of a killed process
            file = LineFile(self.root / name)
            try:
                file.write(line_of(line))
            finally:
                file.close()
        return name

    def lines(self, name: str) -> Iterator[bytes]:
        try:
            file = (self.root / name).open("rb")
        except FileNotFoundError:
            return
        with file:
            for line in file:
                yield line.rstrip(b"\n")

    def listed(self, envelope_ids: Collection[str], since: float) -> dict[str, str]:
        return dict.fromkeys(listed_in(self.lines(INDEX), envelope_ids), INDEX)

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
