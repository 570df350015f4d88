"""What converting a page costs, ours and the others side by side, in CPU time.

    python bench/convert.py FOLDER [--wiki | --page] [--rounds N] [--limit N]

Converts every ``*.html`` file below FOLDER in turn with each converter, round after round, and
prints a Markdown table: milliseconds of CPU a page (the median of the rounds, and their range) and
how many times ours that is. Converters that are not installed are left out. The last two are no
converters but the floor: parsing the page alone, and parsing and serialising it.
"""

from __future__ import annotations

import argparse
import importlib
import platform
import statistics
import sys
import time
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

from lxml import etree
from lxml import html as lxml_html

from wikicrawler.content import convert
from wikicrawler.errors import ContentError

if TYPE_CHECKING:
    from collections.abc import Callable

    Converter = Callable[[bytes], object]

OURS = "wikicrawler.content"
_UNWANTED = (
    "//script|//style|//nav|//form|//footer|//*[contains(@class,'mw-editsection')]"
    "|//*[contains(@class,'navbox')]|//*[@id='toc']|//*[@id='mw-navigation']|//comment()"
)


def converters(wiki: bool | None) -> dict[str, Converter]:
    """Each converter by its name; ours first, the floor last."""
    found: dict[str, Converter] = {OURS: lambda body: _ours(body, wiki)}
    if markdownify := _imported("markdownify"):
        rules = markdownify.markdownify
        found["markdownify (lxml)"] = lambda body: rules(body, bs4_options="lxml")
        found["markdownify (html.parser)"] = rules
        found["lxml clean, markdownify (lxml)"] = lambda body: rules(
            _cleaned(body), bs4_options="lxml"
        )
        if readability := _imported("readability"):
            found["readability, markdownify (lxml)"] = lambda body: rules(
                readability.Document(body.decode("utf-8", "replace")).summary(), bs4_options="lxml"
            )
    if html_to_markdown := _imported("html_to_markdown"):
        found["html-to-markdown"] = lambda body: html_to_markdown.convert(
            body.decode("utf-8", "replace")
        )
    if trafilatura := _imported("trafilatura"):
        found["trafilatura, Markdown"] = lambda body: trafilatura.extract(
            body, output_format="markdown", include_links=True, include_tables=True
        )
    found["lxml parse"] = _parsed
    found["lxml parse and serialise"] = lambda body: etree.tostring(_parsed(body))
    return found


def _imported(name: str):
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def _ours(body: bytes, wiki: bool | None) -> object:
    try:
        return convert(body, "https://wiki.example/wiki/Page", wiki=wiki)
    except ContentError:
        return None


def _parsed(body: bytes) -> lxml_html.HtmlElement:
    return lxml_html.document_fromstring(body, parser=lxml_html.HTMLParser(encoding="utf-8"))


def _cleaned(body: bytes) -> str:
    root = _parsed(body)
    for el in root.xpath(_UNWANTED):
        if el.getparent() is not None:
            el.drop_tree()
    return etree.tostring(root, encoding="unicode", method="html")


def measure(found: dict[str, Converter], pages: list[bytes], rounds: int) -> dict[str, list[float]]:
    """Milliseconds of CPU a page of each converter in each round, which all share."""
    times: dict[str, list[float]] = {name: [] for name in found}
    for number in range(rounds + 1):
        for name, converter in found.items():
            start = time.process_time()
            for page in pages:
                converter(page)
            if number:  # the first round warms up
                times[name].append((time.process_time() - start) / len(pages) * 1000)
    return times


def report(times: dict[str, list[float]]) -> None:
    print("| converter | version | ms a page | range | times ours, median (range) |")
    print("| --- | --- | --- | --- | --- |")
    for name, values in times.items():
        ratios = [value / ours for value, ours in zip(values, times[OURS], strict=True)]
        print(
            f"| {name} | {_version(name)} | {statistics.median(values):.2f} "
            f"| {min(values):.2f}–{max(values):.2f} "
            f"| {statistics.median(ratios):.2f} ({min(ratios):.2f}–{max(ratios):.2f}) |"
        )


def _version(name: str) -> str:
    package = next(
        (p for p in ("markdownify", "html-to-markdown", "trafilatura", "lxml") if p in name), ""
    )
    return metadata.version("markdownify" if "markdownify" in name else package) if package else ""


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument("--wiki", action="store_true", help="MediaWiki pages (default: look at them)")
    kind.add_argument("--page", action="store_true", help="any other pages")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--limit", type=int, default=50, help="pages at most, the largest ones")
    arguments = parser.parse_args()
    files = sorted(arguments.folder.rglob("*.html"), key=lambda path: -path.stat().st_size)
    pages = [path.read_bytes() for path in files[: arguments.limit]]
    if not pages:
        print(f"no *.html below {arguments.folder}", file=sys.stderr)
        return 1
    size = sum(map(len, pages)) / len(pages) / 1000
    print(
        f"{len(pages)} pages of {size:.0f} KB on average, {arguments.rounds} rounds, "
        f"Python {platform.python_version()}, {platform.machine()}\n"
    )
    wiki = True if arguments.wiki else False if arguments.page else None
    report(measure(converters(wiki), pages, arguments.rounds))
    return 0


if __name__ == "__main__":
    sys.exit(main())
