"""A function to measure."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable


class Case(NamedTuple):
    """A function and the texts before which adversarial ones stand."""

    function: Callable[[str], object]
    starts: tuple[str, ...] = ("",)
