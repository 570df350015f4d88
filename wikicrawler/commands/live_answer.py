"""What ``scrapy sources live`` does."""

from __future__ import annotations

import asyncio
import json
import sys
from typing import TYPE_CHECKING

from wikicrawler.commands.arguments import print_lines
from wikicrawler.content.workers.pool import ConversionPool
from wikicrawler.errors import ConfigError, ContentError
from wikicrawler.sources.staging.live import live_lines, parts_in, versions_of
from wikicrawler.sources.staging.location import staging_of
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scrapy.settings import BaseSettings

    from wikicrawler.sources.manifest.model import Source
    from wikicrawler.sources.staging.lists import Entry
    from wikicrawler.sources.staging.live import LiveLine, Part
    from wikicrawler.sources.staging.protocol import Staging

_MAX_VALUE = 200
"""Characters of a value that are shown."""


def show_live(settings: BaseSettings, sources: Sequence[Source], *, as_json: bool) -> None:
    """Print the lines of the documents of *sources* that changed at several visits.

    :raises ConfigError: the staging folder cannot be read
    """
    asyncio.run(_show(settings, sources, as_json=as_json))


async def _show(settings: BaseSettings, sources: Sequence[Source], *, as_json: bool) -> None:
    folder = staging_of(settings)
    pool = ConversionPool.from_settings(settings)
    try:
        for source in sources:
            count = 0
            for url, versions in (await asyncio.to_thread(versions_of, folder, source.id)).items():
                found = await _of_document(pool, folder, source, url, versions)
                count += len(found)
                lines = _records(source, found) if as_json else _shown(url, found)
                print_lines(lines)
            if not count and not as_json:
                print_lines(
                    [f"{source.id}: no line of its staged versions changed at several visits"]
                )
    except OSError as error:
        raise ConfigError(f"{folder}: cannot be read ({error.strerror or error})") from None
    finally:
        await pool.close()


async def _of_document(
    pool: ConversionPool, folder: Staging, source: Source, url: str, versions: list[Entry]
) -> list[LiveLine]:
    parts: list[list[Part]] = []
    for entry in versions:
        try:
            envelope = await asyncio.to_thread(folder.read, entry.path)
            body = str(envelope["content"]["body"])
            parts.append(await pool.run(url, parts_in, body, source.ignore_changes))
        except ContentError as error:
            _warn(f"{one_line(entry.path, 400)}: cannot be analysed ({error.reason})")
        except (OSError, ValueError, LookupError, TypeError) as error:
            _warn(f"{one_line(entry.path, 400)}: cannot be read ({type(error).__name__})")
    return await asyncio.to_thread(live_lines, url, parts) if parts else []


def _warn(message: str) -> None:
    sys.stderr.write(f"scrapy sources: {message}\n")


def _records(source: Source, found: Sequence[LiveLine]) -> Iterator[str]:
    return (json.dumps({"source": source.id, **line._asdict()}) for line in found)


def _shown(url: str, found: Sequence[LiveLine]) -> Iterator[str]:
    if found:
        yield one_line(url, 400)
    for line in found:
        below = f" (below {one_line(line.heading, 80)})" if line.heading else ""
        yield f"  changed at {line.changes} of {line.visits} visits that staged it{below}"
        for value in line.values:
            yield f"    {one_line(value, _MAX_VALUE)}"
        if line.is_fact:
            yield "    it has a word of a fact, such as a fee or a date of effect: look twice"
        if line.pattern is None:
            yield "    no pattern: what it said has too little in common"
            continue
        if line.others:
            yield f"    the pattern also matches {line.others} other lines of the newest version"
        yield f"    ignore_changes: [{json.dumps(line.pattern, ensure_ascii=True)}]"
