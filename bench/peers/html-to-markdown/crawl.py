"""Scrapy, with html-to-markdown (Rust) in the callback.

crawl.py START FOLLOW OUT LOG
"""

import re
import sys

import scrapy
from html_to_markdown import ConversionOptions, convert
from scrapy.crawler import CrawlerProcess

EXCLUDE = [
    *("script", "style", ".mw-editsection", ".navbox", "#mw-navigation", "#footer", "#siteSub"),
    *("#catlinks", ".mw-jump-link", ".printfooter", "#toc", ".toc"),
]  # the user knows the site


class PagesSpider(scrapy.Spider):
    name = "pages"

    def __init__(self, start, follow):
        super().__init__()
        self.start_url = start
        self.follow = re.compile(follow)
        self.seen = set()
        self.options = ConversionOptions(exclude_selectors=EXCLUDE, extract_metadata=False)

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
        result = convert(response.text, self.options)
        yield {
            "url": response.url,
            "title": response.xpath("//title/text()").get(),
            "markdown": result.content,
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
