"""Brings the rows of a journal into its Parquet file."""

from __future__ import annotations

import json
import os
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from pyarrow import parquet

from wikicrawler.errors import ConfigError
from wikicrawler.feeds.line_file import mend
from wikicrawler.feeds.parquet.journal import BATCH_BYTES, journal_of, read_header, read_rows
from wikicrawler.feeds.parquet.schema import (
    PAGE_SCHEMA,
    Columns,
    adapted,
    is_page,
    page_table,
    table_of,
)
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from wikicrawler.feeds.parquet.journal import Header

_JOURNALS = b"wikicrawler.journals"
"""Key of the file's metadata: JSON of an object, the bytes that the file has of each journal."""
_MAX_COPIED_ROWS = 4096
"""Rows of an earlier file that are read at a time, at most."""


@dataclass(frozen=True, slots=True)
class _Plan:
    """What comes into a file: its own rows, if they stay, and those bytes of the journal."""

    path: Path
    journal: Path
    start: int
    end: int
    known: dict[str, int]
    """Bytes that the file has of each journal."""
    keeps_old: bool

    def rows(self) -> Iterator[list[dict[str, Any]]]:
        return read_rows(self.journal, self.start, self.end)


def check_file(path: Path) -> None:
    """
    :raises ConfigError: there is a file at *path*, and it is no Parquet file
    """
    if path.is_file() and path.stat().st_size:
        _journals_in(path)


def consumed(path: Path) -> dict[str, int]:
    """Return how many bytes of each journal, by its id, the Parquet file at *path* has.

    :raises ConfigError: the file is no Parquet file
    """
    return _journals_in(path) if path.is_file() and path.stat().st_size else {}


def complete(path: Path, *, is_end: bool = True) -> int:
    """Bring the rows of its journal into the Parquet file at *path*, and remove the journal.

    The file is replaced at once, and has all of the rows or is as it was. The caller holds the
    journal's lock. A kill at any moment loses and doubles no row: the file names the journals that
    it has the rows of. In memory is one row group.

    :param is_end: whether the crawl has ended; else the journal stays if the crawl can go on
    :return: the number of rows in the file
    :raises FileNotFoundError: there is no journal
    :raises ConfigError: the file or the journal is damaged
    :raises OSError: it cannot be written
    """
    journal = journal_of(path)
    header = read_header(journal)
    if header is None:
        raise FileNotFoundError(journal)
    mend(journal)
    plan = _plan(path, journal, header)
    if plan.start < plan.end or not plan.keeps_old:
        plan.known[header.id] = plan.end
        try:
            rows = _write(plan)
        except pa.ArrowException as error:
            raise ConfigError(
                f"{one_line(path)}: cannot be written: {one_line(error)} (write to another file)"
            ) from None
    else:
        rows = parquet.read_metadata(path).num_rows
    if is_end or not header.resumes:
        journal.unlink()
    return rows


def _plan(path: Path, journal: Path, header: Header) -> _Plan:
    """Return what of the journal is new, the journals in the file, and whether its rows stay."""
    end = journal.stat().st_size
    try:
        known = consumed(path)
    except ConfigError:
        if not header.replaces:
            raise
        known = {}
    if header.id in known:  # killed before the journal was removed
        return _Plan(path, journal, max(known[header.id], header.size), end, known, keeps_old=True)
    keeps_old = not header.replaces and path.is_file() and path.stat().st_size > 0
    known = known if keeps_old else {}
    return _Plan(path, journal, header.size, end, known, keeps_old=keeps_old)


def _write(plan: _Plan) -> int:
    old = parquet.read_schema(plan.path).remove_metadata() if plan.keeps_old else None
    if old is None or old.equals(PAGE_SCHEMA):
        with suppress(_NotPagesError):
            return _write_rows(plan, PAGE_SCHEMA, _pages)
    columns = Columns()
    if old is not None:
        columns.add_schema(old)
    for rows in plan.rows():
        columns.add(rows)
    schema = columns.schema(old)
    return _write_rows(plan, schema, lambda rows: table_of(rows, schema))


def _write_rows(
    plan: _Plan, schema: pa.Schema, table: Callable[[list[dict[str, Any]]], pa.Table]
) -> int:
    """Write a new file; return its number of rows.

    :param table: makes columns of rows of the journal
    """
    metadata = {_JOURNALS: json.dumps(plan.known).encode()}
    count = 0
    with (
        _replaced(plan.path) as new,
        parquet.ParquetWriter(new, schema.with_metadata(metadata), compression="zstd") as writer,
    ):
        for one in _old_tables(plan.path, schema) if plan.keeps_old else ():
            writer.write_table(one, row_group_size=max(1, len(one)))
            count += len(one)
        for rows in plan.rows():
            writer.write_table(table(rows), row_group_size=len(rows))
            count += len(rows)
    return count


class _NotPagesError(Exception):
    """The rows are not all those of pages."""


def _pages(rows: list[dict[str, Any]]) -> pa.Table:
    if not all(map(is_page, rows)):
        raise _NotPagesError
    try:
        return page_table(rows)
    except (ValueError, TypeError, LookupError, AttributeError, OverflowError, pa.ArrowException):
        raise _NotPagesError from None


def _old_tables(path: Path, schema: pa.Schema) -> Iterator[pa.Table]:
    """Yield the rows of the earlier file, in row groups of a bounded size."""
    gathered: list[pa.Table] = []
    size = 0
    with parquet.ParquetFile(path) as file:
        for batch in _batches(file):
            one = adapted(pa.Table.from_batches([batch]), schema)
            if gathered and size + one.nbytes > BATCH_BYTES:
                yield pa.concat_tables(gathered)
                gathered, size = [], 0
            gathered.append(one)
            size += one.nbytes
    if gathered:
        yield pa.concat_tables(gathered)


def _batches(file: parquet.ParquetFile) -> Iterator[pa.RecordBatch]:
    for number in range(file.num_row_groups):
        group = file.metadata.row_group(number)
        size = group.total_byte_size // max(1, group.num_rows)
        rows = min(_MAX_COPIED_ROWS, max(1, BATCH_BYTES // max(1, size)))
        yield from file.iter_batches(batch_size=rows, row_groups=[number])


@contextmanager
def _replaced(path: Path) -> Iterator[Path]:
    """Yield a path for a file that replaces the one at *path* if all goes well."""
    new = path.with_name(f"{path.name}.new")
    try:
        yield new
        with new.open("rb+") as file:
            os.fsync(file.fileno())
        with suppress(OSError):
            new.chmod(path.stat().st_mode & 0o777)
        new.replace(path)
        _sync_folder(path.parent)
    except BaseException:
        with suppress(OSError):
            new.unlink()
        raise


def _sync_folder(folder: Path) -> None:
    with suppress(OSError):
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


def _journals_in(path: Path) -> dict[str, int]:
    try:
        metadata = parquet.read_metadata(path).metadata or {}
        found = json.loads(metadata.get(_JOURNALS, b"{}"))
    except (pa.ArrowException, ValueError):
        raise ConfigError(
            f"{one_line(path)}: is no Parquet file (overwrite it with -O, or write to another file)"
        ) from None
    return {str(name): int(size) for name, size in found.items()}
