"""Explanation of a choice of content: what was kept, what was dropped, and why."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lxml.html import HtmlElement

_MAX_NAME = 40
_MAX_STEPS = 6
_MAX_SAMPLE = 60


@dataclass(frozen=True, slots=True)
class Note:
    """One decision about an element."""

    verdict: str
    """``kept`` or ``dropped``."""
    place: str
    """The element and its nearest ancestors, such as ``main > div.post``."""
    chars: int
    """Characters of text in the element."""
    reason: str
    sample: str
    """The beginning of the element's text."""


class Notes:
    """Collects the decisions of one page. An instance that is not *wanted* collects nothing."""

    def __init__(self, *, wanted: bool = True) -> None:
        self.wanted = wanted
        self.found: list[Note] = []

    def kept(self, el: HtmlElement, reason: str) -> None:
        """Note that *el* is kept."""
        self._add("kept", el, reason)

    def dropped(self, reasons: Mapping[HtmlElement, str]) -> None:
        """Note that the elements are dropped, each with its reason, unless they have no text.

        Call it before they are dropped.
        """
        if self.wanted:
            for el, reason in reasons.items():
                self._add("dropped", el, reason)

    def _add(self, verdict: str, el: HtmlElement, reason: str) -> None:
        if self.wanted:
            text = " ".join(" ".join(el.itertext()).split())
            if not text:
                return
            self.found.append(Note(verdict, place_of(el), len(text), reason, text[:_MAX_SAMPLE]))


NO_NOTES = Notes(wanted=False)


def place_of(el: HtmlElement) -> str:
    """Return the path to *el*, at most six steps, with ids and first class names."""
    steps = [_step(el), *map(_step, islice(el.iterancestors(), _MAX_STEPS - 1))]
    return " > ".join(reversed(steps))


def _step(el: HtmlElement) -> str:
    own_id, classes = (el.get("id") or "").split(), (el.get("class") or "").split()
    name = f"#{own_id[0]}" if own_id else f".{classes[0]}" if classes else ""
    return f"{el.tag}{name[:_MAX_NAME]}"
