"""trafilatura's own download, in threads, and its Markdown, as its documentation has it.

crawl.py START FOLLOW OUT LOG
"""

import json
import logging
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urljoin

from trafilatura import extract, fetch_url, load_html
from trafilatura.settings import use_config

THREADS = 16
logger = logging.getLogger(__name__)


def read(url, follow, config):
    text = fetch_url(url, config=config)
    if text is None:
        logger.error("no answer: %s", url)
        return None
    # extract() changes the tree that it is given, so that links come first.
    tree = load_html(text)
    hrefs = {href.partition("#")[0] for href in tree.xpath("//a/@href")}
    title = tree.findtext(".//title")
    markdown = extract(
        tree,
        url=url,
        config=config,
        output_format="markdown",
        favor_recall=True,
        include_comments=False,
        include_formatting=True,
        include_links=True,
        include_tables=True,
    )
    links = [link for link in (urljoin(url, href) for href in hrefs) if follow.search(link)]
    logger.info("%s", url)
    return {"url": url, "title": title, "markdown": markdown or "", "links": links}


def main():
    start, follow, out_path, log = sys.argv[1:]
    logging.basicConfig(filename=log, level=logging.INFO)
    follow, config = re.compile(follow), use_config()
    config["DEFAULT"]["SSRF_PROTECTION"] = "off"  # it would not ask loopback
    seen, todo = {start}, [start]
    with (
        ThreadPoolExecutor(THREADS) as threads,
        Path(out_path).open("w", encoding="utf-8") as out,
    ):
        while todo:
            found = []
            for record in threads.map(lambda url: read(url, follow, config), todo):
                if record is None:
                    continue
                out.write(json.dumps(record, ensure_ascii=False) + "\n")
                for link in record["links"]:
                    if link not in seen:
                        seen.add(link)
                        found.append(link)
            todo = found


if __name__ == "__main__":
    main()
