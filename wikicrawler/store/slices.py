"""Values of conditions as every database takes them.

A statement has a limited number of values, a text has neither NUL nor lone surrogates, and a number
has its bounds: what somebody asks for may break each of these.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, TypeVar

from wikicrawler.store.chain_text import clean

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

T = TypeVar("T")
AT_ONCE = 500
MAX_ID = (1 << 31) - 1
MAX_SEQUENCE = (1 << 62) - 1
_MAX_TEXT = 4_000  # characters; a longer text is that of no column that is asked for


def slices(values: Iterable[T]) -> Iterator[list[T]]:
    """Yield *values* in lists of at most :data:`AT_ONCE`."""
    rest = iter(values)
    while some := list(islice(rest, AT_ONCE)):
        yield some


def asked_text(text: str) -> str:
    """Return *text* as it can be compared with a column."""
    found: str = clean(text[:_MAX_TEXT])
    return found


def asked_number(number: int, most: int = MAX_ID) -> int:
    """Return *number* from 0 to *most*, and -1, which no column has, for another."""
    return number if 0 <= number <= most else -1
