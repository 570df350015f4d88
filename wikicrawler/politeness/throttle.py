"""Delays and pauses between the requests to each site."""

from __future__ import annotations

import logging
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING

from scrapy import signals
from scrapy.exceptions import NotConfigured
from scrapy.extensions.throttle import AutoThrottle
from scrapy.utils.asyncio import create_looping_call
from scrapy.utils.httpobj import urlparse_cached

from wikicrawler import options
from wikicrawler.config import Config
from wikicrawler.options.kinds import Seconds
from wikicrawler.politeness.budget import Budget
from wikicrawler.politeness.retry_after import retry_after_of
from wikicrawler.politeness.standstills import STEP, Standstills
from wikicrawler.process.internals.downloader_slots import slot_names, slot_of
from wikicrawler.process.internals.robots_rates import request_rate
from wikicrawler.signals import site_busy

if TYPE_CHECKING:
    from typing import Self

    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.robotstxt import RobotParser
    from scrapy.settings import BaseSettings

    from wikicrawler.process.internals.downloader_slots import PacedSlot

logger = logging.getLogger(__name__)

BUSY_STATUSES = frozenset({429, 503})
MIN_DELAY = 0.001
"""Seconds. A shorter delay is none: each page takes longer anyway. A pause needs a delay, because
Scrapy ignores ``lastseen`` of a slot without one."""
MAX_CRAWL_DELAYS = 100_000
"""Maximum number of hosts whose Crawl-delay is remembered; the oldest is dropped first."""
FIRST_SWEEP = 1024
"""Number of budgets at which idle ones are first removed; later at twice the number left."""
_DOWNLOAD_DELAY = Seconds("DOWNLOAD_DELAY", 0.0, help="Scrapy's.")


class DomainThrottle:
    """Scrapy extension that sets the delay of each download slot: the pause after each response.

    Replaces AutoThrottle. With :class:`~wikicrawler.politeness.slots.SiteSlotMiddleware` a slot is
    a site.

    - The base delay is the domain's ``delay`` in the configuration, else that of
      ``DOWNLOAD_SLOTS``, else ``DOWNLOAD_DELAY`` if set, else 60 s divided by
      ``DOMAIN_THROTTLE_REQUESTS_PER_MINUTE``. robots.txt raises it (Crawl-delay, Request-rate) up
      to ``DOMAIN_THROTTLE_MAX_CRAWL_DELAY``. No jitter shortens it.
    - The delay counts from the end of the last response or failure.
    - The delay doubles after 429 and 503 and after slow responses, and is never shorter than the
      last response took, up to ``DOMAIN_THROTTLE_MAX_DELAY``. Good responses lower it to the base.
      The meta key ``autothrottle_dont_adjust_delay`` excludes the latency of a request. Seconds for
      which this process stood still do not count.
    - Retry-After and the signal ``site_busy`` pause the slot, for at most
      ``DOMAIN_THROTTLE_MAX_RETRY_AFTER``.

    Stats: ``domain_throttle/…``. Setting: ``DOMAIN_THROTTLE_ENABLED`` (default ``True``).
    """

    def __init__(self, crawler: Crawler, config: Config) -> None:
        settings = crawler.settings
        self._crawler = crawler
        self._config = config
        self._default = default_delay(settings)
        self._max_delay = options.DOMAIN_THROTTLE_MAX_DELAY.read(settings)
        self._max_crawl_delay = options.DOMAIN_THROTTLE_MAX_CRAWL_DELAY.read(settings)
        self._max_pause = options.DOMAIN_THROTTLE_MAX_RETRY_AFTER.read(settings)
        self._slot_settings = settings.getdict("DOWNLOAD_SLOTS")
        self._budgets: dict[str, Budget] = {}
        self._crawl_delays: dict[str, float] = {}  # by host and port, of those that ask for one
        self._sweep_at = FIRST_SWEEP
        self._standstills = Standstills()
        self._ticks = create_looping_call(self._standstills.tick)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        if not options.DOMAIN_THROTTLE_ENABLED.read(crawler.settings):
            raise NotConfigured
        throttle = cls(crawler, Config.from_settings(crawler.settings))
        connect = crawler.signals.connect
        connect(throttle._spider_opened, signals.spider_opened)
        connect(throttle._spider_closed, signals.spider_closed)
        connect(throttle._request_reached_downloader, signals.request_reached_downloader)
        connect(throttle._response_downloaded, signals.response_downloaded)
        connect(throttle._robots_parsed, signals.robots_parsed)
        connect(throttle._site_busy, site_busy)
        return throttle

    def delays(self) -> dict[str, float]:
        """Return the current delay in seconds of each recently used slot."""
        return {key: budget.delay for key, budget in self._budgets.items()}

    def pauses(self) -> dict[str, float]:
        """Return the remaining seconds of the pause of each paused slot."""
        now = monotonic()
        return {
            key: budget.not_before - now
            for key, budget in self._budgets.items()
            if budget.not_before > now
        }

    def hold(self, slot: str, seconds: float) -> None:
        """Send no request of *slot* for so many seconds, not even those that wait in it.
        It is neither logged nor counted."""
        budget = self._budget(slot)
        budget.pause(seconds, monotonic())
        self._apply(slot, budget)

    def base_of(self, slot: str) -> float:
        """Return the delay of *slot* in seconds while it is not raised."""
        return self._budget(slot).base

    def raised_of(self, slot: str) -> float:
        """Return the delay in seconds to which that of *slot* is raised; 0 if it is not."""
        return self._budget(slot).raised

    def share(self, slot: str, raised: float) -> None:
        """Take over the raised delay of *slot* that all workers share, in seconds; 0 if it is not
        raised any more."""
        budget = self._budget(slot)
        if budget.set_raised(raised, monotonic()):
            self._report_delay(slot, budget, "another worker found it slow or busy")
            self._apply(slot, budget)

    def _spider_opened(self) -> None:
        self._ticks.start(STEP)
        if self._crawler.get_extension(AutoThrottle):
            logger.warning(
                "AutoThrottle and DomainThrottle both set the delay of a site: set "
                "AUTOTHROTTLE_ENABLED = False, or %s = False to keep AutoThrottle",
                options.DOMAIN_THROTTLE_ENABLED.name,
            )

    def _spider_closed(self) -> None:
        if self._ticks.running:
            self._ticks.stop()

    def _request_reached_downloader(self, request: Request) -> None:
        # Scrapy has created the slot (again, after it was idle), but not processed its queue yet.
        key = request.meta["download_slot"]
        if not key:
            return
        budget = self._budget(key)
        domain = self._config.domain_for(request.url)
        budget.configure(domain.delay, domain.concurrency)
        budget.crawl_delay = max(
            budget.crawl_delay, self._crawl_delays.get(urlparse_cached(request).netloc, 0.0)
        )
        budget.last_used = monotonic()
        self._apply(key, budget)

    def _response_downloaded(self, response: Response, request: Request) -> None:
        key = request.meta.get("download_slot")
        if not key:
            return
        budget = self._budget(key)
        now = monotonic()
        status = response.status
        latency = request.meta.get("download_latency")
        if latency is not None:
            latency = max(0.0, latency - self._standstills.within(latency))
        if status in BUSY_STATUSES:
            budget.record_busy(now, latency or 0.0)
        elif latency is not None and not request.meta.get("autothrottle_dont_adjust_delay"):
            budget.record_response(latency, now, good=status < 300)
        self._report_delay(key, budget, f"status {status} after {latency or 0:.1f} s")
        if wait := retry_after_of(response.headers):
            self._pause(key, budget, wait, f"Retry-After with status {status}")
        self._apply(key, budget)

    def _robots_parsed(self, robotparser: RobotParser, request: Request) -> None:
        agent = self._crawler.settings["ROBOTSTXT_USER_AGENT"] or request.headers.get(
            b"User-Agent", self._crawler.settings["USER_AGENT"]
        )
        agent = agent.decode("latin-1") if isinstance(agent, bytes) else str(agent)
        try:
            asked = max(robotparser.crawl_delay(agent) or 0.0, request_rate(robotparser, agent))
        except OverflowError:  # an integer of hundreds of digits
            asked = float("inf")
        if not asked > 0:
            return
        host = urlparse_cached(request).netloc
        delay = self._crawl_delays[host] = min(asked, self._max_crawl_delay)
        if len(self._crawl_delays) > MAX_CRAWL_DELAYS:
            del self._crawl_delays[next(iter(self._crawl_delays))]
        self._inc("crawl_delay_count")
        logger.info(
            "robots.txt of %r asks for %.4g s between requests%s",
            host,
            asked,
            ""
            if delay == asked
            else f"; {options.DOMAIN_THROTTLE_MAX_CRAWL_DELAY.name} makes it {delay:.4g} s",
        )

    def _site_busy(self, slot: str, seconds: float | None, reason: str) -> None:
        if not slot:
            return
        budget = self._budget(slot)
        if seconds is None:
            budget.record_busy(monotonic())
            seconds = budget.delay
        if seconds > 0:
            self._pause(slot, budget, seconds, reason)
        self._apply(slot, budget)

    def _budget(self, key: str) -> Budget:
        budget = self._budgets.get(key)
        if budget is None:
            if len(self._budgets) >= self._sweep_at:
                self._sweep()
            own = self._slot_settings.get(key, {})
            budget = self._budgets[key] = Budget(
                default=float(own.get("delay", self._default)),
                max_delay=self._max_delay,
                last_used=monotonic(),
            )
        return budget

    def _sweep(self) -> None:
        now = monotonic()
        slots = slot_names(self._crawler)
        for key in [k for k, b in self._budgets.items() if k not in slots and b.is_idle(now)]:
            del self._budgets[key]
        self._sweep_at = max(FIRST_SWEEP, 2 * len(self._budgets))

    def _apply(self, key: str, budget: Budget) -> None:
        slot = slot_of(self._crawler, key)
        if slot is None:
            return
        now, delay = monotonic(), budget.delay
        if delay < MIN_DELAY:
            delay = MIN_DELAY if budget.not_before > now else 0.0
        slot.set_pace(delay, budget.concurrency)
        slot.call_after_transfers(partial(_record_end, budget))
        # A time in the future is an earlier pause, computed with another delay: discard it.
        sent = max(min(slot.last_sent, now), budget.last_end)
        slot.last_sent = max(sent, budget.not_before - slot.delay)

    def _pause(self, key: str, budget: Budget, seconds: float, reason: str) -> None:
        wait = min(seconds, self._max_pause)
        now = monotonic()
        if now + wait <= budget.not_before:
            return
        budget.pause(wait, now)
        self._inc("pause_count")
        if wait < seconds:
            self._inc("pause_capped_count")
        if budget.notices.pause(wait, now):
            logger.info(
                "Site %r is paused for %.4g s: %s%s",
                key,
                wait,
                reason,
                ""
                if wait == seconds
                else f" (asked for {seconds:.4g} s, "
                f"{options.DOMAIN_THROTTLE_MAX_RETRY_AFTER.name} allows less)",
            )

    def _report_delay(self, key: str, budget: Budget, reason: str) -> None:
        """Count, and log once, that the delay has at least doubled, or is back at the base."""
        delay, base, notices = budget.delay, budget.base, budget.notices
        if delay > base:
            if delay >= 2 * base or notices.is_slow:
                if not notices.is_slow:
                    self._inc("slowed_count")
                if notices.slow(monotonic()):
                    self._log_slowed(key, base, delay, reason)
            self._max("delay_max", delay)
        elif budget.not_before <= monotonic():
            recovered, reported = notices.recover()
            if recovered:
                self._inc("recovered_count")
            if reported:
                logger.info("Site %r has recovered: %.4g s between requests", key, base)

    def _log_slowed(self, key: str, base: float, delay: float, reason: str) -> None:
        logger.info(
            "Site %r is slowed from %.4g to %.4g s between requests: %s", key, base, delay, reason
        )

    def _inc(self, name: str) -> None:
        self._crawler.stats.inc_value(f"domain_throttle/{name}")

    def _max(self, name: str, value: float) -> None:
        self._crawler.stats.max_value(f"domain_throttle/{name}", value)


def _record_end(budget: Budget, slot: PacedSlot) -> None:
    """Restart the delay of *slot* now, at the end of a transfer."""
    budget.last_end = monotonic()
    slot.last_sent = max(slot.last_sent, budget.last_end)


def default_delay(settings: BaseSettings) -> float:
    """Return the delay in seconds for sites that the configuration does not mention.

    It is ``DOWNLOAD_DELAY`` if set (by an add-on or with a higher priority), unless
    ``DOMAIN_THROTTLE_REQUESTS_PER_MINUTE`` is set with a higher priority.
    """
    own = settings.getpriority(_DOWNLOAD_DELAY.name) or 0
    rate = options.DOMAIN_THROTTLE_REQUESTS_PER_MINUTE
    if own > 0 and own >= (settings.getpriority(rate.name) or 0):
        return _DOWNLOAD_DELAY.read(settings)
    return 60.0 / rate.read(settings)
