"""The staged versions of documents, and the place of each in the chain of the audit log.

A path is never taken from a request: an envelope is named by its id, and the index of the staging
folder says where it is.
"""

from __future__ import annotations

import json
import re
from collections import deque
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any

from wikicrawler.audit.export import export_proof
from wikicrawler.sources.overview.source import is_source_id
from wikicrawler.sources.staging.protocol import INDEX, REMOVED
from wikicrawler.store.audit_chain import head, link_at
from wikicrawler.store.audit_queries import staged_operations
from wikicrawler.store.chain_text import digest_of, hash_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wikicrawler.sources.staging.protocol import Staging
    from wikicrawler.store.database import Database

MOST = 1_000
"""Maximum number of versions that are listed."""
MAX_ENVELOPE = 32 << 20
"""Maximum size in bytes of an envelope that is read."""
_PATH = re.compile(r"[a-z0-9.-]{1,200}/\d{4}-\d\d-\d\d/[a-z0-9._-]{1,250}\.json", re.ASCII)
_ID = re.compile(r"[0-9a-f-]{1,64}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Version:
    """A version of a document, as the index of the staging folder has it."""

    envelope_id: str
    source: str
    url: str
    path: str
    staged_at: datetime
    change_type: str
    """``new``, ``modified`` or ``deleted``."""
    content_hash: str
    is_removed: bool
    """Whether its file was removed (``scrapy staged prune``)."""


@dataclass(frozen=True, slots=True)
class Versions:
    """Versions, the newest first."""

    versions: tuple[Version, ...]
    is_cut: bool
    """Whether there are older ones beside these."""
    broken: int
    """Lines of the index about the source that cannot be read (``scrapy staged verify``)."""


@dataclass(frozen=True, slots=True)
class Body:
    """What the envelope of a version has."""

    version: Version
    title: str | None
    format: str
    body: str
    """Markdown, or the text of the document."""
    html: str | None
    """The page as it was. It is a stranger's: never show it outside a sandbox."""
    has_data: bool
    """Whether the envelope also has the file itself (a PDF)."""
    final_url: str
    engine: str
    fetched_at: str
    """ISO 8601 in UTC."""
    http_status: int | None
    change: dict[str, Any] | None
    """The class of the change and its sections; ``docs/changes.md`` describes it."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Why there is no body, as a sentence for people."""

    why: str


@dataclass(frozen=True, slots=True)
class ChainPlace:
    """The place in the audit log of the operation that brought a version."""

    sequence: int
    hash: str
    is_linked: bool
    """Whether the record's hash is that of its text and of the record before it. That the whole
    chain is sound, ``scrapy audit verify`` says."""
    day: date
    """Of its proof, see :func:`proof_of_day`."""
    last_sequence: int
    """The end of the chain."""
    last_hash: str


def versions_of(
    folder: Staging, source_id: str, url: str | None = None, limit: int = 100
) -> Versions:
    """Return the versions of the documents of a source, or of the one at *url*.

    Each line of the index is looked at, and only those about the source are read.

    :param limit: at most :data:`MOST`
    :raises OSError: the folder cannot be read
    """
    found: deque[Version] = deque(maxlen=min(max(1, limit), MOST) + 1)
    broken = 0
    for line in _lines(folder, INDEX, source_id):
        version = _version(line, source_id)
        if version is None:
            broken += 1
        elif url is None or version.url == url:
            found.append(version)
    found.reverse()  # of two versions of one second, that listed later is the newer one
    newest = sorted(found, key=lambda one: one.staged_at, reverse=True)
    is_cut = len(newest) == found.maxlen
    shown = _with_removals(folder, source_id, newest[: (found.maxlen or 1) - 1])
    return Versions(tuple(shown), is_cut, broken)


def find_version(folder: Staging, source_id: str, envelope_id: str) -> Version | None:
    """Return the version of a source whose envelope has this id; None if the index has none.

    :raises OSError: the folder cannot be read
    """
    if not _ID.fullmatch(envelope_id):
        return None
    wanted = envelope_id.encode()
    for line in _lines(folder, INDEX, source_id):
        if wanted in line:
            version = _version(line, source_id)
            if version is not None and version.envelope_id == envelope_id:
                return next(iter(_with_removals(folder, source_id, [version])))
    return None


def read_body(folder: Staging, version: Version) -> Body | Unreadable:
    """Return the body of *version*, at most :data:`MAX_ENVELOPE` bytes of JSON."""
    why = ""
    if version.is_removed:
        why = "its file was removed after consumers had confirmed it"
    elif not _PATH.fullmatch(version.path) or "/." in f"/{version.path}":
        why = "the index names no path of an envelope (scrapy staged verify)"
    if why:
        return Unreadable(why)
    try:
        return _read(folder, version)
    except OSError as error:
        return Unreadable(f"its file cannot be read: {error.strerror or type(error).__name__}")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return Unreadable("its file is damaged (scrapy staged verify)")


def _read(folder: Staging, version: Version) -> Body | Unreadable:
    size = folder.sizes([version.path]).get(version.path)
    if size is None:
        return Unreadable("its file is missing (scrapy staged verify)")
    if size > MAX_ENVELOPE:
        return Unreadable(
            f"its file has {size:,} bytes; at most {MAX_ENVELOPE:,} are shown ({version.path})"
        )
    envelope = folder.read(version.path)
    if envelope.get("envelope_id") != version.envelope_id:
        return Unreadable("its file has another envelope (scrapy staged verify)")
    return _body(version, envelope)


def chain_place(database: Database, version: Version) -> ChainPlace | None:
    """Return where the audit log has the operation that brought *version*; None if it does not.

    :raises StoreError: the database is unavailable
    """
    if not database.has_tables():
        return None
    day = version.staged_at.astimezone(UTC).date()
    around = timedelta(days=1)
    with database.read() as connection:
        found = staged_operations(connection, version.source, day - around, day + around)
        place = found.get(version.path)
        if place is None:
            return None
        link, end = link_at(connection, place.sequence), head(connection)
        before = link_at(connection, place.sequence - 1)
    if link is None:
        return None
    is_linked = link.hash == place.hash == hash_of(digest_of(link.text), link.prev_hash)
    if before is not None:
        is_linked = is_linked and before.hash == link.prev_hash
    recorded = date.fromisoformat(json.loads(link.text)["timestamp"][:10])
    return ChainPlace(place.sequence, place.hash, is_linked, recorded, end.sequence, end.hash)


def proof_of_day(database: Database, source_id: str, day: date) -> bytes:
    """Return the file that proves the records of a source on *day*, see ``docs/audit.md``.

    It follows the chain to its end: a million records take seconds.

    :raises NothingRecordedError: there is no record
    :raises BrokenChainError: the chain is broken
    :raises StoreError: the database is unavailable
    """
    with database.read() as connection:
        return export_proof(connection, source_id, day)[0]


def _lines(folder: Staging, name: str, source_id: str) -> Iterator[bytes]:
    """Yield the lines of a list that are about a source."""
    if not is_source_id(source_id):
        return
    wanted = f'"manifest_id": "{source_id}"'.encode()
    for line in folder.lines(name):
        if wanted in line:
            yield line


def _version(line: bytes, source_id: str) -> Version | None:
    try:
        facts = json.loads(line)
        if facts["manifest_id"] != source_id:
            return None
        return Version(
            envelope_id=str(facts["envelope_id"]),
            source=source_id,
            url=str(facts["url"]),
            path=str(facts["path"]),
            staged_at=datetime.fromisoformat(facts["staged_at"]).astimezone(UTC),
            change_type=str(facts["change_type"]),
            content_hash=str(facts["content_hash"]),
            is_removed=False,
        )
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
        return None


def _with_removals(folder: Staging, source_id: str, versions: list[Version]) -> Iterator[Version]:
    gone: set[str] = set()
    for line in _lines(folder, REMOVED, source_id):
        try:
            gone.update(one["envelope_id"] for one in json.loads(line)["envelopes"])
        except (ValueError, KeyError, TypeError, RecursionError):
            continue
    for version in versions:
        yield replace(version, is_removed=True) if version.envelope_id in gone else version


def _body(version: Version, envelope: dict[str, Any]) -> Body:
    content, scrape = envelope["content"], envelope["scrape"]
    title, html = envelope["page_metadata"]["title"], content["body_html"]
    status, change = scrape["http_status"], envelope["integrity"]["change"]
    return Body(
        version=version,
        title=title if isinstance(title, str) else None,
        format=str(content["format"]),
        body=str(content["body"]),
        html=html if isinstance(html, str) else None,
        has_data=content["body_base64"] is not None,
        final_url=str(envelope["source"]["final_url"]),
        engine=str(scrape["engine"]),
        fetched_at=str(scrape["timestamp"]),
        http_status=status if isinstance(status, int) else None,
        change=change if isinstance(change, dict) else None,
    )
