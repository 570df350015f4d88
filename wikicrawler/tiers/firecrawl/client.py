"""HTTP client for Firecrawl."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from scrapy import Request

from wikicrawler.politeness.retry_after import parse_retry_after
from wikicrawler.tiers.firecrawl import protocol
from wikicrawler.tiers.service.client import ServiceRefusedError
from wikicrawler.tiers.service.paid import MAX_REPORT, OVERHEAD_FACTOR, PRICE, Balance, PaidClient

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from scrapy.http import Response

    from wikicrawler.spending.ledger import CreditLedger
    from wikicrawler.tiers.firecrawl.config import FirecrawlConfig
    from wikicrawler.tiers.service.pages import PageOptions, ServicePage

_MAP_PRICE = 1.0
_MAP_SIZE = 64 * 2**20


class FirecrawlClient(PaidClient):
    """Client of Firecrawl. The arguments are those of
    :class:`~wikicrawler.tiers.service.paid.PaidClient`."""

    def __init__(
        self,
        config: FirecrawlConfig,
        send: Callable[[Request], Awaitable[Response]],
        ledger: CreditLedger,
        **parts: Any,
    ) -> None:
        limits = {"concurrency": config.concurrency, "timeout": config.deadline}
        super().__init__("firecrawl", send, ledger, **limits, **parts)
        self._config = config
        self._answers: WeakKeyDictionary[Response, Any] = WeakKeyDictionary()

    async def scrape(self, url: str, options: PageOptions, *, max_size: int) -> ServicePage:
        body = protocol.scrape_body(self._config, url, options)
        size = OVERHEAD_FACTOR * max_size
        answer = await self._ask("/v2/scrape", body, size, self._config.price)
        page = protocol.read_page(answer, url, max_size)
        if protocol.is_cached(answer):
            self._stats.inc_value("firecrawl/cached_count")
        charged = protocol.credits_of(200, answer, self._config.price)
        return page._replace(credits_consumed=charged)

    async def map(self, url: str, limit: int) -> list[str]:
        """Return the URLs that Firecrawl knows of the site of *url*, at most *limit*. They may be
        dead, of other hosts, or no URLs at all.

        :raises TierError: Firecrawl failed
        """
        body = protocol.map_body(self._config, url, limit)
        answer = await self._ask("/v2/map", body, _MAP_SIZE, _MAP_PRICE)
        return protocol.read_links(answer, limit)

    async def balance(self) -> Balance:
        if self._config.key:
            try:
                answer = await self._ask("/v2/team/credit-usage")
                return Balance(protocol.read_balance(answer))
            except ServiceRefusedError as error:
                if error.is_permanent:
                    raise
        await self._ask("/v0/health/readiness")
        return Balance(None)

    def error_of(self, response: Response) -> Exception | None:
        path = response.url.removeprefix(self._config.url)
        if response.status == 200 and path.startswith("/v0/"):
            return None  # {"status": "ok"}
        if response.status == 404 and not path.startswith(("/v2/scrape", "/v2/map")):
            return ServiceRefusedError("firecrawl: this server keeps no account")
        header = response.headers.get(b"Retry-After")
        retry_after = parse_retry_after(header, datetime.now(UTC))
        answer = self._parsed(response)
        return protocol.error_of(response.status, answer, retry_after, self._config.key)

    def credits_of(self, response: Response, price: float) -> float:
        return protocol.credits_of(response.status, self._parsed(response), price)

    def _parsed(self, response: Response) -> Any:
        """Return the JSON of *response*, parsed once: a page may have megabytes."""
        if response not in self._answers:
            self._answers[response] = protocol.parse(response.body)
        return self._answers[response]

    async def _ask(
        self, path: str, body: bytes = b"", max_size: int = MAX_REPORT, price: float | None = None
    ) -> Any:
        """Send a request and return the JSON of the response.

        :raises TierError: Firecrawl failed
        """
        response = await self.send(self._request(path, body, max_size, price))
        return self._answers.pop(response, None)

    def _request(self, path: str, body: bytes, max_size: int, price: float | None) -> Request:
        # Not derived from the page's request, which has headers and cookies of its own.
        headers = {"Accept": "application/json"}
        if body:
            headers["Content-Type"] = "application/json"
        if self._config.key:
            headers["Authorization"] = f"Bearer {self._config.key}"
        meta: dict[str, Any] = {"download_maxsize": max_size, "download_fail_on_dataloss": True}
        if price is not None:
            meta[PRICE] = price
        url = self._config.url + path
        return Request(url, method="POST" if body else "GET", body=body, headers=headers, meta=meta)
