"""What a frontier is: the requests of a crawl that are not done, and what is known beside them.

SQLite in a state folder is one implementation, for one process; Redis, which many workers share, is
another. Nothing outside of an implementation knows which one there is.
``tests/frontier/test_contract.py`` holds every implementation to the sentences of this module.

**Synchronous and awaitable calls.** Scrapy's ``enqueue_request()`` and ``next_request()`` are
synchronous and run on the event loop, and so are the storages of feeds and the callbacks that note
what they found. None of them can wait for a network. So every call that they lead to is
synchronous and works on what the process has at hand: the file of an embedded database, or a buffer
that a shared frontier exchanges with its server. What has to wait for somebody else is awaitable,
and the scheduler awaits it beside the crawl: :meth:`Frontier.open` and :meth:`Frontier.close`
(connect, write the rest), :meth:`Frontier.prefetch` (fill the buffer that ``pop`` empties) and
:meth:`Frontier.renew` (the heartbeat of the leases). In an embedded frontier the last two do
nothing.

So a synchronous answer of a shared frontier may be older than the server's. Each call says on which
side it errs.

**Time.** Durations are relative, in seconds, and an implementation measures all of them by one
clock. So the clocks of workers need not agree.

**Errors.** A synchronous call raises :class:`FrontierError` while the frontier is not open, and
when it fails; one that failed is not open any more. :meth:`Frontier.give_up` and the awaitable
calls raise it only when it fails, the properties and :meth:`Frontier.feed_name` never. A crawl uses
its frontier through :class:`~wikicrawler.frontier.guarded.GuardedFrontier`, which stops the crawl
instead.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from scrapy import Request

    from wikicrawler.frontier.page_limits import PageLimits, SharedPages


class FrontierError(Exception):
    """The frontier failed, or is not open. Its text says why."""

    def __init__(self, why: str, *, advice: str = "", out_of_space: bool = False) -> None:
        super().__init__(why)
        self.advice = advice
        """What a person can do, as the rest of a sentence."""
        self.out_of_space = out_of_space
        """True if there was no room to write."""


class Unreadable(NamedTuple):
    """Stands for a request whose stored bytes are damaged."""

    url: str
    """The URL of the request, as it was stored beside it; empty if that is damaged too."""


class Lease(NamedTuple):
    """A request that was handed out: to be made by this worker, and by no other meanwhile."""

    number: int
    """Names the lease. A shared frontier gives each delivery of a request a number of its own."""
    request: Request | bytes | Unreadable
    """The object that was pushed, where the process still has it; else what it was encoded to."""


class Delayed(NamedTuple):
    """The requests that wait for a moment of their own."""

    requests: int
    seconds: float
    """Until the moment of the first; 0 where it has come, and where there is none."""


class KnownFeed(NamedTuple):
    """A feed, as the frontier knows it."""

    number: int
    size: int
    """Bytes."""


class Places(Protocol):
    """How many places of the downloader each site holds, and how many it may."""

    def held(self) -> Mapping[str, int]:
        """Places by site; 0, not an error, for a site that holds none."""

    def has_room(self, key: str, held: int) -> bool:
        """Return True if the site *key*, which holds so many places, can use another."""


class Frontier(Protocol):
    """The requests of a crawl that are not done.

    A request is pushed, popped, and done. It is forgotten when it is done, not when it is popped:
    what was popped and not done is popped again when its worker is gone.
    """

    # Opening and closing

    @property
    def pages(self) -> SharedPages | None:
        """The pages of the crawl, from :meth:`open` on, where workers share the limits on their
        number; None where a process counts them by itself."""

    @property
    def name(self) -> str:
        """Name the frontier in messages, without passwords."""

    @property
    def is_open(self) -> bool:
        """True from :meth:`open` until :meth:`give_up`, :meth:`close` or a failure."""

    @property
    def resumed(self) -> bool:
        """True if the crawl was begun before: by an earlier process, or by another worker."""

    @property
    def may_lack_writes(self) -> bool:
        """True if files that were written beside the frontier may have lost their ends without
        anybody's doing: the system was restarted since."""

    @property
    def lease_seconds(self) -> float | None:
        """Seconds after which a lease ends that is not renewed; None: it ends with the process,
        and nothing has to be renewed or prefetched."""

    async def open(self, places: Places, newest_first: tuple[bool, bool] = (False, False)) -> None:
        """Make the frontier ready. Awaitable, because it may connect and fetch.

        :param places: asked by :meth:`pop` whose turn it is
        :param newest_first: whether the newest of several requests of one rank comes first, else
            the oldest: for even ranks and for odd ones
        """

    async def close(self) -> None:
        """Commit, and let go of everything. Awaitable, because it may have to write.

        Leases that are not done are handed back: their requests can be popped by another worker at
        once. Harmless when called again, and after :meth:`give_up` or a failure.
        """

    def give_up(self) -> None:
        """Commit, and take no notice of anything that follows; harmless when called again.

        Requests under way are popped again when the crawl goes on, whatever becomes of them.
        """

    def commit(self) -> None:
        """Set a commit point: everything before it survives the loss of this worker.

        What survives of later calls is the state after one of them. So a request is never done
        without its notes, nor known as a duplicate without being in the frontier. Synchronous,
        because feeds set commit points too. It is no fence: an embedded frontier has written when
        it returns; a shared one writes in this order, and has written when ``close`` returns.
        """

    async def prefetch(self) -> None:
        """Fetch the requests that the next calls of :meth:`pop` return, and lease them.

        Awaitable, because ``pop`` cannot wait for a network. Requests that are pushed later may
        come after those that were prefetched, whatever their rank.
        """

    async def renew(self) -> None:
        """Renew all leases of this worker that have not ended, for :attr:`lease_seconds` from now.

        Awaitable, because others must see it.
        """

    # Requests

    def push(
        self,
        site: str,
        rank: int,
        encode: Callable[[], bytes],
        *,
        fingerprint: bytes | None = None,
        kind: str | None = None,
        wait: float = 0.0,
        live: Request | None = None,
        url: str = "",
        limits: PageLimits | None = None,
    ) -> bool:
        """Add a request of *site*; return False if it is a duplicate, and was not added.

        Synchronous, because Scrapy asks whether a request was dropped. False is certain. True may
        be wrong where workers share a frontier: a request that another worker pushed, meanwhile or
        before this one came, is dropped when it is written.

        :param rank: requests of a site with a lower rank are handed out first
        :param encode: returns the request as bytes. It is called at most once, and not for a
            duplicate. If it raises, nothing was pushed, and the fingerprint is not known
        :param fingerprint: a request with the fingerprint of an earlier one is a duplicate, also
            after that was done; None: it is none
        :param kind: what :meth:`counts` counts it by
        :param wait: seconds before which it is not handed out. It holds up no other
        :param live: the object itself, which :meth:`pop` may return instead of the bytes
        :param url: names the request where its bytes are damaged when they are popped
        :param limits: where there are :attr:`pages`, the request waits until these and the limit of
            the crawl have a place for it, and does not count meanwhile
        """

    def pop(self) -> Lease | None:
        """Lease the next request; None where none can be handed out now.

        Among the sites that have room, that of the fewest places is next, and among several of
        those each in turn. Within a site the order is that of ranks, and of age within a rank. A
        site before its next-allowed time is passed over, and so is a request before its moment,
        which is as old as its moment.

        A request is leased to one worker at a time, and never handed out after its lease has ended:
        what was prefetched and not popped in time goes to whoever asks. Synchronous, so of a shared
        frontier it returns only what was prefetched.
        """

    def tried(self, lease: int) -> bool:
        """Note that the request of *lease* is sent: a worker that dies from now on may have died of
        it. False where the lease has ended before it was done: another worker has the request, or
        will have it, and it is not to be sent."""

    def done(self, lease: int) -> bool:
        """Forget the request, and write its notes (see :meth:`note`), both or neither.

        False where the lease is not held: it was done already, it has ended, or it was never given
        to this worker. Then nothing changes. Where a lease ends while the call is on its way to a
        shared server, nothing changes there either, though True was returned.
        """

    def waiting(self) -> int:
        """Count the requests that wait: for their turn, or for their moment. Leased ones do not."""

    def has_pending(self) -> bool:
        """Return True if a request may be popped later without another one being done by this
        worker: one waits, or another worker has one. A crawl ends where this is False and nothing
        is under way, so that a frontier that is not sure returns True."""

    def counts(self, kind: str) -> Counter[str]:
        """Count the requests of *kind* that are not done, by site, leased ones included."""

    def delayed(self) -> Delayed:
        """Return how many requests wait for a moment of their own, and for how long."""

    def next_due_in(self) -> float | None:
        """Seconds until a request could be handed out, if its site has room; 0 where one could be
        now; None where none waits. Rather too early than too late. A lease of another worker that
        may end is not reckoned with."""

    # The pace of sites

    def hold(self, site: str, seconds: float) -> None:
        """Hand out no request of *site* before so many seconds have passed.

        It moves the site's next-allowed time forward, never back.
        """

    def set_pace(self, site: str, seconds: float) -> None:
        """Let so many seconds pass between two requests of *site* that are handed out.

        As if :meth:`hold` were called by each ``pop``, in the same step: no other worker pops in
        between. 0, the default, ends it.
        """

    # Notes

    def note(self, name: str, value: bytes, *, after: int | None = None) -> None:
        """Add *value* to the set *name*: now, or when the lease *after* is done.

        A note after a lease that is not held, or that ends without being done, is dropped.
        """

    def noted(self, name: str) -> set[bytes]:
        """Return the set *name*. Of a shared frontier: as it was at the last exchange with the
        server, with what this worker has noted since."""

    def has_noted(self, name: str, value: bytes) -> bool:
        """Return True if *value* is in the set :meth:`noted` of *name*, without making it."""

    # What feeds hold. A feed is of one worker: nobody else writes to it.

    def feed_name(self, path: Path) -> str:
        """Return the name by which the file at *path* is known, also in the next process."""

    def feed(self, name: str) -> KnownFeed | None:
        """Return the feed *name*, its size as :meth:`resize_feed` said last; None: not known."""

    def add_feed(self, name: str, size: int) -> int:
        """Add a feed of *size* bytes, and return its number. It is a commit point, on the disk
        before the call returns: what is appended later is beyond *size*, whatever is lost."""

    def resize_feed(self, feed: int, size: int) -> None:
        """Set the size of the feed of that number."""

    def add_record(self, feed: int, key: bytes) -> bool:
        """Add *key* to the records of *feed*; False where it holds it already."""

    def remove_record(self, feed: int, key: bytes) -> None:
        """Remove *key* from the records of *feed*; harmless where it is not among them."""
