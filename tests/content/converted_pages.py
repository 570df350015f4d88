"""Prints from where the conversion is loaded, and a hash of what each page of the tests becomes.

As a plugin of pytest, it prints the former only.
"""

from __future__ import annotations

import hashlib
import sys
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

from wikicrawler.content.conversion import convert
from wikicrawler.content.markdown import walk
from wikicrawler.errors import ContentError

if TYPE_CHECKING:
    from pytest import TerminalReporter  # noqa: PT013

ROOT = Path(__file__).parents[2]
FOLDERS = ("tests", "bench/shapes", "wikicrawler/demo")
FORMS = (("alt", "inline"), ("markdown", "references"))


def pytest_terminal_summary(terminalreporter: TerminalReporter) -> None:
    terminalreporter.write_line(f"conversion: {walk.__file__}")


def main() -> None:
    lines = [walk.__file__]
    pages = sorted(page for folder in FOLDERS for page in (ROOT / folder).rglob("*.html"))
    for page, wiki, (images, links) in product(pages, (True, None), FORMS):
        url = f"https://example.org/wiki/{page.stem}"
        try:
            content = convert(page.read_bytes(), url, wiki=wiki, images=images, links=links)
        except ContentError as error:
            content = error
        told = hashlib.sha256(repr(content).encode("utf-8", "surrogatepass")).hexdigest()
        lines.append(f"{page.relative_to(ROOT)} {wiki} {images} {links} {told}")
    sys.stdout.write("\n".join(lines))


if __name__ == "__main__":
    sys.exit(main())
