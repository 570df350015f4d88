"""The picture of comparisons, as SVG that reads on light and on dark pages."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING, NamedTuple
from xml.sax.saxutils import escape

from bench.crawls.programs import OURS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bench.crawls.programs import Program
    from bench.crawls.report import Setting
    from bench.crawls.rounds import Results

_WIDTH, _ROW, _TOP, _LABELS, _BAR = 800, 24, 64, 170, 190
_FOOT = 40  # of a block: its note, and the space to the next one
_GAP = 60  # between a bar's end and the next panel, for the number
_STYLE = """
  text { font: 13px system-ui, sans-serif; fill: #24292f }
  .title { font-weight: 600 } .small { font-size: 11px; fill: #57606a }
  .end { text-anchor: end } .bar { fill: #8c959f } .ours { fill: #1a7f37 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .small { fill: #9198a1 } .bar { fill: #6e7681 } .ours { fill: #3fb950 }
  }"""


class _Row(NamedTuple):
    name: str
    rate: float
    """Pages a second."""
    cpu: float
    """Milliseconds a page."""


def bars(compared: Sequence[tuple[Results, Setting]], programs: list[Program]) -> str:
    """Pages a second and CPU a page of each program, and the share of table cells in its Markdown,
    in a block for each corpus; the quickest first. Floors and our variants are left out."""
    parts: list[str] = []
    said: list[str] = []
    y = 0
    for results, setting in compared:
        rows = _rows(results, programs)
        parts += _block(y, rows, results, setting)
        said.append(f"{setting.title}: {_in_words(rows)}")
        y += _TOP + _ROW * len(rows) + _FOOT
    head = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{y}" '
        f'viewBox="0 0 {_WIDTH} {y}" role="img" aria-label="{_attribute(". ".join(said))}">',
        f"<style>{_STYLE}\n</style>",
    ]
    return "\n".join([*head, *parts, "</svg>\n"])


def _rows(results: Results, programs: list[Program]) -> list[_Row]:
    rows = []
    for program in programs:
        runs = results.runs.get(program.name)
        if runs and not program.floor and not program.variant:
            rate = median(run.rate for run in runs)
            cpu = median(run.cpu_a_page for run in runs) * 1000
            rows.append(_Row(program.name, rate, cpu))
    return sorted(rows, key=lambda row: -row.rate)


def _block(top: int, rows: list[_Row], results: Results, setting: Setting) -> list[str]:
    second = _LABELS + _BAR + _GAP
    heads = top + _TOP - 14
    parts = [
        _text(0, top + 18, f"Crawling {escape(setting.source)}", "title"),
        _text(_LABELS, heads, "pages a second (more is better)", "small"),
        _text(second, heads, "CPU milliseconds a page (less is better)", "small"),
    ]
    if any(results.fidelity.values()):
        parts.append(_text(_WIDTH, heads, "table cells kept", "small end"))
    quickest = max((row.rate for row in rows), default=1)
    dearest = max((row.cpu for row in rows), default=1)
    for number, (name, rate, cpu) in enumerate(rows):
        y = top + _TOP + number * _ROW
        kind = "ours" if name == OURS else "bar"
        label = "wikicrawler" if name == OURS else name
        parts += [
            _text(0, y + 14, escape(label), "title" if name == OURS else ""),
            _bar(_LABELS, y, rate / quickest, kind),
            _text(_LABELS + _BAR * rate / quickest + 6, y + 14, f"{rate:.0f}", "small"),
            _bar(second, y, cpu / dearest, kind),
            _text(second + _BAR * cpu / dearest + 6, y + 14, f"{cpu:.0f}", "small"),
        ]
        if kept := results.fidelity.get(name):
            parts.append(_text(_WIDTH, y + 14, f"{kept['cells'] * 100:.1f} %", "small end"))
    note = f"{setting.kilobytes:.0f} kB and {setting.links:.0f} links a page; bench/RESULTS.md"
    return [*parts, _text(0, top + _TOP + _ROW * len(rows) + 14, note, "small")]


def _in_words(rows: list[_Row]) -> str:
    return "; ".join(
        f"{name} {rate:.0f} pages a second, {cpu:.0f} ms CPU a page" for name, rate, cpu in rows
    )


def _attribute(text: str) -> str:
    return escape(text, {'"': "&quot;"})


def _text(x: float, y: float, text: str, kind: str) -> str:
    return f'<text x="{x:.0f}" y="{y}" class="{kind}">{text}</text>'


def _bar(x: float, y: float, share: float, kind: str) -> str:
    width = max(_BAR * share, 1)
    return f'<rect x="{x}" y="{y}" width="{width:.1f}" height="{_ROW - 6}" rx="2" class="{kind}"/>'
