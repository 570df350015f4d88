"""How well the articles of pages are found, on a labelled corpus: ours and the libraries' alone.

    python bench/articles.py FOLDER [--half A|B] [--systems ours,readability] [--worst N]
    python bench/articles.py --shapes bench/shapes/dev [--systems …] [--worst N]

FOLDER is a checkout of https://github.com/scrapinghub/article-extraction-benchmark. Scores are its
own: multisets of four words in a row are compared page by page, precision and recall are averaged
over the pages, F1 is theirs. What is scored is the plain text of the Markdown. The halves are a
random split, seed 20, so that a rule can be chosen on one and confirmed on the other.

With ``--shapes``, pages of all shapes are scored by their words instead (see shape_scores.py):
one row for each shape and language, one column for each system.

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

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench import shape_scores
from bench.systems import FOR_ARTICLES, FOR_SHAPES
from wikicrawler.content.article.opinions import has_trafilatura

SEED = 20
_WORD = re.compile(r"\w+")


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
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--shapes", type=Path, metavar="FOLDER", help="of pages of all shapes")
    parser.add_argument("--half", choices=["A", "B"], help="look at this half alone")
    parser.add_argument("--systems", help="separated by commas; default: those installed")
    parser.add_argument("--worst", type=int, default=0, help="name our worst pages")
    options = parser.parse_args()
    known = FOR_SHAPES if options.shapes else FOR_ARTICLES
    wanted = options.systems.replace(", ", ",").split(",") if options.systems else list(known)
    if unknown := set(wanted) - set(known):
        parser.error(f"no system {', '.join(sorted(unknown))}; there are {', '.join(known)}")
    if options.shapes:
        shape_scores.run(options.shapes, {name: known[name] for name in wanted}, options.worst)
        return
    if not options.folder:
        parser.error("FOLDER or --shapes is needed")
    truths = json.loads((options.folder / "ground-truth.json").read_text("utf-8"))
    parts = halves(list(truths))
    if options.half:
        parts = {options.half: parts[options.half]}
    scores: dict[str, dict[str, tuple[float | None, float | None]]] = {}
    spent: Counter[str] = Counter()
    pages = sorted(set().union(*parts.values()))
    for page in pages:
        truth = truths[page]
        body = gzip.decompress((options.folder / "html" / f"{page}.html.gz").read_bytes())
        for name in list(wanted):
            start = time.process_time()
            try:
                found = known[name](body, truth["url"])
            except ModuleNotFoundError as error:
                print(f"{name}: left out ({error})", file=sys.stderr)
                wanted.remove(name)
                continue
            spent[name] += time.process_time() - start
            scores.setdefault(name, {})[page] = score(found, truth["articleBody"])
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
