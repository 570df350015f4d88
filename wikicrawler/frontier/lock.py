"""One process a state folder."""

from __future__ import annotations

import fcntl
import json
import os
import socket
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from wikicrawler.errors import StateError, StateLockedError
from wikicrawler.safe_text import one_line

if TYPE_CHECKING:
    from pathlib import Path

_NAME = "lock"


class FolderLock:
    """The lock of a state folder. The kernel lets go of it when its process ends, however it ends:
    no lock is ever left behind. The file says who holds it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._file: int | None = None

    def acquire(self) -> None:
        """Take the lock, at once or not at all.

        :raises StateLockedError: another process has it
        :raises StateError: the folder cannot be written, or its file system has no locks
        """
        path = self._folder / _NAME
        file = None
        try:
            file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.ftruncate(file, 0)
            os.write(file, json.dumps(_myself()).encode() + b"\n")
        except BlockingIOError:
            holder = _holder(os.read(file, 1000)) if file is not None else "another process"
            _close(file)
            raise StateLockedError(
                f"JOBDIR {one_line(self._folder)}: {holder} crawls with this state folder; wait "
                "for its end, or name another folder"
            ) from None
        except OSError as error:
            _close(file)
            raise StateError(
                f"JOBDIR {one_line(self._folder)}: cannot be used: {error.strerror} "
                "(name a folder that can be written)"
            ) from None
        self._file = file

    def release(self) -> None:
        """Let go; harmless when called again."""
        file, self._file = self._file, None
        _close(file)


def _close(file: int | None) -> None:
    if file is not None:
        os.close(file)


def _myself() -> dict[str, object]:
    since = datetime.now(UTC).isoformat(timespec="seconds")
    return {"pid": os.getpid(), "host": socket.gethostname(), "since": since}


def _holder(text: bytes) -> str:
    try:
        found = json.loads(text)
        pid, host, since = (one_line(str(found[k]), 80) for k in ("pid", "host", "since"))
    except (ValueError, KeyError, TypeError):
        return "another process"
    return f"process {pid} on {host} (since {since})"
