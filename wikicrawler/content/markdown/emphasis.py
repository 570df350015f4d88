"""Bold, italic and struck-through text, written only if a CommonMark renderer reads it as such.

During the walk the converter marks the start and end of emphasis with control characters, which
text never contains. Once a line of text is complete, the characters around each mark are known, and
:func:`resolve` replaces the marks with delimiters according to the rules for left- and
right-flanking delimiter runs
(https://spec.commonmark.org/0.31.2/#emphasis-and-strong-emphasis). ``foo<b>"bar"</b>baz`` cannot be
written as Markdown, so its text is kept without the bold.
"""

from __future__ import annotations

import re

from wikicrawler.content.markdown.flanking import (
    is_boundary,
    is_punctuation,
    is_space,
    reads_as_written,
)

STRONG, EM, DEL = "\x01", "\x03", "\x05"
"""Marks for the start of strong, emphasised and struck-through text. The character after each in
Unicode order marks its end."""
MARKS = frozenset("\x01\x02\x03\x04\x05\x06")
"""All marks."""
BREAK = "\x0b"
"""Mark for a ``<br>``."""

_OPENERS, _CLOSERS = "\x01\x03\x05", "\x02\x04\x06"
_DELIMITERS = {"\x01": "**", "\x03": "*", "\x05": "~~"}
_SPACE_AFTER_OPENER = re.compile(f"[{_OPENERS}][{_OPENERS}\\s]*\\s")
_SPACE_BEFORE_CLOSER = re.compile(f"\\s[{_CLOSERS}\\s]*[{_CLOSERS}]")
_EMPTY_PAIR = re.compile("\x01\x02|\x03\x04|\x05\x06|\x02\x01|\x04\x03|\x06\x05")
_MARK = re.compile("([\x01-\x06])")
_ANY_MARK = re.compile("[\x01-\x06]")

# Fast path for most text: emphasis that is not nested, with a letter or digit inside each delimiter
# or with space or punctuation outside it. Such delimiters always flank their text.
_OUTSIDE = r"\s!-/:-@\[-`{-~"
_SIMPLE = re.compile(
    "[^\x01-\x06]*+(?:(?:{})(?:[^\x01-\x06]++|$))*+".format(
        "|".join(
            rf"(?:{start}(?=[^\W_])|(?<![^{_OUTSIDE}]){start}(?=\S))[^\x01-\x06]++"
            rf"(?:(?<=[^\W_]){end}|(?<=\S){end}(?![^{_OUTSIDE}]))"
            for start, end in zip(_OPENERS, _CLOSERS, strict=True)
        )
    )
)
_WRITTEN = [
    (mark, _DELIMITERS[start])
    for start, end in zip(_OPENERS, _CLOSERS, strict=True)
    for mark in (start, end)
]


def closer(opener: str) -> str:
    """Return the mark that ends the emphasis started by *opener*."""
    return chr(ord(opener) + 1)


def has_marks(text: str) -> bool:
    """Return True if *text* contains a mark of emphasis."""
    # Six searches for a character are cheaper than one for a class of characters.
    return (
        "\x01" in text
        or "\x03" in text
        or "\x05" in text
        or "\x02" in text
        or "\x04" in text
        or "\x06" in text
    )


def strip_marks(text: str) -> str:
    """Return *text* without marks of emphasis."""
    return _ANY_MARK.sub("", text)


def resolve(text: str) -> str:
    """Return the *text* of a paragraph with its marks replaced by Markdown delimiters."""
    if not has_marks(text):
        return text
    if _SIMPLE.fullmatch(text):
        for mark, delimiter in _WRITTEN:
            text = text.replace(mark, delimiter)
        return text
    # Move white space outside, because delimiters must flank text.
    text = _SPACE_AFTER_OPENER.sub(lambda m: strip_marks(m[0]) + _only_marks(m[0]), text)
    text = _SPACE_BEFORE_CLOSER.sub(lambda m: _only_marks(m[0]) + strip_marks(m[0]), text)
    # At most three kinds are nested, because the converter does not nest a kind in itself.
    for _ in range(3):
        text = _EMPTY_PAIR.sub("", text)
    return _EmphasisLine(text).write()


def _only_marks(text: str) -> str:
    return "".join(_ANY_MARK.findall(text))


class _EmphasisLine:
    """A line split into text (even indices of :attr:`tokens`) and marks (odd indices)."""

    def __init__(self, text: str) -> None:
        self.tokens = _MARK.split(text)
        self.opens: dict[int, bool] = {}
        self.pairs: list[tuple[int, int]] = []
        self._enclosing: dict[int, tuple[int, ...]] = {}
        opened: list[int] = []
        for place in range(1, len(self.tokens), 2):
            mark = self.tokens[place]
            if mark in _OPENERS:
                opened.append(place)
                continue
            while opened and self.tokens[opened[-1]] != chr(ord(mark) - 1):
                opened.pop()
            if opened:
                start = opened.pop()
                self.pairs.append((start, place))
                self._enclosing[start] = tuple(opened)
        for start, end in self.pairs:
            self.opens[start], self.opens[end] = True, False
            self.tokens[start] = self.tokens[end] = _DELIMITERS[self.tokens[start]]
        for place in range(1, len(self.tokens), 2):
            if place not in self.opens:
                self.tokens[place] = ""

    def write(self) -> str:
        tokens, pairs = list(self.tokens), list(self.pairs)
        text = self._write_plainly()
        if len(self.pairs) < len(pairs) and reads_as_written(tokens, pairs):
            return "".join(tokens)
        return text

    def _write_plainly(self) -> str:
        """Return the line with the delimiters that are valid whatever is beside their pair.

        Set :attr:`pairs` to those that are written.
        """
        # Each change can break a neighbour. If four rounds are not enough, drop all emphasis.
        for _ in range(4):
            bad = [pair for pair in self.pairs if not self._renders(*pair)]
            if not bad:
                break
            # Try the other delimiter for italics first: this may also fix the neighbours.
            italic = [pair for pair in bad if self.tokens[pair[0]] == "*"]
            for start, end in italic or bad:
                self.tokens[start] = self.tokens[end] = "_" if italic else ""
            self.pairs = [pair for pair in self.pairs if self.tokens[pair[0]]]
        else:
            for start, end in self.pairs:
                self.tokens[start] = self.tokens[end] = ""
            self.pairs = []
        return "".join(self.tokens)

    def _renders(self, start: int, end: int) -> bool:
        before, after = self._neighbour(start, -1), self._neighbour(end, 1)
        first, last = self._neighbour(start, 1), self._neighbour(end, -1)
        if None in (before, after, first, last):
            return False
        left = not is_space(first) and (not is_punctuation(first) or is_boundary(before))
        right = not is_space(last) and (not is_punctuation(last) or is_boundary(after))
        if not is_space(before) and (not is_punctuation(before) or is_boundary(first)):
            # The run can also close. It would, inside emphasis with the same character.
            character = self.tokens[start][0]
            if any(self.tokens[place][:1] == character for place in self._enclosing[start]):
                return False
        if self.tokens[start] == "_":  # not valid inside a word
            return left and right and is_boundary(before) and is_boundary(after)
        return left and right

    def _neighbour(self, place: int, step: int) -> str | None:
        """Return the character next to the delimiter run at *place*, empty at the ends of the text.

        Return None if an opening and a closing run of the same character meet, which is ambiguous.
        """
        delimiter, opens = self.tokens[place][0], self.opens[place]
        place += step
        while 0 <= place < len(self.tokens):
            token = self.tokens[place]
            if token:
                if not place % 2 or token[0] != delimiter:
                    return token[-1] if step < 0 else token[0]
                if self.opens[place] is not opens:
                    return None
            place += step
        return ""
