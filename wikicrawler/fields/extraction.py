"""Extraction of fields from one page: chunks, questions to a model, findings, merging."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from wikicrawler.content.chunks import split_markdown
from wikicrawler.fields.asking import ChunkReader, OutOfBudgetError
from wikicrawler.fields.completion import is_complete
from wikicrawler.fields.findings import findings_of, stated_findings
from wikicrawler.fields.merging import FindingMerger
from wikicrawler.fields.models import Finding, ScrapeResult, Usage

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from wikicrawler.content.chunks import Chunk
    from wikicrawler.fields.models import FieldDefinition
    from wikicrawler.items import Infobox

T = TypeVar("T")


class PageText(NamedTuple):
    """A page whose fields are extracted."""

    url: str
    text: str
    """The stored content: spans of evidence are offsets in it."""
    title: str = ""
    html: str | None = None
    """The page itself, in which text may be hidden."""
    tier: str | None = None
    content_hash: str | None = None
    infoboxes: tuple[Infobox, ...] = ()


async def _in_thread(about: str, function: Callable[..., T], *arguments: Any) -> T:
    return await asyncio.to_thread(function, *arguments)


class PageExtractor:
    """Extracts *fields* from pages.

    The model is not asked for a scalar that the page states for machines. The chunks of a page are
    read in order, until each field has a value. A list never has all.

    :param chunk_tokens: limit of a chunk
    :param run: calls a function that takes long, elsewhere than in the event loop: with what it is
        for, the function and its arguments
    """

    def __init__(
        self,
        fields: Sequence[FieldDefinition],
        reader: ChunkReader,
        *,
        chunk_tokens: int,
        run: Callable[..., Awaitable[Any]] = _in_thread,
    ) -> None:
        self._fields = list(fields)
        self._reader = reader
        self._chunk_tokens = chunk_tokens
        self._run = run

    async def extract(self, page: PageText) -> ScrapeResult:
        """Return the values of *page*.

        ``partial`` says why not all of the page was read, and ``error`` why none of it was.

        :raises AllKeysExhaustedError: each key is refused, or limited for too long
        :raises ExtractionError: the server failed again and again, or refuses the request
        :raises ContentError: a worker cannot read the page
        """
        merger = FindingMerger(self._fields)
        found = await self._stated(page)
        merger.add(found)
        fields = [one for one in self._fields if one.is_list or merger.data[one.name] is None]
        chunks: list[Chunk] = []
        if fields:
            chunks = await self._run(page.url, _split, page.text, self._chunk_tokens)
        usage, problems, stopped = Usage(), [], None
        for number, chunk in enumerate(chunks, 1):
            try:
                heard = await self._reader.read(chunk, fields, url=page.url, title=page.title)
            except OutOfBudgetError as error:
                stopped = error.why
                break
            usage += heard.usage
            problems += [f"part {number} of {len(chunks)}: {one}" for one in heard.problems]
            if heard.values:
                new = await self._run(
                    page.url,
                    findings_of,
                    page.text,
                    page.url,
                    page.html,
                    heard.values,
                    self._fields,
                )
                found += new
                merger.add(new)
            if is_complete(merger.data, self._fields):
                break
        partial = "; ".join(filter(None, [stopped, *problems])) or None
        is_read = bool(found) or partial is None
        return ScrapeResult(
            url=page.url,
            success=is_read,
            data=merger.data,
            error=None if is_read else partial,
            findings=tuple(found),
            conflicts=tuple(merger.conflicts),
            usage=usage,
            tier=page.tier,
            content_hash=page.content_hash,
            partial=partial,
        )

    async def _stated(self, page: PageText) -> list[Finding]:
        """Return what the page states for machines."""
        if page.html is None and not page.infoboxes:
            return []
        stated = (page.text, page.url, page.html, page.infoboxes, self._fields)
        found: list[Finding] = await self._run(page.url, stated_findings, *stated)
        return found


def _split(text: str, max_tokens: int) -> list[Chunk]:
    return split_markdown(text, max_tokens=max_tokens)
