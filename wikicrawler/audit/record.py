"""The records of the audit log.

Kinds: ``start`` and ``end`` of a crawl, ``request`` (a network operation), ``outcome`` (what
became known of an operation later; it names the operation by ``of_sequence`` and ``of_hash``) and
``removal`` (of a staged file, see :mod:`wikicrawler.audit.removal`).
``docs/audit.md`` has the fields.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from wikicrawler.audit.redaction import redact_error, redact_headers, redact_url
from wikicrawler.operations import ROBOTS, SITEMAP
from wikicrawler.store.chain_text import canonical_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scrapy import Request
    from scrapy.http.headers import Headers

MAX_NAME = 200
"""Maximum length of a name in a record, in characters."""
_UNAVAILABLE_ROBOTS = range(400, 500)
_GONE = (404, 410)


@dataclass(frozen=True, slots=True)
class Label:
    """What a request is for."""

    operation: str
    engine: str
    manifest_id: str | None = None
    page_url: str | None = None
    """URL of the page that is wanted, if the request goes to another URL."""
    retry_count: int = 0


@dataclass(frozen=True, slots=True)
class Sent:
    """A request as it is sent, without secrets."""

    url: str
    method: str
    headers: Sequence[tuple[str, str]]
    body_hash: str | None

    @classmethod
    def of(cls, request: Request) -> Sent:
        """Return the description of *request*."""
        return cls(
            url=redact_url(request.url),
            method=request.method[:MAX_NAME],
            headers=redact_headers(header_pairs(request.headers)),
            body_hash=sha256(request.body).hexdigest() if request.body else None,
        )

    def fields(self) -> dict[str, Any]:
        pairs = [list(pair) for pair in self.headers]
        return {
            "url": self.url,
            "method": self.method,
            "request_headers": pairs,
            "request_body_hash": self.body_hash,
            "request_hash": request_hash(self.url, self.method, pairs, self.body_hash),
        }


def request_hash(url: str, method: str, headers: object, body_hash: str | None) -> str:
    """Return the hash of a request: of the canonical JSON of these parts, as they are recorded."""
    parts = {"body_hash": body_hash, "headers": headers, "method": method, "url": url}
    return sha256(canonical_text(parts).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back."""

    status: int | None = None
    final_url: str | None = None
    size: int | None = None
    body_hash: str | None = None
    error: str | None = None


def request_fields(
    sent: Sent,
    label: Label,
    answer: Answer,
    *,
    at: datetime,
    ms: int,
    credits_consumed: float | None,
) -> dict[str, Any]:
    """Return the fields of a ``request`` record, without those of its place."""
    final_url = redact_url(answer.final_url) if answer.final_url is not None else None
    return {
        "kind": "request",
        "timestamp": utc_text(at),
        **_label_fields(label),
        **sent.fields(),
        "page_url": redact_url(label.page_url) if label.page_url else None,
        "retry_count": label.retry_count,
        "final_url": final_url,
        "http_status": answer.status,
        "failed": is_failure(label.operation, answer.status, answer.error),
        "bytes": answer.size,
        "response_hash": answer.body_hash,
        "response_time_ms": ms,
        "credits_consumed": credits_consumed,
        "error": redact_error(answer.error) if answer.error is not None else None,
    }


def outcome_fields(
    label: Label,
    *,
    at: datetime,
    content_hash: str | None,
    content_changed: bool | None,
    staged_path: str | None,
    error: str | None,
    credits_consumed: float | None,
) -> dict[str, Any]:
    """Return the fields of an ``outcome`` record, without those of its place."""
    return {
        "kind": "outcome",
        "timestamp": utc_text(at),
        **_label_fields(label),
        "content_hash": content_hash,
        "content_changed": content_changed,
        "staged_path": staged_path,
        "credits_consumed": credits_consumed,
        "error": redact_error(error) if error is not None else None,
    }


def run_fields(kind: str, at: datetime, **facts: Any) -> dict[str, Any]:
    """Return the fields of a ``start`` or ``end`` record, without those of its place."""
    return {"kind": kind, "timestamp": utc_text(at), **facts}


def _label_fields(label: Label) -> Mapping[str, Any]:
    manifest_id = label.manifest_id
    return {
        "manifest_id": manifest_id[:MAX_NAME] if manifest_id is not None else None,
        "operation": label.operation[:MAX_NAME],
        "engine": label.engine[:MAX_NAME],
    }


def is_failure(operation: str, status: int | None, error: str | None) -> bool:
    """Return whether an operation failed. That a site has no robots.txt, or no sitemap, is no
    failure."""
    if error is not None or status is None:
        return True
    if operation == ROBOTS and status in _UNAVAILABLE_ROBOTS:
        return status == 429
    if operation == SITEMAP and status in _GONE:
        return False
    return status >= 400


def header_pairs(headers: Headers) -> list[tuple[str, str]]:
    """Return the headers of a request or response as pairs of text."""
    return [
        (name.decode("latin-1"), value.decode("latin-1"))
        for name, values in headers.items()
        for value in values
    ]


def utc_text(at: datetime) -> str:
    """Return *at* as ISO 8601 in UTC, with microseconds."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
