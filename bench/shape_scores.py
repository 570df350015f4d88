"""How much of the content of pages of all shapes is found, and how much else with it.

A corpus is a folder of folders, one for each engine, with ``NAME.html``, ``NAME.txt`` (the text of
the content, in reading order) and perhaps ``NAME.optional.txt`` (text that counts neither way), and
an ``about.json`` that says for each page its URL, shape, language and title.

What is compared are multisets of words, case-folded; of scripts written without spaces, of
characters. The words of the title count neither way either, since a record has a field for it.
Figures are means over pages.
"""

from __future__ import annotations

import json
import re
import sys
import unicodedata
from collections import Counter, defaultdict
from dataclasses import dataclass
from statistics import mean
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    Systems = dict[str, Callable[[bytes, str], str]]

_MARKS = "".join(
    re.escape(chr(point))
    for point in range(0x300, 0x20000)
    if unicodedata.category(chr(point)).startswith("M")
)
"""Vowel signs and accents. They belong to words, but ``\\w`` leaves them out."""
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Burmese, Khmer
    "\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\uff66-\uff9f"  # Japanese syllables
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Chinese characters
)
_WORD = re.compile(f"[{_UNSPACED}][{_MARKS}]*|(?:(?![{_UNSPACED}_])[\\w{_MARKS}\u200c\u200d])+")


@dataclass(frozen=True)
class Page:
    """A page of the corpus with what is to be found in it."""

    name: str
    body: bytes
    url: str
    shape: str
    language: str
    truth: Counter[str]
    title: Counter[str]
    optional: Counter[str]


@dataclass(frozen=True)
class Score:
    """F1, the share of found words that are not content, and the share of content not found."""

    f1: float
    noise: float
    loss: float


def words(text: str) -> Counter[str]:
    """The number of occurrences of each word of *text*."""
    return Counter(_WORD.findall(unicodedata.normalize("NFC", text).casefold().replace("\xad", "")))


def read(folder: Path) -> list[Page]:
    """All pages of the corpus in *folder*."""
    pages = []
    for about in sorted(folder.glob("*/about.json")):
        for name, facts in json.loads(about.read_text("utf-8"))["pages"].items():
            file = about.with_name(f"{name}.html")
            optional = file.with_suffix(".optional.txt")
            pages.append(
                Page(
                    name=f"{about.parent.name}/{name}",
                    body=file.read_bytes(),
                    url=facts["url"],
                    shape=facts["shape"],
                    language=facts["language"],
                    truth=words(file.with_suffix(".txt").read_text("utf-8")),
                    title=words(facts["title"]),
                    optional=words(optional.read_text("utf-8") if optional.exists() else ""),
                )
            )
    return pages


def score(found: Counter[str], page: Page) -> Score:
    """Compare the words *found* with the content of *page*.

    Text that counts neither way is excused as noise only: an optional "the" is no reason to miss
    the same word of the content. The title is excused as loss too.
    """
    shared = (found & page.truth).total()
    noise = (found - page.truth - page.optional - page.title).total()
    loss = (page.truth - found - page.title).total()
    precision = shared / (shared + noise) if shared + noise else 1.0
    recall = shared / (shared + loss) if shared + loss else 1.0
    if not shared:
        recall = 0.0
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return Score(f1, 1 - precision, 1 - recall)


def run(folder: Path, systems: Systems, worst: int) -> None:
    """Print the table for the pages in *folder*, and the *worst* pages of the first system."""
    pages = read(folder)
    scores: dict[str, dict[str, Score]] = {}
    for name, find in systems.items():
        try:
            scores[name] = {
                page.name: score(words(find(page.body, page.url)), page) for page in pages
            }
        except ModuleNotFoundError as error:
            print(f"{name}: left out ({error})", file=sys.stderr)
    print(f"| F1, noise, loss | pages | {' | '.join(scores)} |")
    print(f"|---|{'---|' * (1 + len(scores))}")
    for label, part in _parts(pages):
        cells = (_cell(of_page[page.name] for page in part) for of_page in scores.values())
        print(f"| {label} | {len(part)} | {' | '.join(cells)} |")
    first = next(iter(scores.values()), {})
    for name in sorted(first, key=lambda name: first[name].f1)[:worst]:
        print(f"{_cell([first[name]])}  {name}")


def _parts(pages: list[Page]) -> Iterable[tuple[str, list[Page]]]:
    shapes: dict[str, list[Page]] = defaultdict(list)
    languages: dict[str, list[Page]] = defaultdict(list)
    for page in pages:
        shapes[page.shape].append(page)
        languages[page.language].append(page)
    yield from sorted(shapes.items())
    yield "**all**", pages
    yield from sorted(languages.items(), key=lambda item: (-len(item[1]), item[0]))


def _cell(scores: Iterable[Score]) -> str:
    found = list(scores)
    values = (mean(getattr(one, kind) for one in found) for kind in ("f1", "noise", "loss"))
    return " ".join(f"{value:.3f}".removeprefix("0") for value in values)
