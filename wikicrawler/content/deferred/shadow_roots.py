"""Declarative shadow roots: their content is put where a browser shows it.

``<template shadowrootmode="open">`` is what its parent, the host, shows. The other children of the
host are shown in the slots of that content, and not at all where it has none for them
(https://html.spec.whatwg.org/#attr-template-shadowrootmode).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lxml import etree

if TYPE_CHECKING:
    from lxml.html import HtmlElement

MAX_DEPTH = 1000
"""Levels of elements down to which shadow roots are put in place, so that slots in slots do not
make a tree deeper than the parser allows."""
MAX_HOSTS_ABOVE = 50
"""Hosts inside each other whose shadow roots are put in place: what is in a slot is moved once for
each."""

_MODES = frozenset({"open", "closed"})
_NO_TEXT = frozenset({"script", "style"})
_PLACED = "wikicrawler-shadow"


def has_shadow_roots(source: bytes) -> bool:
    """Return True if a document (UTF-8) may have declarative shadow roots."""
    return b"shadowrootmode" in source


def place_shadow_roots(root: HtmlElement) -> None:
    """Put the content of the shadow roots in *root*, and of the slots in them, in their places.

    What a host does not show gets the attribute ``hidden``.
    """
    shadows = _shadows(root)
    for host in _outer_first(root, shadows):
        _place(host, shadows[host])
    etree.strip_tags(root, _PLACED)


class _Shadow:
    """The shadow root of a host."""

    def __init__(self, template: HtmlElement, depth: int) -> None:
        self.template = template
        self.depth = depth
        """Level of the template."""
        self.slots: dict[str, HtmlElement] = {}
        """The first slot of each name, the default slot with an empty one."""
        self.deepest = 0
        """Levels from the template to its deepest slot."""
        self.has_text = False


def _shadows(root: HtmlElement) -> dict[HtmlElement, _Shadow]:
    """Return the shadow roots in *root* by their hosts."""
    found: dict[HtmlElement, _Shadow] = {}
    inside: list[_Shadow | None] = []  # for each open template
    depth = 0
    for event, el in etree.iterwalk(root, events=("start", "end")):
        if event == "end":
            depth -= 1
            if el.tag == "template":
                inside.pop()
            _note_text(inside, el.tail)
            continue
        depth += 1
        if el.tag == "template":
            host = el.getparent()
            shadow = None
            mode = (el.get("shadowrootmode") or "").lower()
            # A template in a template is inert, but for a shadow root in a shadow root.
            if mode in _MODES and host not in found and None not in inside[-1:]:
                shadow = found[host] = _Shadow(el, depth)
            inside.append(shadow)
        elif el.tag == "slot" and inside and (shadow := inside[-1]) is not None:
            shadow.slots.setdefault(el.get("name") or "", el)
            shadow.deepest = max(shadow.deepest, depth - shadow.depth)
        if el.tag not in _NO_TEXT:
            _note_text(inside, el.text)
    return found


def _note_text(inside: list[_Shadow | None], text: str | None) -> None:
    if text and inside and (shadow := inside[-1]) is not None and text.strip():
        shadow.has_text = True


def _outer_first(root: HtmlElement, shadows: dict[HtmlElement, _Shadow]) -> list[HtmlElement]:
    """Return the hosts whose shadow roots are put in place, in document order."""
    hosts = []
    above: list[int] = []  # for each open host, the levels that its slots add
    depth = added = 0
    for event, el in etree.iterwalk(root, events=("start", "end")):
        shadow = shadows.get(el)
        if event == "end":
            depth -= 1
            if shadow is not None:
                added -= above.pop()
            continue
        depth += 1
        if shadow is not None:
            above.append(shadow.deepest + 1)
            added += above[-1]
            if depth + added <= MAX_DEPTH and len(above) <= MAX_HOSTS_ABOVE:
                hosts.append(el)
    return hosts


def _place(host: HtmlElement, shadow: _Shadow) -> None:
    template = shadow.template
    if not shadow.slots and not shadow.has_text:
        return  # styles, or where a script puts something
    default = shadow.slots.get("")
    filled: set[HtmlElement] = set()
    text, host.text = host.text, None
    for child in list(host):
        _add_text(default, text, filled)
        slot = None if child is template else shadow.slots.get(child.get("slot") or "")
        if slot is not None and slot is default:
            text = None  # follows the child
        else:
            text, child.tail = child.tail, None
        if slot is not None:
            _emptied(slot, filled).append(child)
        elif child is not template:
            child.set("hidden", "")
    _add_text(default, text, filled)
    for el in (template, *shadow.slots.values()):
        el.tag = _PLACED


def _add_text(slot: HtmlElement | None, text: str | None, filled: set[HtmlElement]) -> None:
    if slot is not None and text and text.strip():
        etree.SubElement(_emptied(slot, filled), _PLACED).text = text


def _emptied(slot: HtmlElement, filled: set[HtmlElement]) -> HtmlElement:
    """Return *slot* without what it shows if nothing is in it."""
    if slot not in filled:
        filled.add(slot)
        slot.text = None
        for child in list(slot):
            slot.remove(child)
    return slot
