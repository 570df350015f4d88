"""Extraction of the main content of a page."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from lxml import etree

from wikicrawler.content.article import opinions
from wikicrawler.content.article.asides import asides, without_figures
from wikicrawler.content.article.boxes import boxes, last_headings, link_lists, teasers
from wikicrawler.content.article.comments import COMMENT_REASONS, taken_out
from wikicrawler.content.article.density import forget, measure
from wikicrawler.content.article.evidence import NOTHING_STATED, Evidence
from wikicrawler.content.article.furniture import MIN_ARTICLE, with_headings
from wikicrawler.content.article.item_lists import item_list_chrome
from wikicrawler.content.article.notes import NO_NOTES, Notes
from wikicrawler.content.article.opinions import agreement, count_words
from wikicrawler.content.article.selection import HAVE_PARTS, Selection, select
from wikicrawler.content.article.shape import Shape
from wikicrawler.content.article.threads import thread_chrome
from wikicrawler.content.clean import drop, find_if
from wikicrawler.content.markdown.tables import is_layout

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from lxml.html import HtmlElement

    from wikicrawler.content.article.density import TextAmounts

# Whether an element may have any, and the mark. A walk is slower than an XPath.
_CONTENT_MARKS: tuple[tuple[etree.XPath, Callable[[HtmlElement], bool]], ...] = (
    (
        etree.XPath("boolean(.//*[@itemprop='articleBody'])"),
        lambda el: el.get("itemprop") == "articleBody",
    ),
    (etree.XPath("boolean(.//article)"), lambda el: el.tag == "article"),
    (
        etree.XPath("boolean(.//main or .//*[@role='main'])"),
        lambda el: el.tag == "main" or el.get("role") == "main",
    ),
)
_MAINS = etree.XPath(".//*[self::main or @role='main']")
# Articles have none. The others' extractors take a part of a reference work for the whole.
_REFERENCE_TAGS = ("pre", "dl")
_MIN_TITLE, _MAX_TITLE = 8, 400  # characters
_MAX_HEADINGS, _MAX_ELEMENTS = 100, 1000


def choose(
    root: HtmlElement,
    stated: str = "",
    *,
    evidence: Evidence = NOTHING_STATED,
    with_images: bool = False,
    with_comments: bool = False,
    notes: Notes = NO_NOTES,
) -> HtmlElement:
    """Return the main content of a non-wiki page, without the furniture in it.

    1. Drop elements whose tag or name marks them as furniture (``aside``, sharing bars, bylines,
       captions of images, comments), and boxes of forms and links by their shape.
    2. Start from the element that the page marks as its content (``articleBody``, ``<article>``,
       ``<main>`` or ``role=main``), else from the body. Select a single text in it, or all its
       parts, block by block.
    3. If the page marks nothing, and a single text is selected that leaves out much of the page or
       contains few words of *stated*, consult readability. If trafilatura is installed, consult
       readability for every such page, and let trafilatura decide if the two choices differ.
    4. Drop what surrounds the posts of a discussion, teasers in a text, lists of links to other
       pages, and headings that nothing follows.

    :param stated: the page's title and description
    :param evidence: what else the page states
    :param with_images: keep the images of figures, whose captions are dropped
    :param with_comments: add the comments that are dropped to the end
    :param notes: receives what was dropped and why
    """
    body = _body(root)
    _unfold_layout(body)
    amounts = measure(body)
    comments: list[HtmlElement] = []

    def remove(reasons: dict[HtmlElement, str], *, headings: bool = True) -> None:
        if not reasons:
            return
        notes.dropped(reasons)
        if with_comments:
            comments.extend(taken_out(el for el, why in reasons.items() if why in COMMENT_REASONS))
        found = without_figures(reasons) if with_images else list(reasons)
        dropped = with_headings(found) if headings else found
        forget(dropped, amounts)
        drop(dropped)

    remove(asides(body, amounts, evidence))
    remove(boxes(body, amounts, evidence))
    title = _title_element(body, stated, amounts)
    marked = _marked(body, amounts, title if evidence.shape in HAVE_PARTS else None)
    top = body if marked is None else marked
    if top is not body:
        title = _title_element(top, stated, amounts)
    selection = select(top, amounts, evidence, title, marked=marked is not None)
    is_doubtful = marked is None and selection.is_text and amounts[body].running >= MIN_ARTICLE
    if is_doubtful and next(selection.el.iter(*_REFERENCE_TAGS), None) is None:
        selection = _compare_with_others(selection, body, amounts, stated)
    content = selection.el
    notes.kept(content, "one text" if selection.is_text else "several parts")
    remove(selection.dropped)
    if evidence.shape is not Shape.ARTICLE:
        remove(thread_chrome(content, amounts, evidence, stated), headings=False)
    if not selection.is_text:
        remove(item_list_chrome(content, amounts), headings=False)
    else:
        remove(teasers(content, amounts, evidence))
    remove(link_lists(content, amounts))
    remove(last_headings(content, amounts), headings=False)
    content.extend(comments)
    return content


def _body(root: HtmlElement) -> HtmlElement:
    body = root.find("body")
    return root if body is None else body


def _unfold_layout(body: HtmlElement) -> None:
    """Turn layout tables and their cells into ``div`` elements."""
    for table in list(body.iter("table")):
        if _may_be_layout(table) and is_layout(table):
            for el in (table, *_parts(table)):
                if el.tag in _TABLE_PARTS:
                    el.tag = "div"


def _may_be_layout(table: HtmlElement) -> bool:
    # No XPath: a union of paths takes the square of the time in a large table.
    found = (el for el in table.iter(*_IN_LAYOUT) if el is not table)
    return table.get("role") is not None or next(found, None) is not None


def _parts(table: HtmlElement) -> Iterator[HtmlElement]:
    """Yield the children of *table*, its rows and their cells."""
    for part in list(table):
        yield part
        for row in part:
            if part.tag == "tr" or row.tag == "tr":
                yield row
            if row.tag == "tr":
                yield from row


_IN_LAYOUT = ("table", "h1", "h2", "h3", "h4", "h5", "h6", "article", "section", "form")
_TABLE_PARTS = frozenset({"table", "thead", "tbody", "tfoot", "tr", "td", "th"})


def _marked(
    body: HtmlElement, amounts: dict[HtmlElement, TextAmounts], title: HtmlElement | None
) -> HtmlElement | None:
    """Return the element that the page marks as its content, if it has enough text.

    :param title: what the element must contain, if not None
    """
    enough = max(MIN_ARTICLE, 0.3 * amounts[body].running)
    for has_marked, is_marked in _CONTENT_MARKS:
        if not has_marked(body):
            continue
        found = sorted(find_if(body, is_marked), key=lambda el: amounts[el].running)
        if title is not None:
            found = [el for el in found if el in title.iterancestors()]
            if not found:
                continue
        # If there are several, as in a list of teasers, one must be far larger than the others.
        others = amounts[found[-2]].running if found[1:] else 0
        if amounts[found[-1]].running >= max(enough, 3 * others):
            return found[-1]
    return _main(body, amounts)


def _main(body: HtmlElement, amounts: dict[HtmlElement, TextAmounts]) -> HtmlElement | None:
    """Return the only ``<main>`` of a page with little running text, or of a list of links."""
    found: list[HtmlElement] = _MAINS(body)  # type: ignore[assignment]
    if len(found) != 1 or not amounts[found[0]].text:
        return None
    main, whole = amounts[found[0]], amounts[body]
    if whole.running >= MIN_ARTICLE:
        return found[0] if main.running >= 0.5 * whole.running else None
    # Without much running text the tag is the best evidence, unless it has no sentence, and much
    # text beside it is no menu.
    linked = whole.linked - main.linked
    outside = whole.text - main.text - linked
    return found[0] if main.prose or outside <= max(linked, 0.5 * main.text) else None


def _title_element(
    top: HtmlElement, stated: str, amounts: dict[HtmlElement, TextAmounts]
) -> HtmlElement | None:
    """Return the heading with the longest text that is part of *stated*, else the first other
    element whose text *stated* begins with, or None."""
    said = " ".join(stated.split()).casefold()
    found, longest = None, _MIN_TITLE
    for el in islice(top.iter("h1", "h2", "h3"), _MAX_HEADINGS):
        text = _line(el)
        if len(text) > longest and text in said:
            found, longest = el, len(text)
    if found is None and said:
        for el in islice(top.iter("a", "p", "div", "strong", "td"), _MAX_ELEMENTS):
            if el in amounts and _MIN_TITLE < amounts[el].text < _MAX_TITLE:
                text = _line(el)
                if len(text) > longest and said.startswith(text):
                    return el
    return found


def _line(el: HtmlElement) -> str:
    return " ".join(el.text_content()[:_MAX_TITLE].split()).casefold()


def _compare_with_others(
    selection: Selection, body: HtmlElement, amounts: dict[HtmlElement, TextAmounts], stated: str
) -> Selection:
    """Return *selection*, or readability's choice from *body* if it is likely to be better."""
    choice = selection.el
    can_arbitrate = opinions.has_trafilatura()
    expected = set(count_words(stated))
    choice_words = count_words(selection.text())
    choice_share = _share(choice_words, expected)
    if (
        not can_arbitrate
        and choice_share >= 0.5
        and amounts[choice].running >= 0.7 * amounts[body].running
    ):
        return selection
    other = opinions.by_readability(body, amounts)
    if other is None or other is choice or amounts[other].running < MIN_ARTICLE:
        return selection
    other_words = count_words(" ".join(other.itertext()))
    if agreement(choice_words, other_words) >= opinions.MIN_AGREEMENT:
        return selection
    if can_arbitrate and (third := opinions.by_trafilatura(body)):
        nearer = agreement(other_words, third) > agreement(choice_words, third)
        return Selection(other) if nearer else selection
    gain = _share(other_words, expected) - choice_share
    inside = choice in other.iterancestors()
    return Selection(other) if gain > (-0.1 if inside else 0.2) else selection


def _share(found: Iterable[str], expected: set[str]) -> float:
    return len(expected.intersection(found)) / len(expected) if expected else 1.0
