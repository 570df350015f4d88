"""References to secrets: where one is, in place of the secret."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from wikicrawler import options
from wikicrawler.credentials.secrets_file import read_secrets_file
from wikicrawler.errors import ConfigError
from wikicrawler.text.yaml import STR

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from scrapy.settings import BaseSettings

    from wikicrawler.text.yaml import Value

MAX_SECRET = 1_000
"""Maximum length of a secret in characters."""
MAX_KEY = 200
"""Maximum length of a key of the secrets file in characters."""
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,199}")
_LIKE = "{env: NAME}, an environment variable, or {key: NAME}, a key of the secrets file"


@dataclass(frozen=True, slots=True)
class SecretRef:
    """Where a secret is."""

    kind: Literal["env", "key"]
    name: str
    where: str = field(default="", compare=False)
    """File, line and key of the reference, for errors."""

    def __str__(self) -> str:
        if self.kind == "env":
            return f"environment variable {self.name}"
        return f"key {self.name} of the secrets file"


def read_secret_ref(value: Value) -> SecretRef | None:
    """Return the reference in *value*, ``{env: NAME}`` or ``{key: NAME}``.

    None if it is none; the problem never shows what stands there, which may be the secret itself.
    """
    if not value.is_mapping():
        value.wrong(f"is not the place of a secret (write {_LIKE}; never the secret itself)")
        return None
    fields = value.fields(("env", "key"), "a mapping")
    if len(fields) != 1:
        value.wrong(f"needs one of env and key (write {_LIKE})")
        return None
    ((kind, named),) = fields.items()
    name = str(named.node.value) if named.node.tag == STR else ""
    where = f"{value.problems.name}:{value.line}: {value.key}"
    if kind == "env" and _VARIABLE.fullmatch(name):
        return SecretRef("env", name, where)
    if kind == "key" and 0 < len(name) <= MAX_KEY and name.isprintable():
        return SecretRef("key", name, where)
    what = "an environment variable (like WIKI_PASSWORD)" if kind == "env" else "a key, in quotes"
    named.wrong(f"is not the name of {what}")  # it is not shown: it may be the secret
    return None


class SecretReader:
    """Reads the secrets of one crawl."""

    def __init__(self, settings: BaseSettings, root: Path) -> None:
        """
        :param root: the folder at which a relative path of the secrets file starts
        """
        self._settings = settings
        self._root = root
        self._file: Mapping[str, str] | None = None

    def read(self, ref: SecretRef) -> str:
        """Return the secret at *ref*.

        :raises ConfigError: there is none, or it cannot be one. The message never contains it
        """
        secret = (self._variable if ref.kind == "env" else self._entry)(ref)
        if len(secret) > MAX_SECRET or not secret.isprintable():
            raise ConfigError(
                f"{ref.where}: the {ref} has a line break or other characters that no password has,"
                f" or more than {MAX_SECRET:,} characters"
            )
        return secret

    def _variable(self, ref: SecretRef) -> str:
        secret = os.environ.get(ref.name, "").strip()
        if not secret:
            raise ConfigError(
                f"{ref.where}: the {ref} is not set (set it, or write key: NAME for a key of the "
                "secrets file)"
            )
        return secret

    def _entry(self, ref: SecretRef) -> str:
        if self._file is None:
            path = options.SECRETS_FILE.read(self._settings)
            if path is None:
                raise ConfigError(
                    f"{ref.where}: the {ref} cannot be read: {options.SECRETS_FILE.name} names no "
                    "file"
                )
            self._file = read_secrets_file(self._root / path)
        if ref.name not in self._file:
            name = options.SECRETS_FILE.name
            raise ConfigError(f"{ref.where}: the secrets file has no key {ref.name!r} ({name})")
        return self._file[ref.name]
