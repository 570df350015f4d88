"""Crawlee for Python over HTTP, in memory, with markdownify in the handler.

    crawl.py START FOLLOW OUT LOG [--parsel]

HttpCrawler, whose body is parsed once by BeautifulSoup for links and Markdown, is its quickest;
``--parsel``: its ParselCrawler and ``enqueue_links``, as its documentation has it.
"""

import argparse
import asyncio
import json
import logging
import re
from pathlib import Path
from urllib.parse import urljoin

from bs4 import BeautifulSoup
from crawlee import ConcurrencySettings, Request
from crawlee.configuration import Configuration
from crawlee.crawlers import HttpCrawler, ParselCrawler
from crawlee.storage_clients import MemoryStorageClient
from markdownify import MarkdownConverter

CONTENT = "#mw-content-text, main, article"  # the user knows the site, and spares the rest


async def main():
    parser = argparse.ArgumentParser()
    for name in ("start", "follow", "out", "log"):
        parser.add_argument(name)
    parser.add_argument("--parsel", action="store_true")
    arguments = parser.parse_args()
    logging.basicConfig(filename=arguments.log, level=logging.INFO)
    follow, seen = re.compile(arguments.follow), set()
    converter = MarkdownConverter(heading_style="ATX")
    crawler = (ParselCrawler if arguments.parsel else HttpCrawler)(
        configure_logging=False,
        configuration=Configuration(purge_on_start=True),
        storage_client=MemoryStorageClient(),
        respect_robots_txt_file=True,
        concurrency_settings=ConcurrencySettings(
            min_concurrency=16, desired_concurrency=16, max_concurrency=16
        ),
    )
    with Path(arguments.out).open("w", encoding="utf-8") as out:  # noqa: ASYNC230 - once

        def write(url, soup, links):
            content = soup.select_one(CONTENT) or soup.body
            for element in content(["script", "style"]):
                element.decompose()
            record = {
                "url": url,
                "title": soup.title.get_text() if soup.title else "",
                "markdown": converter.convert_soup(content),
                "links": links,
            }
            out.write(json.dumps(record, ensure_ascii=False) + "\n")

        @crawler.router.default_handler
        async def handle(context):
            url = context.request.url
            if arguments.parsel:
                selector = context.selector
                hrefs = selector.xpath("//a/@href").getall()
                soup = BeautifulSoup(selector.get(), "lxml")
            else:
                soup = BeautifulSoup(await context.http_response.read(), "lxml")
                hrefs = [a["href"] for a in soup.find_all("a", href=True)]
            urls = (urljoin(url, href) for href in {href.partition("#")[0] for href in hrefs})
            links = [link for link in urls if follow.search(link)]
            if arguments.parsel:
                await context.enqueue_links(include=[follow])
            else:
                fresh = [link for link in links if link not in seen]
                seen.update(fresh)
                await context.add_requests([Request.from_url(link) for link in fresh])
            write(url, soup, links)

        await crawler.run([arguments.start])


if __name__ == "__main__":
    asyncio.run(main())
