"""Words in class names and ids that name furniture."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml.html import HtmlElement

CAPTION = "caption"
"""The word for all captions of images and their credits."""
COMMENTS = frozenset({"comment", "comments", "disqus"})
NOTICES = frozenset({"cookie", "cookies", "consent", "gdpr"})
"""Words for notices that may be longer than a short page."""

_MAX_STATED = 1000
# Words in class names and ids, separated by "-", "_" or a capital letter.
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_WORDS = """
    ad ads advert advertisement advertising advertorial breadcrumb breadcrumbs browserupgrade
    browsehappy byline caption captions comment comments cookie cookies consent copyright credit
    credits disqus footer gdpr lightbox masthead nav navbar navigation newsletter outbrain
    pagination paywall popup promo promos promoted recirc recommend recommended recommendations
    related share sharing sidebar signup slideshow social sponsor sponsored subscribe subscription
    tags taboola toolbar trending widget widgets
"""
_FURNITURE_WORDS = frozenset(_WORDS.split())
_CAPTION_WORDS = frozenset({"caption", "captions", "credit", "credits"})
_FURNITURE_PAIRS = re.compile(
    r"(?:^|[\s_-])(?:author-?(?:bio|box|info)|back-?to-?top|follow-?us|jump-?link|"
    r"most-?(?:read|popular)|post-?(?:meta|tags)|print-?only|read-?(?:also|more|next)|short-?url|"
    r"skip-?link|video-?player|also-?like)(?:$|[\s_-])",
    re.IGNORECASE,
)
_PERSON_WORDS = frozenset(
    {"author", "avatar", "byline", "creator", "date", "datetime", "permalink", "posted", "poster"}
    | {"time", "timestamp", "user", "username", "userinfo"}
)
_CONTENT_WORDS = frozenset({"article", "body", "content", "entry", "main", "post", "story", "text"})


@lru_cache(maxsize=4096)
def names_person(classes: str) -> bool:
    """Return True if a word in *classes* says that an element names an author or a date."""
    return any(word.lower() in _PERSON_WORDS for word in _WORD.findall(classes[:_MAX_STATED]))


def furniture_word(el: HtmlElement) -> str:
    """Return the word that names *el* as furniture by its classes or id, or an empty string."""
    classes = el.get("class")
    if classes and (word := _furniture_word(classes)):
        return word
    own_id = el.get("id")
    return _furniture_word(own_id) if own_id else ""


@lru_cache(maxsize=4096)
def _furniture_word(stated: str) -> str:
    """Return the first furniture word in *stated* (class names or an id), or an empty string."""
    if len(stated) > _MAX_STATED:
        return ""
    if pair := _FURNITURE_PAIRS.search(stated):
        return pair[0].strip(" \t\n\r_-").lower()
    for name in stated.split():
        words: list[str] = [word.lower() for word in _WORD.findall(name)]
        if words and words[0] in COMMENTS:
            return words[0]
        # `article-share` is the share bar of an article; `share-article` is ambiguous.
        names_part = len(words) > 1 and words[0] in _CONTENT_WORDS and words[1] in _FURNITURE_WORDS
        if names_part or _CONTENT_WORDS.isdisjoint(words):
            for word in words:
                if word in _FURNITURE_WORDS:
                    return CAPTION if word in _CAPTION_WORDS else word
    return ""
