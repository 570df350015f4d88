"""The content and the chrome of a MediaWiki page.

They are distinguished by the class names in MediaWiki's reference documentation and in common
templates of wiki farms.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lxml import etree
from lxml import html as lxml_html

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lxml.html import HtmlElement


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


CHROME_CLASSES = _names(
    """
    mw-editsection mw-editsection-like toc mw-empty-elt mw-jump-link mw-indicators noprint navbar
    navbox navbox-styles magnify mw-cite-backlink toctogglecheckbox CategoryTreeTag catlinks
    printfooter ambox metadata ad-slot gpt-ad pi-navigation sortkey mw-collapsible-toggle Z3988
    scribunto-error shortdescription linenos mw-linkback-text
    ext-discussiontools-init-section-bar ext-discussiontools-init-replylink-buttons
    ext-discussiontools-init-section-subscribeButton
    """
)
CHROME_TAGS = _names(
    """
    script style noscript template link meta title img video audio picture svg canvas iframe object
    embed input textarea select button nav map
    """
)
_FILE_LINKS = {"image", "mw-file-description"}
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_UNFOLDS = re.compile(r"tab|collaps|spoiler|panel|NavContent", re.IGNORECASE)


@dataclass(slots=True)
class Source:
    """A page: *content* without chrome, and *chrome*, the texts removed from it or around it.

    *base* is what its ``<base>`` states.
    """

    content: HtmlElement
    chrome: list[str]
    base: str = ""


def read(html: str) -> Source:
    """Read the parser output in *html*, a page of a skin or a response of the API."""
    root = lxml_html.document_fromstring(
        html, parser=lxml_html.HTMLParser(huge_tree=True, remove_comments=True)
    )
    content = _container(root)
    _formulas(content)
    _icons(content)
    _tabs(content)
    _infoboxes(content)
    for number, link in enumerate(content.xpath(".//a[contains(@class,'autonumber')]"), 1):
        link.text = link.text or f"[{number}]"
    chrome = [
        text
        for text in root.xpath("//body//text()")
        if not _inside(text.getparent(), content, text)
    ]
    for el in list(content.iter()):
        if el is not content and _is_chrome(el) and content in el.iterancestors():
            chrome += el.itertext()
            el.drop_tree()
    return Source(content, chrome, next(iter(root.xpath("//base/@href")), ""))


def _container(root: HtmlElement) -> HtmlElement:
    found = root.find_class("mw-parser-output")
    skin = root.get_element_by_id("mw-content-text", None)
    if skin is not None and skin.find_class("mw-parser-output"):
        found = skin.find_class("mw-parser-output")
    return max(found, key=lambda el: len(el.text_content())) if found else root.find(".//body")


def _inside(parent: HtmlElement, content: HtmlElement, text: object) -> bool:
    if getattr(text, "is_tail", False):
        parent = parent.getparent()
    if parent.tag in {"script", "style", "noscript"}:
        return True  # neither content nor chrome
    return parent is content or content in parent.iterancestors()


def _is_chrome(el: HtmlElement) -> bool:
    classes = _classes(el)
    if el.tag in CHROME_TAGS or classes & CHROME_CLASSES or el.get("id") == "toc":
        return True
    if any(name.startswith("mw-inputbox") for name in classes):
        return True
    if el.get("role") == "navigation" or _links_pages(el) or _is_unseen_caption(el):
        return True
    href = el.get("href") or ""
    if el.tag == "a" and re.search("[?&]action=edit", href) and "redlink=1" not in href:
        return True
    if _HIDDEN.search(el.get("style") or "") or "hidden" in el.attrib:
        return not _UNFOLDS.search(f"{el.get('class')} {el.get('id')}")
    return False


def _is_unseen_caption(el: HtmlElement) -> bool:
    """Return True for the caption of an image of Parsoid that has no frame."""
    kind = el.getparent().get("typeof") or "" if el.tag == "figcaption" else ""
    return re.search(r"mw:File(?!/(Thumb|Frame)\b)", kind) is not None


def _links_pages(el: HtmlElement) -> bool:
    """Return True for an old navigation box: one that names itself so, of many links in a cell."""
    if el.get("id") != "navbox" and "toccolours" not in _classes(el):
        return False
    return any(len(cell.findall("a")) >= 4 for cell in el.iter("td"))


def _formulas(content: HtmlElement) -> None:
    """Replace images of formulas with their TeX source between dollar signs."""
    for el in content.find_class("mwe-math-element"):
        tex = next((a.text_content() for a in el.iter("annotation")), None)
        tex = tex or next((i.get("alt") for i in el.iter("img") if i.get("alt")), "")
        tex = re.sub(r"^\s*\{\\displaystyle (.*)\}\s*$", r"\1", tex, flags=re.DOTALL).strip()
        span = lxml_html.Element("span")
        span.text, span.tail = f"${tex}$", el.tail
        el.getparent().replace(el, span)


def _icons(content: HtmlElement) -> None:
    """Replace the icons of tables with their alt text, or the title of their link, unless the cell
    says it."""
    for icon in content.xpath(
        ".//td//img[(@alt!='' or (@resource and not(@alt))) and not(ancestor::*[@class='thumb'])]"
    ):
        link = icon.getparent()
        alt = icon.get("alt") or ""
        if alt.endswith(".png") or not alt:
            alt = "" if _classes(link) & _FILE_LINKS else link.get("title", "")
        cell = next(el for el in icon.iterancestors() if el.tag == "td")
        if alt and alt not in cell.text_content():
            span = lxml_html.Element("span")
            span.text, span.tail = alt, icon.tail
            link.replace(icon, span)
            if _classes(link) & _FILE_LINKS:
                link.tag = "span"


def _tabs(content: HtmlElement) -> None:
    """Move the label of each tab to the start of its panel, where a reader sees it."""
    for box in content.xpath(".//*[@class]"):
        if not _classes(box) & {"tabber", "wds-tabber"}:
            continue
        labels = _of_box(box, {"tabber__tab", "wds-tabs__tab"})
        for place, panel in enumerate(
            _of_box(box, {"tabber__panel", "tabbertab", "wds-tab__content"})
        ):
            label = lxml_html.Element("p")
            label.text = panel.get("title") or panel.get("data-title")
            if place < len(labels):
                label.text = labels[place].text_content()
                labels[place].drop_tree()
            label.tail, panel.text = panel.text, None
            panel.insert(0, label)


def _of_box(box: HtmlElement, wanted: set[str]) -> list[HtmlElement]:
    """Return elements with a class in *wanted* that belong to *box*, not to tabs nested in it."""
    return [
        el
        for el in box.iterdescendants()
        if _classes(el) & wanted
        and next(a for a in el.iterancestors() if _classes(a) & {"tabber", "wds-tabber"}) is box
    ]


def _infoboxes(content: HtmlElement) -> None:
    """Turn Fandom's infoboxes into tables of their labels and values."""
    for box in content.find_class("portable-infobox"):
        table = lxml_html.Element("table", {"class": "infobox"})
        for el in list(box.iter()):
            names = _classes(el)
            if box not in el.iterancestors():
                continue  # already moved
            if names & {"pi-horizontal-group", "pi-smart-group"}:
                labels, values = el.find_class("pi-data-label"), el.find_class("pi-data-value")
                for row in zip(labels, values, strict=False):
                    _row(table, row)
            elif names & {"pi-title", "pi-header", "pi-caption"}:
                _row(table, [el])
            elif "pi-data" in names:
                _row(table, el.find_class("pi-data-label") + el.find_class("pi-data-value"))
        table.tail, box.tail = box.tail, None
        box.getparent().replace(box, table)


def _row(table: HtmlElement, cells: Iterable[HtmlElement]) -> None:
    row = etree.SubElement(table, "tr")
    for el in cells:
        cell = etree.SubElement(row, "td")
        el.tag, el.tail = "div", None
        cell.append(el)


def _classes(el: HtmlElement) -> set[str]:
    return set((el.get("class") or "").split())
