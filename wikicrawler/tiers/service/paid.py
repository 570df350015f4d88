"""Tiers behind a scraping service that charges credits."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from scrapy.utils.reactor import is_asyncio_reactor_installed

from wikicrawler.audit.wire import note_credits
from wikicrawler.config import Config
from wikicrawler.errors import Reason, StoreError, TierError
from wikicrawler.operations import CREDITS_KEY
from wikicrawler.pages import HEADERS_KEY, WAIT_FOR_KEY, Failure, Page
from wikicrawler.tiers import state as st
from wikicrawler.tiers.response_headers import headers_of
from wikicrawler.tiers.service.client import ServiceClient, ServiceRefusedError
from wikicrawler.tiers.service.closing import is_closing
from wikicrawler.tiers.service.handler import ServiceHandler
from wikicrawler.tiers.service.install import install_fingerprinter, install_handler
from wikicrawler.tiers.service.pages import SERVICE_HEADER, PageOptions, ServicePage, page_response
from wikicrawler.tiers.tier import Tier, Usability
from wikicrawler.tiers.verdict import judge_response

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from typing import Self

    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.settings import BaseSettings, Settings

    from wikicrawler.spending.ledger import CreditLedger
    from wikicrawler.tiers.mediawiki.directory import WikiDirectory
    from wikicrawler.tiers.service.fingerprint import ServiceFingerprinter

PRICE = "service_price"
"""Meta key of a request to a service: the credits that it is expected to cost."""
OVERHEAD_FACTOR = 8
"""Maximum size of a response, relative to the page in it: JSON escapes, and other fields."""
MAX_REPORT = 2**20
"""Maximum size in bytes of a response without a page."""
_MAX_RETRIES = 1  # the service itself has tried several ways already


class Balance(NamedTuple):
    """What a service that works says of the account."""

    credits_left: float | None
    """None if it does not say."""


class PaidClient(ServiceClient, ABC):
    """Client of a service that charges credits. Requests with meta :data:`PRICE` are counted.

    :param ledger: counts the credits
    """

    def __init__(
        self,
        name: str,
        send: Callable[[Request], Awaitable[Response]],
        ledger: CreditLedger,
        **limits: Any,
    ) -> None:
        super().__init__(name, send, **limits)
        self.ledger = ledger

    @property
    def refusal(self) -> str:
        return super().refusal or self.ledger.refusal

    @abstractmethod
    async def scrape(self, url: str, options: PageOptions, *, max_size: int) -> ServicePage:
        """Return the page at *url*.

        :param max_size: maximum size of the page in bytes; 0: no limit
        :raises TierError: the service failed
        :raises Exception: Scrapy's download exceptions, if the page's site is at fault
        """

    @abstractmethod
    async def balance(self) -> Balance:
        """Check that the service answers and accepts the key. Costs no credits.

        :raises TierError: it does not
        """

    @abstractmethod
    def credits_of(self, response: Response, price: float) -> float:
        """Return the credits that *response* says it cost.

        :param price: what was expected, for responses that do not say it
        """

    def received(self, request: Request, response: Response) -> None:
        """Note what *response* cost for the audit log."""
        price = request.meta.get(PRICE)
        if price is not None:
            note_credits(request, self.credits_of(response, price))

    def close(self) -> None:
        """Close the database of the credits."""
        self.ledger.close()

    async def _receive(self, request: Request) -> Response:
        price = request.meta.get(PRICE)
        if price is None:
            return await super()._receive(request)
        reservation = await self.ledger.reserve(price)
        used = price  # a request without a response may have been charged for
        try:
            response = await super()._receive(request)
            used = self.credits_of(response, price)
        finally:
            await self.ledger.settle(reservation, used)
        return response


class PaidHandler(ServiceHandler[PaidClient]):
    """Download handler that fetches pages through a service that charges credits."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._config = Config.from_settings(crawler.settings)
        self._verifies = crawler.settings.getbool("DOWNLOAD_VERIFY_CERTIFICATES")

    @classmethod
    @abstractmethod
    def make_client(
        cls,
        settings: BaseSettings,
        send: Callable[[Request], Awaitable[Response]],
        ledger: CreditLedger,
        **parts: Any,
    ) -> PaidClient:
        """Create the client; *parts* are ``stats`` and ``is_closing``."""

    @classmethod
    def connect(
        cls, crawler: Crawler, send: Callable[[Request], Awaitable[Response]] | None
    ) -> PaidClient:
        if send is None:
            raise ServiceRefusedError(f"no {cls.meta_key} is configured", is_permanent=True)
        if not is_asyncio_reactor_installed():
            why = f"{cls.meta_key} needs Scrapy's default asyncio reactor (TWISTED_REACTOR)"
            raise ServiceRefusedError(why, is_permanent=True)
        # Imported here, because a crawl without paid services does not need its libraries.
        from wikicrawler.spending.ledger import CreditLedger  # noqa: PLC0415

        ledger = CreditLedger.from_crawler(crawler, cls.meta_key)
        closing = partial(is_closing, crawler)
        return cls.make_client(
            crawler.settings, send, ledger, stats=crawler.stats, is_closing=closing
        )

    def check(self, request: Request) -> None:
        if request.method != "GET":
            key = self.meta_key
            raise ServiceRefusedError(f"meta['{key}']: only GET is possible, not {request.method}")
        selector, headers = request.meta.get(WAIT_FOR_KEY), request.meta.get(HEADERS_KEY)
        if not isinstance(selector, str | None):
            kind = type(selector).__name__
            raise ServiceRefusedError(f"meta['{WAIT_FOR_KEY}'] is {kind}: a CSS selector is right")
        if not (headers is None or _is_of_texts(headers)):
            raise ServiceRefusedError(f"meta['{HEADERS_KEY}']: a dict of texts by name is right")

    async def fetch(self, request: Request, service: PaidClient) -> Response:
        size = request.meta.get("download_maxsize")
        domain, began = self._config.domain_for(request.url), monotonic()
        page = await service.scrape(
            request.url,
            PageOptions(
                request.meta.get(WAIT_FOR_KEY) or domain.wait_for or "",
                request.meta.get(HEADERS_KEY) or {},
                self._verifies if domain.verify_tls is None else domain.verify_tls,
            ),
            max_size=self._crawler.settings.getint("DOWNLOAD_MAXSIZE") if size is None else size,
        )
        request.meta[CREDITS_KEY] = page.credits_consumed
        request.meta["download_latency"] = monotonic() - began
        return page_response(page, request, self.meta_key)


def _is_of_texts(headers: object) -> bool:
    return isinstance(headers, dict) and all(
        isinstance(name, str) and isinstance(value, str) for name, value in headers.items()
    )


class PaidTier(Tier):
    """Tier behind a service that charges credits. It judges its pages like plain HTTP responses.

    The name of the tier is its meta key, and the name of the service in the list of credits.
    """

    renders = True
    risks_ban = False
    sends_elsewhere = True
    charges_credits = True
    handler: ClassVar[type[PaidHandler]]
    fingerprinter: ClassVar[type[ServiceFingerprinter]]

    def __init__(self, crawler: Crawler | None = None) -> None:
        self._crawler = crawler
        self._usability: Usability | None = None

    @classmethod
    def update_settings(cls, settings: Settings) -> None:
        install_handler(settings, cls.handler)
        install_fingerprinter(settings, cls.fingerprinter)

    @classmethod
    def from_crawler(cls, crawler: Crawler, wikis: WikiDirectory) -> Self:
        return cls(crawler)

    def request(self, page: Request) -> Request | Failure:
        """Return the request for *page*, which is charged to the page's site."""
        if self._crawler is not None and (why := self.client.refusal):
            return Failure(Reason.SERVICE_CONFIG, why)
        made = page.copy()
        st.set_tier_meta(
            made,
            **{
                self.meta_key: True,
                "max_retry_times": _MAX_RETRIES,
                # The service's time does not measure the site's load.
                "autothrottle_dont_adjust_delay": True,
            },
        )
        return made

    def read(self, response: Response, page_url: str) -> Page | Failure:
        """Return the page in *response*, at its URL after redirects."""
        if response.headers.get(SERVICE_HEADER) != self.name.encode():
            return Failure(
                Reason.SERVICE_CONFIG,
                f"not fetched by {self.name}: {self.handler.__name__} is missing in "
                "DOWNLOAD_HANDLERS",
                status=response.status,
            )
        failure = judge_response(response.status, headers_of(response), response.body)
        if failure is not None:
            return failure
        return Page(
            url=response.url,
            body=response.body,
            encoding="utf-8",
            status=response.status,
            redirected_from=page_url if page_url != response.url else None,
        )

    @property
    def client(self) -> PaidClient:
        """The client of this crawl."""
        assert self._crawler is not None  # noqa: S101 - made by from_crawler()
        return self.handler.service_of(self._crawler)

    async def service_works(self) -> bool:
        try:
            await self.client.balance()
        except TierError:
            return False
        return True

    async def explain(self, page_url: str) -> Usability:
        """Ask the service, once, for the state of the account."""
        if self._usability is None:
            self._usability = await self._check_service()
        return self._usability

    async def _check_service(self) -> Usability:
        client = self.client
        assert self._crawler is not None  # noqa: S101 - made by from_crawler()
        address = self.handler.address(self._crawler.settings)
        assert address is not None  # noqa: S101 - else the tier is missing
        try:
            balance = await client.balance()
        except TierError as error:
            return Usability(False, f"{address.url}: {error}", server_answers=False)
        said = [f"{address.url} answers"]
        if balance.credits_left is not None:
            said.append(f"{balance.credits_left:g} credits left")
        try:
            spent = await client.ledger.spent()
        except StoreError as error:
            return Usability(client.ledger.limit is None, f"{'; '.join(said)}; {error}")
        used, limit = spent.credits if spent else 0.0, client.ledger.limit
        of_limit = f" of {limit:g}" if limit is not None else ""
        said.append(f"{used:g}{of_limit} credits used this month")
        return Usability(limit is None or used < limit, "; ".join(said))
