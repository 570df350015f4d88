"""The key that signs sessions, kept in the project's data folder."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from typing import TYPE_CHECKING

from wikicrawler.errors import ConfigError

if TYPE_CHECKING:
    from pathlib import Path

NAME = "dashboard.key"
_BYTES = 32


def session_key(folder: Path) -> str:
    """Return the key in *folder*, which is made if there is none. Only its owner may read it.

    :raises ConfigError: it cannot be read or written
    """
    path = folder / NAME
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            _make(path)
        return path.read_text("ascii").strip()
    except (OSError, ValueError) as error:
        raise ConfigError(f"the key of sessions {path} cannot be used: {error}") from error


def _make(path: Path) -> None:
    """Write a new key to *path*, unless another process is first. A kill leaves none or a whole
    one."""
    new = path.with_name(f"{path.name}.{os.getpid()}")
    with suppress(FileNotFoundError):  # of a killed process with this number
        new.unlink()
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(secrets.token_hex(_BYTES) + "\n")
    with suppress(FileExistsError):
        os.link(new, path)
    new.unlink()
