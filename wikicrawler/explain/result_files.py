"""Which files of a project are feeds of the spiders ``fields`` and ``reports``.

The operator names files, folders and patterns. What stands there may have been written by anybody:
a few lines of each file say what it is, and nothing outside of a named folder is opened.
"""

from __future__ import annotations

import json
import os
import re
import stat
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from hashlib import sha256
from heapq import nlargest
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from wikicrawler.errors import ConfigError
from wikicrawler.text.safe import one_line, quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MAX_MATCHES = 20_000
"""Maximum number of files of a pattern that are compared by their time."""
MAX_FILES = 200
"""Maximum number of files that are looked into, the newest ones."""
MAX_HEAD = 256 << 10
"""Bytes at the beginning of a file that say what it is."""
MAX_LINES = 20
_IN_FOLDER = ("*.jsonl", "*.jsonlines", "*.jl")
"""Which files of a folder that is named are feeds."""
_WILD = re.compile(r"[*?\[]")
_BEGINNING = re.compile(rb'\s*+\{\s*+"type"\s*+:\s*+"(page|crawl|report)"')
_TOKEN_LENGTH = 16


class Kind(StrEnum):
    """The spider that writes records of a form."""

    FIELDS = "fields"
    REPORTS = "reports"


@dataclass(frozen=True, slots=True)
class ResultFile:
    """A feed."""

    token: str
    """Names the file in a URL: a part of the SHA-256 of its path."""
    name: str
    """Relative to the folder of the project, if it is within it."""
    path: Path
    """Without symbolic links."""
    size: int
    """In bytes."""
    changed_at: float
    """Seconds since the epoch."""
    kinds: frozenset[Kind]
    is_torn: bool
    """Whether its last line has no end: a crawl is writing it, or was killed."""


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file that is named, and not read."""

    name: str
    why: str


@dataclass(frozen=True, slots=True)
class ResultFiles:
    """What the names of the operator lead to."""

    files: tuple[ResultFile, ...]
    """Those with records of any kind, the newest first."""
    skipped: tuple[Skipped, ...]
    left_out: int
    """Older files that were not looked into."""

    def of(self, kind: Kind) -> tuple[ResultFile, ...]:
        return tuple(one for one in self.files if kind in one.kinds)

    def named(self, token: str) -> ResultFile | None:
        return next((one for one in self.files if one.token == token), None)


@dataclass(frozen=True, slots=True)
class _Found:
    path: Path
    changed_at: float
    name: str
    facts: os.stat_result


def find_result_files(names: Iterable[str], root: Path) -> ResultFiles:
    """Return the feeds among the files that *names* mean.

    :param names: files, folders and patterns (``feeds/*.jsonl``), relative to *root*
    :param root: folder of the project
    :raises ConfigError: a name is no pattern
    """
    skipped: dict[str, Skipped] = {}
    found: dict[Path, _Found] = {}
    for name in names:
        for path, inside in _matches(name, root):
            one = _looked_at(path, inside, root)
            if isinstance(one, Skipped):
                skipped.setdefault(one.name, one)
            else:
                found.setdefault(one.path, one)
    newest = nlargest(MAX_FILES, found.values(), key=lambda one: (one.changed_at, one.name))
    files = []
    for one in newest:
        try:
            kinds, is_torn = _looked_into(
                str(one.path), one.facts.st_ino, one.facts.st_mtime_ns, one.facts.st_size
            )
        except OSError as error:
            skipped[one.name] = Skipped(one.name, f"cannot be read: {error.strerror}")
            continue
        if not kinds:
            why = "is empty" if not one.facts.st_size else "has no records of fields or reports"
            skipped[one.name] = Skipped(one.name, f"{why} (looked for in its first lines)")
            continue
        token = sha256(os.fsencode(one.path)).hexdigest()[:_TOKEN_LENGTH]
        size = one.facts.st_size
        files.append(ResultFile(token, one.name, one.path, size, one.changed_at, kinds, is_torn))
    return ResultFiles(tuple(files), tuple(skipped.values()), max(0, len(found) - len(newest)))


def _matches(name: str, root: Path) -> Iterator[tuple[Path, Path | None]]:
    """Yield what a name means, each with the folder that it must not leave."""
    if not name:
        return
    if "\0" in name:
        raise ConfigError(f"{quoted(name)} is not the name of a file, a folder or a pattern")
    path, parts = root / name, Path(name).parts
    wild = next((at for at, part in enumerate(parts) if _WILD.search(part)), None)
    if wild is not None and not os.path.lexists(path):
        yield from _globbed(root.joinpath(*parts[:wild]), str(Path(*parts[wild:])), name)
        return
    if os.path.isdir(path):  # noqa: PTH112 - a name that is too long raises there
        for pattern in _IN_FOLDER:
            yield from _globbed(path, pattern, name)
    else:
        yield path, None


def _globbed(folder: Path, pattern: str, name: str) -> Iterator[tuple[Path, Path | None]]:
    try:
        for path in islice(folder.glob(pattern), MAX_MATCHES):
            yield path, folder
    except OSError:
        return  # a folder that is gone or closed has no files
    except (ValueError, NotImplementedError):
        raise ConfigError(
            f"{quoted(name)} is not a pattern (like feeds/*.jsonl, or feeds/**/*.jsonl)"
        ) from None


def _looked_at(path: Path, inside: Path | None, root: Path) -> _Found | Skipped:
    name = _name(path, root)
    try:
        real = path.resolve(strict=True)
        if inside is not None and not real.is_relative_to(inside.resolve()):
            return Skipped(name, "is a symbolic link that leads out of its folder")
        facts = real.stat()
    except (OSError, RuntimeError) as error:  # RuntimeError: links in a circle
        return Skipped(name, getattr(error, "strerror", None) or "is a link to itself")
    if not stat.S_ISREG(facts.st_mode):
        return Skipped(name, "is not a regular file")
    return _Found(real, facts.st_mtime, name, facts)


def _name(path: Path, root: Path) -> str:
    try:
        return one_line(path.relative_to(root))
    except ValueError:
        return one_line(path)


@lru_cache(maxsize=4 * MAX_FILES)
def _looked_into(path: str, inode: int, changed: int, size: int) -> tuple[frozenset[Kind], bool]:
    """Return the kinds of records of a file, and whether its last line has no end.

    :param inode: with *changed* and *size*, what tells that the file is another one by now
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode) or not size:
            return frozenset(), False
        head = file.read(MAX_HEAD)
        file.seek(-1, os.SEEK_END)
        is_torn = file.read(1) != b"\n"
    lines = head.split(b"\n", MAX_LINES)[:MAX_LINES]
    kinds = {_kind_of(line) for line in lines if line.strip()}
    return frozenset(kind for kind in kinds if kind), is_torn


def _kind_of(line: bytes) -> Kind | None:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return _kind_of_cut(line)
    if not isinstance(found, dict):
        return None
    kind = found.get("type")
    if kind in ("page", "crawl") and ("findings" in found or "data" in found):
        return Kind.FIELDS
    return Kind.REPORTS if kind == "report" and isinstance(found.get("company"), dict) else None


def _kind_of_cut(line: bytes) -> Kind | None:
    """Return what a line is whose beginning alone was read: spiders write the type first."""
    begins = _BEGINNING.match(line)
    if begins is None:
        return None
    if begins[1] == b"report":
        return Kind.REPORTS if b'"company"' in line else None
    return Kind.FIELDS if b'"data"' in line or b'"findings"' in line else None
