"""Markdown inside a line: links, images, code, escapes and emphasis in one spelling each."""

from __future__ import annotations

import re

from wikicrawler.sources.changes.addresses import HIDDEN_EMAIL, canonical, without_session
from wikicrawler.sources.changes.characters import fold, one_space
from wikicrawler.sources.changes.live_languages import EDIT
from wikicrawler.text.references import unescape

DASHES = str.maketrans("–−", "--")
"""What typographers put for a hyphen between numbers, and for a minus."""
# Control characters, which `fold` has removed from the text, stand for parsed parts of it.
_STAR, _UNDERSCORE, _OPEN, _MIDDLE, _CLOSE, _HIDDEN = "\x0e", "\x0f", "\x10", "\x11", "\x12", "\x13"
_TEXT = r"((?:[^\[\]\\]|\\.)*+)"
_TARGET = r'\(\s*+<?((?:[^\s()<>\\]|\\.|\([^\s()]*\))*+)>?(?:\s++"(?:[^"\\]|\\.)*+")?\s*+\)'
_IMAGE = re.compile(rf"!\[{_TEXT}\]{_TARGET}")
_LINK = re.compile(rf"\[{_TEXT}\]{_TARGET}")
_CODE = re.compile(r"(?<![`\\])(`{1,2})(?!`)([^`]++)\1(?!`)")
_BARE = re.compile(
    r"<?(https?://[^\s<>\"'()\[\]\x0e-\x13]++(?:\([^\s<>()\"']*\)[^\s<>\"'()\[\]]*+)*)>?"
)
_HIDDEN_TEXT = re.compile(r"\\?\[email protected\\?\]", re.IGNORECASE)
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_TAGS = re.compile(
    r"</?(?:b|i|em|strong|u|span|font|small|mark|br)(?:\s[^<>]*+)?/?>", re.IGNORECASE
)
_RUNS = re.compile(r"\*+|_+")
_EMPHASIS = re.compile(r"(?<!\\)\*{1,2}|`+")
_MAX_EDIT = 1_000
_SHORT_TARGET = r"\([^\s()]{0,400}+(?:\([^\s()]{0,400}+\)[^\s()]{0,400}+){0,4}+\)"
_EDIT_TEXT = rf"(?:{EDIT}|\[(?:{EDIT})\]{_SHORT_TARGET})"
_EDIT = re.compile(
    rf" ?(?:\[ ?{_EDIT_TEXT}(?: ?\| ?{_EDIT_TEXT})? ?\]|(?<= )\[(?:{EDIT})\]{_SHORT_TARGET})$",
    re.IGNORECASE,
)
_SELF = re.compile(rf" ?(?:\[(?:¶|#|§|🔗|permalink)\]{_SHORT_TARGET}|¶)$", re.IGNORECASE)
_CANONICAL_IMAGE = re.compile(rf"!\[{_TEXT}\]\(([^\s()]*+(?:\([^\s()]*\)[^\s()]*+)*)\)")
_CANONICAL_LINK = re.compile(rf"\[{_TEXT}\]\(([^\s()]*+(?:\([^\s()]*\)[^\s()]*+)*)\)")


def canonical_line(text: str) -> str:
    """Return *text*, the Markdown of one block, with one spelling for what looks the same."""
    text = one_space(text)
    if "&" in text:
        text = one_space(fold(unescape(text)))
    text = _canonical(text)
    return text if text.isascii() else text.translate(DASHES)


def unfolded_line(text: str) -> str:
    """Return the canonical *text* with the dashes and quotation marks that it is written with."""
    return _canonical(one_space(unescape(text) if "&" in text else text))


def _canonical(text: str) -> str:
    if "/(" in text:
        text = without_session(text)
    if "<" in text:
        text = one_space(_TAGS.sub(_tag, text))
    if "[" in text:
        text = _HIDDEN_TEXT.sub(_HIDDEN, text)
    if "`" in text:
        text = _CODE.sub(_code, text)
    if "](" in text:
        text = _LINK.sub(_link, _IMAGE.sub(_image, text))
    if "://" in text:
        text = bare_addresses(text)
    if "\\" in text:
        text = _ESCAPE.sub(_unescaped, text)
    if "*" in text or "_" in text:
        text = _emphasis(text)
    return _restored(text)


def bare_addresses(text: str) -> str:
    """Return *text* with each address in it in its canonical form."""
    if "/(" in text:
        text = without_session(text)
    return _BARE.sub(lambda found: canonical(found[1]), text)


def links(text: str) -> list[tuple[str, str]]:
    """Return the ``(text, address)`` of each link in the canonical *text*."""
    if "](" not in text:
        return []
    return _CANONICAL_LINK.findall(_CANONICAL_IMAGE.sub(r"\1", text))


def without_links(text: str) -> str:
    """Return the canonical *text* without its links and images."""
    if "](" not in text:
        return text
    return _CANONICAL_LINK.sub("", _CANONICAL_IMAGE.sub("", text))


def heading(text: str) -> str:
    """Return the canonical *text* of a heading without the links to edit it and to itself."""
    if text[-1:] not in "])¶#":
        return text
    end = _SELF.sub("", _EDIT.sub("", text[-_MAX_EDIT:]))
    return (text[:-_MAX_EDIT] + end).strip()


def plain(text: str) -> str:
    """Return the canonical *text* as a reader sees it: without addresses and emphasis."""
    if "](" in text:
        text = _CANONICAL_LINK.sub(r"\1", _CANONICAL_IMAGE.sub(r"\1", text))
    if "*" in text or "`" in text:
        text = _EMPHASIS.sub("", text).replace("\\*", "*")
    return one_space(text)


def _tag(found: re.Match[str]) -> str:
    return " " if found[0][1:3].lower() == "br" else ""


def _code(found: re.Match[str]) -> str:
    literal = found[2].replace("*", _STAR).replace("_", _UNDERSCORE).replace("\\", "\\\\")
    return f"`{literal}`"


def _image(found: re.Match[str]) -> str:
    return f"!{_OPEN}{found[1]}{_MIDDLE}{_address(found[2])}{_CLOSE}"


def _link(found: re.Match[str]) -> str:
    address = _address(found[2])
    text = found[1]
    if _HIDDEN in text and address.startswith("mailto:"):
        text = text.replace(_HIDDEN, address.removeprefix("mailto:"))
    return f"{_OPEN}{text}{_MIDDLE}{address}{_CLOSE}"


def _address(text: str) -> str:
    # Neither emphasis nor an escape: an underscore in an address is one.
    address = canonical(_ESCAPE.sub(r"\1", text))
    return address.replace("*", _STAR).replace("_", _UNDERSCORE).replace("\\", "%5C")


def _unescaped(found: re.Match[str]) -> str:
    return {"*": _STAR, "_": _UNDERSCORE}.get(found[1], found[1])


def _restored(text: str) -> str:
    text = text.replace(_STAR, "\\*").replace(_UNDERSCORE, "_").replace(_HIDDEN, HIDDEN_EMAIL)
    return text.replace(_OPEN, "[").replace(_MIDDLE, "](").replace(_CLOSE, ")")


def _emphasis(text: str) -> str:
    """Write emphasis with asterisks, and the other asterisks as literal ones."""
    parts: list[str] = []
    opened: dict[str, list[int]] = {"*": [], "_": []}
    end = 0
    for found in _RUNS.finditer(text):
        run, mark = found[0], found[0][0]
        parts.append(text[end : found.start()])
        end = found.end()
        before, after = text[found.start() - 1 : found.start()], text[end : end + 1]
        closes = bool(before.strip()) and not (mark == "_" and after.isalnum())
        opens = bool(after.strip()) and not (mark == "_" and before.isalnum())
        if len(run) > 3 or not (closes or opens):
            parts.append(_literal(run))
        elif closes and opened[mark]:
            at = opened[mark].pop()
            parts[at] = "*" * min(2, len(parts[at]))
            parts.append("*" * min(2, len(run)))
        elif opens:
            opened[mark].append(len(parts))
            parts.append(run)
        else:
            parts.append(_literal(run))
    for at in (at for places in opened.values() for at in places):
        parts[at] = _literal(parts[at])
    return "".join(parts) + text[end:]


def _literal(run: str) -> str:
    return run.replace("*", _STAR).replace("_", _UNDERSCORE)
