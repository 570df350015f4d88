"""Escaping of Markdown characters and normalisation of white space.

A character is escaped depending on its neighbours, so that apostrophes, ``snake_case`` and ``[1]``
in prose are left as they are.
"""

from __future__ import annotations

import re

# HTML white space and other separators: no-break space, C1 controls, line separators. The
# ideographic space and the joiners of Indic and Arabic scripts are text. Control characters removed
# from the page's bytes can reappear through character references.
_SPACE = re.compile("[\x00-\x20\x7f-\xa0\u2028\u2029\ufeff\ufffe\uffff]+")
_LINE_ENDS = re.compile("\r\n?|[\u2028\u2029]")
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ufeff\ufffe\uffff]")
# The same characters in metadata, plus lone surrogates, which JSON can contain.
_UNFIT = re.compile(
    r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]+| {2,}"
)
_MAY_NEED = re.compile(r"[\\`*_<&~\]]")
_SHORT = 24
_ESCAPE = re.compile(
    r"\\(?=[!-/:-@\[-`{-~]|\s*$)"  # before punctuation, or at the end, where the next is unknown
    r"|`"
    r"|\*(?!(?<=\S\s\*)\s\S)"  # unless between spaces
    r"|_(?!(?<=[^\W_]_)[^\W_])(?!(?<=\S\s_)\s\S)"  # unless inside a word or between spaces
    r"|<(?=[A-Za-z/!?]|$)"  # could start a tag or an autolink
    r"|&(?=#?\w+;)"  # could start a character reference
    r"|~(?=~|\s*$)|(?<=\S)~"  # could close a strike-through
    r"|\](?=\()"  # could end the text of a link
)
_BLOCK_START = re.compile(
    r"(?=\#{1,6}(?:\s|$)"  # heading
    r"|[-+*_](?:\s|$)"  # list item, rule
    r"|-{2,}\s*$|=+\s*$"  # underline of a heading
    r"|>"  # quotation
    r"|[|:\s-]*-[|:\s-]*$"  # delimiter row of a table
    r"|\[[ xX]\](?:\s|$)"  # task list item
    r"|\[(?:[^][\\]|\\.)+\]:)"  # link reference definition
)
_NUMBERED = re.compile(r"\d{1,9}(?=[.)](?:\s|$))")
STARTS = frozenset("#-+*_=>|:[0123456789")
"""First characters of lines that :func:`escape_line` may change."""


def collapse(text: str) -> str:
    """Return *text* with each run of white space collapsed to one space."""
    # The space is the only printable white space; most of the rest is newlines.
    text = text.replace("\n", " ")
    if text.isprintable() and "  " not in text:
        return text
    if text.isascii():  # The indentation of the source is most of what is collapsed.
        words = " ".join(text.split())
        if words.isprintable():
            before, after = " " * text[0].isspace(), " " * text[-1].isspace()
            return before + words + after if words else " "
    return _SPACE.sub(" ", text)


def preformatted(text: str) -> str:
    """Return preformatted *text* without characters that a record must not contain."""
    return _CONTROLS.sub("", _LINE_ENDS.sub("\n", text)).replace("\xa0", " ")


def plain(text: str) -> str:
    """Return *text* (not Markdown) with each run of unprintable characters replaced by a space."""
    if text.isprintable():
        return text
    # The first pass can leave several spaces in a row; the second collapses them.
    return _UNFIT.sub(" ", _UNFIT.sub(" ", text)).strip(" ")


def escape_text(text: str) -> str:
    """Return *text* with inline markup escaped."""
    return _ESCAPE.sub(_with_backslash, text) if may_need_escape(text) else text


def may_need_escape(text: str) -> bool:
    """Return False if :func:`escape_text` would return *text* as it is."""
    if len(text) < _SHORT:
        return _MAY_NEED.search(text) is not None
    # Eight searches for a character are cheaper than one for a class of characters.
    return (
        "]" in text
        or "_" in text
        or "*" in text
        or "`" in text
        or "<" in text
        or "&" in text
        or "\\" in text
        or "~" in text
    )


def _with_backslash(match: re.Match[str]) -> str:
    return "\\" + match[0]


def escape_line(line: str) -> str:
    """Return *line*, whose inline markup is escaped, so that it does not start a block."""
    if not line or line[0] not in STARTS:
        return line
    if _BLOCK_START.match(line):
        return "\\" + line
    number = _NUMBERED.match(line)
    return f"{number[0]}\\{line[number.end() :]}" if number else line


def code_span(text: str) -> str:
    """Return *text*, a single line, as inline code; empty if it is blank."""
    text = text.strip()
    if not text:
        return ""
    fence = "`" * (longest_run(text) + 1)
    pad = " " if "`" in text else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def longest_run(text: str) -> int:
    """Return the length of the longest run of backticks in *text*."""
    return max(map(len, re.findall("`+", text)), default=0)
