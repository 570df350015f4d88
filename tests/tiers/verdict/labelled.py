"""The labelled corpus: pages, what each is, and which half of them the rules were tuned on."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from pathlib import Path

import yaml

FOLDER = Path(__file__).parent / "corpus"
HALVES = ("tuning", "held-back")


@dataclass(frozen=True)
class LabelledPage:
    """One page of the corpus as it came, and what it is."""

    name: str
    reason: str
    """A reason's word, or ``ok`` for content."""
    status: int = 200
    headers: dict[str, str] = field(default_factory=lambda: {"content-type": "text/html"})
    about: str = ""

    @property
    def body(self) -> bytes:
        return (FOLDER / self.name).read_bytes()

    @property
    def half(self) -> str:
        return half(self.name)


def half(name: str) -> str:
    """Which half the page of that file name is in: for good, whatever else the corpus holds.

    A page whose name starts with ``late-`` was written against the rules as they were then, so it
    cannot be held back.
    """
    if name.startswith("late-"):
        return HALVES[0]
    return HALVES[hashlib.sha256(name.encode()).digest()[0] & 1]


def load() -> list[LabelledPage]:
    """The pages of the corpus, by name."""
    labels = yaml.safe_load((FOLDER / "labels.yml").read_text("utf-8"))
    pages = []
    for name, label in labels.items():
        headers = {"content-type": "text/html"} | label.pop("headers", {})
        pages.append(LabelledPage(name, headers=headers, **label))
    return pages
