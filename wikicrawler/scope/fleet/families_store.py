"""What the workers of a crawl count of families of URLs, in a Redis."""

from __future__ import annotations

import json
from array import array
from hashlib import blake2b
from typing import TYPE_CHECKING

from wikicrawler.frontier.redis.frontier import TTL
from wikicrawler.frontier.redis.server import prefix_of
from wikicrawler.politeness.fleet.script import SharedScript
from wikicrawler.scope.families import NEW_PHRASES, FamilyCounts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wikicrawler.scope.families import FamilyNote

PREFIX = "families:"
"""What the keys begin with, after the prefix of the job."""
LISTS = ("places", "texts")
"""The keys that list the places."""
OF_PLACE = ("place:", "words:", "phrases:")
"""What the keys of a place begin with."""

MOST_PAGES, MOST_HASHES = 100, 4_000
"""In a call, during which Redis answers no other worker."""


class FamiliesStore:
    """What one worker of the crawl *job* exchanges with the Redis at *url*. The methods block; call
    them in one thread."""

    has_more = False

    def __init__(self, url: str, job: str) -> None:
        self._script = SharedScript(url, f"{prefix_of(job)}{PREFIX}", "scope/fleet/families.lua")

    def exchange(self, notes: Sequence[FamilyNote]) -> list[FamilyCounts]:
        """Count the pages of *notes*, and return the counts of their families.

        :raises StoreError: Redis is unavailable; some may have been counted
        """
        counts: dict[tuple[str, frozenset[str]], FamilyCounts] = {}
        for some in _parts(notes):
            arguments: list[bytes | int | str] = [round(TTL), NEW_PHRASES]
            for note in some:
                arguments += [_short(note.place), _short(json.dumps(sorted(note.names)))]
                arguments += [int(note.leads_on)]
                arguments += [note.words_each, array("I", note.words).tobytes()]
                arguments += [note.phrases_each, array("I", note.phrases).tobytes()]
            for note, found in zip(some, self._script.run(arguments), strict=True):
                counts.pop((note.place, note.names), None)  # the latest is the last
                counts[note.place, note.names] = FamilyCounts(note.place, note.names, *found)
        return list(counts.values())

    def close(self) -> None:
        """Close the connection; harmless when called again."""
        self._script.close()


def _parts(notes: Sequence[FamilyNote]) -> Iterator[list[FamilyNote]]:
    part: list[FamilyNote] = []
    hashes = 0
    for note in notes:
        size = len(note.words) + len(note.phrases)
        if part and (len(part) >= MOST_PAGES or hashes + size > MOST_HASHES):
            yield part
            part, hashes = [], 0
        part.append(note)
        hashes += size
    if part:
        yield part


def _short(text: str) -> str:
    """Return 24 characters: what a site says may be long."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()
