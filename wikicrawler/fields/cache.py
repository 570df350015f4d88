"""Answers of models in a folder, so that an unchanged page costs nothing.

Several processes may use a folder at once. Nothing is deleted from it; it may be deleted as a whole
at any time. The files have the answers, which repeat texts of pages, and never a key.
"""

from __future__ import annotations

import json
import os
import tempfile
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from time import time
from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic import ValidationError

from wikicrawler.fields.answers.prompts import LAYOUT
from wikicrawler.fields.llm.responses import Completion
from wikicrawler.fields.models import Usage

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

MAX_FILE = 4 << 20
"""Bytes of an answer; a larger one is neither written nor read."""
_VERSION = 1


class CachedAnswer(NamedTuple):
    """An answer from the cache."""

    completion: Completion
    """With the usage of the call that was made once."""
    time: float
    """Seconds since 1970, when it was stored."""


def answer_key(
    messages: Sequence[Mapping[str, Any]],
    schema: Mapping[str, Any] | None,
    *,
    model: str,
    base_url: str,
    parameters: Mapping[str, Any] | None = None,
) -> str:
    """Return the key of an answer: a SHA-256 in 64 hexadecimal digits.

    The messages have the content of the page and the fields. The server is a part of it, because
    the same name is another model elsewhere: a quantised one, or one with another template.

    :param parameters: what else the answer depends on: ``temperature``, ``max_tokens`` …
    """
    parts = {
        "version": [_VERSION, LAYOUT],
        "messages": list(messages),
        "schema": schema,
        "model": model,
        "base_url": base_url.rstrip("/"),
        "parameters": dict(parameters or {}),
    }
    return sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


class AnswerCache:
    """The answers in *folder*, which is created with the first one.

    :param clock: seconds since 1970
    """

    def __init__(self, folder: Path | str, *, clock: Callable[[], float] = time) -> None:
        self.folder = Path(folder)
        self._clock = clock

    def get(self, key: str) -> CachedAnswer | None:
        """Return the answer of *key*. A file that cannot be read, or is no answer, is none."""
        try:
            with self._path(key).open("rb") as file:
                data = file.read(MAX_FILE + 1)
            return _parse(data) if len(data) <= MAX_FILE else None
        except (OSError, ValueError, RecursionError):
            return None

    def put(self, key: str, completion: Completion) -> bool:
        """Store an answer, and return True. One that is cut, refused or empty is not stored.

        A folder that cannot be written to is no error, as the answer is there; it returns False.
        """
        if completion.fault is not None:
            return False
        data = json.dumps(
            {
                "version": _VERSION,
                "time": self._clock(),
                "text": completion.text,
                "finish_reason": completion.finish_reason,
                "model": completion.model,
                "usage": completion.usage.model_dump(),
                "usage_estimated": completion.usage_estimated,
            }
        ).encode()
        if len(data) > MAX_FILE:
            return False
        try:
            self._write(self._path(key), data)
        except OSError:
            return False
        return True

    def _path(self, key: str) -> Path:
        if len(key) != 64 or not set(key) <= set("0123456789abcdef"):
            raise ValueError("not a key of an answer")
        return self.folder / key[:2] / f"{key}.json"

    @staticmethod
    def _write(path: Path, data: bytes) -> None:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        # mkstemp() gives the file the mode 0600.
        number, name = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".tmp")
        try:
            with os.fdopen(number, "wb") as file:
                file.write(data)
            Path(name).replace(path)
        except BaseException:
            with suppress(OSError):
                Path(name).unlink()
            raise


def _parse(data: bytes) -> CachedAnswer:
    """Return the answer in a file.

    :raises ValueError: it is none
    """
    found = json.loads(data)
    if not isinstance(found, dict) or found.get("version") != _VERSION:
        raise ValueError("another version")
    text, reason, model = found.get("text"), found.get("finish_reason"), found.get("model")
    stored = found.get("time")
    if not (
        isinstance(text, str)
        and isinstance(reason, str | None)
        and isinstance(model, str)
        and isinstance(stored, int | float)
    ):
        raise ValueError("not an answer")
    try:
        usage = Usage.model_validate(found.get("usage"))
    except ValidationError:
        raise ValueError("no usage") from None
    estimated = found.get("usage_estimated") is True
    completion = Completion(text, reason, None, usage, model, estimated, key_name="cache")
    if completion.fault is not None:
        raise ValueError("not a whole answer")
    return CachedAnswer(completion, float(stored))
