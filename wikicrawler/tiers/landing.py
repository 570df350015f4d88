"""Where a browser landed: a redirect in it passed none of the checks that a request passes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.downloadermiddlewares.offsite import OffsiteMiddleware
from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware
from scrapy.exceptions import IgnoreRequest

from wikicrawler.errors import Reason
from wikicrawler.guard.private_hosts import policy_of
from wikicrawler.guard.resolver import refused_address
from wikicrawler.pages import Action, Failure
from wikicrawler.tiers.failures import failure_of

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Request


def check_offsite(crawler: Crawler, request: Request) -> None:
    """A redirect of a request that we exempted from filters is not exempt for that.

    Raises:
        IgnoreRequest: it leads off the sites that the spider allows.
    """
    offsite = crawler.get_downloader_middleware(OffsiteMiddleware)
    if offsite is not None:
        offsite.process_request(request.replace(dont_filter=False))


def private(crawler: Crawler, url: str) -> Failure | None:
    """Return the address guard's refusal of *url*; None where it refused nothing."""
    detail = policy_of(crawler).why_refused(url)
    return Failure(Reason.PRIVATE_ADDRESS, detail, Action.FINAL) if detail else None


async def refusal_of(
    crawler: Crawler, request: Request, url: str, *, dont_filter: bool
) -> Failure | None:
    """Why a page at *url*, where *request* led, may not be used; None where it may.

    The page has been fetched, but what the site's robots.txt or the spider's ``allowed_domains``
    exclude is not to be recorded, and what is private not at all.
    """
    if await refused_address(policy_of(crawler), url):
        return private(crawler, url)
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
