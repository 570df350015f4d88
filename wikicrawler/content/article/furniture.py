"""Detection of furniture around and in the content of a page, by tag, role, name and links."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from lxml import etree

from wikicrawler.content.clean import NON_TEXT_TAGS, drop_if, find_if, is_hidden
from wikicrawler.content.images.marking import IMAGE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from lxml.html import HtmlElement

    from wikicrawler.content.article.density import TextAmounts

MIN_ARTICLE = 250
"""Minimum characters of running text for a container to be taken for an article."""
MIN_PARAGRAPH = 80
"""Minimum characters of running text whose loss would matter, about a paragraph."""

_FURNITURE_TAGS = NON_TEXT_TAGS | {"nav", "footer", "dialog"}
_FURNITURE_ROLES = frozenset(
    {"alert", "alertdialog", "banner", "contentinfo", "dialog", "menu", "menubar", "navigation"}
    | {"search", "toolbar"}
)
_PERMALINKS = frozenset("¶#§🔗")
_HEADING_TAGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_TITLE_TAGS = _HEADING_TAGS | {"summary"}

# Words in class names and ids, separated by "-", "_" or a capital letter.
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_WORDS = """
    ad ads advert advertisement advertising advertorial breadcrumb breadcrumbs byline caption
    captions comment comments cookie cookies consent copyright credit credits disqus footer gdpr
    lightbox masthead nav navbar navigation newsletter outbrain pagination paywall popup promo
    promos promoted recirc recommend recommended recommendations related share sharing sidebar
    signup slideshow social sponsor sponsored subscribe subscription tags taboola toolbar
    trending widget widgets
"""
_FURNITURE_WORDS = frozenset(_WORDS.split())
_CAPTION_WORDS = frozenset({"caption", "captions", "credit", "credits"})
_FURNITURE_PAIRS = re.compile(
    r"(?:^|[\s_-])(?:author-?(?:bio|box|info)|back-?to-?top|follow-?us|jump-?link|"
    r"most-?(?:read|popular)|post-?(?:meta|tags)|print-?only|read-?(?:also|more|next)|short-?url|"
    r"skip-?link|video-?player|also-?like)(?:$|[\s_-])",
    re.IGNORECASE,
)
_CONTENT_WORDS = frozenset({"article", "body", "content", "entry", "main", "post", "story", "text"})
# Tags whose class and id are checked. In other elements, which are parts of texts, tables and code
# blocks, the same words mean other things: `comment` in code, `player` in sport.
_CLASSIFIED_TAGS = frozenset(
    {"aside", "details", "div", "dl", "figcaption", "figure", "form", "header"}
) | {*("ol", "section", "span", "table", "ul")}
_OPAQUE_TAGS = frozenset({"pre", "code", "table"})
_DATA_TAGS = ("table", "pre", "blockquote", "ul", "ol", "dl", "code", "math")
_LINK_LIST_TAGS = frozenset({"dl", "div", "header", "ol", "section", "ul"})


def drop_furniture(root: HtmlElement) -> None:
    """Drop elements that are never content: scripts, media, hidden elements, ``nav``."""
    body = root.find("body")
    drop_if(root if body is None else body, _is_furniture)


def _is_furniture(el: HtmlElement) -> bool:
    tag = el.tag
    if tag == "button":
        return el.getparent() is None or el.getparent().tag not in _TITLE_TAGS
    if tag == "a" and not len(el) and (el.text or "x").strip() in _PERMALINKS:
        return True
    if tag in _FURNITURE_TAGS:
        return True
    role = el.get("role")
    if role and role.lower() in _FURNITURE_ROLES:
        return True
    if tag == "header":
        return _is_banner(el)
    return el.get("aria-modal") == "true" or is_hidden(el)


def _is_banner(header: HtmlElement) -> bool:
    """Return True if *header* is the site's, not a section's, and does not contain the title."""
    if next(header.iter("h1"), None) is not None:
        return False
    return all(el.tag not in _SECTION_TAGS for el in header.iterancestors())


_SECTION_TAGS = frozenset({"article", "aside", "main", "section"})


def asides(root: HtmlElement, amounts: Mapping[HtmlElement, TextAmounts]) -> list[HtmlElement]:
    """Return the outermost elements in *root* that are furniture by tag, class or id, and the
    captions of images.

    Elements with much of the page's text are left out. The result is empty if the elements together
    have nearly all running text of the page, such as the replies of a discussion, and the page does
    not mark an article.
    """
    whole = amounts[root]

    def is_small(el: HtmlElement) -> bool:
        amount = amounts[el]
        limit = max(MIN_PARAGRAPH, 0.3 * whole.running)
        return amount.running <= limit and amount.text <= 0.5 * whole.text

    found = _outside_data(root, lambda el: _is_aside(el) and is_small(el))
    outside = whole.running - sum(amounts[el].running for el in found)
    if outside >= 0.2 * whole.running or _has_article(root, amounts, set(found)):
        return found
    return []


def without_figures(elements: list[HtmlElement]) -> list[HtmlElement]:
    """Return *elements* without the figures that have images, which keep nothing else."""
    others = []
    for el in elements:
        images = list(el.iter(IMAGE)) if el.tag == "figure" else []
        if not images:
            others.append(el)
            continue
        for image in images:
            image.tail = None
        el.clear(keep_tail=True)
        el.extend(images)
    return others


def _has_article(
    root: HtmlElement, amounts: Mapping[HtmlElement, TextAmounts], dropped: set[HtmlElement]
) -> bool:
    """Return True if an element marked as an article has enough text without the *dropped* ones."""
    for article in find_if(root, lambda el: el in dropped or _is_article(el)):
        if article not in dropped:
            inside = dropped.intersection(article.iter())
            if amounts[article].running - sum(amounts[el].running for el in inside) >= MIN_ARTICLE:
                return True
    return False


def _is_article(el: HtmlElement) -> bool:
    return bool(el.tag == "article" or el.get("itemprop") == "articleBody")


def _is_aside(el: HtmlElement) -> bool:
    tag = el.tag
    if tag == "aside":
        return True
    if tag == "figure":
        return not _holds_data(el)
    if tag == "figcaption":
        return not _is_data_caption(el)
    if tag not in _CLASSIFIED_TAGS:
        return False
    classes, own_id = el.get("class"), el.get("id")
    if classes and (kind := _furniture_word(classes)):
        return kind != _CAPTION_KIND or not _is_data_caption(el)
    return bool(own_id and _furniture_word(own_id)) and not _id_repeats_heading(el, own_id)


def _holds_data(el: HtmlElement) -> bool:
    return next(el.iter(*_DATA_TAGS), None) is not None


def _is_data_caption(caption: HtmlElement) -> bool:
    """Return True if *caption* belongs to a table, code block or list next to it."""
    around = caption.getparent()
    if around is not None and around.tag == "figure":
        return _holds_data(around)
    siblings = (caption.getprevious(), caption.getnext())
    return any(el is not None and _holds_data(el) for el in (caption, *siblings))


def _id_repeats_heading(el: HtmlElement, own_id: str) -> bool:
    """Return True if the id of *el* repeats its heading, as for sections in documentation."""
    heading = next(el.iter(*_HEADING_TAGS), None)
    if heading is None:
        return False
    title = heading.text_content()[: 2 * len(own_id) + 20]
    return _letters(title) == _letters(own_id)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()


_CAPTION_KIND = "caption"


@lru_cache(maxsize=4096)
def _furniture_word(stated: str) -> str:
    """Return the first furniture word in *stated* (class names or an id), or an empty string."""
    if len(stated) > 1000:
        return ""
    if pair := _FURNITURE_PAIRS.search(stated):
        return pair[0]
    for name in stated.split():
        words = [word.lower() for word in _WORD.findall(name)]
        # `article-share` is the share bar of an article; `share-article` is ambiguous.
        names_part = len(words) > 1 and words[0] in _CONTENT_WORDS and words[1] in _FURNITURE_WORDS
        if names_part or _CONTENT_WORDS.isdisjoint(words):
            for word in words:
                if word in _FURNITURE_WORDS:
                    return _CAPTION_KIND if word in _CAPTION_WORDS else word
    return ""


def link_lists(root: HtmlElement, amounts: Mapping[HtmlElement, TextAmounts]) -> list[HtmlElement]:
    """Return the outermost elements in *root* that are lists of links to other pages.

    The result is empty if *root* consists mostly of them, or contains tables, definitions or code
    blocks: in a reference work, lists of links are content.
    """
    if next(root.iter("table", "dl", "pre"), None) is not None:
        return []
    found = _outside_data(root, lambda el: _is_link_list(el, amounts[el]))
    linked = sum(amounts[el].text for el in found)
    return found if linked < 0.5 * amounts[root].text else []


def _is_link_list(el: HtmlElement, amount: TextAmounts) -> bool:
    if el.tag not in _LINK_LIST_TAGS or amount.text >= 1000 or amount.linked <= 0.8 * amount.text:
        return False
    links = el.iter("a")
    return all(next(links, None) is not None for _ in range(3))


def _outside_data(root: HtmlElement, wanted: Callable[[HtmlElement], bool]) -> list[HtmlElement]:
    """Return the outermost elements below *root* for which *wanted* returns True.

    Elements inside tables and code blocks are not searched.
    """
    found = []
    walker = etree.iterwalk(root, events=("start",))
    for _, el in walker:
        if el is not root and wanted(el):
            found.append(el)
            walker.skip_subtree()
        elif el.tag in _OPAQUE_TAGS:
            walker.skip_subtree()
    return found


def with_headings(elements: list[HtmlElement]) -> list[HtmlElement]:
    """Return *elements* and the headings that would be left without content if these are dropped.

    *elements* are in document order.
    """
    dropped = set(elements)
    # For each element: True if no content remains between it and the next heading.
    at_end: dict[HtmlElement, bool] = {}
    headings = []
    for el in reversed(elements):
        before, after = el.getprevious(), el.getnext()
        at_end[el] = not (el.tail or "").strip() and (
            after is None
            or after.tag in _HEADING_TAGS
            or (after in dropped and at_end.get(after, False))
        )
        heads = (
            before is not None and before.tag in _HEADING_TAGS and not (before.tail or "").strip()
        )
        if heads and at_end[el]:
            headings.append(before)
    return elements + headings
