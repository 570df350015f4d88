"""Checks of the URL that a response came from: a redirect inside a browser bypasses the checks of a
request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.downloadermiddlewares.offsite import OffsiteMiddleware
from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware
from scrapy.exceptions import IgnoreRequest

from wikicrawler.errors import Reason
from wikicrawler.guard.private_hosts import policy_of
from wikicrawler.guard.resolver import refusal_for_browser
from wikicrawler.pages import Action, Failure
from wikicrawler.tiers.failures import failure_of

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Request


def check_offsite(crawler: Crawler, request: Request) -> None:
    """Apply the offsite filter to a redirect, although the tier's request has ``dont_filter``.

    :raises IgnoreRequest: the redirect leaves the spider's ``allowed_domains``
    """
    offsite = crawler.get_downloader_middleware(OffsiteMiddleware)
    if offsite is not None:
        offsite.process_request(request.replace(dont_filter=False))


def private_address_failure(crawler: Crawler, url: str) -> Failure | None:
    """Return a failure if the address guard refuses *url*, else None."""
    detail = policy_of(crawler).why_refused(url)
    return Failure(Reason.PRIVATE_ADDRESS, detail, Action.FINAL) if detail else None


async def check_landing(
    crawler: Crawler, request: Request, url: str, *, dont_filter: bool
) -> Failure | None:
    """Return a failure if the page at *url*, where *request* led, must not be used; else None.

    The page is already fetched. It is not recorded if its address is private or unknown here, if
    robots.txt forbids it, or if it is outside the spider's ``allowed_domains``.
    """
    if why := await refusal_for_browser(policy_of(crawler), url):
        return private_address_failure(crawler, url) or Failure(Reason.NETWORK, why)
    landed = request.replace(url=url)
    robots = crawler.get_downloader_middleware(RobotsTxtMiddleware)
    try:
        if not dont_filter:
            check_offsite(crawler, landed)
        if robots is not None:
            await robots.process_request(landed)
    except IgnoreRequest as error:
        return failure_of(error)
    return None
