"""Protocol of policies that decide on retries, in place of the retry table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from scrapy.utils.misc import build_from_crawler, load_object

from wikicrawler import options

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from wikicrawler.pages import Failure

RETRY_BY_POLICY = "retry_by_policy"
"""Meta key of a request (bool): the policy of ``WIKICRAWLER_RETRY_POLICY`` decides on its retries,
with each tier that fetches its page."""
RETRY_COUNT = "retry_count"
"""Meta key of a request (int): the retries that a policy has made of it, over all tiers."""


class RetryPolicy(Protocol):
    """Decides whether a failed request is repeated."""

    def delay(self, request: Request, failed: Response | Exception | Failure) -> float | None:
        """Return the seconds until *request* is repeated; None if it is not.

        ``request.meta["retry_times"]`` is the number of retries that its tier has made.
        """


def load_retry_policy(crawler: Crawler) -> RetryPolicy | None:
    """Return the policy of *crawler*; None if there is none.

    :raises ConfigError: its settings are wrong
    """
    path = options.RETRY_POLICY.read(crawler.settings)
    if not path:
        return None
    policy: RetryPolicy = build_from_crawler(load_object(path), crawler)
    return policy


def is_by_policy(request: Request) -> bool:
    """Return whether a policy decides on the retries of *request*."""
    return bool(request.meta.get(RETRY_BY_POLICY))


def retry_count(request: Request) -> int:
    """Return the number of retries of *request*: over all tiers if a policy made them."""
    count = request.meta.get(RETRY_COUNT, request.meta.get("retry_times"))
    return count if isinstance(count, int) else 0
