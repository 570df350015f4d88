"""What ``scrapy merge`` does."""

from __future__ import annotations

import gzip
import os
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING

from scrapy.exceptions import UsageError

from wikicrawler.errors import ConfigError
from wikicrawler.feeds.merge import merged
from wikicrawler.process.exit_codes import ExitCode
from wikicrawler.text.safe import one_line, safe_lines

if TYPE_CHECKING:
    from collections.abc import Iterable


def answer(feeds: list[str], output: str | None) -> int:
    """Write the feeds as one; return the exit code.

    :raises UsageError: there is no feed
    """
    if not feeds:
        raise UsageError("a feed is needed: scrapy merge pages.jsonl changes.jsonl")
    lines = merged([Path(feed) for feed in feeds])
    try:
        if output is None:
            _print(lines)
        else:
            _write(Path(output), lines)
    except ConfigError as error:
        sys.stderr.write(f"scrapy merge: error: {safe_lines(error)}\n")
        return ExitCode.BAD_CONFIGURATION
    except OSError as error:
        name = one_line(output) if output is not None else "standard output"
        sys.stderr.write(f"scrapy merge: error: {name}: cannot be written: {error.strerror}\n")
        return ExitCode.OUTPUT_FAILED
    return ExitCode.OK


def _print(lines: Iterable[bytes]) -> None:
    out = sys.stdout.buffer
    try:
        out.writelines(lines)
        out.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for the flush at exit


def _write(path: Path, lines: Iterable[bytes]) -> None:
    """Write *lines* to the file at *path*, with gzip where its name ends with ``.gz``."""
    target = path.resolve()  # a link stays one
    if target.exists() and not target.is_file():
        with target.open("wb") as device:
            _write_to(device, lines, is_gzip=path.suffix == ".gz")
    else:
        _replace(target, lines, is_gzip=path.suffix == ".gz")


def _replace(path: Path, lines: Iterable[bytes], *, is_gzip: bool) -> None:
    """Write *lines* to the file at *path*, which has all of them or is as it was."""
    number, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with open(number, "wb") as file:  # noqa: PTH123 - it has no path yet that counts
            _take_owner(file.fileno(), path)
            os.fchmod(file.fileno(), _mode(path))
            _write_to(file, lines, is_gzip=is_gzip)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        with suppress(OSError):
            Path(name).unlink()
        raise


def _write_to(file: IO[bytes], lines: Iterable[bytes], *, is_gzip: bool) -> None:
    if not is_gzip:
        file.writelines(lines)
        return
    with gzip.open(file, "wb") as packed:
        packed.writelines(lines)


def _take_owner(number: int, path: Path) -> None:
    """Give the open file *number* the owner and group of the file at *path*, as far as allowed."""
    with suppress(OSError):
        found = path.stat()
        for owner in ((-1, found.st_gid), (found.st_uid, -1)):
            with suppress(OSError):
                os.fchown(number, *owner)


def _mode(path: Path) -> int:
    """Return the permissions of the file at *path*, or those of a new one."""
    with suppress(OSError):
        return path.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
