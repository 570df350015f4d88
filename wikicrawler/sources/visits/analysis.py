"""The analysis of documents in the conversion workers, with their limits of time and memory.

A hostile page keeps the analysis busy for half a minute. In a thread it would hold up the event
loop, which shares the interpreter's lock with it, and nothing could stop it.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from wikicrawler.errors import ContentError, Reason
from wikicrawler.items import hash_text
from wikicrawler.sources.changes import change_hash
from wikicrawler.sources.staging.analysis import change_between, references_in
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wikicrawler.content.workers.pool import ConversionPool
    from wikicrawler.sources.document import Document
    from wikicrawler.sources.manifest.model import Source

logger = logging.getLogger(__name__)

_LIMITS = frozenset({Reason.CPU_LIMIT, Reason.MEMORY_LIMIT})


class Analysis:
    """Each method raises ContentError if the crawl has ended, or if the text crashed two workers.
    A text that exceeds a limit is analysed less well, and a warning says so."""

    def __init__(self, pool: ConversionPool) -> None:
        self._pool = pool

    async def change_hash(self, body: str, url: str, ignore: Sequence[str]) -> str:
        """Return the hash of *body* without noise, and without the lines that the patterns *ignore*
        match. Beyond the limits it is the hash of *body* as it is written, so that no change is
        missed."""
        try:
            return await self._pool.run(url, change_hash, body, ignore)
        except ContentError as error:
            _tolerate(error, url, "noise is not told from changes")
            return hash_text(body)

    async def change(
        self, old: str, new: str, url: str, ignore: Sequence[str]
    ) -> dict[str, Any] | None:
        """Return the change from the body *old* to *new*; None if it is not known."""
        try:
            return await self._pool.run(url, change_between, old, new, ignore)
        except ContentError as error:
            _tolerate(error, url, "its changes are not described")
            return None

    async def references(self, source: Source, document: Document) -> list[str]:
        """Return the citations of other documents in *document*; none beyond the limits."""
        url, citation = document.final_url, source.fields["citation"]
        try:
            return await self._pool.run(
                document.url, references_in, document.body, url, document.title, citation
            )
        except ContentError as error:
            _tolerate(error, document.url, "its citations are not listed")
            return []


def _tolerate(error: ContentError, url: str, effect: str) -> None:
    if error.reason not in _LIMITS:
        raise error
    logger.warning("%s: %s (%s)", one_line(url, 200), effect, error.reason)
