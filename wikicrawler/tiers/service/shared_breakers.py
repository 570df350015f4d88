"""The circuit breakers of services, where several workers share a Redis."""

from __future__ import annotations

import asyncio
import logging
from functools import partial
from hashlib import blake2b
from ipaddress import ip_address
from pathlib import Path
from socket import gethostname
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

from wikicrawler import options
from wikicrawler.errors import StoreError
from wikicrawler.guard.networks import literal_address
from wikicrawler.politeness.fleet.exchanges import Exchanges
from wikicrawler.tiers.service.breaker import BreakerNote
from wikicrawler.tiers.service.breaker_store import BreakerStore, KnownBreaker

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scrapy.crawler import Crawler

    from wikicrawler.tiers.service.breaker import Breaker

logger = logging.getLogger(__name__)

Note = tuple[str, BreakerNote]
_ANSWER_SECONDS = 5.0
"""Seconds for which a trial waits for Redis; then it is made."""

_shared: WeakKeyDictionary[Crawler, SharedBreakers] = WeakKeyDictionary()


class SharedBreakers(Exchanges[Note, KnownBreaker]):
    """Keeps the breakers of one worker as those of the others are: failures add up, a pause is one
    of all, one worker tries the service then, and what is answered to any of them counts.

    Workers have a service in common if it has the same address. One at the machine's own
    (``localhost``) is another service on another machine.
    """

    def __init__(self, crawler: Crawler, store: BreakerStore) -> None:
        super().__init__(crawler, store, "circuit breakers")
        self._breakers_store = store
        self._breakers: dict[str, tuple[str, Breaker]] = {}
        self._early: dict[str, KnownBreaker] = {}
        self._trials: set[str] = set()

    @classmethod
    def of(cls, crawler: Crawler) -> SharedBreakers | None:
        """Return those of *crawler*, which it has from the first call on, before the spider is
        opened; None if it has one worker."""
        url = options.FRONTIER.read(crawler.settings)
        if not url:
            return None
        if crawler not in _shared:
            _shared[crawler] = cls(crawler, BreakerStore(url))
        return _shared[crawler]

    def add(self, name: str, url: str, breaker: Breaker) -> None:
        """Share *breaker*, that of the service *name* at *url*."""
        service = service_of(name, url)
        self._breakers[service] = name, breaker
        breaker.share = partial(self._noted, service)
        breaker.may_try = partial(self._may_try, service, breaker)
        if (known := self._early.pop(service, None)) is not None:
            self.take([known], [])

    def take(self, changed: Sequence[KnownBreaker], newer: Sequence[Note]) -> None:
        noted = {service for service, _ in newer}
        for known in changed:
            if known.service not in self._breakers:
                self._early[known.service] = known
            elif known.service not in noted:
                self._take_over(*self._breakers[known.service], known)

    async def close(self) -> None:
        for service in self._trials:
            self.note((service, BreakerNote(ends_trial=True)))
        self._trials.clear()
        await super().close()

    def _take_over(self, name: str, breaker: Breaker, known: KnownBreaker) -> None:
        before = breaker.state
        breaker.take_over(known.failures, known.pause, known.remaining)
        after = breaker.state
        if after == "open" != before:
            logger.warning(
                "%s keeps failing, as another worker found: next attempt in %.0f s",
                name,
                breaker.remaining,
            )
        elif after == "closed" != before:
            logger.info("%s works again, as another worker found", name)

    def _noted(self, service: str, note: BreakerNote) -> None:
        if note.is_over or note.pause:
            self._trials.discard(service)
        self.note((service, note))

    async def _may_try(self, service: str, breaker: Breaker) -> bool:
        ask = partial(self._breakers_store.try_service, service, breaker.trial_seconds)
        loop = asyncio.get_running_loop()
        try:
            asked = loop.run_in_executor(self._thread, ask)
            has_trial = await asyncio.wait_for(asked, _ANSWER_SECONDS)
        except (StoreError, TimeoutError, RuntimeError):  # the last: its thread has ended
            return True
        if has_trial:
            self._trials.add(service)
        return has_trial


def service_of(name: str, url: str) -> str:
    """Return the name of a service that all workers give to it; it tells nothing of *url*, which
    may have a password."""
    parts = urlsplit(url)
    host = (parts.hostname or "").rstrip(".")
    address = literal_address(host)
    is_local = host == "localhost" or (bool(address) and ip_address(address).is_loopback)
    where = _machine() if is_local else ""
    text = "\n".join((name, address or host, str(parts.port or ""), parts.path.rstrip("/"), where))
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def _machine() -> str:
    """Name what ``localhost`` is that of: a machine, or a container with a network of its own."""
    try:
        network = Path("/proc/self/ns/net").stat().st_ino
        boot = Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
    except (OSError, ValueError):  # another system
        return gethostname()
    return f"{boot} {network}"
