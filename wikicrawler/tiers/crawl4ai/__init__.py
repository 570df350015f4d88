"""Tier ``browser``: pages rendered by crawl4ai, through its REST API.

:class:`~wikicrawler.tiers.crawl4ai.handler.Crawl4AIHandler` is a Scrapy download handler that any
project can use without the tiers::

    DOWNLOAD_HANDLERS = {
        "http": "wikicrawler.tiers.crawl4ai.handler.Crawl4AIHandler",
        "https": "wikicrawler.tiers.crawl4ai.handler.Crawl4AIHandler",
    }
    CRAWL4AI_URL = "http://127.0.0.1:11235"

    yield Request(url, meta={"crawl4ai": True})
"""
