"""Records of the spiders ``fields`` and ``reports``, read from a feed of JSON lines, with bounds.

A feed is a file that anybody may have written: a line that is too long, is no JSON or has another
form is shown as what it is, and those after it are read.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, BinaryIO, Literal

from wikicrawler.errors import ConfigError
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

MAX_LINE = 16 << 20
"""Maximum length of a line in bytes that is read; of a longer one is said that it is."""
MAX_BYTES = 64 << 20
"""Maximum number of bytes that are read for a page of records."""
MAX_CONTENT = 500_000
"""Maximum number of characters of the text of a page; evidence behind it has no place in it."""
MAX_FINDINGS = 2_000
MAX_CANDIDATES = 500
_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class Place:
    """Where a value stands."""

    url: str
    start: int
    """Offset of the first character in the text of the page."""
    end: int
    text: str
    method: str
    """``exact``, ``normalised``, ``fuzzy`` or ``structured``."""
    score: float
    path: str | None
    """Where the page's structured data states the value."""
    is_in_content: bool
    """Whether ``content[start:end]`` of the record is :attr:`text`: it can be highlighted."""


@dataclass(frozen=True, slots=True)
class FieldValue:
    """A value of a field from one place."""

    field: str
    value: Any
    url: str
    reason: str | None
    """Why there is no value: ``no_evidence``, ``wrong_type`` …"""
    rejected: Any
    """What the model returned, if it was rejected."""
    marks: tuple[str, ...]
    """Why the value may be injected: ``hidden``, ``addressed``, ``contradicted``."""
    place: Place | None


@dataclass(frozen=True, slots=True)
class FieldsRecord:
    """What was found on a page, or (``crawl``) on a whole site."""

    line: int
    kind: Literal["page", "crawl"]
    url: str
    error: str | None
    partial: str | None
    """Why not all was read."""
    data: Mapping[str, Any]
    findings: tuple[FieldValue, ...]
    conflicts: tuple[FieldValue, ...]
    content: str | None
    """The text that the model read, cut to :data:`MAX_CONTENT`; a stranger's."""
    tier: str | None
    requests: int
    tokens: int
    cost: float | None
    """US dollars; None if the price is not known."""
    pages: int
    """Pages that were read."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A document that a provider offered, with what became of it."""

    rank: int
    """From 1, the best."""
    provider: str
    tier: int | None
    """Quality tier of the provider; 1 is the highest."""
    score: int | None
    """Within the quality tier; 0 is the highest priority."""
    content_type: str
    title: str
    form: str | None
    url: str
    """Or the path of a file."""
    filed: str | None
    note: str
    """Why it was offered."""
    outcome: str | None
    """None: it was not tried, because a better one was verified."""
    detail: str
    is_winner: bool


@dataclass(frozen=True, slots=True)
class Searched:
    """What became of the search of a provider."""

    provider: str
    tier: int | None
    outcome: str
    found: int
    detail: str


@dataclass(frozen=True, slots=True)
class ReportRecord:
    """The report of a company for a fiscal year, or why there is none."""

    line: int
    company: str
    ticker: str | None
    cik: str | None
    year: int | None
    error: str | None
    file: str | None
    """Path of the document in the folder of the reports."""
    sha256: str | None
    size: int | None
    evidence: tuple[str, ...]
    """What of the text names the company and the fiscal year."""
    candidates: tuple[Candidate, ...]
    searches: tuple[Searched, ...]
    omitted: int
    """Candidates that are not shown."""

    @property
    def winner(self) -> Candidate | None:
        return next((one for one in self.candidates if one.is_winner), None)


@dataclass(frozen=True, slots=True)
class OtherRecord:
    """A line that is no record of these spiders."""

    line: int
    why: str
    """As a sentence for people."""


Record = FieldsRecord | ReportRecord | OtherRecord


@dataclass(frozen=True, slots=True)
class Results:
    """Records of a feed, in its order."""

    records: tuple[Record, ...]
    next: tuple[int, int] | None
    """Offset in bytes, and number of the line there, of the next record; None: the end of the
    file."""
    size: int
    """Of the file in bytes."""


def read_results(path: Path, start: tuple[int, int] = (0, 1), limit: int = 20) -> Results:
    """Return at most *limit* records of the feed at *path*.

    Fewer are returned if they have more than :data:`MAX_BYTES` together. The last line counts when
    it has its end: a crawl may be writing it. A symbolic link is not followed.

    :param start: :attr:`Results.next` of the page before
    :raises ConfigError: the file cannot be read
    """
    offset, number = start
    records: list[Record] = []
    try:
        with open(path, "rb", opener=_opened) as file:
            size = file.seek(0, 2)
            file.seek(min(max(0, offset), size))
            first = file.tell()
            for line, end in _lines(file):
                if line.strip():
                    records.append(_record(line, number))
                offset, number = end, number + 1
                if len(records) >= limit or offset - first >= MAX_BYTES:
                    break
    except (OSError, ValueError, OverflowError) as error:
        why = getattr(error, "strerror", None) or "not a file name"
        raise ConfigError(
            f"{one_line(path)}: cannot be read: {why} (name a feed of JSON lines: -O out.jsonl)"
        ) from None
    is_end = offset >= size or (len(records) < limit and offset - first < MAX_BYTES)
    return Results(tuple(records), None if is_end else (offset, number), size)


def _opened(path: str, flags: int) -> int:
    """Open a file without waiting for the writer of a pipe, and without following a link."""
    return os.open(path, flags | os.O_NONBLOCK | os.O_NOFOLLOW)


def _lines(file: BinaryIO) -> Iterator[tuple[bytes, int]]:
    """Yield complete lines, each with the offset behind it. One that is too long is cut."""
    while line := file.readline(MAX_LINE + 1):
        if not line.endswith(b"\n"):
            if len(line) <= MAX_LINE:
                return  # it is being written
            while (rest := file.readline(_CHUNK)) and not rest.endswith(b"\n"):
                pass
            if not rest:
                return
        yield line, file.tell()


def _record(line: bytes, number: int) -> Record:
    if len(line) > MAX_LINE:
        return OtherRecord(number, f"the line has more than {MAX_LINE >> 20} MiB")
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return OtherRecord(number, "the line is not JSON")
    if not isinstance(found, dict):
        return OtherRecord(number, "the line is not a record")
    kind = found.get("type")
    if kind in {"page", "crawl"} and ("findings" in found or "data" in found):
        return _fields(found, number, kind)
    if kind == "report" and isinstance(found.get("company"), dict):
        return _report(found, number)
    name = one_line(kind, 40) if isinstance(kind, str) else "without a type"
    return OtherRecord(number, f"the record is neither of fields nor of a report ({name})")


def _fields(found: Mapping[str, Any], number: int, kind: Literal["page", "crawl"]) -> FieldsRecord:
    content, usage = _text(found.get("content")), _mapping(found.get("usage"))
    url, cost = _text(found.get("url")) or "", usage.get("cost")
    tokens = _number(usage.get("prompt_tokens")) + _number(usage.get("completion_tokens"))
    return FieldsRecord(
        line=number,
        kind=kind,
        url=url,
        error=_text(found.get("error")),
        partial=_text(found.get("partial")),
        data=_mapping(found.get("data")),
        findings=_values(found.get("findings"), url, content),
        conflicts=_values(found.get("conflicts"), url, content),
        content=None if content is None else content[:MAX_CONTENT],
        tier=_text(found.get("tier")),
        requests=_number(usage.get("requests")),
        tokens=tokens,
        cost=_float(cost),
        pages=_number(found.get("pages_scraped")) if kind == "crawl" else 1,
    )


def _values(found: object, url: str, content: str | None) -> tuple[FieldValue, ...]:
    return tuple(
        FieldValue(
            field=_text(one.get("field")) or "",
            value=one.get("value"),
            url=_text(one.get("url")) or url,
            reason=_text(one.get("reason")),
            rejected=one.get("rejected"),
            marks=tuple(mark for mark in _list(one.get("marks")) if isinstance(mark, str)),
            place=_place(one.get("evidence"), content),
        )
        for one in _mappings(found, MAX_FINDINGS)
    )


def _place(found: object, content: str | None) -> Place | None:
    if not isinstance(found, dict):
        return None
    start, end = _number(found.get("start")), _number(found.get("end"))
    text, score = _text(found.get("text")) or "", found.get("score")
    is_there = content is not None and 0 <= start < end <= MAX_CONTENT
    return Place(
        url=_text(found.get("url")) or "",
        start=start,
        end=end,
        text=text,
        method=_text(found.get("method")) or "",
        score=_float(score) or 0.0,
        path=_text(found.get("path")),
        is_in_content=is_there and content is not None and content[start:end] == text,
    )


def _report(found: Mapping[str, Any], number: int) -> ReportRecord:
    company, year = found["company"], found.get("year")
    attempts = {
        one["rank"]: one
        for one in _mappings(found.get("attempts"), MAX_CANDIDATES)
        if isinstance(one.get("rank"), int)
    }
    offered = _list(found.get("candidates"))
    size = found.get("size")
    return ReportRecord(
        line=number,
        company=_text(company.get("name")) or "",
        ticker=_text(company.get("ticker")),
        cik=_text(company.get("cik")),
        year=year if isinstance(year, int) else None,
        error=_text(found.get("error")),
        file=_text(found.get("local_path")),
        sha256=_text(found.get("sha256")),
        size=size if isinstance(size, int) else None,
        evidence=tuple(one for one in _list(found.get("evidence")) if isinstance(one, str)),
        candidates=tuple(
            _candidate(rank, one, attempts.get(rank))
            for rank, one in enumerate(offered[:MAX_CANDIDATES], 1)
            if isinstance(one, dict)
        ),
        searches=tuple(
            Searched(
                provider=_text(one.get("provider")) or "",
                tier=_optional(one.get("tier")),
                outcome=_text(one.get("outcome")) or "",
                found=_number(one.get("found")),
                detail=_text(one.get("detail")) or "",
            )
            for one in _mappings(found.get("searches"), MAX_CANDIDATES)
        ),
        omitted=max(0, len(offered) - MAX_CANDIDATES),
    )


def _candidate(rank: int, one: Mapping[str, Any], attempt: Mapping[str, Any] | None) -> Candidate:
    outcome = _text(attempt.get("outcome")) or "" if attempt else None
    return Candidate(
        rank=rank,
        provider=_text(one.get("provider")) or "",
        tier=_optional(one.get("tier")),
        score=_optional(one.get("priority_score")),
        content_type=_text(one.get("content_type")) or "",
        title=_text(one.get("title")) or "",
        form=_text(one.get("form")),
        url=_text(one.get("url")) or _text(one.get("path")) or "",
        filed=_text(one.get("filed")),
        note=_text(one.get("note")) or "",
        outcome=outcome,
        detail=_text(attempt.get("detail")) or "" if attempt else "",
        is_winner=outcome == "ok",
    )


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _float(value: object) -> float | None:
    """Return a number as it is; None for anything else, and for what is no amount."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not abs(value) < 1e15:
        return None
    return float(value)


def _number(value: object) -> int:
    return int(_float(value) or 0)


def _optional(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _mappings(value: object, most: int) -> list[Mapping[str, Any]]:
    return [one for one in _list(value)[:most] if isinstance(one, dict)]
