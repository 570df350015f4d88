"""Groups of lines, one for each page, of which none is ever torn."""

from __future__ import annotations

import json
import logging
import os
from typing import IO, TYPE_CHECKING, Any

from wikicrawler.feeds.line_file import begin_of_last_line, mend
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from pathlib import Path

logger = logging.getLogger(__name__)

NEEDED = ("url", "index", "count", "content_hash")
"""Fields of a line that show which group it belongs to, and whether the group is whole."""


def mend_groups(path: Path) -> None:
    """Cut the torn last line of the file at *path*, and the torn last group, which a killed process
    left: of the chunks of a page all are in the file, or none.

    :raises OSError: it cannot be read or written
    """
    mend(path)
    with path.open("rb+") as file:
        end = file.seek(0, os.SEEK_END)
        begin, last = _line_before(file, end)
        if last is None or last["index"] + 1 >= last["count"]:
            return
        lines = 1
        while begin > 0:
            before, line = _line_before(file, begin)
            if line is None or line != last | {"index": last["index"] - lines}:
                break
            begin = before
            lines += 1
        logger.warning(
            "%s: the chunks of its last page were torn: %d lines of %d are cut",
            one_line(path),
            lines,
            last["count"],
        )
        file.truncate(begin)


def group_place(record: dict[str, Any]) -> dict[str, Any] | None:
    """Return what *record*, a line of a feed, says about its group (:data:`NEEDED`); None if it is
    no line of a group."""
    if any(type(record.get(name)) is not int for name in ("index", "count")):
        return None
    if not isinstance(record.get("url"), str) or "start" not in record:
        return None
    return {name: record.get(name) for name in NEEDED}


def _line_before(file: IO[bytes], end: int) -> tuple[int, dict[str, Any] | None]:
    """Return where the line begins that ends at *end*, and its place in its group."""
    if not end:
        return 0, None
    begin = begin_of_last_line(file.fileno(), end - 1)
    try:
        record = json.loads(os.pread(file.fileno(), end - begin, begin))
    except (ValueError, RecursionError):
        return begin, None
    return begin, group_place(record) if isinstance(record, dict) else None
