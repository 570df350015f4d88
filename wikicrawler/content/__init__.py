"""Conversion of HTML pages to Markdown: cleaning, article extraction and worker processes."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from wikicrawler.content.conversion import convert

__all__ = ["convert"]


def __getattr__(name: str) -> Any:
    # The libraries of the conversion are loaded when it is first used: the list of the spiders
    # does without them.
    if name != "convert":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return import_module("wikicrawler.content.conversion").convert
