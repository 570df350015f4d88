"""Characters that differ between two copies of the same text."""

from __future__ import annotations

import re
import unicodedata

_LINE_ENDS = re.compile("\r\n?|[\v\f\x1c-\x1e\x85\u2028\u2029]")
# PDFium writes U+FFFE (or U+0002) for the hyphen of a word that is broken at the end of a line.
_BREAK = re.compile("[\xad\ufffe\x02]+(?:[ \t]*+\n[ \t]*+)?")
_INVISIBLE = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\u200b\u200e\u200f\u2060-\u2064\ufeff\uffff]")
_SAME = str.maketrans(
    dict.fromkeys("\t\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008", " ")
    | dict.fromkeys("\u2009\u200a\u202f\u205f\u3000", " ")
    | dict.fromkeys("‘’‚‛", "'")
    | dict.fromkeys("“”„‟", '"')
    | dict.fromkeys("\u2010\u2011", "-")
    | {"…": "...", "ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
)
# A longer run of marks is left as it is: the time to sort them grows with the square of its length.
_ACCENTED = re.compile("[^\u0300-\u036f][\u0300-\u036f]{1,8}(?![\u0300-\u036f])")
_MARK = re.compile("[\u0300-\u036f]")


def fold(text: str) -> str:
    """Return *text* with one spelling for white space, quotation marks, hyphens, ligatures and
    accented letters, and without invisible characters."""
    text = without_invisible(text)
    if text.isascii():
        return text.replace("\t", " ")
    text = text.translate(_SAME)
    if not _MARK.search(text):
        return text
    return _ACCENTED.sub(lambda found: unicodedata.normalize("NFC", found[0]), text)


def without_invisible(text: str) -> str:
    """Return *text* with one spelling for line ends, and without invisible characters."""
    return _INVISIBLE.sub("", _BREAK.sub("", _LINE_ENDS.sub("\n", text)))


def one_space(text: str) -> str:
    """Return *text* with each run of white space as one space."""
    return " ".join(text.split())
