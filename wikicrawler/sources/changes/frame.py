"""Lists and pairs of blocks that belong to the frame of a page, not to its text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wikicrawler.sources.changes import notices, phrases
from wikicrawler.sources.changes.furniture import (
    asks_for_feedback,
    is_answer,
    is_counter,
    is_update,
)
from wikicrawler.sources.changes.inline import links, plain
from wikicrawler.sources.changes.noise import has_document, is_links_only
from wikicrawler.sources.changes.tools import WORDS as SHARE_WORDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wikicrawler.sources.changes.block import Block

_MAX_LABEL = 80
_MOST_RELATED = 40
"""Blocks of a list of related pages; a longer list is what the page is about."""
_MOST_ANSWERS = 8
_DIGIT = re.compile(r"\d")
_LEAST_NAVIGATION = 2
"""Entries with a usual name (Home, Contact) that make a list of links a navigation list."""


def without_frame(blocks: Sequence[Block]) -> list[Block]:
    """Return *blocks* without navigation, lists of related pages, share buttons, the answers of a
    survey, and dates of the last update."""
    kept: list[Block] = []
    headings = frozenset(_shown(block) for block in blocks if block.kind == "heading")
    at = 0
    while at < len(blocks):
        block = blocks[at]
        if (dropped := _after_question(blocks, at)) is not None:
            at = dropped
            continue
        end = _end_of_list(blocks, at)
        if block.kind in ("heading", "paragraph") and len(block.text) <= _MAX_LABEL:
            dropped = _after_label(blocks, at, headings)
            if dropped is not None:
                if block.kind == "heading" and _goes_on(blocks, dropped):
                    kept.append(block)
                at = dropped
                continue
        if block.kind == "item" and end > at:
            if not _is_frame_list(blocks[at:end]):
                kept += blocks[at:end]
            at = end
            continue
        kept.append(block)
        at += 1
    return kept


def _end_of_list(blocks: Sequence[Block], at: int) -> int:
    end = at
    while end < len(blocks) and blocks[end].kind == "item":
        end += 1
    return end


def _after_question(blocks: Sequence[Block], at: int) -> int | None:
    """The index after a question for feedback at index *at* and the labels to answer it."""
    is_heading = blocks[at].kind == "heading"
    if blocks[at].kind != "asked" and not (
        is_heading and asks_for_feedback(plain(blocks[at].text))
    ):
        return None
    end = at + 1
    while end < min(len(blocks), at + _MOST_ANSWERS) and (
        blocks[end].kind == "asked"
        or (blocks[end].kind in ("item", "paragraph") and is_answer(plain(blocks[end].text)))
    ):
        end += 1
    return None if is_heading and _goes_on(blocks, end) else end


def _goes_on(blocks: Sequence[Block], at: int) -> bool:
    """Return True if the text below a heading goes on at *at*."""
    return at < len(blocks) and blocks[at].kind not in ("heading", "rule")


def _shown(block: Block) -> str:
    return plain(block.text).casefold()


def _after_label(blocks: Sequence[Block], at: int, headings: frozenset[str]) -> int | None:
    """The index after what the label at index *at* announces, if all of that is noise."""
    label = plain(blocks[at].text).strip(" :")
    first = at + 1
    if (
        first < len(blocks)
        and blocks[first].kind == "paragraph"
        and _is_value(label, blocks[first])
    ):
        return first + 1
    if phrases.UPDATED_LABEL.fullmatch(label):
        if first < len(blocks) and blocks[first].kind == "paragraph":
            text = plain(blocks[first].text)
            if len(text) <= _MAX_LABEL and phrases.DATE_LINE.fullmatch(text):
                return first + 1
        return None
    end = first
    offers = bool(phrases.OFFERS.fullmatch(label))
    if phrases.MENU.fullmatch(label):
        # A table of contents, whose links within the page the converter writes as text.
        while end < len(blocks) and blocks[end].kind == "item" and _shown(blocks[end]) in headings:
            end += 1
    elif not (offers or phrases.RELATED.fullmatch(label) or notices.is_related(label)):
        return None
    kind = blocks[end].kind if end < len(blocks) else ""
    while end < len(blocks) and blocks[end].kind == kind:
        if not _is_dispensable(blocks[end], offers=offers):
            break
        end += 1
    return end if first < end <= first + _MOST_RELATED else None


def _is_value(label: str, block: Block) -> bool:
    """Return True if *block* has the count, or the date of an update, that *label* announces."""
    if block.kind != "paragraph" or len(block.text) > _MAX_LABEL:
        return False
    if _DIGIT.search(label) or not _DIGIT.search(block.text):
        return False
    line = f"{label}: {plain(block.text)}"
    return is_counter(line) or is_update(line)


def _is_dispensable(block: Block, *, offers: bool = False) -> bool:
    """Return True for a link to a page, without a number of a document; with a price only among
    the *offers* of a shop."""
    text = phrases.PRICE.sub("", block.text) if offers else block.text
    return (
        block.kind in ("item", "paragraph")
        and is_links_only(text)
        and not phrases.IDENTIFIER.search(plain(text))
        and not has_document(block.text)
    )


def _is_frame_list(items: Sequence[Block]) -> bool:
    shown = [plain(item.text).strip(" .") for item in items]
    if {text.lower() for text in shown} <= {"yes", "no", "somewhat"} and len(shown) > 1:
        return True
    if len(shown) > 1 and all(
        _is_share(item, text) for item, text in zip(items, shown, strict=True)
    ):
        return True
    if not all(map(_is_dispensable, items)):
        return False
    usual = sum(bool(phrases.NAVIGATION.fullmatch(text)) for text in shown)
    in_page = all(address.startswith("#") for item in items for _, address in links(item.text))
    return in_page or (
        usual >= _LEAST_NAVIGATION and (2 * usual >= len(shown) or shown[0].lower() == "home")
    )


def _is_share(item: Block, shown: str) -> bool:
    if len(shown) > _MAX_LABEL:
        return False
    targets = [address for _, address in links(item.text)]
    if targets and all(phrases.SHARE_LINK.search(target) for target in targets):
        return True
    return all(word in SHARE_WORDS for word in shown.lower().split())
