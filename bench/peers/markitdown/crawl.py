"""Scrapy, with markitdown in the callback.

crawl.py START FOLLOW OUT LOG
"""

import io
import re
import sys

import scrapy
from markitdown import MarkItDown, StreamInfo
from scrapy.crawler import CrawlerProcess


class PagesSpider(scrapy.Spider):
    name = "pages"

    def __init__(self, start, follow):
        super().__init__()
        self.start_url = start
        self.follow = re.compile(follow)
        self.seen = set()
        self.markitdown = MarkItDown()
        self.info = StreamInfo(mimetype="text/html", extension=".html", charset="utf-8")

    async def start(self):
        yield scrapy.Request(self.start_url)

    def parse(self, response):
        hrefs = response.xpath("//a/@href").getall()
        urls = (response.urljoin(href) for href in {href.partition("#")[0] for href in hrefs})
        links = [url for url in urls if self.follow.search(url)]
        for link in links:
            if link not in self.seen:
                self.seen.add(link)
                yield scrapy.Request(link)
        # It takes whole documents only.
        result = self.markitdown.convert_stream(io.BytesIO(response.body), stream_info=self.info)
        yield {
            "url": response.url,
            "title": response.xpath("//title/text()").get(),
            "markdown": result.markdown,
            "links": links,
        }


def main():
    start, follow, out, log = sys.argv[1:]
    process = CrawlerProcess(
        {
            "CONCURRENT_REQUESTS": 16,
            "CONCURRENT_REQUESTS_PER_DOMAIN": 16,
            "DOWNLOAD_DELAY": 0,
            "ROBOTSTXT_OBEY": True,
            "TELNETCONSOLE_ENABLED": False,
            "LOG_LEVEL": "INFO",
            "LOG_FILE": log,
            "FEEDS": {out: {"format": "jsonlines", "encoding": "utf-8"}},
        }
    )
    process.crawl(PagesSpider, start, follow)
    process.start()


if __name__ == "__main__":
    main()
