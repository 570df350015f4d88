"""What was found and tried for a report, as text, from the record of the crawl."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wikicrawler.explain.columns import entry, heading, paragraph, table
from wikicrawler.explain.report_words import NOT_TRIED, VERIFIED

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_MAX_CANDIDATES = 50
_MAX_TITLE = 44
"""Characters of a document's title in the table."""


def is_report(record: Mapping[str, Any]) -> bool:
    """Return whether *record*, one of a feed, is that of a report."""
    return record.get("type") == "report" and isinstance(record.get("company"), dict)


def is_about(record: Mapping[str, Any], company: str) -> bool:
    """Return whether the report is one of *company*: its ticker, its CIK, or a part of its name."""
    facts, asked = record["company"], company.strip().casefold()
    if asked.isdigit():
        return bool(str(facts.get("cik") or "").lstrip("0") == asked.lstrip("0"))
    ticker, name = (str(facts.get(one) or "").casefold() for one in ("ticker", "name"))
    return asked == ticker or (bool(asked) and asked in name)


def report_lines(record: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines about a report: the document, the providers, the candidates, and why the
    winner won."""
    yield heading(f"{_label(record['company'])}, fiscal year {record.get('year')}")
    if record.get("error"):
        yield from entry("no report", str(record["error"]))
    else:
        yield from _document(record)
    for note in _dicts(record, "searches"):
        yield from entry("asked", _search(note))
    attempts = {one.get("rank"): one for one in _dicts(record, "attempts")}
    candidates = _dicts(record, "candidates")
    if candidates:
        yield ""
        heads = ("rank", "tier", "score", "provider", "type", "document", "result")
        rows = [
            _row(rank, one, attempts.get(rank))
            for rank, one in enumerate(candidates[:_MAX_CANDIDATES], 1)
        ]
        yield from table(heads, rows, left={3, 4, 5, 6})
    if len(candidates) > _MAX_CANDIDATES:
        yield from paragraph(f"and {len(candidates) - _MAX_CANDIDATES:,} more")
    yield from _reasons(candidates, attempts)


def _document(record: Mapping[str, Any]) -> Iterator[str]:
    source = record.get("source") or {}
    yield from entry("report", f"{_title(source)}, {record.get('size', 0):,} bytes")
    yield from entry("from", str(source.get("url") or source.get("path") or ""))
    yield from entry("file", str(record.get("local_path")))
    yield from entry("sha256", str(record.get("sha256")))
    for quote in record.get("evidence") or ():
        yield from entry("evidence", str(quote))


def _search(note: Mapping[str, Any]) -> str:
    who = f"{note.get('provider')} (tier {note.get('tier')})"
    if note.get("outcome") == "ok":
        found = note.get("found", 0)
        return f"{who}: {found} candidate{'' if found == 1 else 's'}"
    detail = note.get("detail")
    return f"{who}: {note.get('outcome')}" + (f": {detail}" if detail else "")


def _row(
    rank: int, source: Mapping[str, Any], attempt: Mapping[str, Any] | None
) -> tuple[str, ...]:
    kind = str(source.get("content_type")).rpartition("/")[2]
    outcome = str(attempt.get("outcome")) if attempt else NOT_TRIED
    title = _title(source)
    return (
        str(rank),
        str(source.get("tier")),
        str(source.get("priority_score")),
        str(source.get("provider")),
        kind,
        title if len(title) <= _MAX_TITLE else f"{title[: _MAX_TITLE - 1]}…",
        outcome,
    )


def _reasons(
    candidates: list[Mapping[str, Any]], attempts: Mapping[Any, Mapping[str, Any]]
) -> Iterator[str]:
    """Yield why each candidate that was tried was offered, and what became of it."""
    for rank, source in enumerate(candidates, 1):
        attempt = attempts.get(rank)
        if attempt is None:
            continue
        detail = attempt.get("detail")
        outcome = f"{attempt.get('outcome')}" + (f": {detail}" if detail else "")
        if attempt.get("outcome") == "ok":
            outcome = VERIFIED
        note = source.get("note")
        yield from entry(f"rank {rank}", f"{outcome}" + (f" (offered: {note})" if note else ""))


def _title(source: Mapping[str, Any]) -> str:
    parts = [str(source.get("form") or ""), str(source.get("title") or "")]
    if not any(parts):
        parts = [str(source.get("url") or source.get("path") or "").rpartition("/")[2]]
    if source.get("filed"):
        parts.append(f"filed {source['filed']}")
    return ", ".join(part for part in parts if part)


def _label(company: Mapping[str, Any]) -> str:
    name = company.get("name")
    others = [company.get("ticker"), f"CIK {company['cik']}" if company.get("cik") else None]
    known = [str(one) for one in others if one]
    if not name:
        return " ".join(known)
    return f"{name} ({', '.join(known)})" if known else str(name)


def _dicts(record: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    found = record.get(name)
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []
