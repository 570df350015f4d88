"""The chunks of a page's Markdown, as a crawl writes them."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple, Self
from uuid import NAMESPACE_URL, uuid5

from wikicrawler import options
from wikicrawler.errors import ConfigError
from wikicrawler.items import ChunkSpan
from wikicrawler.text.safe import without_surrogates

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings


class ChunkSize(NamedTuple):
    """The size of chunks, in estimated tokens."""

    tokens: int
    """Maximum of a chunk."""
    overlap: int
    """What a chunk repeats of the one before."""

    @classmethod
    def from_settings(cls, settings: BaseSettings) -> Self:
        """
        :raises ConfigError: a setting is wrong, or the overlap is more than half of a chunk
        """
        tokens = options.CHUNK_TOKENS.read(settings)
        overlap = options.CHUNK_OVERLAP.read(settings)
        if overlap > tokens // 2:
            raise ConfigError(
                f"{options.CHUNK_OVERLAP.name} is {overlap}: at most half of "
                f"{options.CHUNK_TOKENS.name} ({tokens}) is needed, {tokens // 2}"
            )
        return cls(tokens, overlap)


def chunk_spans(content: str, url: str, size: ChunkSize) -> list[ChunkSpan]:
    """Return the chunks of *content*, the Markdown of the page at *url*; none of white space.

    A chunk keeps its ``id`` when another part of the page changes: the id is the UUID (version 5,
    namespace URL) of ``{url}#chunk={digest}:{n}``, with the hexadecimal SHA-256 of the chunk's
    prefix and text, and the number of earlier chunks of the page that have the same.

    It is called in a worker process: the time is some 0.3 µs a character.
    """
    # Imported here because most crawls write no chunks.
    from wikicrawler.content.chunks import split_markdown  # noqa: PLC0415

    content, url = without_surrogates(content), without_surrogates(url)
    seen: Counter[str] = Counter()
    found: list[ChunkSpan] = []
    for chunk in split_markdown(content, max_tokens=size.tokens, overlap=size.overlap):
        if chunk.text.isspace():
            continue
        digest = sha256((chunk.prefix + chunk.text).encode()).hexdigest()
        found.append(
            ChunkSpan(
                id=str(uuid5(NAMESPACE_URL, f"{url}#chunk={digest}:{seen[digest]}")),
                headings=list(chunk.headings),
                prefix=chunk.prefix,
                start=chunk.start,
                end=chunk.end,
                tokens=chunk.tokens,
            )
        )
        seen[digest] += 1
    return found
