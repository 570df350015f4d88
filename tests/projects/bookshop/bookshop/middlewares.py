import asyncio
import logging

from scrapy.downloadermiddlewares.retry import RetryMiddleware
from scrapy.utils.response import response_status_message

logger = logging.getLogger(__name__)


class BackOffRetryMiddleware(RetryMiddleware):
    """Waits longer and longer where the shop says it has had enough of us."""

    def __init__(self, crawler):
        super().__init__(crawler.settings)
        self.crawler = crawler
        self.backoff = crawler.settings.getfloat("RETRY_BACKOFF")

    @classmethod
    def from_crawler(cls, crawler):
        return cls(crawler)

    async def process_response(self, request, response):
        if request.meta.get("dont_retry", False):
            return response
        if response.status == 429:
            times = request.meta.get("retry_times", 0)
            self.crawler.stats.inc_value("bookshop/slowed_down")
            await asyncio.sleep(self.backoff * 2**times)
            reason = response_status_message(response.status)
            return self._retry(request, reason) or response
        if response.status in self.retry_http_codes:
            reason = response_status_message(response.status)
            return self._retry(request, reason) or response
        return response
