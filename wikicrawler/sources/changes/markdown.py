"""Markdown, or the text of a PDF, as blocks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wikicrawler.sources.changes.block import Block
from wikicrawler.sources.changes.furniture import asks_for_feedback
from wikicrawler.sources.changes.headings import PlainHeadings
from wikicrawler.sources.changes.inline import canonical_line, heading, plain
from wikicrawler.sources.changes.live import is_live
from wikicrawler.sources.changes.noise import is_noise_line, without_noise
from wikicrawler.sources.changes.phrases import PAGE_NUMBER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wikicrawler.sources.changes.spellings import Spellings

_FENCE = re.compile(r"(`{3,}|~{3,})(.*)")
_HEADING = re.compile(r"(#{1,6})(?:\s+(.*))?$")
_CLOSING = re.compile(r"(?:^|\s)#+$")
_RULE = re.compile(r"(?:\*\s*){3,}$|(?:-\s*){3,}$|(?:_\s*){3,}$")
_UNDERLINE = re.compile(r"={3,}$|-{3,}$")
_ITEM = re.compile(r"([-*+•▪◦‣]|\d{1,9}[.)])\s+(.*)")
_QUOTE = re.compile(r"(?:>\s*+)+(?![\d$])")
_DELIMITER = re.compile(r"\|?(?=[^-]*-)[\s:|-]+$")
_CELLS = re.compile(r"(?<!\\)\|")
_NUMBERED = re.compile(r"§{1,2} ?\d|\([A-Za-z0-9]{1,4}\)\s|(?:Section|Sec\.) \d[\w.-]{0,12}\.\s")
_SENTENCE_END = re.compile(r"(?:[.;:]|—|; (?:and|or))\W*$")
_PAGE = re.compile(r"\[page \d{1,7}\]")
_COUNT = re.compile(r" ?[(\[]?\d[\d,.]{0,14}k?[)\]]? ?", re.IGNORECASE)
_MAX_UNDERLINED = 200
_MAX_PAGE_NUMBER = 40
_MAX_INDENT = 3
"""Spaces before a heading or a fence; with more it is code."""


def blocks(text: str, spellings: Spellings) -> Iterator[Block]:  # noqa: C901, PLR0912, PLR0915 - one state machine
    """Yield the blocks of *text*, whose characters are folded; *spellings* are those before."""
    lines: list[str] = []  # of the paragraph or item
    marker = fence = ""
    quoted = in_list = False
    is_pdf = text.startswith("[page 1]")
    headings = PlainHeadings(text, is_pdf=is_pdf)
    for raw in text.split("\n"):
        line = raw.strip()
        if fence and quoted:
            raw = _QUOTE.sub("", line, count=1) if line.startswith(">") else ""  # noqa: PLW2901
            if raw:
                line = raw.strip()
            else:  # the end of the quotation ends its code
                fence = ""
        if fence:
            if line.startswith(fence) and not line.strip(fence[0]):
                fence = ""
            elif line:
                yield Block("code", raw.rstrip(), quoted=quoted)
            continue
        indent = len(raw) - len(raw.lstrip())
        is_quote = line.startswith(">")
        if is_quote:
            line = _QUOTE.sub("", line, count=1)
        if not lines:
            quoted = is_quote
        if len(lines) == 1 and not marker and _underlines(line, lines[0]):
            mark = "#" if line[0] == "=" else "##"
            yield Block("heading", _heading(lines[0]), mark, spellings.heading(lines[0]))
            lines = []
            continue
        start = _start(line, 0 if in_list and line.startswith(("```", "~~~")) else indent)
        if start is None or start[0] == "item":
            start = _start_in_plain_text(line, lines, headings) or start
        if start is None:
            if lines and _NUMBERED.match(line) and _SENTENCE_END.search(lines[-1]):
                yield from _paragraph(lines, marker, quoted=quoted)
                lines, marker, quoted = [], "", is_quote
            in_list = in_list and (bool(lines) or indent > 0)
            lines.append(line.removesuffix("\\"))
            continue
        yield from _paragraph(lines, marker, quoted=quoted)
        lines, marker, quoted = [], "", is_quote
        kind, mark, rest = start
        if kind == "fence":
            fence = mark
        elif kind == "item":
            lines, marker, in_list = [rest], mark, True
        elif kind == "row":
            yield from _row(line)
        elif kind == "heading":
            in_list = False
            yield Block("heading", _heading(rest), mark, spellings.heading(line))
        elif kind == "rule":
            yield Block("rule", "---")
    yield from _paragraph(lines, marker, quoted=quoted)


def _underlines(line: str, text: str) -> bool:
    return bool(_UNDERLINE.match(line)) and len(text) <= _MAX_UNDERLINED


def _start(line: str, indent: int) -> tuple[str, str, str] | None:  # noqa: PLR0911
    """What the line starts, with its marker and the text after it; None if it goes on."""
    if not line:
        return "blank", "", ""
    first = line[0]
    if indent <= _MAX_INDENT:
        if first == "#" and (found := _HEADING.match(line)):
            return "heading", found[1], _CLOSING.sub("", found[2] or "")
        if first in "`~" and (found := _FENCE.match(line)) and "`" not in found[2]:
            return "fence", found[1], ""
    if first in "*-_" and _RULE.match(line):
        return "rule", "", ""
    if first == "|":
        return "row", "", ""
    if first in "-–—" and len(line) < _MAX_PAGE_NUMBER and PAGE_NUMBER.fullmatch(line):
        return "page number", "", ""
    if found := _ITEM.match(line):
        mark = found[1]
        return "item", mark.replace(")", ".") if mark[0].isdigit() else "-", found[2]
    return None


def _start_in_plain_text(
    line: str, lines: list[str], headings: PlainHeadings
) -> tuple[str, str, str] | None:
    """What *line* starts in text without marks for headings."""
    if _PAGE.fullmatch(line):
        return "blank", "", ""
    if level := headings.level(line, lines[-1] if lines else None):
        return "heading", "#" * level, line
    return None


def _heading(text: str) -> str:
    """The canonical text of a heading; of one that counts, such as ``12 comments``, the words."""
    text = heading(canonical_line(text))
    if is_live(text):
        text = _COUNT.sub("", text)
    return text


def _row(line: str) -> Iterator[Block]:
    if _DELIMITER.match(line):
        return
    cells = _CELLS.split(line.removeprefix("|"))
    if len(cells) > 1 and not cells[-1].strip():
        del cells[-1]
    text = " | ".join(without_noise(canonical_line(cell), cell=True) for cell in cells)
    yield Block("row", f"| {text} |")


def _paragraph(lines: list[str], marker: str, *, quoted: bool) -> Iterator[Block]:
    if not lines:
        return
    text = canonical_line(" ".join(lines))
    if len(lines) > 1 and not is_noise_line(text):
        kept = [line for at, line in enumerate(lines) if not _is_noise_within(lines, at)]
        if len(kept) < len(lines):
            text = canonical_line(" ".join(kept))
    if asks_for_feedback(plain(text)):
        yield Block("asked", "")
    elif text := without_noise(text):
        yield Block("item" if marker else "paragraph", text, marker, quoted=quoted)


def _is_noise_within(lines: list[str], at: int) -> bool:
    """Return True if line *at* of a paragraph is noise, and no part of a wrapped sentence."""
    line = canonical_line(lines[at])
    if not is_noise_line(line) or line[:1].islower():
        return False
    following = lines[at + 1] if at + 1 < len(lines) else ""
    return not following[:1].islower()
