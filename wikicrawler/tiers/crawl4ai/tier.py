"""Tier ``browser``: the page as crawl4ai's browser shows it, after its scripts have run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikicrawler.errors import Reason
from wikicrawler.pages import Failure, Page
from wikicrawler.tiers import state as st
from wikicrawler.tiers.crawl4ai.handler import ERROR_HEADER, META, VERSION_HEADER
from wikicrawler.tiers.crawl4ai.protocol import BLOCKED, is_doubtful
from wikicrawler.tiers.http.tier import headers_of
from wikicrawler.tiers.verdict import judge_response, shows_enough

if TYPE_CHECKING:
    from scrapy.http import Request, Response

    from wikicrawler.tiers.mediawiki.site import WikiSite

_RETRIES = 1  # a rendering is expensive, and has waited for the page already


class BrowserTier:
    """A browser: the request asks the download handler for a rendering, the answer is judged as
    plain HTTP's is. crawl4ai's own judgement counts where it saw a block and the page says little;
    an article in which it sees one, as in those about bots, is an article, and where it guesses by
    the size of a page, the page itself decides."""

    name = "browser"

    def request(self, page: Request, wiki: WikiSite | None) -> Request | Failure:
        """The request for *page*, charged like any to its site."""
        made = page.copy()
        st.set_for_one(
            made,
            **{
                META: True,
                "max_retry_times": _RETRIES,
                # how long a browser takes says nothing of the site
                "autothrottle_dont_adjust_delay": True,
            },
        )
        return made

    def read(self, response: Response, page_url: str, wiki: WikiSite | None) -> Page | Failure:
        """The page in *response*, whose URL stands after redirects."""
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
        saw_block = error.startswith(BLOCKED) and not is_doubtful(error)
        if saw_block and not shows_enough(response.body):
            return Failure(Reason.BLOCKED, f"crawl4ai: {error}", status=response.status)
        return Page(
            url=response.url,
            body=response.body,
            encoding="utf-8",
            status=response.status,
            redirected_from=page_url if page_url != response.url else None,
        )
