"""A document of a watched source, as one fetch brought it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime


@dataclass(frozen=True, slots=True)
class Document:
    """A document, before it is compared with its last version. None: not known."""

    url: str
    """As it was requested: the document's identity within its source."""
    final_url: str
    """After redirects."""
    status: int
    format: str
    """``markdown`` (made of HTML), ``pdf_text``, or ``raw`` (XML, JSON, YAML, plain text)."""
    body: str
    """The text in that format."""
    fetched_at: datetime
    engine: str
    """Name of the tier that brought it."""
    html: str | None = None
    """The original HTML, decoded."""
    data: bytes | None = None
    """The original bytes of a document that is not HTML."""
    encoding: str | None = None
    title: str | None = None
    language: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    """As :attr:`wikicrawler.items.Content.metadata`."""
    links: tuple[str, ...] = ()
    """Absolute URLs, of the document's host and of others."""
    engine_version: str | None = None
    response_time: float | None = None
    """Seconds."""
    retry_count: int = 0
    credits: float | None = None
    etag: str | None = None
    last_modified: str | None = None
    """The header, as the server sent it."""
    revid: int | None = None
    depth: int = 0
    """Number of links from the source's url."""
