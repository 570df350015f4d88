"""The thread that exchanges with Redis, one exchange after another."""

from __future__ import annotations

import logging
import secrets
from queue import SimpleQueue
from threading import Event, Thread
from time import monotonic
from typing import TYPE_CHECKING

from wikicrawler.frontier.protocol import FrontierError
from wikicrawler.frontier.redis.away import AwayError
from wikicrawler.frontier.redis.exchange import Reply, micro
from wikicrawler.frontier.redis.worker_name import new_name

if TYPE_CHECKING:
    from collections.abc import Callable

    from wikicrawler.frontier.redis.exchange import Exchange
    from wikicrawler.frontier.redis.server import Server

logger = logging.getLogger(__name__)

_FIRST_PAUSE, _LONGEST_PAUSE = 0.05, 1.0  # seconds between two tries


class Answered:
    """An exchange that Redis has answered, or that has failed."""

    def __init__(
        self,
        exchange: Exchange,
        sent: float,
        received: float,
        reply: Reply | FrontierError,
        *,
        behind: bool = False,
    ) -> None:
        self.exchange = exchange
        self.sent = sent
        """The worker's time before it was sent."""
        self.received = received
        self.reply = reply
        self.behind = behind
        """True if Redis has lost what it had confirmed to this worker. The worker has another name
        from this exchange on, and no leases but those in the reply."""


class Link:
    """Sends exchanges in their order, each until Redis has answered.

    Each has the name of the worker and a number, by which the script knows one that it has had
    already: so what is sent again is not done again. A worker whose numbers have a gap, because
    Redis was restored from an older state, begins anew under another name.

    :param clock: the worker's; *server_clock* replaces that of Redis
    :param worker: what its names begin with
    :param deliver: called in the thread with each result, in order. After one that failed all fail
    """

    def __init__(
        self,
        server: Server,
        *,
        clock: Callable[[], float],
        server_clock: Callable[[], float] | None,
        patience: float,
        lease_seconds: float,
        ttl: float,
        worker: str = "",
        deliver: Callable[[Answered], None],
    ) -> None:
        self._server = server
        self._clock = clock
        self._server_clock = server_clock
        self.patience = patience
        """Seconds for which Redis may be away."""
        self._lifetimes = (micro(lease_seconds), max(1, round(ttl)))
        self._shown_worker = worker
        self._deliver = deliver
        self._waiting: SimpleQueue[Exchange | None] = SimpleQueue()
        self._stopping = Event()
        self._failure: FrontierError | None = None
        self._crawl = ""
        self._new_crawl = secrets.token_hex(8)
        self._lost_worker = ""
        self._begin()
        self._thread = Thread(target=self._work, name="frontier", daemon=True)
        self._thread.start()

    def send(self, exchange: Exchange) -> None:
        """Queue *exchange*; it is sent after the reply to the one before it."""
        self._waiting.put(exchange)

    def stop(self, *, at_once: bool = False) -> None:
        """End the thread when everything was sent; *at_once*: without waiting for Redis any more.
        Returns immediately; harmless when called again."""
        if at_once:
            self._stopping.set()
        self._waiting.put(None)

    def join(self) -> None:
        """Wait for the end of the thread."""
        self._thread.join()

    # In the thread

    def _begin(self) -> None:
        """Take another name."""
        self._worker = new_name(self._shown_worker)
        self._number = 0
        self._known = (0, 0)

    def _work(self) -> None:
        try:
            while (exchange := self._waiting.get()) is not None:
                try:
                    answered = self._send(exchange)
                except FrontierError as error:
                    answered = self._failed(exchange, error)
                except Exception as error:
                    logger.debug("The exchange with Redis failed", exc_info=True)
                    why = FrontierError(f"{type(error).__name__}: {error}", advice="see the log")
                    answered = self._failed(exchange, why)
                self._deliver(answered)
        finally:
            self._server.close()

    def _failed(self, exchange: Exchange, error: FrontierError) -> Answered:
        self._failure = error
        now = self._clock()
        return Answered(exchange, now, now, error)

    def _send(self, exchange: Exchange) -> Answered:
        """
        :raises FrontierError: it cannot be sent
        """
        if self._failure is not None:
            raise self._failure
        behind = False
        self._number += 1
        while True:
            sent, answer = self._insist(exchange)
            if answer[0] != b"behind":
                break
            behind = True
            self._lost_worker = self._worker
            self._begin()
            self._number = 1
        if answer[0] == b"gone":
            raise FrontierError(
                "the crawl is gone from Redis, which was emptied, or restarted without what it had "
                "(or nothing was asked of the crawl for longer than its keys are kept)",
                advice="begin the crawl anew, and have Redis keep its data (appendonly yes)",
            )
        if answer[0] == b"format":
            raise FrontierError(
                "the crawl in Redis was begun by another version of wikicrawler",
                advice="finish it with that version, or begin another",
            )
        reply = Reply.of(answer)
        self._crawl = reply.crawl
        self._lost_worker = ""
        self._known = (reply.notes_known, reply.changes_known)
        return Answered(exchange, sent, self._clock(), reply, behind=behind)

    def _insist(self, exchange: Exchange) -> tuple[float, list[object]]:
        """Send until there is an answer; return it, and when it was asked for."""
        pause, since = _FIRST_PAUSE, None
        while True:
            sent = self._clock()
            try:
                answer = self._server.exchange(self._arguments(exchange, sent))
            except AwayError as error:
                is_first, since = since is None, since or monotonic()
                if monotonic() - since >= self.patience or self._stopping.is_set():
                    raise FrontierError(
                        f"Redis is away: {error}", advice="start the same command when it is back"
                    ) from None
                if is_first:
                    logger.warning("Redis is away, the crawl waits for it: %s", error)
                self._stopping.wait(pause)
                pause = min(2 * pause, _LONGEST_PAUSE)
            else:
                if since is not None:
                    logger.info("Redis is back")
                return sent, answer

    def _arguments(self, exchange: Exchange, now: float) -> list[bytes | int | str]:
        moment = "" if self._server_clock is None else micro(self._server_clock())
        head: list[bytes | int | str] = [
            self._worker,
            self._number,
            moment,
            self._crawl,
            self._new_crawl,
            self._lost_worker,
            int(exchange.closes),
            *self._lifetimes,
            *self._known,
            "" if exchange.most_pages is None else exchange.most_pages,
        ]
        return head + exchange.arguments(now)
