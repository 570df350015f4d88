"""Why a value that a model returned is not accepted."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from wikicrawler.text.safe import quoted


class Rejection(StrEnum):
    """The closed list of reasons."""

    WRONG_TYPE = "wrong_type"
    AMBIGUOUS = "ambiguous"  # text that is one number or another: 1,234
    NOT_FINITE = "not_finite"  # NaN and infinities
    NOT_ALLOWED = "not_allowed"  # not in ``enum``
    OUT_OF_RANGE = "out_of_range"  # ``minimum``, ``maximum``, or no number that can be stored
    BAD_FORMAT = "bad_format"  # ``format`` or ``pattern``
    TOO_FEW = "too_few"  # ``min_items``; the elements are kept
    TOO_MANY = "too_many"  # the elements behind ``max_items``
    TOO_DEEP = "too_deep"
    UNKNOWN_KEY = "unknown_key"  # of an object with ``properties``


@dataclass(frozen=True, slots=True)
class Rejected:
    """A value, an element of a list or a key of an object that is not accepted."""

    path: str
    """Where it stands: ``price``, ``tags[2]``, ``offers[0].price``."""
    raw: Any
    """What the model returned."""
    reason: Rejection
    message: str
    """What is wrong, for a model or a person: ``expected a number, got a list``."""

    def __str__(self) -> str:
        return f"{self.path}: {self.message}"


class Refused(Exception):  # noqa: N818 - it carries an outcome
    """A value cannot be coerced. It stays inside the coercion."""

    def __init__(self, reason: Rejection, message: str) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message


def described(raw: Any) -> str:
    """Return what *raw* is, with the first characters of a text: ``a list``, ``the text 'x'``."""
    if isinstance(raw, str):
        return f"the text {quoted(raw, 40)}"
    if raw is None or isinstance(raw, bool):
        return {None: "null", True: "true", False: "false"}[raw]
    for kind, name in (
        (int, "a whole number"),
        (float, "a number"),
        ((list, tuple), "a list"),
        (dict, "an object"),
    ):
        if isinstance(raw, kind):
            return name
    return "a value that JSON does not have"
