"""Removal of the tags of elements that are nested too deep for a parser of HTML."""

from __future__ import annotations

import re
from collections import Counter

MAX_LEVELS = 60
"""Maximum number of open elements of a kind, wrappers or lists and tables. Their rows, cells and
items are levels of their own, so that a tree is at most seven times as deep."""

_WRAPPERS = (
    rb"address|article|aside|button|center|details|dialog|div|fieldset|figcaption|figure|footer|"
    rb"form|header|hgroup|main|nav|search|section|summary"
)
_INLINE = (
    rb"a|abbr|bdi|bdo|cite|data|del|dfn|ins|kbd|label|mark|q|ruby|samp|span|time|var|[a-z]+-[\w.-]*"
)
_STRUCTURES = rb"blockquote|dir|dl|menu|ol|pre|table|ul"
_TAG = re.compile(
    rb"<(?P<end>/?)(?:(?P<wrapper>%s)|(?P<inline>%s)|(?P<structure>%s))(?=[\s/>])[^<>]*>"
    % (_WRAPPERS, _INLINE, _STRUCTURES),
    re.IGNORECASE,
)


def flatten(source: bytes) -> bytes:
    """Return *source* without the tags of elements below :data:`MAX_LEVELS` open ones of a kind.

    Paragraphs take the place of blocks. Items and cells stay, as those of the list or table around.
    """
    return _TAG.sub(_Flattener(), source)


class _Flattener:
    """Replaces the tags of one page, in their order."""

    def __init__(self) -> None:
        self._open: list[tuple[str, bytes, bool]] = []
        """Kind, name, and whether the tag stays."""
        self._of_name: Counter[bytes] = Counter()
        self._of_kind: Counter[str] = Counter()

    def __call__(self, tag: re.Match[bytes]) -> bytes:
        kind = tag.lastgroup or ""
        name = tag[kind].lower()
        instead = b"" if kind == "inline" else b"<p>"
        if not tag["end"]:
            stays = self._of_kind[kind] < MAX_LEVELS
            self._open.append((kind, name, stays))
            self._of_name[name] += 1
            self._of_kind[kind] += 1
            return tag[0] if stays else instead
        if not self._of_name[name]:
            return instead
        while True:
            ended_kind, ended, stays = self._open.pop()
            self._of_name[ended] -= 1
            self._of_kind[ended_kind] -= 1
            if ended == name:
                return tag[0] if stays else instead
