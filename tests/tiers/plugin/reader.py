"""A tier of another package, which fetches pages through a REST service.

The response to ``POST /read`` with ``{"url": …}`` is ``{"url": …, "status": …, "html": …}``.
"""

from __future__ import annotations

import json
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING

from scrapy.http import HtmlResponse, Request

from wikicrawler.errors import Reason
from wikicrawler.options.kinds import Component, Table, Text
from wikicrawler.pages import Failure, Page
from wikicrawler.tiers import state as st
from wikicrawler.tiers.response_headers import headers_of
from wikicrawler.tiers.service.client import ServiceClient, ServiceDownError
from wikicrawler.tiers.service.closing import is_closing
from wikicrawler.tiers.service.fingerprint import ServiceFingerprinter
from wikicrawler.tiers.service.handler import Address, ServiceHandler
from wikicrawler.tiers.service.install import install_fingerprinter, install_handler
from wikicrawler.tiers.tier import Tier, Usability
from wikicrawler.tiers.verdict import judge_response

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.settings import BaseSettings, Settings

URL = Text("READER_URL", "", help="Address of the service.")


class ReaderHandler(ServiceHandler[ServiceClient]):
    meta_key = "reader"
    fallback = Table("READER_FALLBACK_HANDLERS", MappingProxyType({}), help="Download handlers.")

    @classmethod
    def address(cls, settings: BaseSettings) -> Address | None:
        url = URL.read(settings)
        return Address(url, URL.name) if url else None

    @classmethod
    def connect(
        cls, crawler: Crawler, send: Callable[[Request], Awaitable[Response]] | None
    ) -> ServiceClient:
        assert send is not None
        closing = partial(is_closing, crawler)
        return ServiceClient("reader", send, stats=crawler.stats, concurrency=1, is_closing=closing)

    async def fetch(self, request: Request, service: ServiceClient) -> Response:
        body = json.dumps({"url": request.url})
        url = URL.read(self._crawler.settings) + "/read"
        answer = await service.send(Request(url, method="POST", body=body))
        try:
            page = json.loads(answer.body)
            return HtmlResponse(
                page["url"],
                status=page["status"],
                headers={"Content-Type": "text/html; charset=utf-8"},
                body=page["html"].encode(),
                encoding="utf-8",
                request=request,
            )
        except (ValueError, KeyError, TypeError):
            raise ServiceDownError("reader: the response is not a page") from None


class ReaderFingerprinter(ServiceFingerprinter):
    meta_key = "reader"
    fallback = Component(
        "READER_FALLBACK_FINGERPRINTER",
        "scrapy.utils.request.RequestFingerprinter",
        help="Request fingerprinter.",
    )


class ReaderTier(Tier):
    name = "reader"
    cost = 4.0
    renders = True
    risks_ban = False
    meta_key = "reader"

    @classmethod
    def missing(cls, settings: BaseSettings) -> str:
        return "" if URL.read(settings) else "READER_URL is not set"

    @classmethod
    def update_settings(cls, settings: Settings) -> None:
        install_handler(settings, ReaderHandler)
        install_fingerprinter(settings, ReaderFingerprinter)

    def request(self, page: Request) -> Request | Failure:
        made = page.copy()
        st.set_tier_meta(made, reader=True)
        return made

    def read(self, response: Response, page_url: str) -> Page | Failure:
        failure = judge_response(response.status, headers_of(response), response.body)
        if failure is not None:
            return failure
        if not response.body:
            return Failure(Reason.EMPTY)
        return Page(url=response.url, body=response.body, encoding="utf-8", status=response.status)

    async def explain(self, page_url: str) -> Usability:
        return Usability(True, "the service reads pages")
