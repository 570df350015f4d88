"""The response that the spider gets: the same for every tier."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.http import HtmlResponse

from wikicrawler.tiers import state as st

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Request, Response

    from wikicrawler.pages import Page
    from wikicrawler.tiers.tier import Tier


def spider_request(request: Request, state: st.State) -> Request:
    """Return the spider's own request, in place of the tier's, with the tier and its attempts in
    meta."""
    own = st.fresh_copy(request, state["url"])
    own.dont_filter = state["dont_filter"]
    own.meta.pop(st.STATE, None)
    own.meta[st.TIER] = state["tier"]
    own.meta[st.ATTEMPTS] = st.all_attempts(state)
    return own


def page_response(own: Request, page: Page, response: Response) -> Response:
    """Return *page* as a response to *own*, at the page's own URL."""
    if isinstance(response, HtmlResponse) and response.body is page.body:
        return response.replace(url=page.url, request=own)
    headers = response.headers.copy()
    for name in ("Content-Type", "Content-Length", "Content-Encoding"):
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
    own: Request, state: st.State, tier: Tier, status: int | None, response: Response
) -> Response:
    """Return an HTTP error, or a file that is not HTML, as Scrapy would return it to the spider."""
    if tier.at_page_url:
        return response.replace(request=own)
    # The status that the API reports for the page, as a response from the page's own URL.
    return HtmlResponse(state["url"], status=status or 404, request=own, encoding="utf-8")


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
