"""Styles that hide a text: inline, by rules of the page, and by usual class names."""

from __future__ import annotations

import colorsys
import re
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from lxml.html import HtmlElement

MAX_CSS = 300_000
"""Characters of style sheets that are read."""
_MAX_STYLE = 2000

_SCREEN_READERS = frozenset(
    {".sr-only", ".visually-hidden", ".visuallyhidden", ".screen-reader-text", ".screenreader"}
    | {".screen-reader-only", ".screen-reader", ".a11y-hidden", ".offscreen", ".off-screen"}
    | {".visually-hidden-focusable", ".sr-only-focusable", ".element-invisible", ".u-hidden"}
    | {".assistive-text"}
)
"""Class names of texts that only screen readers read."""
# What a click opens is not hidden.
_OPENED = re.compile(
    r"tab|collaps|spoiler|panel|accordion|toggle|menu|dropdown|modal|dialog|popup|popover|tooltip|"
    r"drawer|details|expand|more|slide|carousel|lightbox|submenu|overlay",
    re.IGNORECASE,
)
# What a script shows, or hides, once the page is there.
_SCRIPTED = re.compile(r"\bno-?js\b|\bjs\b|loading|loaded|preload|fouc|\bwf-", re.IGNORECASE)
_MAX_RULES = 50
"""Rules for one name that are compared with an element."""
_MAX_NAMES = 50
_MAX_ANCESTORS = 30
_MAX_ATTRIBUTES, _MAX_VALUE = 10, 60
_MAX_PARTS = 5
Selector = tuple[frozenset[str], ...]
"""Names of an element, behind those of the ones around it, the outermost first."""
_COMPOUND = re.compile(
    r"(?:[a-z][a-z0-9]*)?(?:[.#]-?[_a-zA-Z][\w-]{0,80}"
    r"|\[[a-z-]{1,40}(?:=[\"']?[\w:.-]{1,60}[\"']?)?\]){0,5}"
)
_NAME = re.compile(r"\[[^\]]*\]|[.#]?[\w-]+")
_QUOTES = str.maketrans("", "", "\"'")
_VARIABLE = re.compile(r"var\(\s{0,5}(--[\w-]{1,60})\s{0,5}(?:,([^()]{0,100}))?\)")
_CLIPPED = re.compile(r"inset\(\s{0,5}(?:[5-9][0-9]|100)(?:\.[0-9]{1,3})?%|circle\(\s{0,5}0")
_VANISHED = re.compile(
    r"blur\(\s{0,5}[1-9][0-9]{1,5}px|rotate[xy]\(\s{0,5}-?(?:90|270)deg|"
    r"(?:scale[xy]?|opacity)\(\s{0,5}0{0,3}\.?0{0,3}%?\s{0,5}[,)]"
)
_FONT_SIZE = re.compile(r"(?:^|\s)([0-9.]{1,8}(?:px|em|rem|pt|%)?)(?:\s?/|\s)")
_MOVED = re.compile(
    r"translate(?:3d|x|y)?\(\s{0,5}(-[0-9.]{1,8}(?:px|em|rem|pt|vw|vh)?)|,\s{0,5}(-[0-9]{1,6}px)"
)
_PICTURE = re.compile(r"url|gradient|image|var")
_BRACE = re.compile("[{}]")
_AT_RULE_END = re.compile("[{;]")
_ALWAYS = re.compile(r"@(?:media\s+(?:only\s+)?(?:screen|all)|layer[\w\s-]*|supports[^{]*)\s*")
_SIMPLE = re.compile(r"(?:[a-z][a-z0-9]*)?([.#])(-?[_a-zA-Z][\w-]{0,80})")
_DECLARATION = re.compile(r"([a-z0-9_-]{1,60})\s*:\s*([^;]{1,200})")
_LENGTH = re.compile(r"(-?[0-9]{0,6}(?:\.[0-9]{1,4})?)(px|em|rem|pt|vw|vh|%)?")
_UNSEEN = 8
"""Steps of a colour's parts, of 255, that nobody sees in a text."""
_COLOURED = frozenset({"color", "background", "background-color"})
_COLOURS = {"white": "ffffff", "black": "000000", "transparent": "transparent"}
_RGB = re.compile(
    r"rgba?\(\s*([0-9]{1,3})[\s,]+([0-9]{1,3})[\s,]+([0-9]{1,3})\s*(?:[,/]\s*([0-9.]{1,5}))?"
)
_HSL = re.compile(
    r"hsla?\(\s*(-?[0-9]{1,3})(?:\.[0-9]+)?(?:deg)?[\s,]+([0-9]{1,3})(?:\.[0-9]+)?%[\s,]+"
    r"([0-9]{1,3})(?:\.[0-9]+)?%"
)
_HEX = re.compile(r"#([0-9a-f]{3}|[0-9a-f]{6})\b")


class Hiding(NamedTuple):
    """What a page's own rules hide."""

    rules: Mapping[str, Sequence[Selector]]
    """Selectors of hidden elements by one of the ``.class`` and ``#identifier`` of an element that
    each of them needs, or by its tag."""
    colours: Mapping[str, dict[str, str]]
    """Declarations of colours, by ``.class``, ``#identifier``, ``body`` and ``html``; none if
    others may give an element another background."""
    variables: Mapping[str, str]
    """Values of custom properties."""

    def hides(self, el: HtmlElement) -> bool:
        """Return True if a rule or a usual name hides *el*."""
        names = names_of(el)
        if not _SCREEN_READERS.isdisjoint(names):
            return True
        selectors = [one for name in names for one in self.rules.get(name, ())]
        if not selectors:
            return False
        around = [names_of(place) for place in islice(el.iterancestors(), _MAX_ANCESTORS)]
        return any(_selects(selector, names, around) for selector in selectors)

    def colours_of(self, el: HtmlElement) -> dict[str, str]:
        """Return the colours that the page's own rules give *el*, itself."""
        if not self.colours:
            return {}
        return {k: v for name in names_of(el) for k, v in self.colours.get(name, {}).items()}


def names_of(el: HtmlElement) -> list[str]:
    """Return the tag of *el*, its classes as ``.class``, its identifier as ``#identifier``, and its
    attributes as ``[name]`` and ``[name=value]``."""
    names = [str(el.tag)]
    names += [f".{name}" for name in (el.get("class") or "")[:_MAX_STYLE].split()[:_MAX_NAMES]]
    for name, value in islice(el.items(), _MAX_ATTRIBUTES):
        names += (f"[{name}]", f"[{name}={value[:_MAX_VALUE]}]")
    return [*names, f"#{el.get('id') or ''}"]


def _selects(selector: Selector, names: Sequence[str], around: Sequence[Sequence[str]]) -> bool:
    """Return True if *selector* selects an element with *names*, in elements with *around*."""
    *wanted, own = selector
    if not own.issubset(names):
        return False
    for place in around:
        if wanted and wanted[-1].issubset(place):
            wanted.pop()
    return not wanted


def _selector(text: str) -> Selector | None:
    """Return a selector of classes, identifiers, tags and what is around; None for any other."""
    parts = text.replace(">", " ").split()
    if not 0 < len(parts) <= _MAX_PARTS or _OPENED.search(text) or _SCRIPTED.search(text):
        return None
    if not all(_COMPOUND.fullmatch(part) for part in parts):
        return None
    found = tuple(frozenset(_NAME.findall(part.translate(_QUOTES))) for part in parts)
    return None if all(part.isalnum() for part in parts) else found


def hiding_of(root: HtmlElement) -> Hiding:
    """Return what the ``<style>`` elements of a page hide.

    Only rules for all media count whose selectors are of classes, identifiers and tags, of the
    element and of those around it. A rule whose name says that a click opens it does not.
    """
    css = "\n".join(el.text or "" for el in root.iter("style"))[:MAX_CSS]
    rules: dict[str, list[Selector]] = {}
    blocks = [block.partition("{") for block in _without_media(_without_comments(css)).split("}")]
    variables = {
        name: value
        for _, _, declarations in blocks
        if "--" in declarations
        for name, value in _declarations(declarations)
        if name.startswith("--")
    }
    colours: dict[str, dict[str, str]] = {}
    is_sure = not any("stylesheet" in (el.get("rel") or "").lower() for el in root.iter("link"))
    for selectors, _, declarations in blocks:
        declared = dict(_declarations(declarations, variables))
        hides = _hides(declared)
        coloured = {name: declared[name] for name in _COLOURED & declared.keys()}
        if not hides and not coloured:
            continue
        for selector in map(str.strip, selectors[-_MAX_STYLE:].split(",")):
            simple = _SIMPLE.fullmatch(selector)
            if hides and (parsed := _selector(selector)):
                of_name = rules.setdefault(max(parsed[-1], key=_rarity), [])
                if len(of_name) < _MAX_RULES:
                    of_name.append(parsed)
            if coloured and (simple or selector in {"body", "html"}):
                key = f"{simple[1]}{simple[2]}" if simple else selector
                colours[key] = colours.get(key, {}) | coloured
            elif not coloured.keys() <= {"color"}:
                is_sure = False
    return Hiding(rules, colours if is_sure else {}, variables)


def _rarity(name: str) -> tuple[bool, bool, str]:
    return name.startswith("#"), name.startswith("."), name


def hides_text(el: HtmlElement, rules: Hiding) -> bool:
    """Return True if the inline style of *el*, or its colours, hide its text (not ``display``)."""
    style = el.get("style")
    found = rules.colours_of(el)
    if el.tag == "font" and (colour := el.get("color")):
        found = found | {"color": colour[:_MAX_STYLE].lower()}
    if not style and "color" not in found:
        return False
    found |= dict(_declarations(style or "", rules.variables))
    if _OPENED.search(f"{el.get('class') or ''} {el.get('id') or ''}"[:_MAX_STYLE]):
        return False
    return _hides(found) or _has_colour_of_background(el, found, rules)


def _without_comments(css: str) -> str:
    kept, at = [], 0
    while (start := css.find("/*", at)) >= 0:
        kept.append(css[at:start])
        end = css.find("*/", start + 2)
        at = end + 2 if end >= 0 else len(css)
    return "".join([*kept, css[at:]])


def _without_media(css: str) -> str:
    """Return *css* without the blocks of at-rules that hold for some media or browsers alone."""
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
        if _ALWAYS.fullmatch(css, start, opened.start()):
            kept.append(css[opened.end() : at - (not depth)])
    return "".join([*kept, css[at:]])


def _declarations(
    style: str, variables: Mapping[str, str] | None = None
) -> Iterator[tuple[str, str]]:
    text = style[:_MAX_STYLE].lower()
    for part in text.split(";")[:100]:
        if found := _DECLARATION.fullmatch(part.strip()):
            name, value = found[1], found[2].removesuffix("!important").strip()
            if variables and "var(" in value:
                value = _VARIABLE.sub(lambda of: variables.get(of[1], of[2] or ""), value).strip()
            yield name, value[:200]


def _hides(style: dict[str, str]) -> bool:
    return _is_invisible(style) or _is_cut(style) or _is_away(style)


def _is_invisible(style: dict[str, str]) -> bool:
    """Return True for what is not drawn, or transparent."""
    return (
        style.get("display") == "none"
        or style.get("visibility") in {"hidden", "collapse"}
        or style.get("content-visibility") == "hidden"
        or _is_least(style.get("opacity"), 0.05)
        or _VANISHED.search(_drawn(style)) is not None
        or _colour(style.get("-webkit-text-fill-color")) == "transparent"
    )


def _is_cut(style: dict[str, str]) -> bool:
    """Return True for what is tiny, or of which nothing is left."""
    font = _FONT_SIZE.search(style.get("font", ""))
    if _is_least(style.get("font-size"), 1) or (font and _is_least(font[1], 1)):
        return True
    sizes = ("height", "width", "max-height", "max-width")
    if style.get("overflow") == "hidden" and any(_is_least(style.get(size), 1) for size in sizes):
        return True
    clip = style.get("clip", "").replace(" ", "").replace(",", "").replace("px", "")
    return clip in {"rect(0000)", "rect(1111)"} or bool(_CLIPPED.match(style.get("clip-path", "")))


def _is_away(style: dict[str, str]) -> bool:
    """Return True for what is outside of the screen."""
    if any(_is_far(part) for parts in _MOVED.findall(_drawn(style)) for part in parts):
        return True
    moved = style.get("position") in {"absolute", "fixed"}
    sides = ("left", "right", "top", "bottom") if moved else ()
    return any(
        _is_far(style.get(name)) for name in (*sides, "text-indent", "margin-left", "margin-top")
    )


def _drawn(style: dict[str, str]) -> str:
    return f"{style.get('transform', '')} {style.get('filter', '')}"


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


def _has_colour_of_background(el: HtmlElement, style: dict[str, str], rules: Hiding) -> bool:
    colour = _colour(style.get("color"))
    if colour is None or colour == "transparent":
        return colour is not None
    return _alike(_background(el, style, rules), colour)


def _background(el: HtmlElement, style: dict[str, str], rules: Hiding) -> str | None:
    """Return the colour behind *el*; None if it is not known, or a picture is there."""
    place: HtmlElement | None = el
    for _ in range(20):
        if place is None:
            return None
        own = style
        if place is not el:
            own = rules.colours_of(place) | dict(
                _declarations(place.get("style") or "", rules.variables)
            )
        declared = own.get("background-color") or own.get("background")
        if declared and _PICTURE.search(declared):
            return None
        background = _colour(declared)
        if background not in {None, "transparent"}:
            return background
        if (said := place.get("bgcolor")) is not None:
            return _colour(said.lower())
        place = place.getparent()
    return None


def _alike(one: str | None, other: str) -> bool:
    """Return True if nobody sees a difference of two colours."""
    if one is None or len(one) != len(other):
        return False
    pairs = ((int(one[at : at + 2], 16), int(other[at : at + 2], 16)) for at in (0, 2, 4))
    return all(abs(a - b) <= _UNSEEN for a, b in pairs)


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
    if found := _HSL.search(value):
        hue, saturation, light = map(int, found.groups())
        parts = colorsys.hls_to_rgb(hue % 360 / 360, min(1, light / 100), min(1, saturation / 100))
        return "".join(f"{round(255 * part):02x}" for part in parts)
    return next((colour for name, colour in _COLOURS.items() if name in value.split()), None)
