"""asyncio and aiohttp without a framework, with markdownify.

crawl.py START FOLLOW OUT LOG
"""

import asyncio
import json
import logging
import re
import sys
from pathlib import Path
from urllib.parse import urljoin

import aiohttp
from bs4 import BeautifulSoup
from markdownify import MarkdownConverter

CONTENT = "#mw-content-text, main, article"  # the user knows the site, and spares the rest
WORKERS = 16
logger = logging.getLogger(__name__)


def convert(url, html, follow, converter):
    soup = BeautifulSoup(html, "lxml")
    hrefs = {a["href"].partition("#")[0] for a in soup.find_all("a", href=True)}
    links = [link for link in (urljoin(url, href) for href in hrefs) if follow.search(link)]
    content = soup.select_one(CONTENT) or soup.body
    for element in content(["script", "style"]):
        element.decompose()
    title = soup.title.get_text() if soup.title else ""
    return {
        "url": url,
        "title": title,
        "markdown": converter.convert_soup(content),
        "links": links,
    }


async def work(queue, seen, session, follow, out):
    converter = MarkdownConverter(heading_style="ATX")
    while True:
        url = await queue.get()
        try:
            async with session.get(url) as response:
                response.raise_for_status()
                html = await response.text()
            record = convert(url, html, follow, converter)
            out.write(json.dumps(record, ensure_ascii=False) + "\n")
            logger.info("%s", url)
            for link in record["links"]:
                if link not in seen:
                    seen.add(link)
                    queue.put_nowait(link)
        except aiohttp.ClientError:
            logger.exception("%s", url)
        finally:
            queue.task_done()


async def main():
    start, follow, out_path, log = sys.argv[1:]
    logging.basicConfig(filename=log, level=logging.INFO)
    queue, seen = asyncio.Queue(), {start}
    queue.put_nowait(start)
    connector = aiohttp.TCPConnector(limit=WORKERS)
    async with aiohttp.ClientSession(connector=connector) as session:
        with Path(out_path).open("w", encoding="utf-8") as out:  # noqa: ASYNC230 - once
            workers = [
                asyncio.create_task(work(queue, seen, session, re.compile(follow), out))
                for _ in range(WORKERS)
            ]
            await queue.join()
            for worker in workers:
                worker.cancel()


if __name__ == "__main__":
    asyncio.run(main())
