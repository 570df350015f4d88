"""The secrets file: a YAML mapping of names to secrets that only its owner can read."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

from wikicrawler import options
from wikicrawler.errors import ConfigError
from wikicrawler.text.safe import one_line
from wikicrawler.text.yaml import MAX_BYTES, STR, Problems, Value, compose

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def read_secrets_file(path: Path) -> Mapping[str, str]:
    """Return the secrets in the file at *path* by name.

    :raises ConfigError: it cannot be read, or others than its owner may use it, or it is no such
        mapping. The message has no part of the file but keys
    """
    name = one_line(path)
    data = _read(path, name)
    syntax = Problems(name)
    root = compose(data, syntax)
    if syntax.found:
        # The problems quote the file, and so may quote a secret.
        raise ConfigError(
            "\n".join(
                f"{name}:{line}: is not plain YAML (write each line as name: 'secret', with quotes)"
                for line in sorted({line for line, _ in syntax.found})
            )
        )
    if root is None or root.is_empty():
        return {}
    problems = Problems(name)
    found = dict(_entries(Value(root.node, "", problems)))
    problems.raise_if_any()
    return found


def _read(path: Path, name: str) -> bytes:
    try:
        # A pipe would block.
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "not a file name"
        raise ConfigError(
            f"{name}: the secrets cannot be read: {why} ({options.SECRETS_FILE.name} names a YAML "
            "file)"
        ) from None
    try:
        mode = os.fstat(descriptor).st_mode
        if not stat.S_ISREG(mode):
            raise ConfigError(f"{name}: is not a file ({options.SECRETS_FILE.name})")
        if mode & _OTHERS:
            raise ConfigError(
                f"{name}: others than its owner can use the secrets file (mode "
                f"{stat.S_IMODE(mode):04o}; chmod 600 {name})"
            )
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            return file.read(MAX_BYTES + 1)
    finally:
        os.close(descriptor)


def _entries(root: Value) -> list[tuple[str, str]]:
    if not root.is_mapping():
        root.wrong("is not a mapping (write each line as name: 'secret')")
        return []
    found = []
    for key, value in root.items("a mapping"):
        if value.node.tag == STR and value.node.value.strip():
            found.append((key.node.value, value.node.value.strip()))
        else:  # it is not shown: it may be the secret
            value.wrong("is not a text (put it in quotes)")
    return found
