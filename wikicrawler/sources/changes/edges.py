"""What stands at the edges of a document: between its title and its text, and behind the text.

The signs of the visit count more there: pages put the time of a look-up, readers and notices of
the site above or below what they are about.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from wikicrawler.sources.changes import asides, notices, phrases, visit, visit_words
from wikicrawler.sources.changes.inline import links, plain, without_links
from wikicrawler.sources.changes.noise import has_document, is_links_only

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from wikicrawler.sources.changes.block import Block

_MAX = 1_000
"""Characters of a block that may be about the visit."""
_MAX_HEADING = 200
_MAX_LABEL = 80
_MOST_HEADINGS = 100
_MOST_HEAD = 8
_MOST_TAIL = 30
_LEAST_LINKS = 2
_PROSE = 14
"""Words of a paragraph of the text; a sentence may have fewer."""
_SENTENCE = 9
_SHORT = 4
_MOST_TURNS = 3
_MAX_TEASER = 14
"""Words of the title of another page."""
_DIGIT = re.compile(r"\d")
_END = re.compile(r"[.;:!?][\"')*]*$")
_SENTENCES = re.compile(r"(?<=[^.\s]{3}[.!?]) +(?=[A-ZÀ-Ý\d\[*])")
"""Between sentences, but not behind ``Jr.`` or ``a.m.``"""
_MOST_SENTENCES = 6
_SEPARATOR = re.compile(r"( ?[|·•»›] ?)")
_ARROW = re.compile(r"[←«‹⟵◄] ?.{1,160}|.{1,160}[→⟶►]")


def without_visits(blocks: Sequence[Block]) -> list[Block]:
    """Return *blocks* without those about the visit."""
    subject = asides.stems(" ".join(_headings(blocks)))
    head, tail = _edges(blocks, subject)
    kept: list[Block] = []
    title = above = ""
    for at, block in enumerate(blocks):
        if block.kind == "heading":
            above = plain(block.text)[:_MAX_HEADING]
            title = title or above
        if block.kind not in ("paragraph", "item") or len(block.text) > _MAX:
            kept.append(block)
            continue
        if at >= tail and _is_teaser(above, block):
            continue
        text = _kept(block, edge=at < head or at >= tail, first=at < head, subject=subject)
        if text == block.text or _is_topic(f"{title} {above}", block):
            kept.append(block)
        elif text:
            kept.append(block._replace(text=text))
    return kept


def _is_teaser(above: str, block: Block) -> bool:
    """Return True for the title of another page, below a heading for such titles."""
    label = above.strip(" :")
    if len(label) > _MAX_LABEL or not (
        phrases.RELATED.fullmatch(label) or notices.is_related(label)
    ):
        return False
    shown = plain(block.text)
    return not (
        _DIGIT.search(shown)
        or len(shown.split()) > _MAX_TEASER
        or _END.search(shown)
        or visit_words.FACT.search(shown)
        or has_document(block.text)
    )


def _headings(blocks: Sequence[Block]) -> list[str]:
    found = (plain(block.text)[:_MAX_HEADING] for block in blocks if block.kind == "heading")
    return list(islice(found, _MOST_HEADINGS))


def _is_topic(headings: str, block: Block) -> bool:
    """Return True if the headings above *block* say that the page is about such things."""
    return any(topic.search(block.text) and topic.search(headings) for topic in visit_words.TOPICS)


def _edges(blocks: Sequence[Block], subject: frozenset[str]) -> tuple[int, int]:
    """The index behind the head of the document, and that of the first block of its tail.

    The first and the last block of the text belong to them: a sentence about the visit may stand
    at the end of one.
    """
    head = headings = 0
    while head < min(len(blocks), _MOST_HEAD):
        headings += blocks[head].kind == "heading"
        if headings > 1 or blocks[head].kind not in ("heading", "paragraph", "item", "rule"):
            break
        head += 1
        block = blocks[head - 1]
        if (
            _is_text(block)
            and _END.search(block.text)
            and _kept(block, edge=True, first=True, subject=subject)
        ):
            break
    tail = len(blocks)
    while tail > max(head, len(blocks) - _MOST_TAIL):
        block = blocks[tail - 1]
        if block.kind not in ("heading", "paragraph", "item", "rule"):
            break
        tail -= 1
        if _is_text(block) and _kept(block, edge=True, subject=subject):
            break
    return head, tail


def _is_text(block: Block) -> bool:
    if block.kind == "item":
        return not is_links_only(block.text)
    if block.kind != "paragraph":
        return False
    count = len(without_links(block.text).split())
    return count >= _PROSE or (count >= _SENTENCE and bool(_END.search(block.text)))


def _kept(
    block: Block, *, edge: bool, first: bool = False, subject: frozenset[str] = frozenset()
) -> str:
    """The text of *block* without what is about the visit."""
    text = block.text
    shown = plain(text)
    if block.kind == "item":
        counts = edge and block.marker == "-" and _DIGIT.search(shown)
        return "" if counts and visit.is_of_visit(shown, edge=False) else text
    if edge and not has_document(text) and _is_banner(shown, text, first=first):
        return ""
    if (
        len(shown) <= visit.MAX_LINE
        and visit.is_of_visit(shown, edge=edge)
        and not has_document(text)
    ):
        return ""
    if _is_footer(text) or (edge and not has_document(text) and asides.is_aside(shown, subject)):
        return ""
    if any(mark in text for mark in "|·•»›"):
        return _without_segments(text, edge=edge)
    return _without_sentences(text, subject) if edge else text


def _is_banner(shown: str, text: str, *, first: bool) -> bool:
    if notices.is_invitation(shown) or notices.is_of_day(shown) or notices.is_consent(shown):
        return True
    if links(text) and notices.is_sponsored(shown):
        return True
    if first and _all_sentences(shown, notices.is_state_of_site):
        return True
    return _turns(shown, text) or _is_promotion(shown, text)


def _all_sentences(shown: str, is_notice: Callable[[str], bool]) -> bool:
    """Return True if each sentence is such a notice, short ones apart, such as a link to more."""
    parts = [part for part in _SENTENCES.split(shown) if len(part.split()) >= _SHORT]
    return bool(parts) and all(map(is_notice, parts))


def _is_promotion(shown: str, text: str) -> bool:
    """Return True for what a site offers its visitors, with the link to it at the end."""
    return (
        text.endswith(")")
        and bool(links(text))
        and not phrases.IDENTIFIER.search(shown)
        and notices.is_promotion(shown)
    )


def _turns(shown: str, text: str) -> bool:
    """Return True for links to the next page and the previous one, whose texts say so."""
    found = links(text)
    if not 0 < len(found) <= _MOST_TURNS or phrases.IDENTIFIER.search(shown):
        return False
    if not is_links_only(_SEPARATOR.sub(" ", text) if len(found) > 1 else text):
        return False
    return all(
        visit_words.TURNS.fullmatch(label) or (_ARROW.fullmatch(label) and label[0] in "←«‹⟵◄")
        for label in (plain(label).strip() for label, _ in found)
        if label
    )


def _is_footer(text: str) -> bool:
    """Return True for a line of links of which most have usual names, such as Contact."""
    if text.count("](") < _LEAST_LINKS:
        return False
    found = [shown for shown, _ in links(text)]
    if len(found) < _LEAST_LINKS or not is_links_only(_SEPARATOR.sub(" ", text)):
        return False
    usual = sum(bool(visit_words.LEGAL.fullmatch(plain(shown).strip(" ."))) for shown in found)
    return 2 * usual >= len(found) and not phrases.IDENTIFIER.search(plain(text))


def _without_segments(text: str, *, edge: bool) -> str:
    parts = _SEPARATOR.split(text)
    segments = [plain(part).strip() for part in parts[::2]]
    noise = [
        visit.is_of_visit(segment, edge=edge) and not has_document(part)
        for segment, part in zip(segments, parts[::2], strict=True)
    ]
    footer = edge and (any(noise) or any(map(visit_words.LEGAL.fullmatch, segments)))
    if footer and len(segments) > 1:
        noise = [
            found or notices.is_of_machine(segment)
            for found, segment in zip(noise, segments, strict=True)
        ]
    if not any(noise):
        return text
    kept: list[str] = []
    for at, is_noise in enumerate(noise):
        if is_noise:
            continue
        if kept:
            kept.append(parts[2 * at - 1])
        kept.append(parts[2 * at])
    return "".join(kept).strip()


def _without_sentences(text: str, subject: frozenset[str]) -> str:
    """Remove sentences about the visit from the ends of a short paragraph."""
    sentences = _SENTENCES.split(text, _MOST_SENTENCES)
    if len(sentences) == 1:
        return text
    while sentences and _is_of_visit(plain(sentences[-1]), subject):
        sentences.pop()
    while sentences and _is_of_visit(plain(sentences[0]), subject):
        del sentences[0]
    return " ".join(sentences)


def _is_of_visit(sentence: str, subject: frozenset[str]) -> bool:
    return visit.is_of_visit(sentence, edge=False) or asides.is_sentence(sentence, subject)
