"""Which documents of a source are staged: the new, the changed and the deleted ones.

A version is staged in four steps: the database notes what is about to be written, the envelope is
written, the index names it, and the database keeps what is known of the document. A process that is
killed between two of them leaves a note, from which :meth:`Stager.recover` goes on.
"""

from __future__ import annotations

import json
import logging
from dataclasses import replace
from datetime import UTC, datetime
from time import time
from typing import TYPE_CHECKING, Any, NamedTuple

from wikicrawler.content.conversion import CONVERTER_VERSION
from wikicrawler.items import hash_text
from wikicrawler.sources.changes import RULES_VERSION, change_hash, compare
from wikicrawler.sources.citations import cross_references, page_context
from wikicrawler.sources.envelopes.build import Comparison, build_envelope, timestamp
from wikicrawler.sources.envelopes.names import folder_of, paths_of
from wikicrawler.sources.envelopes.schema import faults_of
from wikicrawler.sources.staging.folder import ERRORS, INDEX
from wikicrawler.store.source_pages import (
    PageState,
    StagingRow,
    begin_staging,
    drop_staging,
    end_staging,
    save_page,
    unfinished_staging,
)
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wikicrawler.sources.document import Document
    from wikicrawler.sources.envelopes.build import Visit
    from wikicrawler.sources.manifest.model import Source
    from wikicrawler.sources.staging.folder import StagingFolder
    from wikicrawler.store.database import Database

logger = logging.getLogger(__name__)

RULES = f"{CONVERTER_VERSION}/{RULES_VERSION}"
"""Versions of the converter and of the rules of normalisation. A last version that other ones made
is converted and normalised again before it is compared (:meth:`Stager.rebased`)."""


def converter_of(rules: str) -> str:
    """Return the version of the converter in *rules*."""
    return rules.partition("/")[0]


class Outcome(NamedTuple):
    """What became of a document."""

    change_type: str
    """``new``, ``modified``, ``unchanged`` or ``deleted``."""
    page: PageState
    """What is known of it now."""
    kind: str | None = None
    """Class of the change of a modified document: ``cosmetic`` or ``substantive``."""


class Stager:
    """Compares documents with their last versions and stages those that changed.

    The methods block; call them in a thread, one at a time for a source.
    """

    def __init__(self, database: Database, folder: StagingFolder, visit: Visit) -> None:
        self.database = database
        self._folder = folder
        self.visit = visit

    def recover(self) -> int:
        """Finish what killed processes left half written; return the number of their envelopes.

        :raises StoreError: the database is unavailable
        """
        with self.database.read() as connection:
            rows = unfinished_staging(connection, str(self._folder))
        for row in rows:
            path = self._folder.find(_candidates(row), row.envelope_id)
            if path is None:
                with self.database.write() as connection:
                    drop_staging(connection, row.envelope_id)
                continue
            if not self._folder.is_listed(row.envelope_id):
                self._list(self._folder.read(path), path)
            with self.database.write() as connection:
                end_staging(connection, row._replace(page=row.page._replace(path=path)))
        if rows:
            logger.info("Recovered %d envelopes that were being written", len(rows))
        return len(rows)

    def original_of(self, last: PageState) -> tuple[str, str | None] | None:
        """Return the body and the HTML of the last version of a document; None if its envelope is
        gone."""
        envelope = self._last_envelope(last)
        if envelope is None:
            return None
        return envelope["content"]["body"], envelope["content"]["body_html"]

    def rebased(self, last: PageState, body: str | None) -> PageState:
        """Return *last* as the present rules see it.

        :param body: text of that version as the present converter makes it; None if it is gone
        """
        return last._replace(
            rules=RULES,
            content_hash=last.content_hash,
            change_hash=None if body is None else change_hash(body),
        )

    def take(self, source: Source, document: Document, last: PageState | None) -> Outcome:
        """Compare *document* with its *last* version, and stage it if it changed.

        :raises OSError: the staging folder cannot be written
        :raises StoreError: the database is unavailable
        """
        known = last if last is not None and last.present and last.content_hash else None
        content, change = hash_text(document.body), change_hash(document.body)
        page = _state(source, document, last, content, change)
        # Without the text of the last version nothing can be compared: it is taken as the same.
        if known is not None and (
            content == known.content_hash or known.change_hash in (change, None)
        ):
            page = page._replace(
                content_hash=known.content_hash,
                envelope_id=known.envelope_id,
                path=known.path,
                last_changed=known.last_changed,
            )
            with self.database.write() as connection:
                save_page(connection, page)
            return Outcome("unchanged", page)
        detail = self._detail(known, document)
        comparison = Comparison(
            "new" if known is None else "modified",
            change,
            RULES,
            None if last is None else last.content_hash,
            None if last is None else last.envelope_id,
            detail,
        )
        page = self._stage(source, document, comparison, page)
        return Outcome(comparison.change_type, page, detail["kind"] if detail else None)

    def delete(self, source: Source, gone: Document, last: PageState) -> Outcome:
        """Stage the tombstone of a document that the server reports as *gone*."""
        gone = replace(gone, body="", html=None, data=None)
        empty = hash_text("")
        page = _state(source, gone, last, empty, change_hash(""))._replace(present=False)
        comparison = Comparison(
            "deleted", change_hash(""), RULES, last.content_hash, last.envelope_id
        )
        return Outcome("deleted", self._stage(source, gone, comparison, page))

    def confirm(self, last: PageState, *, etag: str | None, last_modified: str | None) -> Outcome:
        """Store that the server stated the document of *last* to be unchanged."""
        page = last._replace(
            last_checked=time(),
            unread=last.unread + 1,
            etag=etag or last.etag,
            last_modified=last_modified or last.last_modified,
        )
        with self.database.write() as connection:
            save_page(connection, page)
        return Outcome("unchanged", page)

    def report(self, source_id: str, url: str, error: str, **facts: Any) -> None:
        """Append a failed fetch to the list of errors."""
        self._folder.append(
            ERRORS,
            {
                "timestamp": _now(),
                "manifest_id": source_id,
                "url": url,
                "error": one_line(error),
                **facts,
                "resolved": False,
            },
        )

    def _detail(self, known: PageState | None, document: Document) -> dict[str, Any] | None:
        envelope = self._last_envelope(known) if known is not None else None
        if envelope is None:
            return None
        found = compare(envelope["content"]["body"], document.body)
        return None if found is None else found.as_dict()

    def _stage(
        self, source: Source, document: Document, comparison: Comparison, page: PageState
    ) -> PageState:
        context = page_context(document.final_url, document.title, source.fields["citation"])
        references = cross_references(document.body, part=context.part, title=context.title)
        envelope = build_envelope(source, document, self.visit, comparison, references)
        if faults := faults_of(envelope):
            raise AssertionError(f"an envelope that is not valid: {faults}")
        data = json.dumps(envelope, ensure_ascii=False, indent=1).encode("utf-8", "replace")
        page = page._replace(envelope_id=envelope["envelope_id"], last_changed=page.last_checked)
        folder = folder_of(source.domain, document.fetched_at)
        content = envelope["integrity"]["content_hash"]
        preferred = next(paths_of(folder, source.id, document.url, content))
        row = StagingRow(
            envelope["envelope_id"], str(self._folder), self.visit.run_id, time(), preferred, page
        )
        with self.database.write() as connection:
            begin_staging(connection, row)
        path = self._folder.write(_candidates(row), data)
        self._list(envelope, path)
        page = page._replace(path=path)
        with self.database.write() as connection:
            end_staging(connection, row._replace(page=page))
        return page

    def _list(self, envelope: dict[str, Any], path: str) -> None:
        source, integrity = envelope["source"], envelope["integrity"]
        self._folder.append(
            INDEX,
            {
                "envelope_id": envelope["envelope_id"],
                "manifest_id": source["manifest_id"],
                "url": source["url"],
                "staged_at": _now(),
                "path": path,
                "content_changed": integrity["content_changed"],
                "change_type": integrity["change_type"],
                "content_hash": integrity["content_hash"],
            },
        )

    def _last_envelope(self, last: PageState) -> dict[str, Any] | None:
        try:
            return None if last.path is None else self._folder.read(last.path)
        except (OSError, ValueError) as error:
            logger.warning(
                "The last envelope of %s cannot be read: %s", one_line(last.url, 200), error
            )
            return None


def _candidates(row: StagingRow) -> Iterator[str]:
    """Yield the paths that the envelope of *row* may have."""
    folder, page = row.path.rpartition("/")[0], row.page
    return paths_of(folder, page.source, page.url, page.content_hash or "")


def _state(
    source: Source, document: Document, last: PageState | None, content: str, change: str
) -> PageState:
    now = time()
    return PageState(
        source=source.id,
        url=document.url,
        present=True,
        content_hash=content,
        change_hash=change,
        rules=RULES,
        tier=document.engine,
        etag=document.etag,
        last_modified=document.last_modified,
        revid=document.revid,
        unread=0,
        envelope_id=None,
        path=None,
        depth=document.depth if last is None else min(last.depth, document.depth),
        first_seen=now if last is None else last.first_seen,
        last_checked=now,
        last_changed=None,
    )


def _now() -> str:
    return timestamp(datetime.now(UTC))
