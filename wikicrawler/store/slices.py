"""Values of a condition, a few at a time: a statement has a limited number of them."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

T = TypeVar("T")
AT_ONCE = 500


def slices(values: Iterable[T]) -> Iterator[list[T]]:
    """Yield *values* in lists of at most :data:`AT_ONCE`."""
    rest = iter(values)
    while some := list(islice(rest, AT_ONCE)):
        yield some
