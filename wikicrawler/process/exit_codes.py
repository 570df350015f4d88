"""Exit codes of the project's ``scrapy crawl``; ``docs/operations.md`` has the table."""

from __future__ import annotations

from enum import IntEnum
from signal import SIGINT
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

OUT_OF_SPACE = "out_of_space"
OUTPUT_FAILED = "output_failed"
STATE_FAILED = "state_failed"
AUDIT_FAILED = "audit_failed"
MODEL_FAILED = "model_failed"
"""Finish reasons (stat ``finish_reason``) of a crawl that stopped because a write failed, or the
model that reads its pages."""


STOPPED = "job/stop_requested"
"""Stat of a crawl that an operator stopped by its job, as by Ctrl-C."""


class ExitCode(IntEnum):
    """Exit codes of a crawl, besides 128 + N if signal N stopped it (130 Ctrl-C, 143 SIGTERM)."""

    OK = 0
    """The crawl finished or reached one of its limits; some pages may have been skipped."""
    FAILED = 1
    """The crawl could not start, or a part of it that it cannot do without failed; the log has the
    reason."""
    BAD_CONFIGURATION = 2
    NOTHING_WRITTEN = 3
    """The crawl finished, and every page was skipped."""
    OUTPUT_FAILED = 4
    """The crawl stopped because a page could not be written: disk full, closed pipe, read-only."""
    STATE_LOCKED = 5
    """The crawl did not start: another process uses the state folder."""
    STATE_UNUSABLE = 6
    """The crawl did not start or stopped: the state folder cannot be read or written, or its
    database lost committed data."""
    AUDIT_FAILED = 7
    """The crawl did not start or stopped: the audit log cannot be written."""


_REASONS = {
    OUT_OF_SPACE: ExitCode.OUTPUT_FAILED,
    OUTPUT_FAILED: ExitCode.OUTPUT_FAILED,
    STATE_FAILED: ExitCode.STATE_UNUSABLE,
    AUDIT_FAILED: ExitCode.AUDIT_FAILED,
    MODEL_FAILED: ExitCode.FAILED,
    "start_error": ExitCode.FAILED,
}


def exit_code(stats: Mapping[str, Any], signal: int | None) -> int:
    """Return the exit code of a crawl that has started.

    :param stats: Scrapy's final stats; without ``finish_reason`` if the crawl was interrupted
    :param signal: number of the signal that stopped the crawl, or None
    """
    names = ("frontier/failed", "frontier/output_failed", "audit/failed", "finish_reason")
    reason = next((stats[name] for name in names if stats.get(name)), None)
    if reason in _REASONS:
        return _REASONS[reason]
    if reason == "shutdown" and stats.get(STOPPED):
        signal = signal or SIGINT
    if reason in {"shutdown", None} and signal is not None:
        return 128 + signal
    if reason == "shutdown":  # Scrapy has stopped after an error, which it has logged
        return ExitCode.FAILED
    if any(key.startswith("feedexport/failed_count/") for key in stats):
        return ExitCode.OUTPUT_FAILED
    if reason == "finished" and _is_fruitless(stats):
        return ExitCode.NOTHING_WRITTEN
    return ExitCode.OK


def _is_fruitless(stats: Mapping[str, Any]) -> bool:
    """Return whether every page was skipped, none could be read for its fields, or no report was
    found."""
    if stats.get("reports/missing"):
        return not stats.get("reports/found") and not stats.get("frontier/resumed")
    if stats.get("fields/pages/failed"):
        return not stats.get("fields/pages/read") and not stats.get("frontier/resumed")
    return bool(stats.get("wikicrawler/skipped/count")) and not any(
        stats.get(name)
        for name in ("item_scraped_count", "frontier/resumed", "wikicrawler/since/pages/unchanged")
    )
