"""One process a state folder."""

from __future__ import annotations

import fcntl
import json
import os
import socket
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from wikicrawler.errors import StateError, StateLockedError
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from io import FileIO
    from pathlib import Path

_NAME = "lock"


class FolderLock:
    """The lock of a folder. The kernel lets go of it when its process ends, however it ends: no
    lock is ever left behind. The file says who holds it.

    :param shown: what messages call the folder; ``JOBDIR`` and its path if None
    """

    def __init__(self, folder: Path, *, shown: str | None = None) -> None:
        self._folder = folder
        self._shown = f"JOBDIR {one_line(folder)}" if shown is None else shown
        self._file: FileIO | None = None

    def acquire(self) -> None:
        """Take the lock, at once or not at all.

        :raises StateLockedError: another process has it
        :raises StateError: the folder cannot be written, or its file system has no locks
        """
        file = None
        try:
            file = open(self._folder / _NAME, "ab+", buffering=0, opener=_open_private)  # noqa: SIM115
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            file.truncate(0)
            file.write(json.dumps(_myself()).encode() + b"\n")
        except BlockingIOError:
            holder = _holder(file) if file is not None else "another process"
            raise StateLockedError(
                f"{self._shown}: {holder} crawls with this folder; wait for its end, or name "
                "another folder"
            ) from None
        except OSError as error:
            raise StateError(
                f"{self._shown}: cannot be used: {error.strerror} "
                "(name a folder that can be written)"
            ) from None
        self._file = file

    def release(self) -> None:
        """Let go; harmless when called again."""
        file, self._file = self._file, None
        if file is not None:
            file.close()


def _open_private(path: str, flags: int) -> int:
    """Open the file for its owner alone."""
    return os.open(path, flags, 0o600)


def _myself() -> dict[str, object]:
    since = datetime.now(UTC).isoformat(timespec="seconds")
    return {"pid": os.getpid(), "host": socket.gethostname(), "since": since}


def _holder(file: FileIO) -> str:
    try:
        file.seek(0)
        found = json.loads(file.read(1000))
        pid, host, since = (one_line(str(found[k]), 80) for k in ("pid", "host", "since"))
    except (OSError, ValueError, KeyError, TypeError):
        return "another process"
    return f"process {pid} on {host} (since {since})"
