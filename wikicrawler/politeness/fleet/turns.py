"""Turns of the workers that share a Redis: one budget of requests a site, whatever crawl asks."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING, Any

from wikicrawler.errors import StoreError
from wikicrawler.frontier.protocol import FrontierError
from wikicrawler.frontier.redis.away import AwayError
from wikicrawler.frontier.redis.exchange import as_bytes, micro
from wikicrawler.frontier.redis.frontier import worker_clock
from wikicrawler.frontier.redis.server import connect
from wikicrawler.frontier.redis.worker_name import new_name
from wikicrawler.politeness.turns import Asked, Given, Note

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from wikicrawler.frontier.redis.client import Client

PREFIX = "{wikicrawler:turns}:"
"""What the keys begin with; the site follows. No job has this name: its keys have a spider's."""
_BUSY = 0.1
"""Seconds after which to ask again for a site with a request of another worker under way."""


class RedisTurns:
    """The turns of one worker, in the Redis at *url*. The methods block; call them in one thread.

    :param longest: maximum number of seconds for which a site is left alone
    :param lease: number of seconds after which turns are free that were not renewed
    :param worker: see :func:`~wikicrawler.frontier.redis.worker_name.worker_of`
    """

    def __init__(self, url: str, *, longest: float, lease: float, worker: str = "") -> None:
        self._url = url
        self._longest = longest
        self.lease = lease
        self._worker = new_name(worker)
        self._clock = worker_clock()
        self._held: dict[int, str] = {}  # sites by number
        self._until: dict[int, float] = {}  # ends of those that are held, by number
        self._ask_at: dict[int, float] = {}  # by number, of those that wait
        self._renewed = self._clock()
        self._is_away = False  # Redis has not answered, and may have lost its last writes
        self._client: Client | None = None
        self._script: Callable[[str, list[Any]], list[Any]] | None = None

    def exchange(self, asked: Sequence[Asked], notes: Collection[Note]) -> Given:
        """Store *notes*, renew the turns of this worker, and give it those of *asked* that are
        free.

        :raises StoreError: Redis is unavailable; *notes* may have been stored
        """
        now = self._clock()
        self._is_away, was_away = True, self._is_away  # until there is an answer
        touched = {note.site for note in notes}
        due = [
            one for one in asked if one.site in touched or self._ask_at.get(one.number, 0.0) <= now
        ]
        renewed: list[tuple[int, str]] = []
        if was_away or now - self._renewed >= self.lease / 3:
            ended = {note.number for note in notes if note.is_ended}
            renewed = [x for x in self._held.items() if x[0] not in ended and self.holds(x[0])]
        has_news = due or notes or renewed
        given = self._exchange(due, notes, renewed) if has_news else {}
        self._is_away = False
        waits = [self._ask_at[one.number] for one in asked if one.number not in given]
        self._ask_at = {
            one.number: self._ask_at[one.number] for one in asked if one.number not in given
        }
        return Given(
            set(given),
            max(0.0, min(waits) - self._clock()) if waits else None,
            {number: raised for number, raised in given.items() if raised is not None},
        )

    def holds(self, number: int) -> bool:
        """Return whether the turn *number* is this worker's: it has it, and it has not lapsed,
        because the worker stood still or Redis is away. May be called in any thread."""
        return self._until.get(number, 0.0) > self._clock()

    def end(self, notes: Collection[Note] = ()) -> None:
        """Store *notes*, and give all turns of this worker back.

        :raises StoreError: Redis is unavailable
        """
        ended = [Note(site, number, is_ended=True) for number, site in self._held.items()]
        try:
            self._exchange([], [*notes, *ended], [])
        finally:
            if self._client is not None:
                self._client.close()

    def _exchange(
        self, asked: Sequence[Asked], notes: Collection[Note], renewed: list[tuple[int, str]]
    ) -> dict[int, float | None]:
        """Return the raised delays of the sites whose turns are given, by the turns' numbers."""
        arguments: list[bytes | int | str] = [
            self._worker,
            micro(self.lease),
            micro(self._longest),
            micro(_BUSY),
            len(notes),
        ]
        for note in notes:
            arguments += [as_bytes(note.site), note.number, int(note.is_ended), micro(note.wait)]
            arguments.append(-1 if note.raised is None else micro(note.raised))
        arguments.append(len(renewed))
        for number, site in renewed:
            arguments += [as_bytes(site), number]
        arguments.append(len(asked))
        for one in asked:
            base = one.delay if one.base is None else one.base
            arguments += [one.number, as_bytes(one.site), micro(one.delay), micro(base)]
            arguments.append(one.at_once)
        before = self._clock()
        replies = self._run(arguments)
        if renewed:
            self._renew(renewed, before)
        for note in notes:
            if note.is_ended:
                self._held.pop(note.number, None)
                self._until.pop(note.number, None)
        return self._take(asked, replies, before)

    def _renew(self, renewed: list[tuple[int, str]], before: float) -> None:
        """Note that Redis has renewed turns, in an exchange since *before*."""
        self._renewed = before
        for number, _ in renewed:
            if self.holds(number):  # so it had not lapsed when Redis renewed it
                self._until[number] = before + self.lease

    def _take(
        self, asked: Sequence[Asked], replies: list[int], before: float
    ) -> dict[int, float | None]:
        """Return what :meth:`_exchange` does, of *replies* to an exchange since *before*."""
        now = self._clock()
        if now - before > self.lease / 2:  # they may have lapsed: ask again
            self._ask_at |= {one.number: now for one in asked}
            return {}
        given = {}
        for one, wait, raised in zip(asked, replies[::2], replies[1::2], strict=True):
            if wait < 0:
                given[one.number] = raised / 1e6 if raised >= 0 else None
                self._held[one.number] = one.site
                self._until[one.number] = before + self.lease
            else:
                self._ask_at[one.number] = now + wait / 1e6
        return given

    def _run(self, arguments: list[bytes | int | str]) -> list[int]:
        try:
            if self._script is None:
                self._client = self._client or connect(self._url)
                text = files("wikicrawler").joinpath("politeness/fleet/turns.lua")
                self._script = self._client.script(text.read_text("utf-8"))
            return self._script(PREFIX, arguments)
        except (AwayError, FrontierError) as error:
            raise StoreError(f"Redis: {error}") from None
