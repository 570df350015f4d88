"""Extraction of fields from one page: chunks, questions to a model, findings, merging."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from wikicrawler.content.chunks import split_markdown
from wikicrawler.errors import ContentError
from wikicrawler.fields.asking import ChunkReader, Spent
from wikicrawler.fields.completion import is_complete
from wikicrawler.fields.errors import ScraperError
from wikicrawler.fields.findings import findings_of, stated_findings
from wikicrawler.fields.merging import FindingMerger
from wikicrawler.fields.models import Finding, ScrapeResult
from wikicrawler.text.safe import one_line

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


class PageReading(NamedTuple):
    """What became of a page."""

    result: ScrapeResult
    """What was found; ``partial`` or ``error`` say why that is not all."""
    error: ScraperError | ContentError | None = None
    """What ended the reading, if the model or a worker failed."""


@dataclass
class _SoFar:
    """What was found of a page."""

    found: list[Finding] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    stopped: str | None = None
    spent: Spent = field(default_factory=Spent)
    place: str = ""
    """The part of the page that is read, for messages."""
    is_whole: bool = True
    """Whether the page has one part only."""


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
        read = await self.read(page)
        if read.error is not None:
            raise read.error
        return read.result

    async def read(self, page: PageText) -> PageReading:
        """Return the values of *page*, those that were found before an error included."""
        merger, so_far = FindingMerger(self._fields), _SoFar()
        error: ScraperError | ContentError | None = None
        try:
            await self._read(page, merger, so_far)
        except (ScraperError, ContentError) as raised:
            error = raised
            place = "" if so_far.is_whole else so_far.place
            so_far.problems.append(f"{place}{one_line(raised, 500)}")
        found = so_far.found
        partial = "; ".join(filter(None, [so_far.stopped, *so_far.problems])) or None
        is_read = bool(found) or partial is None
        result = ScrapeResult(
            url=page.url,
            success=is_read,
            data=merger.data,
            error=None if is_read else partial,
            findings=tuple(found),
            conflicts=tuple(merger.conflicts),
            usage=so_far.spent.usage,
            tier=page.tier,
            content_hash=page.content_hash,
            partial=partial,
            content=page.text,
        )
        return PageReading(result, error)

    async def _read(self, page: PageText, merger: FindingMerger, so_far: _SoFar) -> None:
        so_far.found += await self._stated(page)
        merger.add(so_far.found)
        fields = [one for one in self._fields if one.is_list or merger.data[one.name] is None]
        chunks: list[Chunk] = []
        if fields:
            chunks = await self._run(page.url, _split, page.text, self._chunk_tokens)
        for number, chunk in enumerate(chunks, 1):
            so_far.is_whole = len(chunks) == 1
            so_far.place = f"part {number} of {len(chunks)}: "
            heard = await self._reader.read(
                chunk, fields, url=page.url, title=page.title, spent=so_far.spent
            )
            so_far.problems += [f"{so_far.place}{one}" for one in heard.problems]
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
                so_far.found += new
                merger.add(new)
            if heard.stopped:
                so_far.stopped = heard.stopped
                break
            if is_complete(merger.data, self._fields):
                break

    async def _stated(self, page: PageText) -> list[Finding]:
        """Return what the page states for machines."""
        if page.html is None and not page.infoboxes:
            return []
        stated = (page.text, page.url, page.html, page.infoboxes, self._fields)
        found: list[Finding] = await self._run(page.url, stated_findings, *stated)
        return found


def _split(text: str, max_tokens: int) -> list[Chunk]:
    return split_markdown(text, max_tokens=max_tokens)
