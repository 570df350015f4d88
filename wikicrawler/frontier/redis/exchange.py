"""What a worker sends to Redis at once, and what the script ``script/*.lua`` answers."""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from asyncio import Future

    from wikicrawler.frontier.page_limits import PageLimits
    from wikicrawler.frontier.protocol import Places

MOST_CHANGES = 500
"""Changes in an exchange: no other worker is answered while Redis makes them."""
HORIZON = 1.0
"""Seconds. A request whose site may be served so soon is leased now, and popped at its time: so the
pace of a site is not stretched by the time between two exchanges."""
LONGEST_KIND = 255
"""Bytes."""
_LONGEST = 2**52
"""Microseconds; Lua's numbers are exact up to there."""
_HIGHEST_RANK = 2**46
NO_LIMIT = 2**32 - 1
"""Pages."""


class Change(NamedTuple):
    """A call that changes the frontier."""

    letter: str
    """As ``script/4_changes.lua`` knows it."""
    moment: float
    """When it was made, by the worker's clock."""
    arguments: tuple[bytes | int, ...]


class Push(NamedTuple):
    """What a worker knows of a request that it pushed, until Redis has it."""

    site: str
    kind: str | None
    moment: float
    """From when on it may be handed out, by the worker's clock."""
    is_delayed: bool
    url: str = ""


@dataclass
class Exchange:
    """Changes, and what is wanted for them."""

    changes: list[Change] = field(default_factory=list)
    pushes: list[Push] = field(default_factory=list)
    """Those among the changes."""
    done: list[tuple[str, str]] = field(default_factory=list)
    """Kind and site of the requests that are done by the changes."""
    releases: int = 0
    """How many leases the changes release."""
    notes: list[tuple[str, bytes]] = field(default_factory=list)
    """Those among the changes."""
    wanted: int = 0
    """Requests to be leased."""
    places: list[tuple[str, int, int]] = field(default_factory=list)
    """Sites with the places that they hold, and how many more they can use."""
    usual_room: int = 0
    """How many places other sites can use."""
    newest_first: tuple[bool, bool] = (False, False)
    renewed: list[int] = field(default_factory=list)
    """Leases to be renewed."""
    asked: list[str] = field(default_factory=list)
    """Sites whose next-allowed times are asked for."""
    most_pages: int | None = None
    """What the pages of the crawl are limited to; None: the worker does not know it."""
    closes: bool = False
    """True if the worker hands back all that it has, and is gone."""
    future: Future[None] | None = None
    """Who waits for it."""

    def arguments(self, now: float) -> list[bytes | int | str]:
        """Return the part of the script's arguments that is the exchange's; *now* is the worker's
        time."""
        newest = [int(newest) for newest in self.newest_first]
        found: list[bytes | int | str] = [
            self.wanted,
            self.usual_room,
            micro(HORIZON),
            *newest,
            3 * len(self.places),
        ]
        for site, held, room in self.places:
            found += [as_bytes(site), held, room]
        found += [len(self.renewed), *self.renewed]
        found += [len(self.asked), *map(as_bytes, self.asked)]
        for letter, moment, arguments in self.changes:
            found += [letter, micro(now - moment), *arguments]
        return found


class Granted(NamedTuple):
    """A lease that Redis has given."""

    number: int
    seconds: float
    """Until it ends."""
    site: str
    wait: float
    """Seconds before which it is not to be popped."""
    pace: float
    """Seconds between two requests of its site."""
    kind: str
    request: bytes
    """As it is stored."""


class Reply(NamedTuple):
    """What Redis has answered. Durations are in seconds, from when it was asked."""

    crawl: str
    """Names the crawl."""
    resumed: bool
    waiting: int
    """Requests that are not leased."""
    others: int
    """Leases of other workers."""
    delayed: int
    """Those of the waiting requests that wait for their moment."""
    first_moment: float | None
    """Until the first of them may be handed out."""
    first_site: float | None
    """Until the next-allowed time of the first site that has requests and is before its."""
    ready: int
    """Sites that may be served now."""
    dead: int
    """Requests that were given up."""
    died: list[bytes]
    """Those of them that were in this exchange."""
    lost: list[int]
    """Leases that could not be renewed."""
    leases: list[Granted]
    waits: list[float]
    """Until the next-allowed times of the sites that were asked for."""
    notes_known: int
    notes: list[bytes]
    more_notes: bool
    changes_known: int
    counts: list[tuple[str, str, int]]
    """Kind, site, number: what has changed."""
    more_counts: bool
    pages: int
    """Those that have a place."""
    written: int
    """Pages that have their record."""
    waiting_for_crawl: int
    """Requests that wait for a place of the crawl."""
    waiting_for_place: int
    """They, and those that wait for one of their site."""
    refused: list[tuple[int, bool]]
    """Pushes whose sites had no place, numbered from 0, and whether each waits for one."""

    @classmethod
    def of(cls, answer: list[Any]) -> Reply:
        """Return what the script has answered."""
        (crawl, resumed, waiting, others, delayed, moment, site, ready, dead, died) = answer[1:11]
        (lost, leases, waits, notes_known, notes, more_notes) = answer[11:17]
        (changes_known, counts, more_counts) = answer[17:20]
        (pages, written, waiting_for_crawl, waiting_for_place, refused) = answer[20:]
        return cls(
            crawl.decode("ascii"),
            bool(resumed),
            waiting,
            others,
            delayed,
            _seconds_or_none(moment),
            _seconds_or_none(site),
            ready,
            dead,
            died,
            [int(number) for number in lost],
            [_granted(lease) for lease in leases],
            [wait / 1e6 for wait in waits],
            int(notes_known),
            notes,
            bool(more_notes),
            int(changes_known),
            [(as_text(kind), as_text(site), count) for kind, site, count in counts],
            bool(more_counts),
            pages,
            written,
            waiting_for_crawl,
            waiting_for_place,
            [(push - 1, bool(waits)) for push, waits in refused],
        )


def _granted(lease: list[Any]) -> Granted:
    number, seconds, site, wait, pace, kind, request = lease
    return Granted(
        int(number),
        seconds / 1e6,
        as_text(site),
        wait / 1e6,
        pace / 1e6,
        as_text(kind),
        request,
    )


def _seconds_or_none(micros: int) -> float | None:
    return None if micros < 0 else micros / 1e6


def micro(seconds: float) -> int:
    """Return *seconds* in microseconds, within what Lua can compute with."""
    return max(-_LONGEST, min(_LONGEST, round(seconds * 1e6)))


def as_bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def as_text(data: bytes) -> str:
    return data.decode("utf-8", "surrogatepass")


def as_rank(rank: int) -> bytes:
    """Return *rank* as 6 bytes that sort as ranks do; the last one is odd where the rank is."""
    most = _HIGHEST_RANK + (rank & 1)
    return (min(max(rank, -most), most) + 2**47).to_bytes(6)


def as_fingerprint(fingerprint: bytes | None) -> bytes:
    """Return 12 bytes for *fingerprint*; empty for None. It may be of any length and form, so it is
    hashed, not cut."""
    return b"" if fingerprint is None else blake2b(fingerprint, digest_size=12).digest()


def as_limits(limits: PageLimits | None) -> bytes:
    if limits is None:
        return b""
    most = NO_LIMIT if limits.site is None else min(limits.site, NO_LIMIT)
    return most.to_bytes(4) + bytes([limits.waits])


def as_note(name: str, value: bytes) -> bytes:
    """
    :raises ValueError: the name is too long
    """
    named = as_bytes(name)
    return len(named).to_bytes(2) + named + value


def read_note(note: bytes) -> tuple[str, bytes]:
    """Return the name and the value in what :func:`as_note` has returned."""
    end = 2 + int.from_bytes(note[:2])
    return as_text(note[2:end]), note[end:]


def room_for(places: Places, site: str, held: int, most: int) -> int:
    """Return how many places *site*, which holds *held*, can use, up to *most*."""
    for more in range(most):
        if held + more and not places.has_room(site, held + more):
            return more
    return most
