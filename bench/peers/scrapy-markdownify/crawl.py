"""Scrapy, with markdownify in the callback: what most people write first.

    crawl.py START FOLLOW OUT LOG [--parser lxml|html.parser] [--link-extractor] [--download-only]

``--link-extractor``: links by Scrapy's LinkExtractor, and Scrapy's filter of duplicates, in the
place of a look at the links and a set. ``--download-only``: a page's links are found and followed,
nothing is parsed into a tree and nothing converted.
"""

import argparse
import re

import scrapy
from bs4 import BeautifulSoup
from markdownify import MarkdownConverter
from scrapy.crawler import CrawlerProcess
from scrapy.linkextractors import LinkExtractor

CONTENT = "#mw-content-text, main, article"  # the user knows the site, and spares the rest
HREF = re.compile(rb'href="([^"#]+)')


class PagesSpider(scrapy.Spider):
    name = "pages"

    def __init__(self, arguments):
        super().__init__()
        self.arguments = arguments
        self.follow = re.compile(arguments.follow)
        self.extractor = LinkExtractor(allow=arguments.follow)
        self.converter = MarkdownConverter(heading_style="ATX")
        self.seen = set()

    async def start(self):
        yield scrapy.Request(self.arguments.start)

    def parse(self, response):
        if self.arguments.link_extractor:
            links = [link.url for link in self.extractor.extract_links(response)]
            yield from response.follow_all(links)
        else:
            links = self.links(response)
            for link in links:
                if link not in self.seen:
                    self.seen.add(link)
                    yield scrapy.Request(link)
        if self.arguments.download_only:
            yield {"url": response.url, "title": "", "markdown": "-", "links": []}
            return
        soup = BeautifulSoup(response.text, self.arguments.parser)
        content = soup.select_one(CONTENT) or soup.body
        for element in content(["script", "style"]):
            element.decompose()
        yield {
            "url": response.url,
            "title": soup.title.get_text() if soup.title else "",
            "markdown": self.converter.convert_soup(content),
            "links": links,
        }

    def links(self, response):
        if self.arguments.download_only:
            hrefs = (href.decode() for href in HREF.findall(response.body))
        else:
            hrefs = response.xpath("//a/@href").getall()
        # One of each before it is resolved: a page says many of its links more than once.
        urls = (response.urljoin(href) for href in {href.partition("#")[0] for href in hrefs})
        return [url for url in urls if self.follow.search(url)]


def main():
    parser = argparse.ArgumentParser()
    for name in ("start", "follow", "out", "log"):
        parser.add_argument(name)
    parser.add_argument("--parser", default="lxml")
    parser.add_argument("--link-extractor", action="store_true")
    parser.add_argument("--download-only", action="store_true")
    arguments = parser.parse_args()
    process = CrawlerProcess(
        {
            "CONCURRENT_REQUESTS": 16,
            "CONCURRENT_REQUESTS_PER_DOMAIN": 16,
            "DOWNLOAD_DELAY": 0,
            "ROBOTSTXT_OBEY": True,
            "TELNETCONSOLE_ENABLED": False,
            "LOG_LEVEL": "INFO",
            "LOG_FILE": arguments.log,
            "FEEDS": {arguments.out: {"format": "jsonlines", "encoding": "utf-8"}},
        }
    )
    process.crawl(PagesSpider, arguments)
    process.start()


if __name__ == "__main__":
    main()
