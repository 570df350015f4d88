"""Element lookup by tag and class or id.

lxml compares tags in C and creates no Python object for elements with other tags. Naming the tags
therefore takes a tenth of the time of an XPath that tests the class of every element.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lxml import etree

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.html import HtmlElement


def by_class(root: HtmlElement, name: str, *tags: str) -> Iterator[HtmlElement]:
    """Yield elements in *root* with one of *tags* and the class *name*, in document order."""
    for el in root.iter(*tags):
        classes = el.get("class")
        if classes and name in classes and name in classes.split():
            yield el


def by_id(root: HtmlElement, name: str, *tags: str) -> HtmlElement | None:
    """Return the first element in *root* with one of *tags* and the id *name*."""
    return next((el for el in root.iter(*tags) if el.get("id") == name), None)


class Stating(NamedTuple):
    """The elements of a page that state something about it, in document order."""

    anchors: list[HtmlElement]
    links: list[HtmlElement]
    metas: list[HtmlElement]
    scripts: list[HtmlElement]
    times: list[HtmlElement]


def stating(root: HtmlElement) -> Stating:
    """Return the elements of the page with the tree *root* that state something about it.

    One walk finds them all.
    """
    found: dict[str, list[HtmlElement]] = {tag: [] for tag in _STATING}
    for el in root.iter(*_STATING):
        found[el.tag].append(el)
    return Stating(*found.values())


_STATING = ("a", "link", "meta", "script", "time")


def all_classes(root: HtmlElement) -> str:
    """Return all distinct ``class`` values in *root*, one a line."""
    values: list[str] = _CLASS_VALUES(root)  # type: ignore[assignment]
    return "\n".join(set(values))


_CLASS_VALUES = etree.XPath("descendant-or-self::*/@class", smart_strings=False)
