"""Links in Markdown: found without its code, and led elsewhere."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from wikicrawler.content.chunking.blocks import blocks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_TOKEN = re.compile(
    r"\\.|(?P<ticks>`++)"
    r"|\]\((?P<target>(?:[^\s()<>\\]|\\.)*+(?:\((?:[^\s()<>\\]|\\.)*+\)(?:[^\s()<>\\]|\\.)*+)*+)"
    r"|(?P<bracket>[\[\]])|<(?P<address>https?://[^\s<>]++)>",
    re.DOTALL,
)
_BACKTICKS = re.compile("`+")
_BEHIND_TARGET = frozenset(") \t\n")
_BEFORE_PUNCTUATION = re.compile(r"\\(?=[!-/:-@\[-`{-~])")
# What ends a destination, is a part of a URL that a path has not, or begins a character reference.
_UNSAFE = re.compile(r"""[\s%#?&()<>\[\]\\"'`]""")


def with_links(text: str, target_of: Callable[[str], str | None]) -> str:
    """Return the Markdown *text* with other targets of its links, in linear time.

    :param target_of: returns the target in place of one, or None where that stays. What it is asked
        for, and what it returns, are URLs without the escapes of Markdown
    """
    pieces: list[str] = []
    written = 0
    for start, end, new in _changes(text, target_of):
        pieces += (text[written:start], new)
        written = end
    return "".join((*pieces, text[written:])) if pieces else text


def _changes(text: str, target_of: Callable[[str], str | None]) -> Iterator[tuple[int, int, str]]:
    """Yield start, end and text of each piece that becomes another one."""
    for block in blocks(text):
        if block.kind == "code":
            continue
        runs = _runs(text, block.start, block.end)
        position, depth = block.start, 0
        while found := _TOKEN.search(text, position, block.end):
            position = found.end()
            if found["ticks"]:
                position = _behind_code(runs, *found.span())
            elif found["bracket"]:
                depth = depth + 1 if found["bracket"] == "[" else max(0, depth - 1)
            elif found["target"] is not None:
                is_link = depth > 0 and text[position : position + 1] in _BEHIND_TARGET
                depth = max(0, depth - 1)
                if not is_link:
                    position = found.start("target")
                elif new := target_of(_BEFORE_PUNCTUATION.sub("", found["target"])):
                    yield found.start("target"), found.end("target"), new
            elif (address := found["address"]) and (new := target_of(address)):
                is_target = text.startswith("](", found.start() - 2)
                yield *found.span(), new if is_target else f"[{as_text(address)}]({new})"


def _runs(text: str, start: int, end: int) -> dict[int, list[int]]:
    """Return where runs of backticks begin, by their length."""
    runs: dict[int, list[int]] = defaultdict(list)
    for found in _BACKTICKS.finditer(text, start, end):
        runs[found.end() - found.start()].append(found.start())
    return runs


def _behind_code(runs: dict[int, list[int]], start: int, end: int) -> int:
    """Return where the code ends that the backticks from *start* to *end* begin; *end* if none."""
    same = runs.get(end - start, [])
    next_run = bisect_left(same, end)
    return same[next_run] + end - start if next_run < len(same) else end


def as_text(text: str) -> str:
    """Return *text*, one line, as the text of a link."""
    return re.sub(r"[\\`*_\[\]<&~]", r"\\\g<0>", text)


def as_target(path: str) -> str:
    """Return the relative *path* as the target of a link."""
    return _UNSAFE.sub(lambda found: quote(found[0], safe=""), path)


def as_path(target: str) -> str:
    """Return the path that *target*, which is relative, stands for."""
    return unquote(target.partition("#")[0])
