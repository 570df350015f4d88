"""Coercion of one string, number, integer or boolean; :mod:`wikicrawler.fields.values.types` has
the rules."""

from __future__ import annotations

from functools import lru_cache
from math import isfinite, isinf
from typing import TYPE_CHECKING, Any

import re2

from wikicrawler.fields.values.formats import EXAMPLES, has_format
from wikicrawler.fields.values.numerals import read_number
from wikicrawler.fields.values.rejections import Refused, Rejection, described
from wikicrawler.store.chain_text import clean
from wikicrawler.text.safe import quoted

if TYPE_CHECKING:
    from wikicrawler.fields.definitions.shapes import Shape

EXPECTED = {
    "string": "a string",
    "number": "a number",
    "integer": "a whole number",
    "boolean": "true or false",
    "array": "a list",
    "object": "an object",
}
MAX_BITS = 1_023
"""Of an integer, so that a float can hold it."""
MAX_MATCHED = 20_000
"""Characters of a string in which a pattern is searched."""
_EXACT = 2**53
"""Floats beyond it have no decimals, and not every whole number."""
_WORDS = {"true": True, "yes": True, "false": False, "no": False}
_SHOWN = 12

_OPTIONS = re2.Options()
_OPTIONS.log_errors = False  # RE2 would write to stderr


def compile_pattern(pattern: str) -> Any:
    """Return *pattern*, compiled by RE2.

    :raises ValueError: RE2 cannot parse it; the message says why
    """
    try:
        return _compiled(pattern)
    except re2.error as error:
        reason = error.args[0]
        text = reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)
        raise ValueError(text) from None


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> Any:
    return re2.compile(clean(pattern), _OPTIONS)


def coerce_scalar(raw: Any, shape: Shape) -> str | int | float | bool | None:
    """Return *raw* as a value of *shape*; None for an empty string.

    :raises Refused: it is none
    """
    if shape.type == "boolean":
        return _boolean(raw)
    if shape.type == "string":
        text = _string(raw)
        return text if text is None else _checked_text(_allowed(text, shape), shape)
    number = _number(raw) if shape.type == "number" else _integer(raw)
    return number if number is None else _in_range(_allowed(number, shape), shape)


def _wrong(raw: Any, kind: str) -> Refused:
    return Refused(Rejection.WRONG_TYPE, f"expected {EXPECTED[kind]}, got {described(raw)}")


def _boolean(raw: Any) -> bool | None:
    if isinstance(raw, bool):
        return raw
    if isinstance(raw, str):
        word = raw.strip()
        if not word:
            return None
        if (found := _WORDS.get(word[:6].lower())) is not None:
            return found
    raise _wrong(raw, "boolean")


def _string(raw: Any) -> str | None:
    if isinstance(raw, str):
        return str(clean(raw)).strip() or None
    if isinstance(raw, int) and not isinstance(raw, bool):
        return str(_storable(raw))
    raise _wrong(raw, "string")


def _number(raw: Any) -> int | float | None:
    if isinstance(raw, bool):
        raise _wrong(raw, "number")
    if isinstance(raw, int):
        return _storable(raw)
    if isinstance(raw, float):
        if not isfinite(raw):
            raise Refused(Rejection.NOT_FINITE, "expected a number, got NaN or an infinity")
        return raw
    if not isinstance(raw, str):
        raise _wrong(raw, "number")
    if not raw.strip():
        return None
    found = read_number(raw)
    if found == "ambiguous":
        raise Refused(
            Rejection.AMBIGUOUS,
            f"{quoted(raw, 40)} may be a thousand or a decimal: expected a JSON number",
        )
    if isinstance(found, str):
        raise _wrong(raw, "number")
    if isinstance(found, float) and isinf(found):
        raise Refused(Rejection.OUT_OF_RANGE, "the number is too large")
    return found


def _storable(number: int) -> int:
    if number.bit_length() > MAX_BITS:
        raise Refused(Rejection.OUT_OF_RANGE, "the number is too large")
    return number


def _integer(raw: Any) -> int | None:
    number = None if isinstance(raw, bool) else _number(raw)
    if isinstance(raw, bool) or (isinstance(number, float) and not number.is_integer()):
        raise _wrong(raw, "integer")
    if isinstance(number, float) and abs(number) > _EXACT:
        raise Refused(Rejection.OUT_OF_RANGE, "the number is too large to be a whole one")
    return None if number is None else int(number)


def _allowed(value: Any, shape: Shape) -> Any:
    """Return the value of ``enum`` that *value* is, in its declared spelling."""
    if shape.enum is None or value in shape.enum:
        return value
    if isinstance(value, str) and (known := _spellings(shape.enum).get(value.casefold())):
        return known
    shown = ", ".join(quoted(str(one), 40) for one in shape.enum[:_SHOWN])
    more = ", …" if len(shape.enum) > _SHOWN else ""
    raise Refused(
        Rejection.NOT_ALLOWED, f"expected one of {shown}{more}, got {quoted(str(value), 40)}"
    )


@lru_cache(maxsize=256)
def _spellings(enum: tuple[str | int | float, ...]) -> dict[str, str]:
    """Return the first spelling of each text in *enum*, by its case-folded form."""
    spellings: dict[str, str] = {}
    for one in enum:
        if isinstance(one, str):
            spellings.setdefault(one.strip().casefold(), one)
    return spellings


def _checked_text(text: str, shape: Shape) -> str:
    if shape.format is not None and not has_format(text, shape.format):
        raise Refused(
            Rejection.BAD_FORMAT,
            f"expected the format {shape.format} (like {EXAMPLES[shape.format]}),"
            f" got {described(text)}",
        )
    if shape.pattern is not None and (
        len(text) > MAX_MATCHED or not compile_pattern(shape.pattern).search(text)
    ):
        raise Refused(
            Rejection.BAD_FORMAT,
            f"expected a match of {quoted(shape.pattern, 80)}, got {described(text)}",
        )
    return text


def _in_range(number: int | float, shape: Shape) -> int | float:
    if shape.minimum is not None and number < shape.minimum:
        raise Refused(
            Rejection.OUT_OF_RANGE, f"expected at least {shape.minimum:.15g}, got {number:.15g}"
        )
    if shape.maximum is not None and number > shape.maximum:
        raise Refused(
            Rejection.OUT_OF_RANGE, f"expected at most {shape.maximum:.15g}, got {number:.15g}"
        )
    return number
