"""Links of a page with what stands around them: the row, the column, the headings."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

from lxml import etree

from wikicrawler.content.links import LinkResolver, base_of
from wikicrawler.reports.providers.company_ir.words import MAX_LABEL, plain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.html import HtmlElement

MAX_LINKS = 3_000
"""Links of a page that are read."""
_MAX_ELEMENTS = 200_000
_MAX_NODES = 120
"""Elements of a row that are read."""
_MAX_CELLS = 60
_MAX_HEADING = 120
_HEADINGS = {f"h{level}": level for level in range(1, 7)} | dict.fromkeys(
    ("caption", "summary", "dt", "legend"), 7
)
_LEVEL_OF_BUTTON = 8
_UNSEEN = frozenset({"script", "style", "template", "noscript", "svg", "select"})
_MENUS = frozenset({"nav", "header", "footer", "aside"})
_ROWS = frozenset({"li", "article", "dd", "p", "div", "section", "figure", "span", "td"})
_ADDRESSES = ("href", "data-href", "data-url", "data-file", "data-link", "data-pdf")
_FRAMES = frozenset({"iframe", "embed", "object", "frame"})
_NAMES_OF_PANELS = ("id", "data-year", "data-tab", "data-title", "aria-label", "class")
_MAX_PANELS = 8
_TITLE_CLASSES = ("title", "heading", "year")


@dataclass(slots=True)
class Anchor:
    """A link. All texts but *title* are plain words, see
    :func:`~wikicrawler.reports.providers.company_ir.words.plain`."""

    url: str
    text: str
    title: str = ""
    """``title``, ``aria-label``, ``download`` or the text of its images, as written."""
    row: str = ""
    """The text around it that belongs to no other link."""
    column: str = ""
    """The head of its column."""
    panel: str = ""
    """What the tab or panel around it is called."""
    headings: tuple[str, ...] = ()
    """Nearest first."""
    declared: str = ""
    """Content type, or the classes that name one."""
    hreflang: str = ""
    in_menu: bool = False
    in_frame: bool = False


@dataclass(slots=True)
class _State:
    """What has been read up to an element."""

    headings: dict[int, str] = field(default_factory=dict)
    before: str = ""
    """Text since the last link."""
    menus: int = 0
    tabs: dict[str, str] = field(default_factory=dict)
    """Text of the link or button that opens a panel, by the panel's ID."""
    columns: dict[HtmlElement, list[str]] = field(default_factory=dict)
    """Heads of the columns of a table."""


def anchors_in(root: HtmlElement, url: str) -> Iterator[Anchor]:
    """Yield the first :data:`MAX_LINKS` links of the page at *url*, in its order."""
    yield from islice(_Walk(root, LinkResolver(url, base_of(root))).anchors(), MAX_LINKS)


def text_of(element: HtmlElement, limit: int = MAX_LABEL) -> str:
    """Return the text of *element*, cut to *limit* characters, without reading more of it."""
    parts, size = [], 0
    for part in islice(element.itertext(), _MAX_NODES):
        parts.append(part[: limit - size].strip())
        size += len(parts[-1]) + 1
        if size >= limit:
            break
    return " ".join(filter(None, parts))


class _Walk:
    def __init__(self, root: HtmlElement, resolver: LinkResolver) -> None:
        self._root = root
        self._resolver = resolver
        self._state = _State()

    def anchors(self) -> Iterator[Anchor]:
        walk = etree.iterwalk(self._root, events=("start", "end"))
        for event, element in islice(walk, 2 * _MAX_ELEMENTS):
            if not isinstance(element.tag, str):
                continue
            if event == "end":
                self._leave(element)
                continue
            if element.tag in _UNSEEN:
                walk.skip_subtree()
                yield from self._options(element)
                continue
            self._enter(element)
            if (found := self._anchor(element)) is not None:
                yield found
                self._state.before = ""

    def _enter(self, element: HtmlElement) -> None:
        state = self._state
        state.menus += element.tag in _MENUS
        self._add_heading(element)
        self._add_tab(element)
        self._add_text(element.text)

    def _leave(self, element: HtmlElement) -> None:
        if element.tag in _MENUS:
            self._state.menus -= 1
        if element.tag in _HEADINGS:
            self._state.before = ""
        self._add_text(element.tail)

    def _add_text(self, text: str | None) -> None:
        if text and not text.isspace():
            kept = f"{self._state.before} {text[-MAX_LABEL:].strip()}"
            self._state.before = kept[-MAX_LABEL:]

    def _add_heading(self, element: HtmlElement) -> None:
        level = _HEADINGS.get(element.tag) or _level_of(element)
        if not level or self._state.menus:
            return
        text = plain(text_of(element, _MAX_HEADING))
        if text:
            headings = self._state.headings
            for deeper in [known for known in headings if known >= level]:
                del headings[deeper]
            headings[level] = text

    def _add_tab(self, element: HtmlElement) -> None:
        opens = element.get("aria-controls") or element.get("data-bs-target") or ""
        if not opens and element.get("href", "").startswith("#"):
            opens = element.get("href", "")
        if opens and len(self._state.tabs) < MAX_LINKS:
            self._state.tabs[opens.lstrip("#")[:100]] = text_of(element, _MAX_HEADING)

    def _options(self, element: HtmlElement) -> Iterator[Anchor]:
        """Yield the options of a ``<select>`` whose values are addresses."""
        if element.tag != "select":
            return
        for option in islice(element.iter("option"), _MAX_NODES):
            value = (option.get("value") or "").strip()
            if value.startswith(("/", "?", "http")) and (url := self._resolver.absolute(value)):
                text = plain(text_of(option))
                yield Anchor(url, text, headings=self._headings())

    def _headings(self) -> tuple[str, ...]:
        found = self._state.headings
        return tuple(found[level] for level in sorted(found, reverse=True))

    def _anchor(self, element: HtmlElement) -> Anchor | None:
        href = _address_of(element)
        if not href or href.startswith("#"):
            return None
        url = self._resolver.absolute(href)
        if not url:
            return None
        return Anchor(
            url=url,
            text=plain(text_of(element)),
            title=_title_of(element),
            row=plain(self._row(element)),
            column=self._column(element),
            panel=self._panel(element),
            headings=() if self._state.menus else self._headings(),
            declared=_declared(element),
            hreflang=(element.get("hreflang") or "")[:20],
            in_menu=bool(self._state.menus),
            in_frame=element.tag in _FRAMES,
        )

    def _row(self, element: HtmlElement) -> str:
        """Return the text of the smallest element around the link that says more than it, unless
        it has other links too; else the text before it."""
        own = len(text_of(element))
        for ancestor in islice(element.iterancestors(), 5):
            if ancestor.tag == "tr":
                return text_of(ancestor)
            if ancestor.tag not in _ROWS or _has_other_links(ancestor, element):
                break
            text = text_of(ancestor)
            if len(text) > own + 3:
                return text
        row = next(islice(element.iterancestors("tr"), 1), None)
        return text_of(row) if row is not None else self._state.before

    def _column(self, element: HtmlElement) -> str:
        cell = next(element.iterancestors("td", "th"), None)
        row = cell.getparent() if cell is not None else None
        if cell is None or row is None or row.tag != "tr":
            return ""
        place = sum(1 for _ in islice(cell.itersiblings("td", "th", preceding=True), _MAX_CELLS))
        table = next(row.iterancestors("table"), None)
        if table is None:
            return ""
        heads = self._state.columns.get(table)
        if heads is None:
            first = next(table.iter("tr"), None)
            cells = [] if first is None or first is row else islice(first, _MAX_CELLS)
            heads = [plain(text_of(head, _MAX_HEADING)) for head in cells]
            self._state.columns[table] = heads
        return heads[place] if place < len(heads) else ""

    def _panel(self, element: HtmlElement) -> str:
        """Return the names of the elements around the link, and of the tabs that open them."""
        names: list[str] = []
        for ancestor in islice(element.iterancestors(), _MAX_PANELS):
            if ancestor.tag == "body":
                break
            names += [(ancestor.get(name) or "")[:60] for name in _NAMES_OF_PANELS]
            names.append(self._state.tabs.get(ancestor.get("id") or "", ""))
            names.append(self._state.tabs.get(ancestor.get("aria-labelledby") or "", ""))
        return plain(" ".join(filter(None, names)))


def _level_of(element: HtmlElement) -> int:
    """Return the level of a heading that is a button or has the class of one; 0 if it is none."""
    if element.tag == "button":
        opens = element.get("aria-expanded") or element.get("aria-controls")
        return _LEVEL_OF_BUTTON if opens else 0
    if element.tag in {"div", "span", "strong"} and (names := (element.get("class") or "").lower()):
        is_title = any(name in names[:200] for name in _TITLE_CLASSES)
        short = is_title and len(element) <= 2 and element.find(".//a") is None
        return _LEVEL_OF_BUTTON if short else 0
    return 0


def _address_of(element: HtmlElement) -> str:
    if element.tag in _FRAMES:
        return str(element.get("src") or element.get("data") or "")
    if element.tag in {"link", "base"}:
        is_alternate = element.tag == "link" and element.get("rel") == "alternate"
        return str(element.get("href") or "") if is_alternate and element.get("hreflang") else ""
    return next((value for name in _ADDRESSES if (value := element.get(name))), "")


def _title_of(element: HtmlElement) -> str:
    stated = [element.get(name) or "" for name in ("title", "aria-label", "download")]
    stated += [image.get("alt") or "" for image in islice(element.iter("img"), 3)]
    return " ".join(dict.fromkeys(text.strip() for text in stated if text.strip()))[:MAX_LABEL]


def _declared(element: HtmlElement) -> str:
    around = [element, *islice(element.iterancestors(), 1), *islice(element.iter("span", "i"), 3)]
    stated = [element.get("type") or "", *(part.get("class") or "" for part in around)]
    return " ".join(stated)[:MAX_LABEL].lower()


def _has_other_links(element: HtmlElement, link: HtmlElement) -> bool:
    """Return True if *element* has a link to another address than *link*, or too many elements."""
    href = _address_of(link)
    for number, inner in enumerate(element.iter()):
        if number >= _MAX_NODES:
            return True
        if inner.tag in {"a", "button"} and (other := _address_of(inner)) and other != href:
            return True
    return False
