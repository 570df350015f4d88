"""The elements that labels and buttons refer to."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

from wikicrawler.content.tabs.labelling import first_of

if TYPE_CHECKING:
    from lxml.html import HtmlElement

    Pair = tuple[HtmlElement, HtmlElement]
    """A label and its panel."""

_REFERENCES = ("aria-controls", "data-bs-target", "data-target", "href", "data-tab", "data-href")
_QUOTED = re.compile(r"""["']#?([\w-]{1,64})["']""")
_MAX_CODE = 500
"""Characters of an ``onclick`` that are searched for the id of a panel."""


class Targets:
    """The elements of a page by their ids."""

    def __init__(self, root: HtmlElement) -> None:
        self._root = root

    @cached_property
    def _by_id(self) -> dict[str, HtmlElement]:
        # The first of several with one id counts, as in browsers.
        return {el.get("id"): el for el in reversed(self._root.xpath(".//*[@id]"))}

    def of(self, label: HtmlElement) -> HtmlElement | None:
        """Return the element that *label*, or the link in it, refers to, but none around it."""
        links = [label]
        link = first_of(label, frozenset({"a"}))
        if link is not None and link is not label:
            links.append(link)
        for el in links:
            for reference in _references(el):
                found = self._by_id.get(reference)
                if found is not None and not _contains(found, label):
                    return found
        return None


def _references(el: HtmlElement) -> list[str]:
    found = []
    for name in _REFERENCES:
        value = el.get(name)
        if not value or (name == "href" and value[0] != "#"):
            continue
        found.append(value.strip().removeprefix("#").partition(" ")[0])
    found += _QUOTED.findall((el.get("onclick") or "")[:_MAX_CODE])
    return found


def _contains(outer: HtmlElement, el: HtmlElement) -> bool:
    return any(ancestor is outer for ancestor in el.iterancestors()) or outer is el
