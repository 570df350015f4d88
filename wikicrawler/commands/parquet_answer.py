"""What ``scrapy parquet`` does."""

from __future__ import annotations

import sys
from pathlib import Path

from scrapy.exceptions import UsageError

from wikicrawler.errors import ConfigError
from wikicrawler.feeds.parquet.feed import check_parquet_file
from wikicrawler.feeds.parquet.journal import JournalLock, journal_of
from wikicrawler.process.exit_codes import ExitCode
from wikicrawler.text.safe import one_line, safe_lines


def answer(args: list[str]) -> int:
    """Complete the Parquet file; return the exit code.

    :raises UsageError: there is not one file
    """
    if len(args) != 1:
        raise UsageError("the file is needed: scrapy parquet pages.parquet")
    path = Path(args[0])
    try:
        rows = _completed(path)
    except ConfigError as error:
        sys.stderr.write(f"scrapy parquet: error: {safe_lines(error)}\n")
        return ExitCode.BAD_CONFIGURATION
    except OSError as error:
        why = one_line(error.strerror or error)
        sys.stderr.write(f"scrapy parquet: error: {one_line(path)}: cannot be written: {why}\n")
        return ExitCode.OUTPUT_FAILED
    journal = journal_of(path)
    stays = f" ({one_line(journal.name)} stays: the crawl can go on)" if journal.exists() else ""
    sys.stdout.write(f"{one_line(path)}: {rows} rows{stays}\n")
    return ExitCode.OK


def _completed(path: Path) -> int:
    """Return the number of rows of the file.

    :raises ConfigError: there is no journal, a crawl writes it, or a file is damaged
    :raises OSError: the file cannot be written
    """
    check_parquet_file(path, appends=False)
    from wikicrawler.feeds.parquet.complete import complete  # noqa: PLC0415 - needs pyarrow

    journal = journal_of(path)
    try:
        lock = JournalLock(journal)
    except FileNotFoundError:
        raise ConfigError(
            f"{one_line(path)}: has no journal {one_line(journal.name)}: "
            + ("it is complete" if path.is_file() else "name the file of a crawl")
        ) from None
    except BlockingIOError:
        raise ConfigError(f"{one_line(path)}: a crawl writes to it (let it end)") from None
    try:
        return complete(path, is_end=False)
    finally:
        lock.release()
