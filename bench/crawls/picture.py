"""The picture of a comparison, as SVG that reads on light and on dark pages."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from bench.crawls.programs import OURS

if TYPE_CHECKING:
    from bench.crawls.programs import Program
    from bench.crawls.report import Setting
    from bench.crawls.rounds import Results

_WIDTH, _ROW, _TOP, _LABELS, _BAR = 800, 24, 64, 170, 190
_GAP = 60  # between a bar's end and the next panel, for the number
_STYLE = """
  text { font: 13px system-ui, sans-serif; fill: #24292f }
  .title { font-weight: 600 } .small { font-size: 11px; fill: #57606a }
  .end { text-anchor: end } .bar { fill: #8c959f } .ours { fill: #1a7f37 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .small { fill: #9198a1 } .bar { fill: #6e7681 } .ours { fill: #3fb950 }
  }"""


def bars(results: Results, programs: list[Program], setting: Setting) -> str:
    """Pages a second and CPU a page of each program, and the share of table cells in its Markdown;
    the quickest first, floors are left out."""
    rows = []
    for program in programs:
        runs = results.runs.get(program.name)
        if runs and not program.floor:
            rate = median(run.rate for run in runs)
            rows.append((program.name, rate, median(run.cpu_a_page for run in runs) * 1000))
    rows.sort(key=lambda row: -row[1])
    height = _TOP + _ROW * len(rows) + 26
    second = _LABELS + _BAR + _GAP
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height}" '
        f'viewBox="0 0 {_WIDTH} {height}" role="img" aria-label="{_alternative(rows)}">',
        f"<style>{_STYLE}\n</style>",
        _text(0, 18, f"Crawling {escape(setting.source)} to Markdown", "title"),
        _text(_LABELS, _TOP - 14, "pages a second (more is better)", "small"),
        _text(second, _TOP - 14, "CPU milliseconds a page (less is better)", "small"),
    ]
    if any(results.fidelity.values()):
        parts.append(_text(_WIDTH, _TOP - 14, "table cells kept", "small end"))
    quickest = max((row[1] for row in rows), default=1)
    dearest = max((row[2] for row in rows), default=1)
    for number, (name, rate, cpu) in enumerate(rows):
        y = _TOP + number * _ROW
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
    parts += [_text(0, height - 6, note, "small"), "</svg>\n"]
    return "\n".join(parts)


def _alternative(rows: list[tuple[str, float, float]]) -> str:
    said = (
        f"{name} {rate:.0f} pages a second, {cpu:.0f} ms CPU a page" for name, rate, cpu in rows
    )
    return escape("; ".join(said), {'"': "&quot;"})


def _text(x: float, y: float, text: str, kind: str) -> str:
    return f'<text x="{x:.0f}" y="{y}" class="{kind}">{text}</text>'


def _bar(x: float, y: float, share: float, kind: str) -> str:
    width = max(_BAR * share, 1)
    return f'<rect x="{x}" y="{y}" width="{width:.1f}" height="{_ROW - 6}" rx="2" class="{kind}"/>'
