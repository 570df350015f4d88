"""Facts that a reader finds in a page, extracted from an HTML tree."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import unquote, urldefrag, urljoin

from lxml import etree

from tests.content.fidelity import grid
from tests.content.fidelity.text import ENDS_LINE, HEADINGS, LISTS, key, words

if TYPE_CHECKING:
    from lxml.html import HtmlElement

_BLOCKS_IN_ITEM = LISTS | {"dl", "table", "pre"}
_CODE = frozenset({"code", "kbd", "samp", "tt"})
_LANGUAGE = re.compile(r"(?:mw-highlight-lang-|language-|lang-|highlight-source-)([^\s]+)")


@dataclass(slots=True, frozen=True)
class Item:
    """The first line of a list item.

    *slack* is how much deeper it may be in the Markdown, where definition lists around it become
    list items.
    """

    text: str
    ordered: bool
    depth: int
    slack: int = 0


@dataclass(slots=True)
class Facts:
    """Facts of a tree; texts have no white space.

    *lines_most* and *links_most* count a line or link in each place in which a span repeats it;
    *lines* and *links* count it once.
    """

    headings: list[tuple[int, str]] = field(default_factory=list)
    tables: list[grid.Table] = field(default_factory=list)
    links: Counter[tuple[str, str]] = field(default_factory=Counter)
    links_most: Counter[tuple[str, str]] = field(default_factory=Counter)
    items: list[Item] = field(default_factory=list)
    code: list[tuple[str, str]] = field(default_factory=list)
    definitions: list[tuple[str, str]] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    lines_most: Counter[str] = field(default_factory=Counter)
    broken: list[str] = field(default_factory=list)
    """Lines next to a ``<br>``."""


def read(root: HtmlElement, url: str, base: str = "") -> Facts:
    """Return the facts of *root*, a cleaned page at *url* or rendered Markdown.

    Links are relative to *base*, as far as it is given.
    """
    facts = Facts()
    in_cell = _tables(root, facts)
    for el in root.iter():
        if not isinstance(el.tag, str):
            continue
        free = el not in in_cell and not _in_infobox(el)
        if el.tag in HEADINGS and free and not _in_definition(el):
            if text := key(el.text_content()):
                facts.headings.append((int(el.tag[1]), text))
        elif el.tag == "a":
            _link(el, (url, urljoin(url, base)), facts, in_cell.get(el, 1))
        elif el.tag == "li" and free and "gallerycaption" not in (el.get("class") or ""):
            _item(el, facts)
        elif el.tag == "pre" and free and not _inside(el, HEADINGS | {"pre"}):
            if el.text_content().strip():
                facts.code.append((_listing(el), _language(el)))
        elif el.tag == "dl" and free:
            _definitions(el, facts)
    _lines(root, facts, in_cell)
    return facts


def _tables(root: HtmlElement, facts: Facts) -> dict[HtmlElement, int]:
    """Read the data tables; return the elements in their cells with their number of places."""
    in_cell: dict[HtmlElement, int] = {}
    for el in root.iter("table"):
        if el in in_cell or _inside(el, {"pre"}) or grid.is_layout(el):
            continue
        table = grid.read(el)
        if table.grid:
            facts.tables.append(table)
        for cell, places in table.places.items():
            in_cell.update(dict.fromkeys(cell.iter(), places))
    return in_cell


def _inside(el: HtmlElement, tags: frozenset[str] | set[str]) -> bool:
    return any(ancestor.tag in tags for ancestor in el.iterancestors())


def _in_infobox(el: HtmlElement) -> bool:
    return any(a.tag == "table" and grid.is_infobox(a) for a in el.iterancestors())


def _in_definition(el: HtmlElement) -> bool:
    """Return True inside a definition list, where Markdown cannot have a heading."""
    return _inside(el, {"dl"})


def _link(el: HtmlElement, urls: tuple[str, str], facts: Facts, places: int) -> None:
    url, base = urls
    href, text = (el.get("href") or "").strip(), key(el.text_content())
    classes = (el.get("class") or "").split()
    code = next((a for a in reversed(list(el.iterancestors())) if a.tag in _CODE), None)
    if not href or not text or "new" in classes or _inside(el, {"pre"}):
        return
    if code is not None:
        text = _linked_code(code, el)
        if not text:
            return
    try:
        target = urljoin(base, href)
        own = unquote(urldefrag(target).url) == unquote(urldefrag(url).url)
    except ValueError:
        return
    if own or not target.startswith(("http://", "https://", "mailto:")):
        return
    link = (unquote(target).replace(" ", "_" if "/wiki/" in target else " "), text)
    facts.links[link] += 1
    facts.links_most[link] += places


def _linked_code(code: HtmlElement, el: HtmlElement) -> str:
    """Return the text that the link *el* has in Markdown, which cannot link a part of *code*.

    It is that of the whole code, at its first link, if no word stands outside its links.
    """
    links = [link for link in code.iter("a") if link.get("href") and key(link.text_content())]
    if len({link.get("href") for link in links}) > 1 or links[0] is not el:
        return ""
    shown = key(code.text_content())
    linked = "".join(key(link.text_content()) for link in links)
    return shown if len("".join(words(shown))) == len("".join(words(linked))) else ""


def _item(el: HtmlElement, facts: Facts) -> None:
    text = _first_line(el)
    if not text:
        return
    around = [a for a in el.iterancestors() if a.tag in LISTS or a.tag == "dl"]
    nearest = next((a for a in around if a.tag in LISTS), None)
    if nearest is None:
        return
    definitions = sum(a.tag == "dl" for a in around)
    facts.items.append(
        Item(text, nearest.tag == "ol", len(around) - definitions, slack=2 * definitions)
    )


def _first_line(el: HtmlElement) -> str:
    """Return the text of *el* up to its second line or its first list, table or code block."""
    parts: list[str] = []
    for event, child in etree.iterwalk(el, events=("start", "end")):
        if child is not el and (
            child.tag in _BLOCKS_IN_ITEM or (child.tag in ENDS_LINE and "".join(parts).strip())
        ):
            break
        if event == "start":
            parts.append(child.text or "")
        elif child is not el:
            parts.append(child.tail or "")
    return key("".join(parts))


def _listing(el: HtmlElement) -> str:
    parts: list[str] = []
    for event, child in etree.iterwalk(el, events=("start", "end")):
        if event == "start":
            parts += ["\n"] if child.tag == "br" else []
            parts.append(child.text or "")
        elif child is not el:
            parts.append(child.tail or "")
    return "".join(parts).replace("\r\n", "\n").replace("\xa0", " ").strip("\n").rstrip()


def _language(el: HtmlElement) -> str:
    for place in [el, *el.iterchildren("code"), *list(el.iterancestors())[:2]]:
        if found := _LANGUAGE.search(place.get("class") or ""):
            return found[1]
    return ""


def _definitions(el: HtmlElement, facts: Facts) -> None:
    term = ""
    for child in el.xpath("./dt|./dd|./div/dt|./div/dd"):
        text = _first_line(child)
        if child.tag == "dt":
            term = text
            if text:
                facts.definitions.append((text, ""))
        elif text:
            facts.definitions.append((term, text))


def _lines(root: HtmlElement, facts: Facts, in_cell: dict[HtmlElement, int]) -> None:
    reader = _Lines(facts)
    for event, el in etree.iterwalk(root, events=("start", "end")):
        if el.tag in ENDS_LINE:
            at_break = el.tag == "br" and not _inside(el, HEADINGS | {"pre", "dt", "caption"})
            reader.end(at_break=at_break)
        if el.tag == "pre":
            reader.listing += 1 if event == "start" else -1
        if event == "start":
            reader.parts.append(el.text or "")
            reader.places = in_cell.get(el, 1)
        elif el is not root:
            reader.parts.append(el.tail or "")
            reader.places = in_cell.get(el.getparent(), 1)
    reader.end(at_break=False)


@dataclass(slots=True)
class _Lines:
    """Collects the lines that a reader sees."""

    facts: Facts
    parts: list[str] = field(default_factory=list)
    places: int = 1
    listing: int = 0
    after_break: bool = False

    def end(self, *, at_break: bool) -> None:
        whole = "".join(self.parts)
        self.parts.clear()
        for line in whole.split("\n") if self.listing else [whole]:
            if line.strip():
                self.facts.lines.append(line)
                self.facts.lines_most[line] += self.places
        if whole.strip():
            if at_break or self.after_break:
                self.facts.broken.append(key(whole))
            self.after_break = at_break
        elif not at_break:
            self.after_break = False
