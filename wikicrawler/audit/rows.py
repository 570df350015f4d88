"""Operations, records and sums of the audit log as rows of tables, and for JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wikicrawler.store.audit_queries import Operation
    from wikicrawler.store.audit_search import Record
    from wikicrawler.store.audit_summaries import Summary

COLUMNS = (
    *("sequence", "timestamp", "manifest_id", "operation", "engine", "method", "url", "page_url"),
    *("final_url", "http_status", "failed", "error", "bytes", "response_time_ms", "retry_count"),
    *("credits_consumed", "request_hash", "response_hash", "run_id", "hash"),
    *("content_hash", "content_changed", "staged_path"),
)
"""Of an operation."""
CONTROL_COLUMNS = (
    *("sequence", "timestamp", "action", "subject", "manifest_id", "by", "via", "detail"),
    *("run_id", "hash"),
)
"""Of what an operator did."""
RECORD_COLUMNS = (*COLUMNS, "kind", "of_sequence", "action", "subject", "by", "via", "detail")
"""Of a record of any kind."""
SUMMARY_COLUMNS = (
    *("group", "operations", "failures", "failure_rate", "p50_ms", "p95_ms", "bytes", "credits"),
    *("observed", "changed", "observed_days", "changed_days", "change_rate"),
)
_OUTCOME = ("content_hash", "content_changed", "staged_path")


def operation_data(operation: Operation) -> dict[str, Any]:
    """Return an operation for JSON."""
    return {**operation.fields, "hash": operation.hash, "outcome": operation.outcome}


def operation_row(operation: Operation) -> dict[str, Any]:
    """Return an operation for CSV."""
    outcome = operation.outcome or {}
    found = {name: outcome.get(name) for name in _OUTCOME}
    return {**operation.fields, "hash": operation.hash, **found}


def control_row(fields: dict[str, Any]) -> dict[str, Any]:
    """Return what an operator did for CSV."""
    return fields | {"detail": json.dumps(fields["detail"])}


def record_data(record: Record, outcome: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return a record for JSON; an operation with its *outcome*."""
    found = {**record.fields, "hash": record.hash}
    return found | {"outcome": outcome} if record.fields["kind"] == "request" else found


def record_row(record: Record, outcome: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return a record for CSV; an operation with its *outcome*."""
    found = {**record.fields, "hash": record.hash}
    if outcome is not None:
        found |= {name: outcome.get(name) for name in _OUTCOME}
    return control_row(found) if "detail" in found else found


def summary_row(summary: Summary) -> dict[str, Any]:
    """Return a summary for JSON and CSV."""
    found = {name: getattr(summary, name) for name in SUMMARY_COLUMNS}
    for name in ("failure_rate", "p50_ms", "p95_ms", "change_rate"):
        if found[name] is not None:
            found[name] = round(found[name], 4)
    return found
