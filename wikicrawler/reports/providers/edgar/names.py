"""Names of companies, compared without what EDGAR and people write differently."""

from __future__ import annotations

import re
import unicodedata

_STATE = re.compile(r"/[A-Za-z .]{2,12}/?\s*$")
"""``/DE/``: EDGAR's mark of the state, after a name that several companies have had."""
_DROPPED = re.compile(r"['’.`]")
_WORD = re.compile(r"\w+")
_LEGAL_FORMS = re.compile(
    "inc(orporated)?|corp(oration)?|co|cos|company|companies|ltd|limited|plc|llc|lp|llp|nv|bv|sa|ag"
    "|as|se|asa|ab|oyj|spa|kk|sarl|gmbh|kgaa|the|and|de"
)


def normalised(name: str) -> str:
    """Return *name* in lower case, without accents, punctuation, ``The`` and its legal form."""
    plain = unicodedata.normalize("NFKD", _STATE.sub("", name[:300]).replace("&", " and "))
    plain = "".join(char for char in plain.casefold() if not unicodedata.combining(char))
    plain = re.sub(r"\b([an])/([sv])\b", r"\1\2", plain)
    words = _WORD.findall(_DROPPED.sub("", plain))
    if len(words) > 1 and words[0] == "the":
        words = words[1:]
    while len(words) > 1 and _LEGAL_FORMS.fullmatch(words[-1]):
        words.pop()
    return " ".join(words)


def searched(name: str) -> str:
    """Return *name* without ``The`` and its legal form, as texts have it in all variants."""
    words = name.split()
    if len(words) > 1 and words[0].casefold() == "the":
        words = words[1:]
    while len(words) > 1 and _LEGAL_FORMS.fullmatch(_plain(words[-1])):
        words.pop()
    return " ".join(words).rstrip(",")


def is_similar(asked: str, name: str) -> bool:
    """Return True if all words of the normalised name *asked* are in the normalised *name*."""
    return set(asked.split()) <= set(name.split())


def _plain(word: str) -> str:
    return re.sub(r"[^\w]", "", word).casefold()
