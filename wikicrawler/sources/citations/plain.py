"""Markdown without its markup, with the place of each character in the Markdown.

Links keep their text and lose their URL, emphasis and escapes are removed, so that a citation that
is partly a link is one text. Code, URLs and HTML tags become a line end, which no pattern of a
citation crosses. So do the ends of paragraphs; other white space becomes one space. Dashes become
hyphens.
"""

from __future__ import annotations

import re
from bisect import bisect_right

_FENCE = re.compile(r"^[ \t>]{0,20}+(`{3,}+|~{3,}+)[^\n]*+$", re.MULTILINE)
_DASHES = str.maketrans("\u2010\u2011\u2012\u2013\u2212", "-----")
_ENTITIES = {"nbsp": " ", "#160": " ", "sect": "§", "#167": "§", "ndash": "-", "amp": "&"}
_BOUNDARY = "\n"
_TOKEN = re.compile(
    r"""
      (?P<space>\s{2,}+|[^\S ])
    | \\(?P<escaped>[!-/:-@\[-`{-~])
    | (?P<code>(?<!`)(?P<ticks>`{1,3}+)[^`]{1,500}+(?P=ticks)(?!`))
    | (?P<url>\b(?:https?|ftp)://[^\s<>"\]]*+ | \bwww\.[^\s<>"\]]++ | \bmailto:[^\s<>"\]]*+)
    | (?P<link>\]\(
        (?:<[^<>\n]{0,2000}+> | [^()\s]{0,2000}+(?:\([^()\s]{0,500}+\)[^()\s]{0,500}+){0,8}+)
        (?:\s{1,3}+(?:"[^"\n]{0,500}+"|'[^'\n]{0,500}+'))?+ \) (?P<glued>(?=\w))?+
      | \]\[[^\[\]\n]{0,200}+\])
    | (?P<note>\[\^[^\]\n]{1,40}+\])
    | (?P<removed>
        </?(?:b|i|em|strong|span|a|u|cite)(?:\s[^<>]{0,1000}+)?+>
      | (?<!\w)!?\[ | \*{1,3}+ | ~~ | (?<![A-Za-z0-9_])_{1,3}+ | _{1,3}+(?![A-Za-z0-9_])
      | [\u00ad\u200b\u2060\ufeff])
    | (?P<tag><[A-Za-z/!][^<>]{0,1000}+>)
    | &(?P<entity>nbsp|sect|ndash|amp|\#160|\#167);
    """,
    re.VERBOSE,
)
_BLOCK = re.compile(r"[-+*] |[>|#]|[0-9]{1,2}[.)] ")


class Plain:
    """The text of a Markdown document."""

    def __init__(self, markdown: str) -> None:
        self._parts: list[str] = []
        self._starts: list[int] = []
        self._origins: list[int] = []
        self._length = 0
        position = 0
        for start, end in _fenced(markdown):
            self._add_text(markdown, position, start)
            self._add(_BOUNDARY, start)
            position = end
        self._add_text(markdown, position, len(markdown))
        self.text = "".join(self._parts).translate(_DASHES)
        self._parts.clear()

    def origin(self, index: int) -> int:
        """Return the index in the Markdown of the character at *index*."""
        part = bisect_right(self._starts, index) - 1
        return self._origins[part] + index - self._starts[part]

    def _add_text(self, markdown: str, position: int, end: int) -> None:
        for token in _TOKEN.finditer(markdown, position, end):
            self._add(markdown[position : token.start()], position)
            start, position = token.span()
            match token.lastgroup:
                case "space":
                    self._add(_white_space(markdown, token), start)
                case "escaped":
                    self._add(token["escaped"], start + 1)
                case "entity":
                    self._add(_ENTITIES[token["entity"]], start)
                case "removed":
                    pass
                case "link":
                    if token["glued"] is not None:
                        self._add(_BOUNDARY, start)  # a cell of a table whose text follows at once
                case _:
                    self._add(_BOUNDARY, start)
        self._add(markdown[position:end], position)

    def _add(self, text: str, origin: int) -> None:
        if text:
            self._parts.append(text)
            self._starts.append(self._length)
            self._origins.append(origin)
            self._length += len(text)


def _white_space(markdown: str, token: re.Match[str]) -> str:
    lines = token[0].count("\n") or token[0].count("\r")
    if lines > 1 or (lines and _BLOCK.match(markdown, token.end())):
        return _BOUNDARY
    return " "


def _fenced(markdown: str) -> list[tuple[int, int]]:
    """Return the places of the fenced code; the last block may lack its closing fence."""
    blocks: list[tuple[int, int]] = []
    opening: re.Match[str] | None = None
    for fence in _FENCE.finditer(markdown):
        if opening is None:
            opening = fence
        elif fence[1].startswith(opening[1]) and not fence[0].strip(" \t>").strip(fence[1][0]):
            blocks.append((opening.start(), fence.end()))
            opening = None
    if opening is not None:
        blocks.append((opening.start(), len(markdown)))
    return blocks
