"""``python -m wikicrawler.content FILE --url URL``: convert a saved page to Markdown."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path
from urllib.parse import urlsplit

from wikicrawler.content.conversion import convert
from wikicrawler.content.form import DEFAULT, IMAGE_FORMS
from wikicrawler.errors import ContentError
from wikicrawler.text.safe import one_line


def main(arguments: list[str] | None = None) -> int:
    """Print a page's Markdown. The exit code is 1 if the conversion fails."""
    parser = argparse.ArgumentParser(prog="python -m wikicrawler.content", description=__doc__)
    parser.add_argument("file", metavar="FILE", help="HTML file; - for standard input")
    parser.add_argument("--url", required=True, help="URL of the page, to resolve its links")
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument("--wiki", action="store_true", help="a MediaWiki page (default: detect)")
    kind.add_argument("--page", action="store_true", help="any other page")
    parser.add_argument("--encoding", help="of the file (default: detect)")
    parser.add_argument(
        "--images",
        choices=IMAGE_FORMS,
        default=DEFAULT.images,
        help="alt: texts of images that stand for words; markdown: the images, too (default: alt)",
    )
    parser.add_argument(
        "--comments", action="store_true", help="keep the comments below an article"
    )
    parser.add_argument("--json", action="store_true", help="print title, links and metadata too")
    options = parser.parse_args(arguments)
    if urlsplit(options.url).scheme not in {"http", "https"}:
        parser.error(f"--url must begin with http:// or https://, not {options.url!r}")
    wiki = True if options.wiki else False if options.page else None
    try:
        body = sys.stdin.buffer.read() if options.file == "-" else Path(options.file).read_bytes()
        content = convert(
            body,
            options.url,
            encoding=options.encoding,
            wiki=wiki,
            images=options.images,
            comments=options.comments,
        )
    except (OSError, ContentError) as error:
        sys.stderr.write(f"{one_line(options.file)}: {one_line(error)}\n")
        return 1
    text = content.markdown
    if options.json:
        found = asdict(content)
        del found["text_key"], found["without_images"]  # for comparisons within one crawl
        text = json.dumps(found, ensure_ascii=False, indent=2)
    sys.stdout.write(f"{text}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
