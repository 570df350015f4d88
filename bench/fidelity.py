"""How faithful Markdown is to wiki pages: recall / precision of headings, cells, links, lists …

    python bench/fidelity.py FOLDER [--url https://wiki.example/wiki/{name}]
        [--markdown FOLDER | --with MODULE:FUNCTION] [--show KIND …] [--worst N]

FOLDER holds pages of a MediaWiki: ``NAME.html`` as a skin gives them, ``NAME.json`` as
``action=parse`` answers with ``formatversion=2``. They are compared with what this project makes of
them, or with ``NAME.md`` in the folder of ``--markdown``, or with what the function of ``--with``
returns for (html, url). Prints a table for each of the two kinds of file; ``--show`` also each
thing of that kind that is missing (-) or too much (+).
"""

from __future__ import annotations

import argparse
import html
import json
import re
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.content.fidelity import KINDS, check, table
from tests.content.fidelity.score import total
from wikicrawler.content import convert
from wikicrawler.errors import ContentError

if TYPE_CHECKING:
    from collections.abc import Callable

_PAGE_NAME = re.compile(r'"wgPageName":"((?:[^"\\]|\\.)*)"')


def pages(folder: Path, url: str) -> dict[str, list[tuple[str, str, str]]]:
    """By kind of file: name, document and URL of each page."""
    found: dict[str, list[tuple[str, str, str]]] = {"skin": [], "API": []}
    for path in sorted(folder.iterdir()):
        text = path.read_text("utf-8") if path.suffix in {".html", ".json"} else ""
        name = path.name.removesuffix(path.suffix)
        if path.suffix == ".html":
            title = _PAGE_NAME.search(text)
            title_ = json.loads(f'"{title[1]}"') if title else name
            found["skin"].append((name, text, _address(url, title_)))
        elif path.suffix == ".json" and (parse := json.loads(text).get("parse")):
            document = (
                f"<!DOCTYPE html><html><head><title>{html.escape(parse['title'])}</title></head>"
                f"<body>{parse['text']}</body></html>"
            )
            found["API"].append((name, document, _address(url, parse["title"])))
    return {kind: group for kind, group in found.items() if group}


def _address(url: str, title: str) -> str:
    return url.replace("{name}", quote(title.replace(" ", "_"), safe=";@$!*(),/~:"))


def ours(document: str, url: str) -> str:
    try:
        return convert(document, url).markdown
    except ContentError:
        return ""


def _function(name: str) -> Callable[[str, str], str]:
    module, _, function = name.partition(":")
    return getattr(import_module(module), function)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--url", default="https://wiki.example/wiki/{name}")
    parser.add_argument("--markdown", type=Path, help="a folder of NAME.md")
    parser.add_argument("--with", dest="function", help="module:function(html, url) -> Markdown")
    parser.add_argument("--show", action="append", default=[], choices=KINDS)
    parser.add_argument("--every", type=int, default=1, help="only each Nth page")
    arguments = parser.parse_args()
    function = _function(arguments.function) if arguments.function else ours
    columns = {}
    for kind, group in pages(arguments.folder, arguments.url).items():
        scores = []
        for name, document, url in group[:: arguments.every]:
            if arguments.markdown:
                markdown = (arguments.markdown / f"{name}.md").read_text("utf-8")
            else:
                markdown = function(document, url)
            report = check(document, markdown, url)
            scores.append(report.scores)
            if arguments.show and not report.perfect(*arguments.show):
                print(f"{name} {url}\n{report.shown(*arguments.show)}", file=sys.stderr)
        columns[f"{kind}, {len(scores)} pages"] = total(scores)
    print(table(columns))


if __name__ == "__main__":
    main()
