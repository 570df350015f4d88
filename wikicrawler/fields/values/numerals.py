"""Numbers that are written as text: ``14.50``, ``1,234.5``, ``1 234,5``, ``$14.50``."""

from __future__ import annotations

import re
import unicodedata
from typing import Literal

MAX_LENGTH = 60
"""Characters of a number."""
CODES = frozenset(
    {
        *("AUD", "BRL", "CAD", "CHF", "CNY", "CZK", "DKK", "EUR", "GBP", "HKD", "HUF", "ILS"),
        *("INR", "JPY", "KRW", "MXN", "NOK", "NZD", "PLN", "RON", "RUB", "SEK", "SGD", "THB"),
        *("TRY", "UAH", "USD", "ZAR"),
    }
)
"""Codes of currencies that may stand before or behind a number."""
_SPACES = " \u00a0\u2009\u202f"
"""The spaces that separate groups: space, no-break, thin and narrow no-break space."""
_PLAIN = re.compile(r"\d+")
_SCIENTIFIC = re.compile(r"\d{1,30}(?:\.\d{1,30})?[eE][+-]?\d{1,4}")
_AMBIGUOUS = re.compile(r"[1-9]\d{0,2}[.,]\d{3}")
_DECIMAL = re.compile(r"\d*[.,]\d+")
_GROUPS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\d{{1,3}}(?P<sep>[{_SPACES}])\d{{3}}(?:(?P=sep)\d{{3}})*(?:[.,]\d+)?",
        r"\d{1,3}(?P<sep>['’])\d{3}(?:(?P=sep)\d{3})*(?:[.,]\d+)?",
        r"\d{1,3}(?:,\d{3})+\.\d+",
        r"\d{1,3}(?:\.\d{3})+,\d+",
        r"\d{1,3}(?:,\d{3}){2,}",
        r"\d{1,3}(?:\.\d{3}){2,}",
        r"\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?",  # 12,34,567 in India
    )
)

Unclear = Literal["no_number", "ambiguous"]


def read_number(text: str) -> int | float | Unclear:
    """Return the number that *text* is, an integer if it has no decimals.

    A sign and one currency (a sign like ``$``, or one of :data:`CODES`) may stand with it, no unit
    and no per cent. ``ambiguous``: ``1,234`` and ``1.234`` are a thousand in one country and one in
    another. A number that is too large for a float is infinite.
    """
    if len(text) > MAX_LENGTH:
        return "no_number"
    negative, body = _signed(_ascii_digits(text).strip())
    if _AMBIGUOUS.fullmatch(body):
        return "ambiguous"
    number: int | float
    if _PLAIN.fullmatch(body):
        number = int(body)
    elif _SCIENTIFIC.fullmatch(body):
        number = float(body)
    elif _DECIMAL.fullmatch(body):
        number = float(body.replace(",", "."))
    elif any(pattern.fullmatch(body) for pattern in _GROUPS):
        number = _grouped(body)
    else:
        return "no_number"
    return -number if negative else number


def _ascii_digits(text: str) -> str:
    if text.isascii():
        return text
    return "".join(str(unicodedata.decimal(c)) if c.isdecimal() else c for c in text)


def _signed(text: str) -> tuple[bool, str]:
    """Return whether *text* is negative, and its digits: without sign and currency."""
    negative, text = _without_minus(text)
    text, had_currency = _without_currency(text)
    if had_currency and not negative:  # $-5
        negative, text = _without_minus(text)
    return negative, text


def _without_minus(text: str) -> tuple[bool, str]:
    if text[:1] in ("-", "−", "+"):
        return text[0] != "+", text[1:].strip()
    return False, text


def _without_currency(text: str) -> tuple[str, bool]:
    if text[:3] in CODES:
        return text[3:].strip(), True
    if text[-3:] in CODES:
        return text[:-3].strip(), True
    if text and unicodedata.category(text[0]) == "Sc":
        return text[1:].strip(), True
    if text and unicodedata.category(text[-1]) == "Sc":
        return text[:-1].strip(), True
    return text, False


def _grouped(body: str) -> int | float:
    """Return the number *body*, which has groups, and perhaps decimals behind another sign."""
    separators = [c for c in body if not c.isdecimal()]
    if separators[-1] == separators[0]:
        return int("".join(c for c in body if c.isdecimal()))
    whole, _, decimals = body.rpartition(separators[-1])
    return float("".join(c for c in whole if c.isdecimal()) + "." + decimals)
