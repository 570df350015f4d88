"""Styles that hide a text: inline, by rules for single classes, and by usual class names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.html import HtmlElement

MAX_CSS = 300_000
"""Characters of style sheets that are read."""
_MAX_STYLE = 2000

_NAMES = frozenset(
    {"sr-only", "visually-hidden", "visuallyhidden", "screen-reader-text", "screen-reader-only"}
    | {"screenreader", "screen-reader", "a11y-hidden", "offscreen", "off-screen", "u-hidden"}
    | {"visually-hidden-focusable", "sr-only-focusable", "element-invisible", "assistive-text"}
)
"""Class names of texts that only screen readers read."""
# What a click opens is not hidden.
_OPENED = re.compile(
    r"tab|collaps|spoiler|panel|accordion|toggle|menu|dropdown|modal|dialog|popup|popover|tooltip|"
    r"drawer|details|expand|more|slide|carousel|lightbox|submenu|overlay",
    re.IGNORECASE,
)
_BRACE = re.compile("[{}]")
_AT_RULE_END = re.compile("[{;]")
_SIMPLE = re.compile(r"(?:[a-z][a-z0-9]*)?([.#])(-?[_a-zA-Z][\w-]{0,80})")
_DECLARATION = re.compile(r"([a-z-]{1,40})\s*:\s*([^;]{1,200})")
_LENGTH = re.compile(r"(-?[0-9]{0,6}(?:\.[0-9]{1,4})?)(px|em|rem|pt|vw|vh|%)?")
_COLOURS = {"white": "ffffff", "black": "000000", "transparent": "transparent"}
_RGB = re.compile(
    r"rgba?\(\s*([0-9]{1,3})[\s,]+([0-9]{1,3})[\s,]+([0-9]{1,3})\s*(?:[,/]\s*([0-9.]{1,5}))?"
)
_HEX = re.compile(r"#([0-9a-f]{3}|[0-9a-f]{6})\b")


class Hiding(NamedTuple):
    """Classes and identifiers that a page's own rules hide."""

    classes: frozenset[str]
    ids: frozenset[str]

    def hides(self, el: HtmlElement) -> bool:
        """Return True if a rule or a usual name hides *el*."""
        names = (el.get("class") or "")[:_MAX_STYLE].split()
        by_rule = not self.classes.isdisjoint(names) or (el.get("id") or "") in self.ids
        return by_rule or not _NAMES.isdisjoint(names)


def hiding_of(root: HtmlElement) -> Hiding:
    """Return what the ``<style>`` elements of a page hide.

    Only rules whose selector is one class or one identifier count, those for all media. A rule
    whose name says that a click opens it does not.
    """
    css = "\n".join(el.text or "" for el in root.iter("style"))[:MAX_CSS]
    found: dict[str, set[str]] = {".": set(), "#": set()}
    for block in _without_media(_without_comments(css)).split("}"):
        selectors, _, declarations = block.partition("{")
        if _hides(dict(_declarations(declarations))):
            for selector in selectors[-_MAX_STYLE:].split(","):
                simple = _SIMPLE.fullmatch(selector.strip())
                if simple and not _OPENED.search(simple[2]):
                    found[simple[1]].add(simple[2])
    return Hiding(frozenset(found["."]), frozenset(found["#"]))


def hides_text(el: HtmlElement) -> bool:
    """Return True if the inline style of *el* hides its text, beside ``display``."""
    style = el.get("style")
    if not style:
        return False
    found = dict(_declarations(style))
    if _OPENED.search(f"{el.get('class') or ''} {el.get('id') or ''}"[:_MAX_STYLE]):
        return False
    return _hides(found) or _has_colour_of_background(el, found)


def _without_comments(css: str) -> str:
    kept, at = [], 0
    while (start := css.find("/*", at)) >= 0:
        kept.append(css[at:start])
        end = css.find("*/", start + 2)
        at = end + 2 if end >= 0 else len(css)
    return "".join([*kept, css[at:]])


def _without_media(css: str) -> str:
    """Return *css* without blocks of at-rules, which hold for some media or browsers alone."""
    kept, at = [], 0
    while (start := css.find("@", at)) >= 0:
        kept.append(css[at:start])
        opened = _AT_RULE_END.search(css, start)
        if opened is None or opened[0] == ";":
            at = opened.end() if opened else len(css)
            continue
        depth, at = 1, opened.end()
        while depth and (found := _BRACE.search(css, at)):
            depth += 1 if found[0] == "{" else -1
            at = found.end()
        if depth:
            at = len(css)
    return "".join([*kept, css[at:]])


def _declarations(style: str) -> Iterator[tuple[str, str]]:
    text = style[:_MAX_STYLE].lower()
    for part in text.split(";")[:100]:
        if found := _DECLARATION.fullmatch(part.strip()):
            yield found[1], found[2].removesuffix("!important").strip()


def _hides(style: dict[str, str]) -> bool:
    if style.get("display") == "none" or style.get("visibility") in {"hidden", "collapse"}:
        return True
    if _is_least(style.get("opacity"), 0.05) or _is_least(style.get("font-size"), 1):
        return True
    if style.get("overflow") == "hidden" and (
        _is_least(style.get("height"), 1) or _is_least(style.get("width"), 1)
    ):
        return True
    if style.get("clip", "").replace(" ", "") in {
        "rect(0,0,0,0)",
        "rect(0000)",
        "rect(1px,1px,1px,1px)",
    }:
        return True
    moved = style.get("position") in {"absolute", "fixed"}
    sides = ("left", "right", "top", "bottom") if moved else ()
    return any(_is_far(style.get(name)) for name in (*sides, "text-indent", "margin-left"))


def _is_least(value: str | None, most: float) -> bool:
    """Return True if *value* is a length or number of at most *most* (pixels)."""
    found = _LENGTH.fullmatch(value or "")
    if not found or not value or found[1] in {"", "-", "."}:
        return False
    number = float(found[1])
    return number <= most if found[2] in {None, "px", "pt"} else number <= 0.05


def _is_far(value: str | None) -> bool:
    found = _LENGTH.fullmatch(value or "")
    if not found or found[1] in {"", "-", "."}:
        return False
    return float(found[1]) <= {"px": -999, "pt": -999}.get(found[2] or "px", -50)


def _has_colour_of_background(el: HtmlElement, style: dict[str, str]) -> bool:
    colour = _colour(style.get("color"))
    if colour is None:
        return False
    if colour == "transparent":
        return True
    place: HtmlElement | None = el
    for _ in range(20):
        if place is None:
            return False
        own = style if place is el else dict(_declarations(place.get("style") or ""))
        background = _colour(own.get("background-color") or own.get("background"))
        if background not in {None, "transparent"}:
            return background == colour
        if (said := place.get("bgcolor")) is not None:
            return _colour(said.lower()) == colour
        place = place.getparent()
    return False


def _colour(value: str | None) -> str | None:
    """Return a colour as six hexadecimal digits or ``transparent``; None if it is another one."""
    if not value:
        return None
    if found := _HEX.search(value):
        digits = found[1]
        return digits if len(digits) == 6 else "".join(2 * digit for digit in digits)
    if found := _RGB.search(value):
        if found[4] is not None and found[4].strip("0.") == "":
            return "transparent"
        return "".join(f"{min(255, int(part)):02x}" for part in found.groups()[:3])
    return next((colour for name, colour in _COLOURS.items() if name in value.split()), None)
