"""A page as lines of text and the images in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lxml import etree

from wikicrawler.content.images.marking import IMAGE

if TYPE_CHECKING:
    from lxml.html import HtmlElement

LINE, CELL, ROW = 1, 2, 3
"""What ends between two segments of a page: a line, a cell, or more than that."""
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_CELLS = frozenset({"td", "th", "dt", "dd"})
_ITEMS = frozenset({"li", "caption", "summary", *_HEADINGS})
_EDGES = {
    **dict.fromkeys(
        ("address", "article", "blockquote", "center", "details", "div", "fieldset", "figcaption"),
        LINE,
    ),
    **dict.fromkeys(("figure", "footer", "form", "header", "main", "p", "pre", "section"), LINE),
    **dict.fromkeys(_CELLS, CELL),
    **dict.fromkeys(("table", "tbody", "thead", "tfoot", "tr", "ul", "ol", "dl", "hr"), ROW),
    **dict.fromkeys(_ITEMS, ROW),
}
_FIGURES = frozenset(
    {"thumb", "thumbinner", "gallerybox", "wikia-gallery-item", "pi-image", "infobox-image"}
    | {"wp-caption", "tsingle"}
)


class Group:
    """A link or a figure, and whether it has text."""

    __slots__ = ("el", "has_text", "images")

    def __init__(self, el: HtmlElement) -> None:
        self.el = el
        self.has_text = False
        self.images = 0


class Spot:
    """An image in its segment."""

    __slots__ = ("at", "el", "figure", "in_cell", "link")

    def __init__(self, el: HtmlElement, at: int, link: Group | None, figure: Group | None):
        self.el = el
        self.at = at
        """Number of characters of the segment before it."""
        self.link = link
        self.figure = figure
        self.in_cell = False


class Segment:
    """A line of text with its images, without blocks in it."""

    __slots__ = ("edge", "has_plain_text", "length", "parts", "spots")

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.length = 0
        self.spots: list[Spot] = []
        self.has_plain_text = False
        """Whether it has text outside of links."""
        self.edge = LINE
        """What ends behind it."""

    @property
    def has_text(self) -> bool:
        return bool(self.parts)


def read_segments(container: HtmlElement) -> list[Segment]:
    """Return the lines of *container* that have text or images, in linear time."""
    reader = _Reader()
    for event, el in etree.iterwalk(container, events=("start", "end")):
        if event == "start":
            reader.start(el)
        else:
            reader.end(el)
            if el is not container and el.tail:
                reader.add_text(el.tail)
    reader.cut(ROW)
    return reader.segments


class _Reader:
    """Reads a container as segments."""

    def __init__(self) -> None:
        self.segments: list[Segment] = []
        self._segment = Segment()
        self._link: Group | None = None
        self._figure: Group | None = None
        self._cells = self._infoboxes = 0

    def start(self, el: HtmlElement) -> None:
        tag = el.tag
        if tag == IMAGE:
            self._add_image(el)
            return
        if tag in _EDGES:
            self._enter(el, 1)
        elif tag == "a" and self._link is None:
            self._link = Group(el)
        elif tag == "br":
            self.add_text(" ")
        if self._figure is None and _is_figure(el):
            self._figure = Group(el)
        if el.text:
            self.add_text(el.text)

    def end(self, el: HtmlElement) -> None:
        if el.tag in _EDGES:
            self._enter(el, -1)
        if self._link is not None and el is self._link.el:
            self._link = None
        if self._figure is not None and el is self._figure.el:
            self._figure = None

    def _enter(self, el: HtmlElement, step: int) -> None:
        self.cut(_EDGES[el.tag])
        if el.tag in _CELLS:
            self._cells += step
        elif el.tag == "table" and "infobox" in (el.get("class") or ""):
            self._infoboxes += step

    def add_text(self, text: str) -> None:
        segment = self._segment
        if not text.strip():
            if segment.parts:
                segment.parts.append(" ")
                segment.length += 1
            return
        segment.parts.append(text)
        segment.length += len(text)
        if self._link is None:
            segment.has_plain_text = True
        else:
            self._link.has_text = True
        if self._figure is not None:
            self._figure.has_text = True

    def _add_image(self, el: HtmlElement) -> None:
        spot = Spot(el, self._segment.length, self._link, self._figure)
        spot.in_cell = self._cells > 0 and not self._infoboxes
        if self._link is not None:
            self._link.images += 1
        self._segment.spots.append(spot)

    def cut(self, edge: int) -> None:
        """End the segment, at an edge of this kind."""
        if self._segment.parts or self._segment.spots:
            self._segment.edge = edge
            self.segments.append(self._segment)
            self._segment = Segment()
        elif self.segments:
            self.segments[-1].edge = max(self.segments[-1].edge, edge)


def _is_figure(el: HtmlElement) -> bool:
    if el.tag == "figure":
        return True
    classes = el.get("class")
    return bool(classes) and not _FIGURES.isdisjoint(classes.split())
