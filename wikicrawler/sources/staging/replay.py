"""Conversion of the originals in envelopes by the present converter, compared with their text."""

from __future__ import annotations

import asyncio
from base64 import b64decode
from collections import deque
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from wikicrawler.documents.pdf import read_pdf
from wikicrawler.errors import ContentError
from wikicrawler.sources.changes import change_hash
from wikicrawler.sources.staging.lists import entries, removals
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from datetime import date

    from wikicrawler.content.workers.pool import ConversionPool
    from wikicrawler.sources.staging.lists import Entry
    from wikicrawler.sources.staging.protocol import Staging

_LINES_AT_ONCE = 500
_SHOWN_LINES = 3
_SHOWN_CHARACTERS = 200


class Replayed(NamedTuple):
    """What became of an envelope."""

    entry: Entry
    outcome: str
    """``same``, ``differs``, ``failed`` (it cannot be read or converted) or ``no_original``."""
    rules: str = ""
    """Versions of the converter and of the rules of changes that made it."""
    detail: str = ""
    """Why it failed."""
    is_change: bool = False
    """Whether the texts differ without noise, too: by their change hashes."""
    diff: tuple[str, ...] = ()
    """The first lines that differ, those of the envelope with ``-``, the new ones with ``+``."""


async def replay(
    folder: Staging,
    pool: ConversionPool,
    *,
    source: str | None = None,
    since: date | None = None,
    at_once: int = 4,
) -> AsyncIterator[Replayed]:
    """Yield what becomes of each envelope of *folder* in the order of its index.

    Tombstones and envelopes that were removed are left out.

    :param source: this source only
    :param since: only what was staged on this day (in UTC) or later
    :param at_once: number of envelopes that are in memory at the same time
    :raises ConfigError: a list of *folder* is damaged
    :raises OSError: *folder* cannot be read
    """
    wanted = _wanted(folder, source, since)
    running: deque[asyncio.Task[Replayed]] = deque()
    try:
        while some := await asyncio.to_thread(lambda: list(islice(wanted, _LINES_AT_ONCE))):
            for entry in some:
                if len(running) >= at_once:
                    yield await running.popleft()
                running.append(asyncio.ensure_future(_replay(folder, pool, entry)))
        while running:
            yield await running.popleft()
    finally:
        for task in running:
            task.cancel()


def _wanted(folder: Staging, source: str | None, since: date | None) -> Iterator[Entry]:
    gone = removals(folder)
    for entry in entries(folder):
        if (
            entry.envelope_id not in gone
            and entry.change_type != "deleted"
            and (source is None or entry.source == source)
            and (since is None or entry.staged_at.date() >= since)
        ):
            yield entry


async def _replay(folder: Staging, pool: ConversionPool, entry: Entry) -> Replayed:
    try:
        envelope = await asyncio.to_thread(folder.read, entry.path)
        content, rules = envelope["content"], str(envelope["integrity"]["change_rules"])
        old = str(content["body"])
        new = await _converted(pool, content, str(envelope["source"]["final_url"]))
    except ContentError as error:
        return Replayed(entry, "failed", rules, one_line(error, 200))
    except (OSError, ValueError, LookupError, TypeError, RecursionError) as error:
        return Replayed(entry, "failed", detail=f"cannot be read ({type(error).__name__})")
    if new is None:
        return Replayed(entry, "no_original", rules)
    if new == old:
        return Replayed(entry, "same", rules)
    is_change = True
    with suppress(ContentError):  # it takes too long
        hashes = [await pool.run(entry.url, change_hash, body) for body in (old, new)]
        is_change = hashes[0] != hashes[1]
    diff = await asyncio.to_thread(first_difference, old, new)
    return Replayed(entry, "differs", rules, is_change=is_change, diff=diff)


async def _converted(pool: ConversionPool, content: dict[str, Any], url: str) -> str | None:
    """Return the text of the original in *content*; None if it has none."""
    if content["body_html"] is not None:
        return (await pool.convert(content["body_html"], url)).inline_markdown
    if content["body_base64"] is None:
        return None
    data = await asyncio.to_thread(b64decode, content["body_base64"])
    if content["format"] == "pdf_text":
        return (await read_pdf(data)).text
    return await asyncio.to_thread(data.decode, content["encoding"] or "utf-8", "replace")


def first_difference(old: str, new: str) -> tuple[str, ...]:
    """Return the first lines that differ between *old* and *new*."""
    before, after = old.split("\n"), new.split("\n")
    start = 0
    while start < min(len(before), len(after)) and before[start] == after[start]:
        start += 1
    end = 0
    while end < min(len(before), len(after)) - start and before[-1 - end] == after[-1 - end]:
        end += 1
    removed = before[start : len(before) - end][:_SHOWN_LINES]
    added = after[start : len(after) - end][:_SHOWN_LINES]
    return (
        f"@ line {start + 1}",
        *(f"- {one_line(line, _SHOWN_CHARACTERS)}" for line in removed),
        *(f"+ {one_line(line, _SHOWN_CHARACTERS)}" for line in added),
    )
