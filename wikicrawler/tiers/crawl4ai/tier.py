"""Tier ``browser``: the page as crawl4ai's browser renders it, after its scripts have run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikicrawler.config import Config
from wikicrawler.errors import Reason, TierError
from wikicrawler.operations import BROWSER
from wikicrawler.pages import WAIT_FOR_KEY, Failure, Page
from wikicrawler.tiers import state as st
from wikicrawler.tiers.crawl4ai.config import Crawl4AIConfig
from wikicrawler.tiers.crawl4ai.errors import BrowserError
from wikicrawler.tiers.crawl4ai.fingerprint import Crawl4AIFingerprinter
from wikicrawler.tiers.crawl4ai.handler import (
    ERROR_HEADER,
    META,
    STEALTH_META,
    VERSION_HEADER,
    WAIT_FOR_META,
    Crawl4AIHandler,
)
from wikicrawler.tiers.crawl4ai.protocol import BLOCKED, is_guess
from wikicrawler.tiers.response_headers import headers_of
from wikicrawler.tiers.service.install import install_fingerprinter, install_handler
from wikicrawler.tiers.tier import Tier, Usability
from wikicrawler.tiers.verdict import has_enough_text, judge_response

if TYPE_CHECKING:
    from typing import Self

    from scrapy.crawler import Crawler
    from scrapy.http import Request, Response
    from scrapy.settings import BaseSettings, Settings

    from wikicrawler.tiers.mediawiki.directory import WikiDirectory

_MAX_RETRIES = 1  # rendering is expensive, and has already waited for the page


class BrowserTier(Tier):
    """Tier that renders pages with crawl4ai's browser and judges them like plain HTTP responses.

    crawl4ai's own verdict counts only if it reports a block and the page has little text: articles
    about bots trigger it too. Its guesses from the size of a page are ignored.
    """

    name = "browser"
    cost = 12.0
    renders = True
    sends_elsewhere = True
    operation = BROWSER
    meta_key = META
    stealth_key = STEALTH_META

    def __init__(self, crawler: Crawler | None = None) -> None:
        self._crawler = crawler
        self._config = Config.from_settings(crawler.settings) if crawler is not None else None
        self._usability: Usability | None = None

    @classmethod
    def missing(cls, settings: BaseSettings) -> str:
        return (
            ""
            if Crawl4AIConfig.from_settings(settings)
            else "no crawl4ai is configured (CRAWL4AI_URL)"
        )

    @classmethod
    def update_settings(cls, settings: Settings) -> None:
        install_handler(settings, Crawl4AIHandler)
        install_fingerprinter(settings, Crawl4AIFingerprinter)

    @classmethod
    def from_crawler(cls, crawler: Crawler, wikis: WikiDirectory) -> Self:
        return cls(crawler)

    def request(self, page: Request) -> Request | Failure:
        """Return the request for *page*, which is charged to the page's site."""
        made = page.copy()
        selector = page.meta.get(WAIT_FOR_KEY)
        if not selector and self._config is not None:
            selector = self._config.domain_for(page.url).wait_for
        if selector:
            st.set_tier_meta(made, **{WAIT_FOR_META: selector})
        st.set_tier_meta(
            made,
            **{
                META: True,
                "max_retry_times": _MAX_RETRIES,
                # A browser's rendering time does not measure the site's load.
                "autothrottle_dont_adjust_delay": True,
            },
        )
        return made

    def read(self, response: Response, page_url: str) -> Page | Failure:
        """Return the page in *response*, at its URL after redirects."""
        if VERSION_HEADER not in response.headers:
            return Failure(
                Reason.BROWSER_CONFIG,
                "not rendered: Crawl4AIHandler is missing in DOWNLOAD_HANDLERS",
                status=response.status,
            )
        headers = headers_of(response)
        failure = judge_response(response.status, headers, response.body)
        if failure is not None:
            return failure
        error = headers.get(ERROR_HEADER.lower(), "")
        saw_block = error.startswith(BLOCKED) and not is_guess(error)
        if saw_block and not has_enough_text(response.body):
            return Failure(Reason.BLOCKED, f"crawl4ai: {error}", status=response.status)
        return Page(
            url=response.url,
            body=response.body,
            encoding="utf-8",
            status=response.status,
            redirected_from=page_url if page_url != response.url else None,
        )

    async def service_works(self) -> bool:
        """Have crawl4ai render a page that needs no network."""
        assert self._crawler is not None  # noqa: S101 - made by from_crawler()
        try:
            await Crawl4AIHandler.service_of(self._crawler).check()
        except TierError:
            return False
        return True

    async def explain(self, page_url: str) -> Usability:
        """Check, once, that crawl4ai renders a page that needs no network."""
        if self._usability is None:
            self._usability = await self._check_server()
        return self._usability

    async def _check_server(self) -> Usability:
        assert self._crawler is not None  # noqa: S101 - made by from_crawler()
        config = Crawl4AIConfig.from_settings(self._crawler.settings)
        assert config is not None  # noqa: S101 - else the tier is missing
        try:
            version = await Crawl4AIHandler.service_of(self._crawler).check()
        except BrowserError as error:
            return Usability(False, f"{config.url}: {error}", server_answers=False)
        stated = f"version {'.'.join(map(str, version))}" if version else "no version stated"
        return Usability(True, f"crawl4ai at {config.url} renders pages ({stated})")
