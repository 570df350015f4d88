"""Which documents of a source are staged: the new, the changed and the deleted ones.

A version is staged in four steps: the database notes what is about to be written, the envelope is
written, the index names it, and the database keeps what is known of the document, and what the next
event has to name. A process that is killed between two of them leaves a note, from which
:meth:`Stager.recover` goes on.
"""

from __future__ import annotations

import json
import logging
from dataclasses import replace
from datetime import UTC, datetime
from time import time
from typing import TYPE_CHECKING, Any, NamedTuple

from wikicrawler.content.conversion import CONVERTER_VERSION
from wikicrawler.content.form import DEFAULT
from wikicrawler.items import hash_text
from wikicrawler.sources.changes import RULES_VERSION, change_hash
from wikicrawler.sources.changes.ignored import fingerprint
from wikicrawler.sources.envelopes.build import Comparison, build_envelope, timestamp
from wikicrawler.sources.envelopes.names import folder_of, paths_of
from wikicrawler.sources.envelopes.schema import faults_of
from wikicrawler.sources.staging.protocol import ERRORS, INDEX
from wikicrawler.store.source_pages import (
    PageState,
    StagingRow,
    begin_staging,
    drop_staging,
    end_staging,
    save_page,
    unfinished_staging,
)
from wikicrawler.store.staging_events import StagedRow, add_staged
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wikicrawler.content.form import Form
    from wikicrawler.sources.document import Document
    from wikicrawler.sources.envelopes.build import Visit
    from wikicrawler.sources.manifest.model import Source
    from wikicrawler.sources.staging.protocol import Staging
    from wikicrawler.store.database import Database

logger = logging.getLogger(__name__)

RULES = f"{CONVERTER_VERSION}/{RULES_VERSION}"
"""Versions of the converter and of the rules of normalisation. A last version that other ones made
is converted and normalised again before it is compared."""


def rules_of(source: Source, form: Form = DEFAULT) -> str:
    """Return the versions that make the hashes of *source*: :data:`RULES`, and a fingerprint of
    what the manifest names to be ignored.

    :param form: of its texts; what is not the default is part of the version of the converter
    """
    ignored = fingerprint(source.ignore_changes)
    rules = f"{CONVERTER_VERSION}{form.name}/{RULES_VERSION}" if form.name else RULES
    return f"{rules}/{ignored}" if ignored else rules


def converter_of(rules: str) -> str:
    """Return the version of the converter in *rules*, with the form of the Markdown."""
    return rules.partition("/")[0]


class Outcome(NamedTuple):
    """What became of a document."""

    change_type: str
    """``new``, ``modified``, ``unchanged`` or ``deleted``."""
    page: PageState
    """What is known of it now."""
    kind: str | None = None
    """Class of the change of a modified document: ``cosmetic`` or ``substantive``."""


class Original(NamedTuple):
    """The last version of a document, as its envelope has it."""

    body: str
    html: str | None
    url: str
    """URL of the page, after redirects."""
    rules: str
    """Versions of the converter and of the rules that made it."""


class Stager:
    """Compares documents with their last versions and stages those that changed. What takes long,
    the analysis of the texts, is done before (:mod:`wikicrawler.sources.visits.analysis`).

    The methods block; call them in a thread, one at a time for a source.

    :param announcer: name of the process that announces what is staged to consumers; empty if
        nobody does
    """

    def __init__(
        self, database: Database, staging: Staging, visit: Visit, announcer: str = ""
    ) -> None:
        self.database = database
        self._staging = staging
        self._announcer = announcer
        self.visit = visit
        staging.name_run(visit.run_id)

    def name_run(self, run_id: str) -> None:
        """Stage from now on under the id *run_id*."""
        self.visit = replace(self.visit, run_id=run_id)
        self._staging.name_run(run_id)

    def rules_of(self, source: Source) -> str:
        """Return the versions that make the hashes of *source* in this run."""
        return rules_of(source, self.visit.form)

    def unfinished(self) -> set[str]:
        """Return the ids of the sources of which an envelope is being written, or was when a
        process was killed.

        :raises StoreError: the database is unavailable
        """
        with self.database.read() as connection:
            return {row.page.source for row in unfinished_staging(connection, str(self._staging))}

    def recover(self, source_id: str) -> int:
        """Finish what killed processes left half written of a source, and return the number of its
        envelopes. Only the process that has claimed the source may do so.

        :raises OSError: the staging folder cannot be used
        :raises StoreError: the database is unavailable
        """
        with self.database.read() as connection:
            rows = unfinished_staging(connection, str(self._staging))
        rows = [row for row in rows if row.page.source == source_id]
        if not rows:
            return 0
        ids = {row.envelope_id for row in rows}
        listed = self._staging.listed(ids, min(row.at for row in rows))
        for row in rows:
            path = self._staging.find(_candidates(row), row.envelope_id)
            if path is None:
                with self.database.write() as connection:
                    drop_staging(connection, row.envelope_id)
                continue
            envelope = self._staging.read(path)
            index_path = listed.get(row.envelope_id) or self._list(envelope, path)
            self._end(row, envelope, path, index_path)
        logger.info("Recovered %d envelopes of %s that were being written", len(rows), source_id)
        return len(rows)

    def original_of(self, last: PageState) -> Original | None:
        """Return what the last version of a document was; None if its envelope is gone or damaged.

        :raises OSError: the staging folder cannot be read
        """
        envelope = self._last_envelope(last)
        if envelope is None:
            return None
        content, url = envelope["content"], envelope["source"]["final_url"]
        rules = envelope["integrity"]["change_rules"]
        return Original(content["body"], content["body_html"], url, rules)

    def unchanged(
        self, source: Source, document: Document, last: PageState | None, change: str
    ) -> Outcome | None:
        """Compare *document* with its *last* version; return None if it changed.

        :param change: the change hash of *document*
        :raises StoreError: the database is unavailable
        """
        known, content = _known(last), hash_text(document.body)
        if known is None or (content != known.content_hash and known.change_hash != change):
            return None
        page = _state(
            source, document, last, content, change, rules=self.rules_of(source)
        )._replace(
            content_hash=known.content_hash,
            envelope_id=known.envelope_id,
            path=known.path,
            last_changed=known.last_changed,
        )
        with self.database.write() as connection:
            save_page(connection, page)
        return Outcome("unchanged", page)

    def stage(
        self,
        source: Source,
        document: Document,
        last: PageState | None,
        *,
        change: str,
        detail: dict[str, Any] | None,
        references: list[str],
    ) -> Outcome:
        """Stage *document*, which is new or differs from its *last* version.

        :param change: the change hash of *document*
        :param detail: what changed, if it is known
        :param references: citations of other documents in it
        :raises OSError: the staging folder cannot be written
        :raises StoreError: the database is unavailable
        """
        rules = self.rules_of(source)
        page = _state(source, document, last, hash_text(document.body), change, rules=rules)
        comparison = Comparison(
            "new" if _known(last) is None else "modified",
            change,
            rules,
            None if last is None else last.content_hash,
            None if last is None else last.envelope_id,
            detail,
        )
        page = self._stage(source, document, comparison, page, references)
        return Outcome(comparison.change_type, page, detail["kind"] if detail else None)

    def delete(self, source: Source, gone: Document, last: PageState) -> Outcome:
        """Stage the tombstone of a document that the server reports as *gone*."""
        gone = replace(gone, body="", html=None, data=None)
        empty = hash_text("")
        rules = self.rules_of(source)
        page = _state(source, gone, last, empty, change_hash(""), rules=rules)._replace(
            present=False
        )
        comparison = Comparison(
            "deleted", change_hash(""), rules, last.content_hash, last.envelope_id
        )
        return Outcome("deleted", self._stage(source, gone, comparison, page, []))

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
        self._staging.append(
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

    def _stage(
        self,
        source: Source,
        document: Document,
        comparison: Comparison,
        page: PageState,
        references: list[str],
    ) -> PageState:
        envelope = build_envelope(source, document, self.visit, comparison, references)
        if faults := faults_of(envelope):
            raise AssertionError(f"an envelope that is not valid: {faults}")
        data = json.dumps(envelope, ensure_ascii=False, indent=1).encode("utf-8", "replace")
        page = page._replace(envelope_id=envelope["envelope_id"], last_changed=page.last_checked)
        folder = folder_of(source.domain, document.fetched_at)
        content = envelope["integrity"]["content_hash"]
        preferred = next(paths_of(folder, source.id, document.url, content))
        row = StagingRow(
            envelope["envelope_id"], str(self._staging), self.visit.run_id, time(), preferred, page
        )
        with self.database.write() as connection:
            begin_staging(connection, row)
        path = self._staging.write(_candidates(row), data)
        return self._end(row, envelope, path, self._list(envelope, path))

    def _end(
        self, row: StagingRow, envelope: dict[str, Any], path: str, index_path: str
    ) -> PageState:
        """Store that the envelope of *row* is at *path*, and listed; return the row's document."""
        page = row.page._replace(path=path)
        with self.database.write() as connection:
            end_staging(connection, row._replace(page=page))
            if self._announcer:
                change_type = envelope["integrity"]["change_type"]
                row_of_event = StagedRow(
                    row.envelope_id,
                    row.folder,
                    row.run,
                    self._announcer,
                    time(),
                    page.source,
                    path,
                    change_type,
                    index_path,
                )
                add_staged(connection, row_of_event)
        return page

    def _list(self, envelope: dict[str, Any], path: str) -> str:
        source, integrity = envelope["source"], envelope["integrity"]
        return self._staging.append(
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
            return None if last.path is None else self._staging.read(last.path)
        except (FileNotFoundError, ValueError) as error:
            logger.warning(
                "The last envelope of %s is gone or damaged: %s", one_line(last.url, 200), error
            )
            return None


def _candidates(row: StagingRow) -> Iterator[str]:
    """Yield the paths that the envelope of *row* may have."""
    folder, page = row.path.rpartition("/")[0], row.page
    return paths_of(folder, page.source, page.url, page.content_hash or "")


def _known(last: PageState | None) -> PageState | None:
    """Return *last* if it is a version of a document that is there."""
    return last if last is not None and last.present and last.content_hash else None


def _state(
    source: Source,
    document: Document,
    last: PageState | None,
    content: str,
    change: str,
    *,
    rules: str,
) -> PageState:
    now = time()
    return PageState(
        source=source.id,
        url=document.url,
        present=True,
        content_hash=content,
        change_hash=change,
        rules=rules,
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
