"""How well the articles of pages are found, on a labelled corpus: ours and the libraries' alone.

    python bench/articles.py FOLDER [--half A|B] [--systems ours,readability] [--worst N]

FOLDER is a checkout of https://github.com/scrapinghub/article-extraction-benchmark. Scores are its
own: multisets of four words in a row are compared page by page, precision and recall are averaged
over the pages, F1 is theirs. What is scored is the plain text of the Markdown. The halves are a
random split, seed 20, so that a rule can be chosen on one and confirmed on the other.

Time is CPU time of one process, the systems taking turns page by page. Where trafilatura is
installed, ours asks it too: run it in an environment with and in one without.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
import sys
import time
from collections import Counter
from pathlib import Path
from statistics import mean
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).parents[1]))

from lxml import html as lxml_html
from markdown_it import MarkdownIt

from wikicrawler.content import convert
from wikicrawler.content.article.opinions import has_trafilatura
from wikicrawler.errors import ContentError, Reason

if TYPE_CHECKING:
    from collections.abc import Callable

SEED = 20
_WORD = re.compile(r"\w+")
_GFM = MarkdownIt("commonmark").enable(["table", "strikethrough"])


def ours(body: bytes, url: str) -> str:
    try:
        return convert(body, url, wiki=False).markdown
    except ContentError as error:
        if error.reason is not Reason.EMPTY:
            raise
        return ""


def readability(body: bytes, url: str) -> str:
    from readability import Document  # noqa: PLC0415 - may be missing

    return text_of(Document(body.decode("utf-8", "replace")).summary())


def trafilatura(body: bytes, url: str) -> str:
    from trafilatura import extract  # noqa: PLC0415 - may be missing

    return extract(body, url=url, output_format="markdown", include_comments=False) or ""


def trafilatura_precision(body: bytes, url: str) -> str:
    from trafilatura import extract  # noqa: PLC0415 - may be missing

    return extract(body, url=url, favor_precision=True, include_comments=False) or ""


SYSTEMS: dict[str, Callable[[bytes, str], str]] = {
    "ours": ours,
    "readability": readability,
    "trafilatura": trafilatura,
    "trafilatura precision": trafilatura_precision,
}
_MARKDOWN = {"ours", "trafilatura"}


def plain(markdown: str) -> str:
    """The text that a reader of *markdown* sees."""
    return text_of(_GFM.render(markdown))


def text_of(html: str) -> str:
    """The text of *html*, where one block does not run into the next."""
    apart = re.sub(r"<(?=/?(?:p|h\d|li|t[dhr]|pre|br|div|blockquote)\b)", " <", html)
    return lxml_html.fromstring(f"<div>{apart}</div>").text_content()


def shingles(text: str) -> Counter[tuple[str, ...]]:
    words = _WORD.findall(text)
    runs = (tuple(words[i : i + 4]) for i in range(max(1, len(words) - 3)))
    return Counter(run for run in runs if run)


def score(found: str, truth: str) -> tuple[float | None, float | None]:
    """Precision and recall of one page; None where there is nothing to divide by."""
    mine, true = shingles(found), shingles(truth)
    shared = (mine & true).total()
    return (
        shared / mine.total() if mine else None,
        shared / true.total() if true else None,
    )


def overall(scores: list[tuple[float | None, float | None]]) -> tuple[float, float, float]:
    """Precision, recall and F1 over pages."""
    precision = mean(p for p, _ in scores if p is not None)
    recall = mean(r for _, r in scores if r is not None)
    return precision, recall, 2 * precision * recall / (precision + recall)


def halves(names: list[str]) -> dict[str, set[str]]:
    shuffled = sorted(names)
    random.Random(SEED).shuffle(shuffled)  # noqa: S311 - repeatable on purpose
    middle = len(shuffled) // 2
    return {"A": set(shuffled[:middle]), "B": set(shuffled[middle:]), "whole": set(shuffled)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--half", choices=["A", "B"], help="look at this half alone")
    parser.add_argument("--systems", help=f"of {', '.join(SYSTEMS)}; default: those installed")
    parser.add_argument("--worst", type=int, default=0, help="name our worst pages")
    options = parser.parse_args()
    truths = json.loads((options.folder / "ground-truth.json").read_text("utf-8"))
    parts = halves(list(truths))
    if options.half:
        parts = {options.half: parts[options.half]}
    wanted = options.systems.split(",") if options.systems else list(SYSTEMS)
    scores: dict[str, dict[str, tuple[float | None, float | None]]] = {}
    spent: Counter[str] = Counter()
    pages = sorted(set().union(*parts.values()))
    for page in pages:
        truth = truths[page]
        body = gzip.decompress((options.folder / "html" / f"{page}.html.gz").read_bytes())
        for name in list(wanted):
            start = time.process_time()
            try:
                found = SYSTEMS[name](body, truth["url"])
            except ModuleNotFoundError as error:
                print(f"{name}: left out ({error})", file=sys.stderr)
                wanted.remove(name)
                continue
            spent[name] += time.process_time() - start
            text = plain(found) if name in _MARKDOWN else found
            scores.setdefault(name, {})[page] = score(text, truth["articleBody"])
    print(f"| system | {' | '.join(f'{p}: P | R | F1' for p in parts)} | pages/s |")
    print(f"|---|{'---|' * 3 * len(parts)}---|")
    extra = " with trafilatura" if has_trafilatura() else ""
    for name, of_page in scores.items():
        cells = [
            f"{value:.3f}"
            for part in parts.values()
            for value in overall([of_page[page] for page in sorted(part)])
        ]
        label = name + extra if name == "ours" else name
        print(f"| {label} | {' | '.join(cells)} | {len(pages) / spent[name]:.0f} |")
    ranked = sorted(pages, key=lambda page: sum(v or 0 for v in scores[wanted[0]][page]))
    for page in ranked[: options.worst]:
        values = "  ".join(f"{v:.3f}" if v is not None else "-" for v in scores[wanted[0]][page])
        print(f"{values}  {page[:8]}  {truths[page]['url']}")


if __name__ == "__main__":
    main()
