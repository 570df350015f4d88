"""Elements by tag and class or id.

lxml compares tags in C and makes no Python object of an element with another, so naming the tags
costs a tenth of an XPath that asks every element for its class.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.html import HtmlElement


def by_class(root: HtmlElement, name: str, *tags: str) -> Iterator[HtmlElement]:
    """Elements of *tags* in *root* that have the class *name*, in document order."""
    for el in root.iter(*tags):
        classes = el.get("class")
        if classes and name in classes and name in classes.split():
            yield el


def by_id(root: HtmlElement, name: str, *tags: str) -> HtmlElement | None:
    """The first element of *tags* in *root* whose id is *name*."""
    return next((el for el in root.iter(*tags) if el.get("id") == name), None)


def all_classes(root: HtmlElement) -> str:
    """All values of ``class`` in *root*, each on its line."""
    return "\n".join({el.get("class") or "" for el in root.iter()})
