"""What a page tells about its content beside its text, read before furniture is dropped."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from wikicrawler.content.article.shape import Shape, stated_shape

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.html import HtmlElement

_NOT_ENTERED = frozenset(
    {"button", "checkbox", "hidden", "image", "radio", "reset", "submit", "file", "range", "color"}
)

_QUANTITIES = frozenset({"qty", "quantity"})


@dataclass(frozen=True, slots=True)
class Evidence:
    """Facts about a page that its furniture states.

    The default is a page that states nothing.
    """

    shape: Shape = Shape.UNKNOWN
    says_article: bool = False
    """True if the page's metadata calls it an article, which also pages of other kinds do."""
    forms: tuple[HtmlElement, ...] = ()
    """The forms with a field for text, in the order of the page."""


NOTHING_STATED = Evidence()


def read_evidence(root: HtmlElement) -> Evidence:
    """Return the evidence in *root*, the tree of a page with its scripts and forms."""
    types = {el.get("content") for el in root.iter("meta") if el.get("property") == "og:type"}
    shape = stated_shape(root, types)
    says_article = shape is Shape.ARTICLE or "article" in types
    forms = tuple(dict.fromkeys(_entry_forms(root)))
    if shape is Shape.UNKNOWN and not says_article:
        # A form to buy is that of the page's product; several are those of a list.
        buys = sum(map(_is_to_buy, forms))
        shape = Shape.PRODUCT if buys == 1 else Shape.LISTING if buys > 1 else shape
    return Evidence(shape, says_article, forms)


def _is_to_buy(form: HtmlElement) -> bool:
    return any((field.get("name") or "").lower() in _QUANTITIES for field in form.iter("input"))


def _entry_forms(root: HtmlElement) -> Iterator[HtmlElement]:
    for field in root.iter("input", "textarea"):
        kind = (field.get("type") or "").lower() if field.tag == "input" else ""
        if kind not in _NOT_ENTERED:
            form = next(field.iterancestors("form"), None)
            if form is not None:
                yield form
