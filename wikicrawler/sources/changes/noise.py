"""Which lines, or parts of a line, are noise.

A line is dropped only if all of it is noise. In a line that has anything else, the noise alone is
removed.
"""

from __future__ import annotations

import re

from wikicrawler.sources.changes import furniture, live, notices, phrases, visit, visit_words
from wikicrawler.sources.changes.characters import one_space
from wikicrawler.sources.changes.furniture_words import words_of
from wikicrawler.sources.changes.inline import links, plain, without_links
from wikicrawler.sources.changes.tools import (
    BUTTON,
    are_tools,
    has_one,
    is_pager,
    is_share,
    is_toolbar,
)

_SEPARATOR = re.compile(r" ?[|·•»›] ?")
_SEPARATORS = frozenset("|·•»›")
_ENDS = ".!: "
_COPYRIGHT_STARTS = frozenset("cC版©(")
_CHINESE_HEAD = re.compile("发布|来源|作者|日期|时间")
"""What the head of a Chinese article has beside the number of its readers."""
_BANNERS = (
    *("cookie", "partn", "vendors", "your privacy", "soci", "fornit", "parceir", "proveed"),
    *(".gov", "https", "official", "how you know"),
)
_SINCE = ("ago", "yesterday", "today", "just now", "last ")
"""What a text has that has a banner, or a time since something."""
_DIGIT = re.compile(r"\d")
_COUNTED_LABEL = re.compile(r"[^\W\d_]{2,20}(?: [^\W\d_]{1,20}){0,2} ?(?:\(\d{1,4}\))?")
_MAX_SENTENCES = 6
_MAX_COUNT = 40
_SHARES = words_of("share tweet like recommend teilen partager compartir condividi partilhar delen")
_MAX_LINE = 4_000
"""Characters of a line that is searched for separators and sentences of a banner."""


def is_noise_line(text: str) -> bool:
    """Return True if all of the canonical *text* is noise."""
    return len(text) <= _MAX_LINE and not _without_noise(text, whole=True)


def without_noise(text: str, *, cell: bool = False) -> str:
    """Return the canonical *text* without its noise; *cell* if it is a cell of a table, where
    only what cannot be a value is noise."""
    if not text or len(text) > _MAX_LINE:
        return _masked(text)
    if cell:
        shown = plain(text)
        noise = phrases.RELATIVE_TIME.fullmatch(shown) or phrases.VIEWS_CELL.fullmatch(shown)
        return "" if noise else _masked(text)
    return _without_noise(text)


def _without_noise(text: str, *, whole: bool = False) -> str:
    shown = plain(text)
    if _is_frame(shown, text):
        return ""
    parts = _SEPARATOR.split(shown)
    if _are_noise(parts) or (len(parts) > 1 and furniture.is_picker(shown)):
        return ""
    if are_tools(shown, _is_tool) and not has_document(text):
        return ""
    if len(parts) > 1:
        text = _without_segments(text)
    if has_one(_BANNERS, shown.lower()) and phrases.BANNER_HINT.search(shown):
        text = _without_banner(text)
    return text if whole else _masked(_without_visit(text))


def _is_frame(shown: str, text: str) -> bool:  # noqa: PLR0911
    """Return True if the line belongs to the frame of the page."""
    if len(shown) > phrases.MAX_SEGMENT:
        return False
    if phrases.FRAME.fullmatch(shown.strip(_ENDS)):
        return True
    if is_share(shown) or (is_toolbar(shown) and not has_document(text)):
        return True
    targets = [address for _, address in links(text)]
    if _is_neighbour(shown, text, has_links=bool(targets)):
        return True
    if not targets:
        return is_breadcrumb(shown, text)
    if is_pager(shown) and not _substance(text):
        return True
    if _is_counted_share(text):
        return True
    if all(phrases.AD_HOST.search(target) for target in targets) and not _substance(text):
        return True
    if all(phrases.SHARE_LINK.search(target) for target in targets) and not _substance(text):
        return True
    return is_breadcrumb(shown, text)


def _is_neighbour(shown: str, text: str, *, has_links: bool) -> bool:
    """Return True for ``Next: TITLE``, whose title is a link, or says that there is none."""
    found = phrases.NEIGHBOUR.match(shown)
    if not found:
        return False
    if has_links:
        alone = phrases.NEIGHBOUR.fullmatch(plain(without_links(text)) + " ")
        return bool(alone) and not phrases.IDENTIFIER.search(shown)
    return bool(phrases.NO_NEIGHBOUR.fullmatch(shown[found.end() :]))


def _is_counted_share(text: str) -> bool:
    """Return True for a link to share the page, with the number of those who did."""
    found = links(text)
    if len(found) != 1 or not text.startswith("[") or has_document(text):
        return False
    first = plain(found[0][0]).lower().split(" ", 1)[0]
    count = plain(without_links(text)).strip(" ()·-")
    return first in _SHARES and len(count) <= _MAX_COUNT and bool(phrases.COUNTER.fullmatch(count))


def is_breadcrumb(shown: str, text: str) -> bool:
    """Return True for ``Home › Programs › Title``, or ``You are here: Programs › Title``."""
    here = phrases.HERE.match(shown)
    shown = shown[here.end() :] if here else shown
    if not here and shown[:1] not in "hHcC":
        return False
    parts = re.split(r" ?(?:[›»→]|>(?!\d)| / | \| ) ?", shown)
    if not here and (
        len(parts) < 3 or parts[0].strip().lower() not in {"home", "home page", "hud.gov", "cfpb"}
    ):
        return False
    return (
        len(parts) > 1
        and all(len(part) <= 80 for part in parts)
        and not phrases.IDENTIFIER.search(shown)
    )


def _matches(pattern: re.Pattern[str], sentence: str) -> bool:
    sentence = plain(sentence).strip(" .!*")
    return len(sentence) <= phrases.MAX_SEGMENT and bool(pattern.fullmatch(sentence))


def _is_segment_noise(segment: str, *, whole: bool) -> bool:
    segment = segment.strip()
    if len(segment) > phrases.MAX_SEGMENT:
        return bool(phrases.TOKEN_LINE.fullmatch(segment))
    if _is_phrase(segment, whole=whole):
        return True
    sentences = phrases.SENTENCE.split(segment, _MAX_SENTENCES)
    return len(sentences) > 1 and _are_phrases(sentences, whole=whole)


def _is_phrase(segment: str, *, whole: bool) -> bool:
    bare = segment.strip(_ENDS)
    if (
        not bare
        or phrases.FRAME.fullmatch(bare)
        or phrases.RELATIVE_TIME.fullmatch(segment)
        or phrases.TOKEN_LINE.fullmatch(segment)
        or phrases.AWARENESS.fullmatch(segment)
    ):
        return True
    has_digit = bool(_DIGIT.search(segment))
    if has_digit and (
        phrases.COUNTER.fullmatch(segment)
        or phrases.PAGE_NUMBER.fullmatch(segment)
        or live.is_live(segment)
    ):
        return True
    if furniture.is_furniture(segment):
        return True
    if not (whole and has_digit):
        return False
    if phrases.UPDATED_LINE.fullmatch(segment) or live.is_stamp(segment):
        return True
    return furniture.is_update(segment)


def _is_tool(phrase: str) -> bool:
    return not phrases.NAVIGATION.fullmatch(phrase) and _is_phrase(phrase, whole=True)


def _are_noise(parts: list[str]) -> bool:
    """Return True if all segments are noise, or next to a segment that is."""
    found = [_is_segment_noise(part, whole=True) for part in parts]
    if all(found):
        return True
    if any(found) and all(
        noise or live.WEAK.fullmatch(part) for noise, part in zip(found, parts, strict=True)
    ):
        return True
    left = [part.strip() for noise, part in zip(found, parts, strict=True) if not noise]
    return len(left) == 1 < sum(found) and _is_tool_beside(parts, left[0])


def _is_tool_beside(parts: list[str], label: str) -> bool:
    """Return True for a label, such as ``Watch list (2)``, beside the labels of tools."""
    tools = sum(
        bool(phrases.FRAME.fullmatch(part.strip(_ENDS)) or notices.is_command(part))
        for part in parts
    )
    return tools > 1 and bool(_COUNTED_LABEL.fullmatch(label))


def _are_phrases(sentences: list[str], *, whole: bool) -> bool:
    """Return True if *sentences* are phrases, of one or two sentences each."""
    ends = [0]
    for end in range(1, len(sentences) + 1):
        starts = [start for start in ends if start >= end - 2]
        if not starts:
            return False
        if any(_is_phrase(" ".join(sentences[start:end]), whole=whole) for start in starts):
            ends.append(end)
    return ends[-1] == len(sentences)


def _without_segments(text: str) -> str:
    """Remove the segments between separators that are noise; the others stand."""
    parts = re.split(r"( ?[|·•»›] ?)", text)
    kept: list[str] = []
    segments = [plain(part).strip() for part in parts]
    noise = [bool(shown) and _is_segment_noise(shown, whole=False) for shown in segments]
    beside = any(noise[::2])
    if beside:
        noise = [
            found
            or visit.is_of_visit(shown, edge=True)
            or bool(visit_words.MACHINE.fullmatch(shown))
            for found, shown in zip(noise, segments, strict=True)
        ]
    for at in range(0, len(parts), 2):
        shown = segments[at]
        if noise[at] or BUTTON.fullmatch(shown) or (beside and live.WEAK.fullmatch(shown)):
            continue
        if kept and at:
            kept.append(parts[at - 1])
        kept.append(parts[at])
    return one_space("".join(kept))


def _without_banner(text: str) -> str:
    sentences = phrases.SENTENCE.split(text)
    kept = [sentence for sentence in sentences if not _matches(phrases.BANNER, sentence)]
    if len(kept) == len(sentences):
        return text
    # "Got it" or "Learn more" is a button of the banner here, and could be anything elsewhere.
    return " ".join(
        sentence
        for sentence in kept
        if not _matches(phrases.BANNER_BUTTON, sentence) and not _matches(phrases.FRAME, sentence)
    )


def _without_visit(text: str) -> str:
    """Remove the first and the last sentences of a paragraph that are about the visit."""
    while (at := max(text.rfind(f"{end} ", 0, -1) for end in ".!?")) > 0:
        last = text[at + 2 :]
        if not (last[:1].isupper() and furniture.is_of_visit(last)):
            break
        text = text[: at + 1]
    while (at := text.find(". ", 0, furniture.MAX_LINE)) > 0 and furniture.is_of_visit(text[:at]):
        text = text[at + 2 :]
    return text


def _masked(text: str) -> str:
    """Remove what is noise inside a sentence."""
    if "ago" in text or "AGO" in text:
        text = phrases.RELATIVE_TIME_INSIDE.sub("", text)
    if len(text) <= phrases.MAX_SEGMENT and has_one(_SINCE, text.lower()):
        text = live.SINCE_INSIDE.sub(lambda found: found[1] or found[2], text)
    if "p to date as of" in text or "urrent t" in text or "omplete through" in text:
        text = phrases.UP_TO_DATE.sub(r"\1", text)
    if "views" in text or "hits" in text or "downloads" in text:
        text = phrases.COUNTER_INSIDE.sub("", text)
    if ("次" in text or "量" in text or "数" in text) and _CHINESE_HEAD.search(text):
        text = phrases.COUNTER_IN_CHINESE.sub("", text)
    if len(text) <= phrases.MAX_SEGMENT and (text[:1] in _COPYRIGHT_STARTS or "©" in text):
        text = _without_year(text)
    if "=" in text or ":" in text:
        text = phrases.TOKEN_INSIDE.sub("", text)
    return one_space(text)


def _without_year(text: str) -> str:
    """Return *text* without the years of a notice of copyright, and dates of the page after it."""
    found = phrases.COPYRIGHT.match(text)
    if not found:
        return phrases.COPYRIGHT_BEHIND.sub(r"\1", text)
    kept = [
        sentence
        for sentence in phrases.SENTENCE.split(text[found.end() :])
        if not phrases.UPDATED_LINE.fullmatch(sentence)
    ]
    return found[1] + " ".join(kept)


def has_document(text: str) -> bool:
    """Return True if the canonical *text* has a link to a file, such as a PDF."""
    return any(phrases.DOCUMENT.search(address) for _, address in links(text))


def is_links_only(text: str) -> bool:
    """Return True if the canonical *text* has links and no other words, a date apart."""
    if not links(text):
        return False
    rest = plain(without_links(text)).strip(" -–—,()|·•")
    return not rest or bool(
        len(rest) <= phrases.MAX_SEGMENT
        and (phrases.DATE_LINE.fullmatch(rest) or _is_segment_noise(rest, whole=True))
    )


def _substance(text: str) -> bool:
    return bool(re.search(r"\w", without_links(text)))
