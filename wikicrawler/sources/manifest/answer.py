"""The manifest in a text: the whole of it, or a part of a language model's answer."""

from __future__ import annotations

import re
from typing import NamedTuple

_FENCE = re.compile(r"^[ \t>]*(?:`{3,}|~{3,})[ \t]*([A-Za-z0-9_+-]*)[^\r\n]*$", re.MULTILINE)
_OBJECT = re.compile(r"^[ \t]*[{\[]", re.MULTILINE)
_YAML = re.compile(
    r"""(?:[ \t]*(?:\#[^\n]*)?\r?\n)*+"""  # empty lines and comments
    r"""(?:---|%YAML|["']?(?:\$schema|version|created|updated|vertical|sources)["']?[ \t]*:)"""
)


class Part(NamedTuple):
    """The part of a text that is the manifest."""

    start: int
    """Index of its first character."""
    end: int
    """Index after its last character; JSON may end before."""
    is_json: bool
    problem: str = ""
    """Why no part can be chosen."""


def find_part(text: str) -> Part:
    """Return the part of *text* that is the manifest.

    That is the whole text if it starts as JSON or as a manifest in YAML does; else the text between
    ``` fences, of which one pair may have a manifest; else the first line that starts an object and
    what follows; else the whole text, as YAML.
    """
    stripped = text.lstrip()
    if stripped.startswith(("{", "[")):
        return Part(len(text) - len(stripped), len(text), True)
    if _YAML.match(text):
        return Part(0, len(text), False)
    if blocks := _blocks(text):
        objects = [block for block in blocks if block.is_json] or blocks
        if len(objects) == 1:
            return objects[0]
        problem = f"has {len(objects)} blocks between ``` fences (keep the one with the manifest)"
        return objects[1]._replace(problem=problem)
    if found := _OBJECT.search(text):
        return Part(found.end() - 1, len(text), True)
    return Part(0, len(text), False)


def _blocks(text: str) -> list[Part]:
    """Return the fenced blocks of *text*; the last one may lack its closing fence."""
    blocks = []
    fences = list(_FENCE.finditer(text))
    for index in range(0, len(fences), 2):
        start = min(fences[index].end() + 1, len(text))
        if text[start - 1 : start + 1] == "\r\n":
            start += 1
        end = fences[index + 1].start() if index + 1 < len(fences) else len(text)
        body = text[start:end]
        is_json = body.lstrip().startswith(("{", "["))
        if is_json:
            start += len(body) - len(body.lstrip())
        if body.strip():
            blocks.append(Part(start, end, is_json))
    return blocks
