"""The response that the spider gets: the same for every tier."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.http import HtmlResponse

from wikicrawler.operations import CREDITS_KEY, RECORD_KEY
from wikicrawler.tiers import state as st

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Request, Response

    from wikicrawler.pages import Failure, Page
    from wikicrawler.tiers.tier import Tier

_OF_EACH_TIER = (RECORD_KEY, CREDITS_KEY, "download_latency")
"""Meta keys of the request that brought a page."""


def spider_request(
    request: Request, state: st.State, tier: Tier, response: Response | None = None
) -> Request:
    """Return the spider's own request, in place of the *tier*'s, with the tier and its attempts in
    meta.

    :param response: a response whose ``request`` a middleware of the project has replaced keeps
        that request: with another callback, for instance
    """
    replaced = None if response is None else response.request
    if replaced is not None and replaced is not request:
        url = replaced.url if tier.at_page_url else state["url"]
        request = replaced
    else:
        url = state["url"]
    own = st.fresh_copy(request, url)
    own.dont_filter = state["dont_filter"]
    own.meta.pop(st.STATE, None)
    if tier.at_page_url and not tier.renders:
        st.copy_fetch_meta(request, own)
    for key in _OF_EACH_TIER:
        if key in request.meta:
            own.meta[key] = request.meta[key]
    own.meta[st.TIER] = tier.name
    own.meta[st.ATTEMPTS] = st.all_attempts(state)
    return own


def page_response(own: Request, page: Page, response: Response, tier: Tier) -> Response:
    """Return *page*, fetched by *tier*, as a response to *own*, at the page's own URL."""
    if isinstance(response, HtmlResponse) and response.body is page.body:
        if response.url == page.url:
            response.request = own
            return response
        return response.replace(url=page.url, request=own)
    headers = response.headers.copy()
    drop = ["Content-Type", "Content-Length", "Content-Encoding"]
    if not tier.at_page_url:
        drop.append("X-Robots-Tag")  # is about the API's URL
    for name in drop:
        headers.pop(name, None)
    headers["Content-Type"] = f"text/html; charset={page.encoding}"
    return HtmlResponse(
        page.url,
        status=page.status,
        headers=headers,
        body=page.body,
        encoding=page.encoding,
        request=own,
        flags=response.flags,
        certificate=response.certificate,
        ip_address=response.ip_address,
        protocol=response.protocol,
    )


def failed_response(
    request: Request, state: st.State, tier: Tier, failure: Failure, response: Response
) -> Response:
    """Return an HTTP error, or a file that is not HTML, as Scrapy would return it to the spider."""
    if tier.at_page_url:
        return original_response(request, state, tier, failure, response)
    own = spider_request(request, state, tier)
    own.meta[st.REASON] = failure.reason.value
    # The status that the API reports for the page, as a response from the page's own URL.
    return HtmlResponse(state["url"], status=failure.status or 404, request=own, encoding="utf-8")


def original_response(
    request: Request, state: st.State, tier: Tier, failure: Failure, response: Response
) -> Response:
    """Return *response*, in which *tier* found no page, as the spider would have got it without
    the tiers; its meta has the reason."""
    own = spider_request(request, state, tier, response)
    own.meta[st.REASON] = failure.reason.value
    return response.replace(request=own)


def spider_handles(crawler: Crawler, request: Request, status: int) -> bool:
    """Return True if the spider handles responses with the error *status*, by Scrapy's rules."""
    if status < 300:
        return False
    meta, settings = request.meta, crawler.settings
    if meta.get("handle_httpstatus_all") or settings.getbool("HTTPERROR_ALLOW_ALL"):
        return True
    allowed = meta.get("handle_httpstatus_list")
    if allowed is None:
        default = settings.getlist("HTTPERROR_ALLOWED_CODES")
        allowed = getattr(crawler.spider, "handle_httpstatus_list", default)
    return status in allowed
