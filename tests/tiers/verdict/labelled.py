"""The labelled corpus: pages with their reasons, in a tuning and a held-back half."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from pathlib import Path

import yaml

FOLDER = Path(__file__).parent / "corpus"
HALVES = ("tuning", "held-back")


@dataclass(frozen=True)
class LabelledPage:
    """One page of the corpus, with its label."""

    name: str
    reason: str
    """The expected reason, or ``ok`` for content."""
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
    """Return the half of a page by its file name, independent of the rest of the corpus.

    Pages whose names start with ``late-`` were written against the rules of their time, so they
    belong to the tuning half.
    """
    if name.startswith("late-"):
        return HALVES[0]
    return HALVES[hashlib.sha256(name.encode()).digest()[0] & 1]


def load() -> list[LabelledPage]:
    """Return the pages of the corpus, by name."""
    labels = yaml.safe_load((FOLDER / "labels.yml").read_text("utf-8"))
    pages = []
    for name, label in labels.items():
        headers = {"content-type": "text/html"} | label.pop("headers", {})
        pages.append(LabelledPage(name, headers=headers, **label))
    return pages
