"""The posts of a discussion, and what is around their texts: profiles, votes, buttons."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from itertools import chain, islice
from typing import TYPE_CHECKING

from wikicrawler.content.article.density import HEADING_TAGS, is_inline, is_part
from wikicrawler.content.article.furniture import MIN_ARTICLE, MIN_PARAGRAPH
from wikicrawler.content.article.repeats import has_author, is_cards, kind_of
from wikicrawler.content.article.shape import Shape

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from lxml.html import HtmlElement

    from wikicrawler.content.article.density import TextAmounts
    from wikicrawler.content.article.evidence import Evidence

    Amounts = Mapping[HtmlElement, TextAmounts]

MAX_BYLINE = 100
"""Characters of a line with the author and date of a post."""
_CONTAINERS = ("article", "body", "div", "form", "main", "ol", "section", "td", "ul")
_MAX_DATE = 40
_DATE = re.compile(
    r"(?<![0-9.])(?:[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{1,2}[./][0-9]{1,2}[./][0-9]{2,4}"
    r"|[0-9]{1,2}:[0-9]{2})(?![0-9.])"
)
_LISTS = frozenset({"dl", "ul", "ol", "table"})
_TEXTS = ".//*[@itemprop='text' or @itemprop='articleBody']"
_MAX_THREADS, _MAX_TEXTS, _MAX_LEVELS = 50, 500, 50
_BESIDE = "part of a post beside its text"
_MIN_TITLE = 8
_MAX_SIGNATURE = 500
_MOST = 0.7
_MAX_LINKED = 0.3
_HALF = 0.5


def thread_chrome(
    root: HtmlElement, amounts: Amounts, evidence: Evidence, title: str
) -> dict[HtmlElement, str]:
    """Return the blocks in *root* that belong to a discussion without being text of a post.

    The result is empty if *root* has no posts. The order is that of the document.

    :param title: the page's title; headings of posts that repeat it are among the blocks
    """
    found: dict[HtmlElement, str] = {}
    if evidence.shape is Shape.THREAD and (texts := _stated_texts(root, amounts)):
        found |= _around_texts(texts, root, amounts)
    for container, posts in islice(_posts(root, amounts, evidence), _MAX_THREADS):
        found |= around_items(container, posts, root, amounts, MIN_ARTICLE)
        chrome: Counter[tuple[str, str]] = Counter()
        holders: set[tuple[str, str]] = set()
        short = []
        for post in posts:
            holder, beside = _text_holder(post, amounts)
            if holder is None:
                short.append(post)
                continue
            around = islice(holder.iterancestors(), _MAX_LEVELS)
            holders.update(kind_of(el) for el in (holder, *around) if el in amounts)
            chrome.update(map(kind_of, beside))
            found |= dict.fromkeys(beside, _BESIDE)
        known = set(chrome) - holders
        for post in short:
            found |= dict.fromkeys(_of_kinds(post, known), _BESIDE)
        for post in posts:
            found |= dict.fromkeys(_repeated_titles(post, title), "repeated title")
        found |= dict.fromkeys(_signatures(posts, amounts), "signature")
    if not found:
        return found
    texts = root.xpath(_TEXTS)[:_MAX_TEXTS]
    kept = {*texts, *chain.from_iterable(el.iterancestors() for el in texts)}
    return {el: found[el] for el in amounts if el in found and el not in kept}


def _stated_texts(root: HtmlElement, amounts: Amounts) -> list[HtmlElement]:
    """Return the elements in *root* that microdata marks as texts, if they are most of it."""
    found = root.xpath(_TEXTS)
    texts = [el for el in found[:_MAX_TEXTS] if el in amounts]
    enough = sum(amounts[el].prose for el in texts) >= _HALF * amounts[root].prose
    return texts if enough else []


def _around_texts(
    texts: list[HtmlElement], root: HtmlElement, amounts: Amounts
) -> dict[HtmlElement, str]:
    """Return the blocks beside *texts* that have no paragraph, up to what holds several texts."""
    found: dict[HtmlElement, str] = {}
    holders = Counter(chain.from_iterable(el.iterancestors() for el in texts))
    for text in texts:
        inner = text
        for around in text.iterancestors():
            if around is root or around not in amounts or holders[around] > 1:
                break
            for el in around:
                if el is not inner and el in amounts:
                    found |= dict.fromkeys(_chrome_in(el, amounts, MIN_PARAGRAPH), _BESIDE)
            inner = around
    return found


def _posts(
    root: HtmlElement, amounts: Amounts, evidence: Evidence
) -> Iterator[tuple[HtmlElement, list[HtmlElement]]]:
    """Yield each element in *root* that contains posts, with the posts."""
    prose = amounts[root].prose
    for el in root.iter(*_CONTAINERS):
        if el not in amounts or amounts[el].prose < _HALF * prose or not prose:
            continue
        kinds = Counter(kind_of(c) for c in el if c in amounts and amounts[c].text)
        kind, count = kinds.most_common(1)[0] if kinds else (("", ""), 0)
        if count < 2 or kind[0] not in {"div", "article", "section", "li", "table"}:
            continue
        posts = [c for c in el if c in amounts and amounts[c].text and kind_of(c) == kind]
        if sum(amounts[post].prose for post in posts) < _HALF * amounts[el].prose:
            continue
        linked = sum(amounts[post].linked for post in posts)
        if linked > _MAX_LINKED * sum(amounts[post].text for post in posts):
            continue  # a list of discussions
        if evidence.shape is Shape.THREAD or sum(map(has_author, posts)) >= 0.8 * len(posts):
            yield el, posts


def around_items(
    container: HtmlElement,
    items: list[HtmlElement],
    root: HtmlElement,
    amounts: Amounts,
    enough: int = MIN_PARAGRAPH,
) -> dict[HtmlElement, str]:
    """Return the blocks beside *items* that have no sentence; after the first, those that have not
    *enough* characters of them, or are teasers.

    They are in *container* or around it in *root*.
    """
    found: dict[HtmlElement, str] = {}
    own = set(items)
    around: HtmlElement | None = container
    while around is not None:
        is_before = True
        for el in around:
            if el in own:
                is_before = False
            elif el in amounts and amounts[el].text:
                is_short = amounts[el].prose < (1 if is_before else enough)
                if is_before and _has_heading(el):
                    continue
                if is_short or (not is_before and is_cards(el, amounts)):
                    found[el] = "block beside repeated items"
        own = {around}
        around = around.getparent() if around is not root else None
    return found


def _has_heading(el: HtmlElement) -> bool:
    return next(el.iter(*HEADING_TAGS), None) is not None


def _text_holder(
    post: HtmlElement, amounts: Amounts
) -> tuple[HtmlElement | None, list[HtmlElement]]:
    """Return the element with the text of *post*, and the blocks beside it without a sentence.

    The element is None if the post has no sentence.
    """
    prose = amounts[post].prose
    if not prose:
        return None, []
    beside: list[HtmlElement] = []
    holder = post
    for _ in range(_MAX_LEVELS):
        inner = next(
            (c for c in holder if c in amounts and amounts[c].prose >= _MOST * prose), None
        )
        if inner is None or is_part(inner):
            break
        for el in holder:
            if el is not inner and el in amounts:
                beside += _chrome_in(el, amounts)
        holder = inner
    return holder, beside


def _chrome_in(el: HtmlElement, amounts: Amounts, enough: int = 1) -> Iterator[HtmlElement]:
    """Yield *el* if it has text, but not *enough* in sentences. Of the line with author and date,
    yield what is beside them."""
    amount = amounts[el]
    if not amount.text or amount.prose >= enough or el.tag in HEADING_TAGS:
        return
    if el.tag in _LISTS or not _is_signed(el):
        yield el
        return
    lists = [inner for inner in el.iter(*_LISTS) if inner in amounts and not _is_dated(inner)]
    yield from lists
    if amount.text - sum(amounts[inner].text for inner in lists) > MAX_BYLINE:
        yield el
        return
    while (signed := [c for c in el if c in amounts and _is_signed(c)]) and len(el) > 1:
        yield from (
            c
            for c in el
            if c in amounts and amounts[c].text and c not in signed and c.tag not in HEADING_TAGS
        )
        if len(signed) > 1:
            break
        el = signed[0]


def _is_dated(el: HtmlElement) -> bool:
    return next(el.iter("time"), None) is not None


def _is_signed(el: HtmlElement) -> bool:
    return has_author(el, own=True) or _is_date(el)


def _is_date(el: HtmlElement) -> bool:
    """Return True if the text of *el* is little more than a date or a time in digits."""
    text = " ".join(el.text_content()[: 2 * _MAX_DATE].split())
    return len(text) <= _MAX_DATE and _DATE.search(text) is not None


def _of_kinds(post: HtmlElement, kinds: set[tuple[str, str]]) -> Iterator[HtmlElement]:
    """Yield the outermost elements in *post* of *kinds*."""
    stack = list(reversed(post))
    while stack:
        el = stack.pop()
        if isinstance(el.tag, str) and kind_of(el) in kinds:
            yield el
        else:
            stack += reversed(el)


def _signatures(posts: list[HtmlElement], amounts: Amounts) -> Iterator[HtmlElement]:
    """Yield the last blocks of *posts* that end another one, too."""
    ends: defaultdict[str, list[HtmlElement]] = defaultdict(list)
    for post in posts:
        end = post
        while True:
            inner = next(
                (c for c in end.iterchildren(reversed=True) if c in amounts and amounts[c].text),
                None,
            )
            if inner is None or is_inline(inner) or (inner.tail or "").strip():
                break
            end = inner
        if end is not post and amounts[end].text <= _MAX_SIGNATURE:
            ends[" ".join(end.itertext()).strip()].append(end)
    for same in ends.values():
        if len(same) > 1:
            yield from same


def _repeated_titles(post: HtmlElement, title: str) -> Iterator[HtmlElement]:
    said = " ".join(title.split()).casefold()
    for heading in post.iter(*HEADING_TAGS):
        text = " ".join(heading.text_content()[:400].split()).casefold()
        # "Re: " and its translations
        rest = text.partition(": ")[2] or text
        if heading.tag != "h1" and len(rest) >= _MIN_TITLE and (text in said or rest in said):
            yield heading
