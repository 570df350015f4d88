"""Links in Markdown: found without its code, and led elsewhere."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from wikicrawler.content.chunking.blocks import blocks
from wikicrawler.content.markdown.code_spans import CodeSpans

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from wikicrawler.content.chunking.blocks import Block

_TOKEN = re.compile(
    r"\\.|(?P<ticks>`++)"
    r"|\]\((?P<target>(?:[^\s()<>\\]|\\.)*+(?:\((?:[^\s()<>\\]|\\.)*+\)(?:[^\s()<>\\]|\\.)*+)*+)"
    r"|(?P<bracket>[\[\]])|<(?P<address>https?://[^\s<>]++)>",
    re.DOTALL,
)
_DEFINITION = re.compile(r"^\[[0-9]{1,9}\]: (\S++)$", re.MULTILINE)
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
        if _DEFINITION.match(text, block.start):
            yield from _changed_definitions(text, block, target_of)
        elif block.kind != "code":
            yield from _changed_links(text, block, target_of)


def _changed_links(
    text: str, block: Block, target_of: Callable[[str], str | None]
) -> Iterator[tuple[int, int, str]]:
    code = CodeSpans(text, block.start, block.end)
    position, depth = block.start, 0
    while found := _TOKEN.search(text, position, block.end):
        position = found.end()
        if found["ticks"]:
            position = code.end_of(*found.span())
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


def _changed_definitions(
    text: str, block: Block, target_of: Callable[[str], str | None]
) -> Iterator[tuple[int, int, str]]:
    """Yield the changes in a block of definitions, ``[1]: URL``."""
    for found in _DEFINITION.finditer(text, block.start, block.end):
        if new := target_of(_BEFORE_PUNCTUATION.sub("", found[1])):
            yield *found.span(1), new


def as_text(text: str) -> str:
    """Return *text*, one line, as the text of a link."""
    return re.sub(r"[\\`*_\[\]<&~]", r"\\\g<0>", text)


def as_target(path: str) -> str:
    """Return the relative *path* as the target of a link."""
    return _UNSAFE.sub(lambda found: quote(found[0], safe=""), path)


def as_path(target: str) -> str:
    """Return the path that *target*, which is relative, stands for."""
    return unquote(target.partition("#")[0])
