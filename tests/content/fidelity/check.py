"""Comparison of a page with its Markdown."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tests.content.fidelity import align, facts, source, text
from tests.content.fidelity.grid import flat
from tests.content.fidelity.rendered import render
from tests.content.fidelity.score import KINDS, Score, multiset

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tests.content.fidelity.facts import Facts, Item


@dataclass(slots=True)
class Report:
    """The scores of a page by kind, and all missing and extra elements."""

    scores: dict[str, Score] = field(default_factory=dict)
    missing: dict[str, list[str]] = field(default_factory=lambda: {kind: [] for kind in KINDS})
    extra: dict[str, list[str]] = field(default_factory=lambda: {kind: [] for kind in KINDS})

    def perfect(self, *kinds: str) -> bool:
        """Return True if nothing of *kinds* (by default all kinds) is missing or extra."""
        return not any(self.missing[kind] or self.extra[kind] for kind in kinds or KINDS)

    def describe(self, *kinds: str) -> str:
        """Return a line for each missing (-) and extra (+) element."""
        lines = []
        for kind in kinds or KINDS:
            lines += [f"- {kind}: {thing}" for thing in self.missing[kind]]
            lines += [f"+ {kind}: {thing}" for thing in self.extra[kind]]
        return "\n".join(lines)


def check(html: str, markdown: str, url: str) -> Report:
    """Compare *markdown* with *html*, a MediaWiki page at *url* from its skin or its API."""
    page = source.read(html)
    return _compare(page, markdown, url)


def check_fragment(inner: str, markdown: str, url: str) -> Report:
    """Compare *markdown* with *inner*, the HTML inside a parser output."""
    return check(f'<body><div class="mw-parser-output">{inner}</div></body>', markdown, url)


def _compare(page: source.Source, markdown: str, url: str) -> Report:
    expected = facts.read(page.content, url, page.base)
    shown = facts.read(render(markdown), url)
    report = Report()
    _headings(report, expected, shown)
    _cells(report, expected, shown)
    _multiset(report, "links", expected.links, expected.links_most, shown.links)
    _lists(report, expected, shown)
    _definitions(report, expected, shown)
    code = Counter(expected.code)
    _multiset(report, "code", code, code, Counter(shown.code))
    _breaks(report, expected, shown)
    for kind, parts in (
        ("words", text.words), ("symbols", text.symbols), ("shingles", text.shingles)
    ):  # fmt: skip
        _text(report, kind, parts, expected, shown)
    _chrome(report, page, expected, shown)
    return report


def _headings(report: Report, expected: Facts, shown: Facts) -> None:
    pairs = align.in_order(expected.headings, shown.headings)
    count = len(pairs)
    report.scores["headings"] = Score(count, len(expected.headings), count, len(shown.headings))
    found, right = {a for a, _ in pairs}, {b for _, b in pairs}
    report.missing["headings"] = [
        f"h{h[0]} {h[1]}" for i, h in enumerate(expected.headings) if i not in found
    ]
    report.extra["headings"] = [
        f"h{h[0]} {h[1]}" for i, h in enumerate(shown.headings) if i not in right
    ]


def _cells(report: Report, expected: Facts, shown: Facts) -> None:
    score = report.scores["cells"] = Score(
        given=sum(len(flat(table.grid)) for table in shown.tables)
    )
    for table, other in align.tables(expected.tables, shown.tables):
        extra = Counter(cell.key for cell in flat(other.grid)) if other else Counter()
        for cell, twin in align.cells(table.grid, other.grid if other else []):
            score.expected += 1
            if twin is None:
                report.missing["cells"].append(cell.key)
            else:
                score.found += 1
                extra[twin.key] -= 1
        report.extra["cells"] += (+extra).elements()
        score.right += len(flat(other.grid)) - (+extra).total() if other else 0


def _multiset(report: Report, kind: str, least: Counter, most: Counter, shown: Counter) -> None:
    report.scores[kind], missing, extra = multiset(least, most, shown)
    report.missing[kind] = [_line(thing) for thing in missing.elements()]
    report.extra[kind] = [_line(thing) for thing in extra.elements()]


def _line(thing: object) -> str:
    return " ".join(map(repr, thing)) if isinstance(thing, tuple) else repr(thing)


def _lists(report: Report, expected: Facts, shown: Facts) -> None:
    """Compare items by text, kind of list and depth; items from definition lists are not extra."""
    left = Counter((item.text, item.ordered, item.depth) for item in shown.items)
    score = report.scores["lists"] = Score(expected=len(expected.items))
    for item in expected.items:
        place = _place(item, left)
        if place is None:
            report.missing["lists"].append(
                f"{item.depth} {'ol' if item.ordered else 'ul'} {item.text}"
            )
        else:
            left[place] -= 1
            score.found += 1
    defined = _defined(expected)
    extra = [place for place in left.elements() if not any(map(place[0].startswith, defined))]
    score.given = score.found + len(extra)
    score.right = score.found
    report.extra["lists"] = [f"{depth} {'ol' if o else 'ul'} {text}" for text, o, depth in extra]


def _place(item: Item, left: Counter[tuple[str, bool, int]]) -> tuple[str, bool, int] | None:
    for depth in range(item.depth, item.depth + item.slack + 1):
        place = (item.text, item.ordered, depth)
        if left[place] > 0:
            return place
    return None


def _defined(expected: Facts) -> tuple[str, ...]:
    return tuple({part for pair in expected.definitions for part in pair if part})


def _definitions(report: Report, expected: Facts, shown: Facts) -> None:
    """Look for each definition on the line of its term or on its own line."""
    lines = [text.key(line) for line in shown.lines]
    known = set(lines)
    score = report.scores["definitions"] = Score(expected=len(expected.definitions))
    for term, text_ in expected.definitions:
        whole = f"{term}:{text_}" if text_ else term
        if (
            {whole, text_ or term} & known
            or any(term in line and line.endswith(text_) for line in lines)
            or any(text_ and line.endswith(text_) for line in lines)
        ):
            score.found += 1
        else:
            report.missing["definitions"].append(whole)
    score.right = score.given = score.found


def _breaks(report: Report, expected: Facts, shown: Facts) -> None:
    """Check that lines next to a ``<br>`` start and end as in the page."""
    lines = Counter(text.key(line) for line in shown.lines)
    starts = [line for line in lines if ":" in line]
    least = Counter(expected.broken)
    missing = least - lines
    for line in list(missing):
        # The first line of a definition follows its term.
        if any(other.endswith(line) for other in starts):
            del missing[line]
    found = least.total() - missing.total()
    report.scores["breaks"] = Score(found, least.total(), found, found)
    report.missing["breaks"] = [_line(line) for line in missing.elements()]


def _text(
    report: Report,
    kind: str,
    parts: Callable[[str], Iterable],
    expected: Facts,
    shown: Facts,
) -> None:
    least, most = Counter(), Counter()
    for line in expected.lines:
        least.update(parts(line))
    for line, places in expected.lines_most.items():
        for part in parts(line):
            most[part] += places
    terms = {term for term, _ in expected.definitions if term}
    given = Counter(
        part for line in shown.lines for half in _halves(line, terms) for part in parts(half)
    )
    _multiset(report, kind, least, most, given)


def _halves(line: str, terms: set[str]) -> list[str]:
    """Split a line with a term and its definition into two lines, as in the page."""
    term, colon, rest = line.partition(":")
    return [term, rest] if colon and text.key(term) in terms else [line]


def _chrome(report: Report, page: source.Source, expected: Facts, shown: Facts) -> None:
    """Find word runs that occur only in the chrome of the page but are in the Markdown."""
    content = {run for line in expected.lines for run in text.shingles(line)}
    given = {run for line in shown.lines for run in text.shingles(line)}
    chrome = {run for part in page.chrome for run in text.shingles(part)} - content
    leaked = sorted(chrome & given)
    report.scores["chrome"] = Score(len(leaked), len(chrome), len(given - chrome), len(given))
    report.extra["chrome"] = [" ".join(run) for run in leaked]
