"""The envelope of a version of a document."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from uuid import uuid4

from wikicrawler.content.form import DEFAULT, Form
from wikicrawler.items import hash_text
from wikicrawler.sources.envelopes.hints import processing_hints, token_estimate
from wikicrawler.urls.sites import host_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from wikicrawler.sources.document import Document
    from wikicrawler.sources.manifest.model import Source

ENVELOPE_VERSION = "1.0"
MAX_LINKS = 5_000
"""Maximum number of links in each list of an envelope."""


@dataclass(frozen=True, slots=True)
class Visit:
    """The visit to a source that an envelope belongs to."""

    run_id: str
    """UUID, shared by all sources of a crawl."""
    manifest_version: str
    job_id: str | None = None
    """UUID of the scheduler's job; None if a person started the crawl."""
    operator: str = "manual"
    """``system`` or ``manual``."""
    environment: str = "production"
    form: Form = DEFAULT
    """Of the Markdown of texts."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """What became of a document since its last version."""

    change_type: str
    """``new``, ``modified`` or ``deleted``."""
    change_hash: str
    rules: str
    """Versions of the converter and of the rules that made the hashes, with a fingerprint of the
    lines that the manifest names to be ignored."""
    previous_content_hash: str | None = None
    previous_envelope_id: str | None = None
    detail: Mapping[str, Any] | None = None
    """The class of the change and its sections, for a modified document."""


def build_envelope(
    source: Source,
    document: Document,
    visit: Visit,
    comparison: Comparison,
    references: list[str],
) -> dict[str, Any]:
    """Return the envelope of *document*, in the form of ``schema.json`` beside this module.

    A value that is not known is None; nothing is guessed.
    """
    body = document.body
    internal, external = _split_links(document)
    return {
        "envelope_id": str(uuid4()),
        "envelope_version": ENVELOPE_VERSION,
        "source": _source(source, document, visit),
        "scrape": _scrape(source, document, visit),
        "content": {
            "format": document.format,
            "body": body,
            "body_html": document.html,
            "body_base64": b64encode(document.data).decode() if document.data else None,
            "body_length_chars": len(body),
            "body_length_tokens_approx": token_estimate(body),
            "language": document.language,
            "encoding": document.encoding,
        },
        "integrity": {
            "content_hash": hash_text(body),
            "html_hash": None if document.html is None else hash_text(document.html),
            "previous_content_hash": comparison.previous_content_hash,
            "previous_envelope_id": comparison.previous_envelope_id,
            "content_changed": True,
            "change_type": comparison.change_type,
            "change_hash": comparison.change_hash,
            "change_rules": comparison.rules,
            "change": comparison.detail,
        },
        "page_metadata": _page_metadata(document, internal, external),
        "processing": processing_hints(
            body, document.format, (*internal, *external), list(references)
        ),
        "audit": {
            "scrape_run_id": visit.run_id,
            "scheduler_job_id": visit.job_id,
            "operator": visit.operator,
            "environment": visit.environment,
        },
    }


def _source(source: Source, document: Document, visit: Visit) -> dict[str, Any]:
    fields = source.fields
    return {
        "manifest_id": source.id,
        "manifest_version": visit.manifest_version,
        "url": document.url,
        "final_url": document.final_url,
        "domain": source.domain,
        "canonical_url": document.metadata.get("canonical"),
        "regulatory_domain": fields["regulatory_domain"],
        "citation": fields["citation"],
        "jurisdiction": fields["jurisdiction"],
        "source_type": fields["source_type"],
        "agency": fields["metadata"]["agency"],
    }


def _scrape(source: Source, document: Document, visit: Visit) -> dict[str, Any]:
    elapsed = document.response_time
    return {
        "timestamp": timestamp(document.fetched_at),
        "engine": document.engine,
        "engine_version": document.engine_version,
        "method": source.method,
        "http_status": document.status,
        "response_time_ms": None if elapsed is None else round(elapsed * 1000),
        "retry_count": document.retry_count,
        "credits_consumed": document.credits,
        "parent_crawl_id": visit.run_id if source.method == "crawl" else None,
    }


def _page_metadata(document: Document, internal: list[str], external: list[str]) -> dict[str, Any]:
    facts = document.metadata
    stated = facts.get("meta", {})
    keywords = [word.strip() for word in stated.get("keywords", "").split(",") if word.strip()]
    return {
        "title": document.title,
        "description": facts.get("description"),
        "keywords": keywords or None,
        "author": facts.get("author"),
        "published_date": facts.get("published"),
        "modified_date": facts.get("modified"),
        "og_title": stated.get("og_title"),
        "og_description": stated.get("og_description"),
        "og_image": stated.get("og_image"),
        "robots": stated.get("robots"),
        "links_outbound": external,
        "links_internal": internal,
    }


def _split_links(document: Document) -> tuple[list[str], list[str]]:
    """Return the links within the document's host, as paths, and the others."""
    host = host_of(document.final_url)
    internal, external = [], []
    for url in document.links:
        if host_of(url) == host:
            parts = urlsplit(url)
            internal.append((parts.path or "/") + (f"?{parts.query}" if parts.query else ""))
        else:
            external.append(url)
    return internal[:MAX_LINKS], external[:MAX_LINKS]


def timestamp(at: datetime) -> str:
    """Return *at*, a time in UTC, as ``2026-02-13T14:30:00Z``."""
    return f"{at:%Y-%m-%dT%H:%M:%SZ}"
