"""Selection of the blocks of a page that are its content.

The densest text of the page is the start. From it the selection grows to the elements around it.
At each of them, the blocks beside the way are kept or dropped one by one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from wikicrawler.content.article.density import densest, is_heading, is_part
from wikicrawler.content.article.furniture import MIN_ARTICLE, MIN_PARAGRAPH
from wikicrawler.content.article.repeats import is_cards, is_teasers
from wikicrawler.content.article.shape import Shape

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from lxml.html import HtmlElement

    from wikicrawler.content.article.density import TextAmounts
    from wikicrawler.content.article.evidence import Evidence

    Amounts = Mapping[HtmlElement, TextAmounts]

DOMINANT = 0.5
"""Share of the running text from which one text is taken for the whole content."""
DOMINANT_IN_ARTICLE = 0.3
"""The same where the page says that it is an article."""
_SIMILAR = 0.25
"""Share of the selected text from which a block beside it counts as similar."""
HAVE_PARTS = frozenset({Shape.LISTING, Shape.PRODUCT, Shape.THREAD})
"""Shapes whose content is several parts; of the others it may be a single text."""
_WITHOUT_CARDS = frozenset({Shape.PRODUCT, Shape.THREAD})
"""Shapes of pages on which cards lead to other pages."""
_REGION = 0.7
"""Share of the running text of a page from which the part with the title is the content."""
_MAX_LINKS = 1000  # characters
_DATA_TAGS = ("table", "pre", "dl")


@dataclass(slots=True)
class Selection:
    """The content: *el* without *dropped*, which are blocks in it."""

    el: HtmlElement
    dropped: dict[HtmlElement, str] = field(default_factory=dict)
    is_text: bool = True
    """True if one text makes up the content; False if it consists of several parts."""

    def text(self) -> str:
        """Return the selected text."""
        left_out = self.dropped
        if not left_out:
            return " ".join(self.el.itertext())
        texts: list[str | None] = []
        stack: list[tuple[HtmlElement, bool]] = [(self.el, True)]
        while stack:
            el, entering = stack.pop()
            if not entering:
                texts.append(el.tail)
                continue
            if el is not self.el:
                stack.append((el, False))
            if el not in left_out:
                texts.append(el.text)
                stack += [(child, True) for child in reversed(el)]
        return " ".join(filter(None, texts))


def select(
    top: HtmlElement,
    amounts: Amounts,
    evidence: Evidence,
    title: HtmlElement | None,
    *,
    marked: bool,
) -> Selection:
    """Select the content in *top*.

    :param title: the element with the page's title
    :param marked: whether the page marks *top* as its content; else it is the body
    """
    shape = evidence.shape
    core = _core(top, amounts, title)
    if core is top:
        return Selection(
            top, is_text=shape not in HAVE_PARTS and amounts[top].running >= MIN_ARTICLE
        )
    region = _region(core, title, top)
    if shape not in HAVE_PARTS:
        whole = amounts[core].running + sum(
            amounts[el].running for el in beside(top, core, amounts) if not _is_linked(el, amounts)
        )
        enough = DOMINANT_IN_ARTICLE if shape is Shape.ARTICLE else DOMINANT
        if amounts[core].running >= enough * whole:
            return Selection(core)
    if not marked and amounts[region].running >= _REGION * amounts[top].running:
        top, marked = region, True
    return _whole(core, top, amounts, shape, marked=marked)


def _region(core: HtmlElement, title: HtmlElement | None, top: HtmlElement) -> HtmlElement:
    """Return the smallest element in *top* around *core* and *title*."""
    if title is None:
        return top
    around = set(title.iterancestors())
    return next((el for el in (core, *core.iterancestors()) if el in around or el is top), top)


def _core(top: HtmlElement, amounts: Amounts, title: HtmlElement | None) -> HtmlElement:
    """Return the smallest element around the densest text that leaves no similar text outside."""
    core = densest(top, amounts, title) if amounts[top].running >= MIN_ARTICLE else None
    if core is None:
        return top
    inner = core
    way = _Way(amounts)
    for el in core.iterancestors():
        if core is top or el not in amounts:
            break
        way.add(child for child in el if child is not inner and child in amounts)
        if amounts[el].text == amounts[core].text or _adds_content(el, core, amounts, way):
            core, way = el, _Way(amounts)
        inner = el
        if el is top:
            break
    return core if amounts[core].running >= MIN_ARTICLE else top


class _Way:
    """The blocks beside the way from the core to an element around it."""

    def __init__(self, amounts: Amounts) -> None:
        self._amounts = amounts
        self._new: list[HtmlElement] = []
        self._teased = 0

    def add(self, blocks: Iterable[HtmlElement]) -> None:
        self._new += blocks

    def teased(self) -> int:
        """Return the running text of the teasers among the blocks."""
        amounts = self._amounts
        self._teased += sum(amounts[el].running for el in self._new if is_teasers(el, amounts))
        self._new = []
        return self._teased


def _adds_content(el: HtmlElement, core: HtmlElement, amounts: Amounts, way: _Way) -> bool:
    """Return True if *el* adds content to *core*, which it contains.

    It does if the blocks on the *way* have a quarter as much running text, teasers aside, and are
    not mostly links, or if *core* is its child and has siblings that are paragraphs, data or
    elements of its class.
    """
    outer, inner = amounts[el], amounts[core]
    running = outer.running - inner.running
    linked = outer.linked - inner.linked
    enough = _SIMILAR * inner.running
    is_text = running >= enough and linked <= 0.3 * (outer.text - inner.text)
    if is_text and running - way.teased() >= enough:
        return True
    if running < MIN_PARAGRAPH or core.getparent() is not el:
        return False
    kind = (core.tag, core.get("class"))
    siblings = (child for child in el if child is not core and child in amounts)
    return any(
        is_part(child)
        or (child.tag, child.get("class")) == kind
        or next(child.iter(*_DATA_TAGS), None) is not None
        for child in siblings
        if amounts[child].running >= MIN_PARAGRAPH
    )


def beside(el: HtmlElement, core: HtmlElement, amounts: Amounts) -> Iterator[HtmlElement]:
    """Yield the elements beside the way from *el* down to *core*, the nearest ones first."""
    inner = core
    for around in core.iterancestors():
        yield from (child for child in around if child is not inner and child in amounts)
        if around is el:
            return
        inner = around


def _whole(
    core: HtmlElement,
    top: HtmlElement,
    amounts: Amounts,
    shape: Shape,
    *,
    marked: bool,
) -> Selection:
    """Select *top* without the blocks that are probably not content.

    If it is *marked*, lists of links are dropped, else all but running text.
    """
    dropped: set[HtmlElement] = set()
    for el in beside(top, core, amounts):
        amount = amounts[el]
        if not amount.text or is_heading(el) or next(el.iter("h1"), None) is not None:
            continue
        if not marked:
            is_dropped = amount.running < MIN_PARAGRAPH or _is_linked(el, amounts)
        elif shape in _WITHOUT_CARDS and is_cards(el, amounts):
            is_dropped = True
        else:
            is_few = not amount.running and amount.text < _MAX_LINKS
            is_dropped = is_few and amount.linked > 0.8 * amount.text
        if is_dropped:
            dropped.add(el)
    ordered = {el: "beside the content" for el in amounts if el in dropped} if dropped else {}
    return Selection(top, ordered, is_text=False)


def _is_linked(el: HtmlElement, amounts: Amounts) -> bool:
    """Return True if *el* is mostly links, or a list of teasers."""
    amount = amounts[el]
    return amount.linked > 0.5 * amount.text or is_teasers(el, amounts)
