"""What becomes of a fetched document: a new version is staged.

What blocks runs in threads, the analysis of texts in the conversion workers.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from wikicrawler.errors import ContentError
from wikicrawler.items import hash_text
from wikicrawler.sources.staging.stager import Outcome, converter_of
from wikicrawler.sources.visits.analysis import Analysis

if TYPE_CHECKING:
    from wikicrawler.content.workers.pool import ConversionPool
    from wikicrawler.sources.document import Document
    from wikicrawler.sources.manifest.model import Source
    from wikicrawler.sources.staging.stager import Original, Stager
    from wikicrawler.sources.visits.reading import Answer
    from wikicrawler.store.source_pages import PageState


class Intake:
    """Hands the documents of a crawl to *stager*."""

    def __init__(self, stager: Stager, pool: ConversionPool) -> None:
        self._stager = stager
        self._pool = pool
        self._analysis = Analysis(pool)

    async def take(
        self,
        source: Source,
        url: str,
        answer: Answer,
        last: PageState | None,
        headers: dict[str, str],
    ) -> Outcome | None:
        """Return what became of the document at *url*; None if it is missing and was never there.
        The url of the source itself is missing at each visit, and no other document.

        :param last: what earlier visits know of it
        :param headers: ``etag`` and ``last-modified`` of the response
        :raises ContentError: its text crashed two workers, or the crawl has ended
        """
        if answer.unchanged:
            if last is None:
                return None
            etag, modified = headers.get("etag"), headers.get("last-modified")
            return await asyncio.to_thread(
                self._stager.confirm, last, etag=etag, last_modified=modified
            )
        assert answer.document is not None  # noqa: S101 - only a 304 has none
        if answer.gone:
            if last is None:
                return None
            if not last.present:  # it is linked or in a sitemap yet
                return None if url == source.url else Outcome("unchanged", last)
            return await asyncio.to_thread(self._stager.delete, source, answer.document, last)
        return await self._compare(source, url, answer.document, last)

    async def _compare(
        self, source: Source, url: str, document: Document, last: PageState | None
    ) -> Outcome:
        analysis, stager = self._analysis, self._stager
        change = None
        ignore = source.ignore_changes
        if last is not None and last.rules != self._stager.rules_of(source):
            last = await self._rebased(source, last)
        elif last is not None and last.present:
            content = await asyncio.to_thread(hash_text, document.body)
            change = last.change_hash if content == last.content_hash else None
        change = change or await analysis.change_hash(document.body, url, ignore)
        same = await asyncio.to_thread(stager.unchanged, source, document, last, change)
        if same is not None:
            return same
        original = None
        if last is not None and last.present:
            original = await asyncio.to_thread(stager.original_of, last)
        detail = None
        if original is not None:
            try:
                before = await self._body_of(source, original)
            except ContentError:
                before = original.body
            detail = await analysis.change(before, document.body, url, ignore)
        references = await analysis.references(source, document)
        return await asyncio.to_thread(
            stager.stage,
            source,
            document,
            last,
            change=change,
            detail=detail,
            references=references,
        )

    async def _rebased(self, source: Source, last: PageState) -> PageState:
        """Return *last* as the present converter, rules and manifest see it; without a change hash
        if its text is gone or cannot be converted."""
        rules = self._stager.rules_of(source)
        found = await asyncio.to_thread(self._stager.original_of, last)
        if found is None:
            return last._replace(rules=rules, change_hash=None)
        try:
            body = await self._body_of(source, found)
        except ContentError:
            return last._replace(rules=rules, change_hash=None)
        change = await self._analysis.change_hash(body, last.url, source.ignore_changes)
        return last._replace(rules=rules, change_hash=change)

    async def _body_of(self, source: Source, original: Original) -> str:
        """Return the text of *original* as the present converter makes it.

        :raises ContentError: it cannot be converted
        """
        present = converter_of(self._stager.rules_of(source))
        if original.html is None or converter_of(original.rules) == present:
            return original.body
        return (await self._pool.convert(original.html, original.url)).inline_markdown
