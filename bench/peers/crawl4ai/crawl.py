"""crawl4ai without a browser, breadth first, with its own Markdown.

crawl.py START FOLLOW OUT LOG
"""

import asyncio
import json
import logging
import re
import sys
from pathlib import Path

from crawl4ai import AsyncLogger, AsyncWebCrawler, BFSDeepCrawlStrategy, CacheMode, CrawlerRunConfig
from crawl4ai.async_crawler_strategy import AsyncHTTPCrawlerStrategy
from crawl4ai.deep_crawling.filters import FilterChain, URLPatternFilter

logger_ = logging.getLogger(__name__)


async def main():
    start, follow, out_path, log = sys.argv[1:]
    logging.basicConfig(filename=log, level=logging.INFO)
    pattern = re.compile(follow)
    config = CrawlerRunConfig(
        deep_crawl_strategy=BFSDeepCrawlStrategy(
            max_depth=1000,
            filter_chain=FilterChain([URLPatternFilter(pattern, use_glob=False)]),
        ),
        excluded_tags=["script", "style"],
        target_elements=["#mw-content-text"],  # the user knows the site, and spares the rest
        cache_mode=CacheMode.BYPASS,
        check_robots_txt=True,
        semaphore_count=16,
        mean_delay=0,
        max_range=0,
        stream=True,
        verbose=False,
    )
    logger = AsyncLogger(log_file=log, verbose=False)
    strategy = AsyncHTTPCrawlerStrategy(logger=logger)
    async with AsyncWebCrawler(crawler_strategy=strategy, logger=logger) as crawler:
        with Path(out_path).open("w", encoding="utf-8") as out:  # noqa: ASYNC230 - once
            async for result in await crawler.arun(start, config=config):
                if not result.success:
                    logger_.error("%s: %s", result.url, result.error_message)
                    continue
                hrefs = {link["href"].partition("#")[0] for link in result.links["internal"]}
                record = {
                    "url": result.url,
                    "title": (result.metadata or {}).get("title") or "",
                    "markdown": result.markdown.raw_markdown,
                    "links": [href for href in hrefs if pattern.search(href)],
                }
                out.write(json.dumps(record, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    asyncio.run(main())
