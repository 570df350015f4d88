"""Values in the JSON of EDGAR, any of which may be missing, null or of another type."""

from __future__ import annotations

import json
from datetime import date
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from wikicrawler.reports.errors import FetchError
from wikicrawler.text.safe import escaped

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_TEXT = 200
"""Characters that are kept of a text."""
MAX_CIK = 9_999_999_999
FIRST_YEAR, LAST_YEAR = 1900, 2200


class AnswerError(FetchError):
    """An answer has not the shape that EDGAR's answers have."""


class Problem(NamedTuple):
    """The message of an :class:`AnswerError` in a worker process."""

    message: str


def attempt(reader: Callable[..., Any], *arguments: Any) -> Any:
    """Return ``reader(*arguments)``, or a :class:`Problem` in place of an :class:`AnswerError`:
    of an exception, a worker reports only that there was one."""
    try:
        return reader(*arguments)
    except AnswerError as error:
        return Problem(str(error))


def parse(body: bytes) -> dict[str, Any]:
    """Return the JSON object *body*.

    :raises AnswerError: it is something else
    """
    try:
        value = json.loads(body, parse_constant=_refuse)
    except RecursionError:
        raise AnswerError("is nested too deep") from None
    except ValueError as error:  # also UnicodeDecodeError, and numbers of too many digits
        raise AnswerError(f"is not JSON: {escaped(str(error))[:MAX_TEXT]}") from None
    return mapping(value, "the answer")


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a number of JSON")


def mapping(value: object, what: str) -> dict[str, Any]:
    """Return *value*.

    :raises AnswerError: it is no object
    """
    if not isinstance(value, dict):
        raise AnswerError(f"{what} is {_kind(value)} and not an object")
    return value


def rows(value: object, what: str) -> list[Any]:
    """Return *value*.

    :raises AnswerError: it is no array
    """
    if not isinstance(value, list):
        raise AnswerError(f"{what} is {_kind(value)} and not an array")
    return value


def _kind(value: object) -> str:
    return "missing" if value is None else type(value).__name__


def text(value: object) -> str:
    """Return *value* as one printable line; empty if it is no text."""
    if not isinstance(value, str):
        return ""
    return escaped(" ".join(value[: 4 * MAX_TEXT].split())[:MAX_TEXT])


def whole(value: object) -> int | None:
    """Return the whole number *value*, which may be written as digits; None if it is none."""
    if isinstance(value, str):
        return int(value) if value.isascii() and value.isdigit() and len(value) <= 12 else None
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def cik(value: object) -> int | None:
    """Return SEC's number of a company; None if *value* is none."""
    number = whole(value)
    return number if number is not None and 0 < number <= MAX_CIK else None


def day(value: object) -> date | None:
    """Return the date that an ISO date or time begins with; None if there is none, or it cannot be
    of a filing."""
    if not isinstance(value, str):
        return None
    try:
        found = date.fromisoformat(value[:10])
    except ValueError:
        return None
    return found if FIRST_YEAR <= found.year <= LAST_YEAR else None
