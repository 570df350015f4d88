"""Text that stays text: white space and the characters that Markdown reads.

Escaping looks at the neighbours of a character, so that prose keeps its apostrophes, ``snake_case``
and ``[1]`` as they are.
"""

from __future__ import annotations

import re

# HTML white space and what else only separates: no-break space, C1 controls, line separators. The
# ideographic space and the joiners of Indic and Arabic scripts are text. Character references bring
# in what the bytes of the page were freed of.
_SPACE = re.compile("[\x00-\x20\x7f-\xa0\u2028\u2029\ufeff\ufffe\uffff]+")
_LINE_ENDS = re.compile("\r\n?|[\u2028\u2029]")
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ufeff\ufffe\uffff]")
# The same in what a page states of itself, whose JSON may have halves of surrogate pairs besides.
_UNFIT = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]+| {2,}"
)
_MAY_NEED = re.compile(r"[\\`*_<&~\]]")
_ESCAPE = re.compile(
    r"\\(?=[!-/:-@\[-`{-~]|\s*$)"  # before what it would escape, and where we cannot see
    r"|`"
    r"|\*(?!(?<=\S\s\*)\s\S)"  # but for a star between spaces
    r"|_(?!(?<=[^\W_]_)[^\W_])(?!(?<=\S\s_)\s\S)"  # but for one inside a word or between spaces
    r"|<(?=[A-Za-z/!?]|$)"  # of a tag or an autolink
    r"|&(?=#?\w+;)"  # of a character reference
    r"|~(?=~|\s*$)|(?<=\S)~"  # what could close a strike-through
    r"|\](?=\()"  # of a link
)
_BLOCK_START = re.compile(
    r"(?=\#{1,6}(?:\s|$)"  # heading
    r"|[-+*_](?:\s|$)"  # list item, rule
    r"|-{2,}\s*$|=+\s*$"  # underline of a heading
    r"|>"  # quotation
    r"|[|:\s-]*-[|:\s-]*$"  # delimiter row of a table
    r"|\[[ xX]\](?:\s|$)"  # task
    r"|\[(?:[^][\\]|\\.)+\]:)"  # definition of a link
)
_NUMBERED = re.compile(r"\d{1,9}(?=[.)](?:\s|$))")
_STARTS = frozenset("#-+*_=>|:[0123456789")


def collapse(text: str) -> str:
    """*text* with each run of white space as one space."""
    # Of all white space, only the space is printable; most other is a newline.
    text = text.replace("\n", " ")
    if text.isprintable() and "  " not in text:
        return text
    return _SPACE.sub(" ", text)


def preformatted(text: str) -> str:
    """*text* of a preformatted element, without characters that no record may hold."""
    return _CONTROLS.sub("", _LINE_ENDS.sub("\n", text)).replace("\xa0", " ")


def plain(text: str) -> str:
    """*text*, which is no Markdown, without characters that no record may hold; a run of them is a
    space."""
    if text.isprintable():
        return text
    return _UNFIT.sub(" ", _UNFIT.sub(" ", text)).strip(" ")  # first what is none, then the gaps


def escape_text(text: str) -> str:
    """*text* so that nothing inside a line of it is markup."""
    if _MAY_NEED.search(text):
        return _ESCAPE.sub(lambda match: "\\" + match[0], text)
    return text


def escape_line(line: str) -> str:
    """*line*, already escaped inside, so that its start is no block's."""
    if not line or line[0] not in _STARTS:
        return line
    if _BLOCK_START.match(line):
        return "\\" + line
    number = _NUMBERED.match(line)
    return f"{number[0]}\\{line[number.end() :]}" if number else line


def code_span(text: str) -> str:
    """*text*, on one line, as inline code; empty where it is blank."""
    text = text.strip()
    if not text:
        return ""
    fence = "`" * (longest_run(text) + 1)
    pad = " " if "`" in text else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def longest_run(text: str) -> int:
    """Length of the longest run of backticks in *text*."""
    return max(map(len, re.findall("`+", text)), default=0)
