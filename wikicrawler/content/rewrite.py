"""Rewriting of wiki structures (formulas, infoboxes, galleries, ruby) as plain HTML.

One set of Markdown rules can then convert them all.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lxml.html import builder

from wikicrawler.content.clean import drop
from wikicrawler.content.find import by_class
from wikicrawler.content.images.marking import IMAGE, is_formula
from wikicrawler.content.tabs.labelling import TAB_LABEL

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lxml.html import HtmlElement

_DISPLAY = re.compile(r"display|element-block")
_FORMULA = re.compile(
    r"(?<![^ \t\r\n])(?:mwe-math-element|mwe-math-fallback-source-(?:inline|display)|katex)"
    r"(?![^ \t\r\n])"
)
"""Matches the class of a formula in a ``class`` value."""
_DISPLAYSTYLE = re.compile(r"^\{\\displaystyle (.*)\}$", re.DOTALL)


def has_class(name: str) -> str:
    """Return the XPath condition for elements with the class *name*."""
    return f"contains(concat(' ', normalize-space(@class), ' '), ' {name} ')"


def structures(root: HtmlElement, classes: str, *, with_images: bool = False) -> None:
    """Rewrite infoboxes, galleries and ruby in *root*; *classes* is all ``class`` values.

    *with_images*: keep the images of infoboxes that have no text.

    Searching the tree takes as long as parsing it, so a rule runs only if *classes* contains its
    class names.
    """
    if "portable-infobox" in classes or "druid-" in classes:
        _infoboxes(root, with_images=with_images)
    if "gallery" in classes:
        _galleries(root)
    _ruby(root)


def math(root: HtmlElement, classes: str) -> None:
    r"""Replace formulas with their TeX source in code: ``$`E = mc^2`$``, which GitHub renders.

    Inside code, ``\`` and ``_`` of the source are not read as Markdown. Call this before scripts,
    images and hidden elements are dropped, because one of them contains the source.
    """
    done: set[HtmlElement] = set()
    for el in formulas(root, classes):
        if not any(ancestor in done for ancestor in el.iterancestors()) and _rewrite(el):
            done.add(el)
    for image in [image for image in root.iter("img") if is_formula(image)]:
        _rewrite(image)


def _rewrite(el: HtmlElement) -> bool:
    """Replace the formula *el* with its source; return True if it has one."""
    source, parent = _tex(el), el.getparent()
    if not source:
        return False
    if parent is not None:
        new = builder.SPAN("$", builder.CODE(source), "$")
        if _DISPLAY.search(f"{el.get('class')} {el.get('type')}"):
            new = builder.PRE(builder.CLASS("language-math"), source)
        new.tail, el.tail = el.tail, None
        parent.replace(el, new)
    return True


def formulas(root: HtmlElement, classes: str) -> list[HtmlElement]:
    """Return the elements below *root* that are formulas by tag or class, in document order.

    An XPath with a condition for each class takes six times as long.
    """
    tagged = {
        el
        for el in root.iter("math", "script")
        if el.tag == "math" or (el.get("type") or "").startswith("math/tex")
    }
    if not tagged and not _may_be_formula(classes):
        return []
    return [
        el
        for el in root.iterdescendants("*")
        if el in tagged
        or ((names := el.get("class")) and _may_be_formula(names) and _FORMULA.search(names))
    ]


def _may_be_formula(classes: str) -> bool:
    return "mwe-math" in classes or "katex" in classes


def _tex(el: HtmlElement) -> str:
    for annotation in el.iter("annotation"):
        if "tex" in (annotation.get("encoding") or ""):
            return _bare_tex(annotation.text_content())
    for image in el.iter("img"):
        if image.get("alt"):
            return _bare_tex(image.get("alt"))
    if el.tag == "math":
        return _bare_tex(el.get("alttext") or "")
    text = el.text_content().strip()
    if el.tag == "script":
        return _bare_tex(text)
    source = re.fullmatch(r"\$(.*)\$", text, re.DOTALL)
    return _bare_tex(source[1]) if source else ""


def _bare_tex(source: str) -> str:
    source = " ".join(source.split())
    match = _DISPLAYSTYLE.match(source)
    return (match[1] if match else source).strip()


def _ruby(root: HtmlElement) -> None:
    """Put ruby readings in parentheses after their characters: 漢 (kan)."""
    drop(list(root.iter("rp")))
    for rt in list(root.iter("rt")):
        rt.insert(0, builder.SPAN(" ("))
        rt.append(builder.SPAN(")"))
        rt.insert(1, builder.SPAN(rt.text or ""))
        rt.text = None


def _galleries(root: HtmlElement) -> None:
    """Turn galleries into lists of their captions; the images are dropped elsewhere."""
    for caption in list(by_class(root, "gallerycaption", "li")):
        gallery = caption.getparent()
        caption.tag = "p"
        caption.tail = None
        gallery.addprevious(caption)
    for box in list(by_class(root, "wikia-gallery-item", "div")):
        box.tag = "li"
        box.getparent().tag = "ul"


def _classes(el: HtmlElement) -> list[str]:
    return (el.get("class") or "").split()


def _infoboxes(root: HtmlElement, *, with_images: bool) -> None:
    """Turn Fandom's portable infoboxes and wiki.gg's druid infoboxes into ``table.infobox``."""
    for box in root.xpath(
        f".//*[{has_class('portable-infobox')} or {has_class('druid-infobox')}"
        f" or {has_class('druid-container')}]"
    ):
        if box.getparent() is not None and not box.xpath("ancestor::table[@class='infobox']"):
            _InfoboxTableBuilder(box).replace(with_images=with_images)


_TITLES = frozenset({"pi-title", "druid-title"})
_HEADERS = frozenset({"pi-header", "druid-section", "pi-secondary-font-header", TAB_LABEL})
_PAIRS = frozenset({"pi-data", "druid-row"})
_PAIR_LABELS = frozenset({"pi-data-label", "druid-label"})
_PAIR_VALUES = frozenset({"pi-data-value", "druid-data"})
_GROUPS = frozenset({"pi-horizontal-group", "pi-smart-group"})
_GROUP_LABELS = frozenset({"pi-data-label", "pi-smart-data-label"})
_GROUP_VALUES = frozenset({"pi-data-value", "pi-smart-data-value"})


class _InfoboxTableBuilder:
    """Moves the parts of an infobox into table rows. Unrecognised parts go to the last row."""

    def __init__(self, box: HtmlElement) -> None:
        self._box = box
        self._table = builder.TABLE(builder.CLASS("infobox"))

    def replace(self, *, with_images: bool) -> None:
        for el in list(self._box.iter()):
            if el is self._box or self._is_moved(el):
                continue
            classes = _classes(el)
            if not _TITLES.isdisjoint(classes):
                self._add_row([(el, "th")])
            elif not _GROUPS.isdisjoint(classes):
                self._add_group(el)
            elif not _HEADERS.isdisjoint(classes):
                self._add_row([(el, "th")])
            elif not _PAIRS.isdisjoint(classes):
                self._add_pair(el)
            elif "pi-caption" in classes:
                self._add_row([(el, "td")])
        has_images = with_images and next(self._box.iter(IMAGE), None) is not None
        if has_images or self._box.text_content().strip():
            rest = builder.DIV(*self._box)
            rest.text = self._box.text
            self._add_row([(rest, "td")])
        self._table.tail, self._box.tail = self._box.tail, None
        self._box.getparent().replace(self._box, self._table)

    def _is_moved(self, el: HtmlElement) -> bool:
        return not any(ancestor is self._box for ancestor in el.iterancestors())

    def _add_pair(self, el: HtmlElement) -> None:
        labels, values = _find_by_class(el, _PAIR_LABELS), _find_by_class(el, _PAIR_VALUES)
        if values:
            self._add_row([*((label, "th") for label in labels[:1]), (values[0], "td")])

    def _add_group(self, el: HtmlElement) -> None:
        """Add a row for each value in a group of labels followed by their values."""
        for header in _find_by_class(el, _HEADERS):
            self._add_row([(header, "th")])
        labels, values = _find_by_class(el, _GROUP_LABELS), _find_by_class(el, _GROUP_VALUES)
        for index, value in enumerate(values):
            cells = [(value, "td")]
            if index < len(labels):
                cells.insert(0, (labels[index], "th"))
            self._add_row(cells)

    def _add_row(self, parts: Sequence[tuple[HtmlElement, str]]) -> None:
        row = builder.TR()
        for el, tag in parts:
            el.tail = None
            el.tag = "div"
            row.append(builder.E(tag, el))
        self._table.append(row)


def _find_by_class(el: HtmlElement, wanted: frozenset[str]) -> list[HtmlElement]:
    return [child for child in el.iter() if not wanted.isdisjoint(_classes(child))]
