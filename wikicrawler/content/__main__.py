"""``python -m wikicrawler.content FILE --url URL``: convert a saved page to Markdown."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path
from urllib.parse import urlsplit

from wikicrawler.content.article.notes import Note, Notes
from wikicrawler.content.conversion import convert_with_notes
from wikicrawler.content.form import DEFAULT, IMAGE_FORMS, LINK_FORMS, Form
from wikicrawler.errors import ContentError
from wikicrawler.text.safe import one_line

_OF_A_CRAWL = (
    *("text_key", "without_images", "inline_links", "origin"),
    *("markdown_hash", "markdown_json"),
)
_NO_URL = "https://page.example/"
"""The address of a page whose own is not given. Links are not part of an explanation."""


def main(arguments: list[str] | None = None) -> int:
    """Print a page's Markdown, or why it is what it is. The exit code is 1 if the conversion
    fails."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.url is None and not options.explain:
        parser.error("--url is required without --explain")
    url = options.url or _NO_URL
    if urlsplit(url).scheme not in {"http", "https"}:
        parser.error(f"--url must begin with http:// or https://, not {url!r}")
    notes = Notes(wanted=options.explain)
    try:
        body = sys.stdin.buffer.read() if options.file == "-" else Path(options.file).read_bytes()
        content = convert_with_notes(
            body,
            url,
            encoding=options.encoding,
            wiki=True if options.wiki else False if options.page else None,
            form=Form(options.images, options.links, options.comments),
            notes=notes,
        )
    except (OSError, ContentError) as error:
        sys.stdout.writelines(map(_line, notes.found))
        sys.stderr.write(f"{one_line(options.file)}: {one_line(error)}\n")
        return 1
    if options.explain:
        sys.stdout.writelines(map(_line, notes.found))
    elif options.json:
        found = asdict(content)
        for name in _OF_A_CRAWL:
            del found[name]
        sys.stdout.write(f"{json.dumps(found, ensure_ascii=False, indent=2)}\n")
    else:
        sys.stdout.write(f"{content.markdown}\n")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m wikicrawler.content", description=__doc__)
    parser.add_argument("file", metavar="FILE", help="HTML file; - for standard input")
    parser.add_argument("--url", help="URL of the page, to resolve its links")
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
        "--links",
        choices=LINK_FORMS,
        default=DEFAULT.links,
        help="with URLs, as numbers with the URLs at the end, as paths of the host, or as text"
        " (default: inline)",
    )
    parser.add_argument(
        "--comments", action="store_true", help="keep the comments below an article"
    )
    output = parser.add_mutually_exclusive_group()
    output.add_argument("--json", action="store_true", help="print title, links and metadata too")
    output.add_argument(
        "--explain",
        action="store_true",
        help="print which parts of the page are kept and dropped, and why, instead of Markdown",
    )
    return parser


def _line(note: Note) -> str:
    """Return *note* as a line. What the page says in it is escaped."""
    place = one_line(note.place)
    return f"{note.verdict:8}{note.chars:>7}  {note.reason}  {place}  {note.sample!r}\n"


if __name__ == "__main__":
    sys.exit(main())
