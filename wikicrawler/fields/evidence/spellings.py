"""Numbers and dates as pages write them."""

from __future__ import annotations

import re
import unicodedata
from decimal import Decimal, InvalidOperation
from functools import cache
from itertools import islice
from math import isfinite
from typing import TYPE_CHECKING, Any

from wikicrawler.fields.evidence.folding import Span, joined
from wikicrawler.fields.evidence.months import month_of
from wikicrawler.fields.evidence.number_words import word_number_spans

if TYPE_CHECKING:
    from collections.abc import Iterator

_MAX_DIGITS = 40
"""Characters of a number in a page; a longer one is none."""
_MAX_NUMBERS = 200_000
_SAME = (
    dict.fromkeys("\u202f\u2009\u2007", "\xa0")
    | dict.fromkeys("−﹣－", "-")
    | dict.fromkeys("’‘ʼ＇", "'")
    | {"．": ".", "，": ",", "٫": ".", "٬": ","}
)
_CORE = re.compile("[0-9]++(?:[.,'\xa0][0-9]++)*+")
_THREES = re.compile("[0-9]{1,3}(?:[^0-9][0-9]{3})+")
_INDIAN = re.compile("[0-9]{1,2}(?:,[0-9]{2})+,[0-9]{3}")
_DOTTED_DATE = re.compile(
    r"[0-9]{1,2}\.[0-9]{1,2}\.(?:[0-9]{4}|[0-9]{2})|[0-9]{4}\.[0-9]{1,2}\.[0-9]{1,2}"
)
_CURRENCIES = frozenset(
    {"aud", "brl", "cad", "chf", "cny", "czk", "dkk", "eur", "gbp", "hkd", "huf", "inr", "jpy"}
    | {"krw", "mxn", "no", "nok", "nr", "nzd", "pln", "rmb", "rs", "rub", "sek", "sgd", "try"}
    | {"uah", "us", "usd", "zar"}
)
"""Words before a number without space: EUR5, US$5 …"""
_SCALES = {
    **dict.fromkeys(("k", "thousand", "tausend", "tsd", "mille", "mil", "тыс"), 3),
    **dict.fromkeys(("m", "mn", "mio", "million", "millions", "millionen", "millones"), 6),
    **dict.fromkeys(("milhões", "milioni", "млн"), 6),
    **dict.fromkeys(("bn", "b", "billion", "billions", "mrd", "milliarden", "milliards"), 9),
    **dict.fromkeys(("miliardi", "млрд"), 9),
    "万": 4,
    "亿": 8,
    "億": 8,
}
_WORD_BEHIND = re.compile(r"[ \xa0]?([^\W\d_]{1,12}|[万亿億])")
_ISO = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})(?:[T ].{0,40})?", re.DOTALL)
_TOKEN = re.compile(r"[0-9]{1,4}|[^\W\d_]{1,20}")
_AROUND = 24
"""Characters before and behind a year in which its month and day stand."""


def decimal_of(value: Any) -> Decimal | None:
    """Return a finite number of JSON as a decimal; None for anything else, a boolean included."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if isinstance(value, float) and not isfinite(value):
        return None
    try:
        return Decimal(value) if isinstance(value, int) else Decimal(repr(value))
    except InvalidOperation:
        return None


def number_spans(text: str) -> dict[Decimal, list[Span]]:
    """Return where each number of *text* stands, in linear time.

    What counts as 1234.5: ``1234.5``, ``1234,50``, ``1,234.50``, ``1.234,50``, ``1 234,5``,
    ``1'234.50``, with a currency or unit on either side, in the digits of any script. ``1.234``
    may be 1234, too; ``1.2 million`` may be 1200000. *Fourteen* is 14: whole numbers up to 99 count
    in English words. A digit within a word, a part of a number or a power (``10³``) is none; the
    parts of a date are.
    """
    found: dict[Decimal, list[Span]] = {}
    plain = _plain_digits(text)
    before: tuple[int, str] | None = None  # digits that a space and three more may follow
    for count, core in enumerate(_CORE.finditer(plain)):
        if count >= _MAX_NUMBERS:
            break
        start, end = core.span()
        before = _joined_by_space(found, plain, core, before)
        if end - start <= _MAX_DIGITS and not _is_power(plain, end) and _may_begin(plain, start):
            for number, span in _readings(plain, start, end):
                found.setdefault(number, []).append(span)
    for value, span in islice(word_number_spans(text), _MAX_NUMBERS):
        found.setdefault(Decimal(value), []).append(span)
    return found


def iso_date_of(value: Any) -> tuple[int, int, int] | None:
    """Return year, month and day of a string that is an ISO 8601 date, or begins with one."""
    found = _ISO.fullmatch(value) if isinstance(value, str) and len(value) < 60 else None
    if found is None:
        return None
    year, month, day = map(int, found.groups())
    return (year, month, day) if 1 <= month <= 12 and 1 <= day <= 31 else None


def date_spans(text: str, date: tuple[int, int, int]) -> Iterator[Span]:
    """Yield where *date* stands: year, day and month, by number or name, in any order, near to each
    other on one line."""
    year, month, day = date
    plain = _plain_digits(text)
    for place in re.finditer(rf"(?<![0-9])0*{year}(?![0-9])", plain):
        low = max(plain.rfind("\n", 0, place.start()) + 1, place.start() - _AROUND)
        line_end = plain.find("\n", place.end(), place.end() + _AROUND)
        high = line_end if line_end >= 0 else place.end() + _AROUND
        tokens = list(_TOKEN.finditer(plain, low, high))
        tokens = [token for token in tokens if token.start() != place.start()]
        used = [place]
        named = next((t for t in tokens if month_of(t[0]) == month), None)
        numbers = [t for t in tokens if t[0].isdigit() and len(t[0]) <= 2]
        for wanted in (day,) if named else (day, month):
            match = next((t for t in numbers if int(t[0]) == wanted), None)
            if match is None:
                break
            numbers.remove(match)
            used.append(match)
        else:
            used += [named] if named else []
            yield Span(min(t.start() for t in used), max(t.end() for t in used))


def _readings(text: str, start: int, end: int) -> Iterator[tuple[Decimal, Span]]:
    core, span = text[start:end], Span(start, end)
    sign = -1 if _is_negative(text, start) else 1
    if start and text[start - 1] == "." and core.isdigit() and not _behind_word(text, start - 1):
        yield sign * Decimal(f"0.{core}"), Span(start - 1, end)
        return
    numbers = list(_numbers(core))
    if not numbers:  # several numbers, or the parts of a date
        parts = "[0-9]+" if _DOTTED_DATE.fullmatch(core) else "[0-9.]+"
        for part in re.finditer(parts, core):
            for number in _numbers(part[0]) if len(part[0]) < len(core) else ():
                yield number, Span(start + part.start(), start + part.end())
    if sign < 0:
        span = Span(start - 1, end)
    scale = _scale(text, end)
    for number in numbers:
        yield sign * number, span
        if scale:
            yield sign * number.scaleb(scale[0]), Span(span.start, scale[1])


def _behind_word(text: str, at: int) -> bool:
    return at > 0 and text[at - 1].isalnum()


def _numbers(core: str) -> Iterator[Decimal]:
    """Yield what digits with separators may mean."""
    separators = re.sub("[0-9]", "", core)
    kinds = set(separators)
    last = separators[-1:]
    whole, _, rest = core.rpartition(last) if last else (core, "", "")
    digits = re.sub("[^0-9]", "", core)
    if not kinds:
        yield Decimal(core)
    elif len(kinds) == 1:
        if len(separators) == 1 and last in ".,":
            yield Decimal(f"{whole}.{rest}")
        if (_THREES.fullmatch(core) and not core.startswith("0")) or _INDIAN.fullmatch(core):
            yield Decimal(digits)
    elif (
        len(kinds) == 2
        and last in ".,"
        and separators.count(last) == 1
        and (_THREES.fullmatch(whole) or _INDIAN.fullmatch(whole))
    ):
        yield Decimal(f"{re.sub('[^0-9]', '', whole)}.{rest}")


def _joined_by_space(
    found: dict[Decimal, list[Span]],
    text: str,
    core: re.Match[str],
    before: tuple[int, str] | None,
) -> tuple[int, str] | None:
    """Add the number that *core* makes with the digits before it, of thousands with spaces."""
    start, end = core.span()
    digits, _, decimals = core[0].replace(",", ".").partition(".")
    if before and len(digits) == 3 and digits.isdigit() and text[start - 1] == " ":
        begin, thousands = before
        if (
            end - begin <= _MAX_DIGITS
            and "." not in decimals
            and (not decimals or decimals.isdigit())
        ):
            number = Decimal(f"{thousands}{digits}.{decimals or 0}")
            sign = -1 if _is_negative(text, begin) else 1
            found.setdefault(sign * number, []).append(Span(begin, end))
            goes_on = not decimals and text[end : end + 1] == " "
            return (begin, thousands + digits) if goes_on else None
    may_go_on = len(core[0]) <= 3 and core[0].isdigit() and core[0] != "0"
    if may_go_on and text[end : end + 1] == " " and _may_begin(text, start):
        return start, core[0]
    return None


def _may_begin(text: str, start: int) -> bool:
    """Return False for digits that a word or a power goes on with."""
    if not start or not joined(text[start - 1], text[start]):
        return text[start - 1 : start] != "^" and text[max(0, start - 5) : start] != "<sup>"
    word_start = start
    while word_start and start - word_start < 5 and text[word_start - 1].isalpha():
        word_start -= 1
    word = text[word_start:start].lower()
    if word == "x":  # 20x30
        return text[word_start - 1 : word_start].isdigit()
    return word in _CURRENCIES and not text[word_start - 1 : word_start].isalnum()


def _is_power(text: str, end: int) -> bool:
    following = text[end : end + 5]
    if following[:1] == "^" or following.lower() == "<sup>":
        return True
    return following[:1] > "\x7f" and unicodedata.decomposition(following[0]).startswith(
        "<super> 00"
    )


def _is_negative(text: str, start: int) -> bool:
    if not start or text[start - 1] != "-":
        return False
    return start == 1 or not (text[start - 2].isalnum() or text[start - 2] in "-)]")


def _scale(text: str, end: int) -> tuple[int, int] | None:
    """Return the power of ten of the word behind a number, and where the word ends."""
    word = _WORD_BEHIND.match(text, end)
    scale = _SCALES.get(word[1].lower()) if word else None
    return (scale, word.end()) if word and scale else None


def _plain_digits(text: str) -> str:
    """Return *text* with ASCII digits and separators. It has the same length."""
    return text if text.isascii() else text.translate(_table())


@cache
def _table() -> dict[int, str]:
    digits = (code for code in range(0x80, 0x20000) if unicodedata.category(chr(code)) == "Nd")
    table = {code: str(unicodedata.decimal(chr(code))) for code in digits}
    return table | {ord(char): same for char, same in _SAME.items()}
