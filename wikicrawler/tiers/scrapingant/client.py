"""HTTP client for ScrapingAnt."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from scrapy import Request

from wikicrawler.politeness.retry_after import parse_retry_after
from wikicrawler.tiers.response_headers import headers_of
from wikicrawler.tiers.scrapingant import protocol
from wikicrawler.tiers.service.client import ServiceRefusedError
from wikicrawler.tiers.service.paid import MAX_REPORT, OVERHEAD_FACTOR, PRICE, Balance, PaidClient

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from scrapy.http import Response

    from wikicrawler.spending.ledger import CreditLedger
    from wikicrawler.tiers.scrapingant.config import ScrapingAntConfig
    from wikicrawler.tiers.service.pages import PageOptions, ServicePage

_USAGE = "/v2/usage"


class ScrapingAntClient(PaidClient):
    """Client of ScrapingAnt. The arguments are those of
    :class:`~wikicrawler.tiers.service.paid.PaidClient`."""

    def __init__(
        self,
        config: ScrapingAntConfig,
        send: Callable[[Request], Awaitable[Response]],
        ledger: CreditLedger,
        **parts: Any,
    ) -> None:
        limits = {"concurrency": config.concurrency, "timeout": config.deadline}
        super().__init__("scrapingant", send, ledger, **limits, **parts)
        self._config = config

    async def scrape(self, url: str, options: PageOptions, *, max_size: int) -> ServicePage:
        """ScrapingAnt has no parameter for certificates."""
        path = protocol.page_path(self._config, url, options.wait_for)
        request = self._request(path, OVERHEAD_FACTOR * max_size, PRICE)
        for name, value in options.headers.items():
            request.headers[protocol.HEADERS_PREFIX + name] = value
        answer = await self.send(request)
        page = protocol.read_page(self._config, headers_of(answer), answer.body, url, max_size)
        return page._replace(credits_consumed=self.credits_of(answer, self._config.price))

    async def balance(self) -> Balance:
        try:
            answer = await self.send(self._request(_USAGE, MAX_REPORT))
        except ServiceRefusedError as error:
            if error.is_permanent:
                raise
            return Balance(None)  # it answers
        return Balance(protocol.read_balance(answer.body))

    def error_of(self, response: Response) -> Exception | None:
        if response.status == 404 and response.url.endswith(_USAGE):
            return ServiceRefusedError("scrapingant: this server states no usage")
        key = self._config.key.encode()
        body = response.body.replace(key, b"***") if response.status != 200 else b""
        header = response.headers.get(b"Retry-After")
        return protocol.error_of(
            response.status, body, parse_retry_after(header, datetime.now(UTC))
        )

    def credits_of(self, response: Response, price: float) -> float:
        return protocol.credits_of(response.status, headers_of(response), price)

    def _request(self, path: str, max_size: int, price: str = "") -> Request:
        meta: dict[str, Any] = {"download_maxsize": max_size, "download_fail_on_dataloss": True}
        if price:
            meta[price] = self._config.price
        # The key is in a header: a query would get into logs.
        return Request(self._config.url + path, headers={"x-api-key": self._config.key}, meta=meta)
