"""What ``scrapy crawl`` of the project exits with; ``docs/operations.md`` has the table."""

from __future__ import annotations

from enum import IntEnum
from signal import SIGTERM
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

OUT_OF_SPACE = "out_of_space"
OUTPUT_FAILED = "output_failed"
STATE_FAILED = "state_failed"
"""Finish reasons of a crawl that stopped because it could not write (stat ``finish_reason``)."""


class ExitCode(IntEnum):
    """Beside these, 128 + N where signal N stopped the crawl (130 Ctrl-C, 143 SIGTERM)."""

    OK = 0
    """Ran to its end or to a limit of its own; single pages may have been skipped."""
    FAILED = 1
    """Could not start, or its start failed, for a reason that the log has."""
    BAD_CONFIGURATION = 2
    NOTHING_WRITTEN = 3
    """Ran to its end, and every page that it asked for was skipped."""
    OUTPUT_FAILED = 4
    """Stopped because a page could not be written: disk full, closed pipe, read-only."""
    STATE_LOCKED = 5
    """Did not start: another process crawls with the same state folder."""
    STATE_UNUSABLE = 6
    """Did not start, or stopped: the state folder cannot be read or written, or its database lost
    what the crawl wrote."""


_REASONS = {
    OUT_OF_SPACE: ExitCode.OUTPUT_FAILED,
    OUTPUT_FAILED: ExitCode.OUTPUT_FAILED,
    STATE_FAILED: ExitCode.STATE_UNUSABLE,
    "start_error": ExitCode.FAILED,
}


def exit_code(stats: Mapping[str, Any], signal: int | None) -> int:
    """The exit code of a crawl that started.

    :param stats: Scrapy's, at the end; without ``finish_reason`` where it was broken off
    :param signal: number of the signal that asked it to stop, if one did
    """
    names = ("frontier/failed", "frontier/output_failed", "finish_reason")
    reason = next((stats[name] for name in names if stats.get(name)), None)
    if reason in _REASONS:
        return _REASONS[reason]
    if reason == "shutdown" or (reason is None and signal is not None):
        return 128 + (signal or SIGTERM)
    if any(key.startswith("feedexport/failed_count/") for key in stats):
        return ExitCode.OUTPUT_FAILED
    if (
        reason == "finished"
        and stats.get("wikicrawler/skipped/count")
        and not stats.get("item_scraped_count")
        and not stats.get("frontier/resumed")
    ):
        return ExitCode.NOTHING_WRITTEN
    return ExitCode.OK
