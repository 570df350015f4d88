"""Streamed pages of React: segments that come late are put in the place of their fallbacks.

The server sends ``<!--$?--><template id="B:0"></template>FALLBACK<!--/$-->``, later
``<div hidden id="S:0">SEGMENT</div>`` and a script that calls ``$RC("B:0","S:0")``. That puts the
segment in the place of the fallback. ``$RR`` does the same when style sheets are loaded, and
``$RS("S:1","P:1")`` puts a segment in the place of ``<template id="P:1">``. React's external
runtime has templates with attributes instead of the calls.
"""

from __future__ import annotations

import re
from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from lxml import etree

from wikicrawler.content.clean import drop

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.html import HtmlElement

MAX_DEPTH = 1000
"""Levels of elements down to which segments are put in place, so that segments in segments do not
make a tree deeper than the parser allows."""

_PENDING = b"<!--$?-->"
# The parser drops comments, so those around fallbacks become elements that may stand anywhere.
_BOUNDARY = re.compile(rb"<!--(?:(\$[?!~]?|&)|/[$&])-->")
_MARK = "data-wikicrawler-boundary"
_START, _END = "start", "end"
_CALL = re.compile(
    r'\$R(?:[CR]\("([^"\\]{1,200})","([^"\\]{1,200})"'
    r'|S\("([^"\\]{1,200})","([^"\\]{1,200})"\))'
)
_PLACED, _REST = "wikicrawler-segment", "wikicrawler-rest"


class _Move(NamedTuple):
    """What a script of the page does with a place."""

    segment: str
    """Id of the segment that comes there."""
    has_fallback: bool
    """True if what stands between the place and the end of its boundary goes."""


class _Place(NamedTuple):
    """A place for a segment."""

    name: str
    template: HtmlElement
    around: str
    """Id of the segment that contains the place, or an empty string."""
    depth: int
    """Levels from that segment, or else from the root, to the place."""


def has_segments(source: bytes) -> bool:
    """Return True if a document (UTF-8) may have segments to be put in place."""
    return _PENDING in source


def keep_boundaries(source: bytes) -> bytes:
    """Return *source* with elements instead of the comments around fallbacks.

    :func:`place_segments` removes them.
    """
    return _BOUNDARY.sub(_boundary, source)


def _boundary(comment: re.Match[bytes]) -> bytes:
    return f'<template {_MARK}="{_START if comment[1] else _END}"></template>'.encode()


def place_segments(root: HtmlElement) -> None:
    """Put the segments in *root* in their places, as the page's scripts do, and drop the fallbacks.

    A segment whose place is missing stays hidden. A fallback without a segment stays.
    """
    moves = dict(_moves(root))
    dropped = _place_all(root, moves) if moves else []
    etree.strip_tags(root, _PLACED)
    drop([*dropped, *(el for el in root.iter("template") if el.get(_MARK))])


def _moves(root: HtmlElement) -> Iterator[tuple[str, _Move]]:
    """Yield the ids of places, each with its move."""
    for el in root.iter("script", "template"):
        if el.tag == "script":
            for call in _CALL.finditer(el.text or ""):
                yield (
                    (call[1], _Move(call[2], True)) if call[1] else (call[4], _Move(call[3], False))
                )
        elif segment := el.get("data-sid"):
            if place := el.get("data-bid"):
                yield place, _Move(segment, has_fallback=True)
            elif place := el.get("data-pid"):
                yield place, _Move(segment, has_fallback=False)


def _place_all(root: HtmlElement, moves: dict[str, _Move]) -> list[HtmlElement]:
    """Make the *moves*. Return the elements to be dropped."""
    segments, places = _find(root, moves)
    inside: dict[str, list[_Place]] = {}
    for place in places:
        inside.setdefault(place.around, []).append(place)
    dropped: list[HtmlElement] = []
    gone: set[str] = set()
    # Outer segments come first, so that each element is moved once.
    waiting = deque((place, place.depth) for place in inside.get("", ()))
    while waiting:
        place, depth = waiting.popleft()
        move = moves[place.name]
        segment = segments.get(move.segment)
        if segment is None or place.name in gone or depth > MAX_DEPTH:
            continue
        del segments[move.segment]
        end: HtmlElement | None = place.template
        if move.has_fallback:
            fallback, end = _fallback(place.template)
            gone.update(
                name for el in fallback for t in el.iter("template") if (name := t.get("id"))
            )
            dropped += fallback
        else:
            dropped.append(place.template)
        if segment.tail:  # text of the page, which stays where it is
            rest = etree.Element(_REST)
            rest.tail, segment.tail = segment.tail, None
            segment.addnext(rest)
            dropped.append(rest)
        segment.tag = _PLACED
        if end is None:
            place.template.getparent().append(segment)
        else:
            end.addprevious(segment)
        waiting += ((inner, depth + inner.depth) for inner in inside.get(move.segment, ()))
    return dropped


def _find(
    root: HtmlElement, moves: dict[str, _Move]
) -> tuple[dict[str, HtmlElement], list[_Place]]:
    """Return the segments in *root* by id, and the places in document order.

    Segments in segments do not count: React sends them one after the other.
    """
    wanted = {move.segment for move in moves.values()}
    segments: dict[str, HtmlElement] = {}
    places: dict[str, _Place] = {}
    around: HtmlElement | None = None
    above = depth = 0
    for event, el in etree.iterwalk(root, events=("start", "end")):
        if event == "end":
            depth -= 1
            if el is around:
                around, above = None, 0
            continue
        name = el.get("id")
        if name is not None:
            if around is None and name in wanted and name not in segments:
                segments[name] = around = el
                above = depth
            elif el.tag == "template" and name in moves and name not in places:
                holder = "" if around is None else around.get("id", "")
                places[name] = _Place(name, el, holder, depth - above)
        depth += 1
    return segments, list(places.values())


def _fallback(place: HtmlElement) -> tuple[list[HtmlElement], HtmlElement | None]:
    """Return the elements of the fallback that begins with *place*, without their tails, and the
    mark at its end, if there is one."""
    found = []
    depth = 0
    el: HtmlElement | None = place
    while el is not None:
        mark = el.get(_MARK)
        if mark == _END:
            if not depth:
                break
            depth -= 1
        elif mark == _START:
            depth += 1
        el.tail = None
        found.append(el)
        el = el.getnext()
    return found, el
