"""A page's text as hashes, by which pages can be compared without their text.

A worker process makes the sketch beside the conversion; :mod:`wikicrawler.scope.families` compares
the sketches of a crawl. So the hashes have to be the same in every process: none is Python's hash
of a string, which is randomised for each process.
"""

from __future__ import annotations

import re
from array import array
from zlib import crc32

from wikicrawler.items import Sketch

MAX_TEXT = 20_000
"""Characters of a text that are looked at: half of them from its beginning, half from its end."""

_LINK = re.compile(r"\[([^\[\]]*)\]\([^()\s]*\)")
_WORD = re.compile(r"\w+")
_DIGIT = re.compile(r"\d")
# That no digit stands before it is asked behind its first one: a pattern that begins with a
# lookbehind is tried at each character.
_YEAR = re.compile(r"(?:1(?<![0-9]1)[89]|2(?<![0-9]2)[01])[0-9]{2}(?![0-9])")
_LINKED = 0x9E3779B9
_BITS = 2**32 - 1


def sketch_of(text: str) -> Sketch:
    """Return the words of *text* (Markdown), and its phrases of up to three words in a line.

    All years are one word. The text of a link says nothing yet about the page that it leads to:
    words in links are others than the same words outside.

    The hashes have 32 bits, at most 80 KB in all. Two of them are equal by chance once in four
    billion times, which makes a page look less new by a word or a phrase, never newer.
    """
    if len(text) > MAX_TEXT:
        text = f"{text[: MAX_TEXT // 2]}\n{text[-MAX_TEXT // 2 :]}"
    parts = _LINK.split(_YEAR.sub("0000", text))  # links are every other one
    plain = set(_WORD.findall(" ".join(parts[::2])))
    linked = set(_WORD.findall(" ".join(parts[1::2])))
    lines = [_WORD.findall(line) for line in "".join(parts).splitlines()]
    # No word has a surrogate, which could not be encoded: it is no letter.
    codes = {word: crc32(word.encode()) for word in plain.union(linked, *lines)}
    numbers = {word for word in codes if not word.isalpha() and _DIGIT.search(word)}
    return Sketch(
        _packed(_words(plain - numbers, linked - numbers, codes)),
        _packed(_words(plain & numbers, linked & numbers, codes)),
        _packed(_phrases(lines, codes)),
    )


def _words(plain: set[str], linked: set[str], codes: dict[str, int]) -> set[int]:
    return {codes[word] for word in plain} | {codes[word] ^ _LINKED for word in linked}


def _phrases(lines: list[list[str]], codes: dict[str, int]) -> set[int]:
    phrases: set[int] = set()
    for line in lines:
        found = [codes[word] for word in line]
        # Unlike that of a string, the hash of a tuple of integers is not randomised.
        if len(found) > 2:
            phrases.update(map(hash, zip(found, found[1:], found[2:], strict=False)))
        elif found:
            phrases.add(hash(tuple(found)))
    return {phrase & _BITS for phrase in phrases}


def _packed(hashes: set[int]) -> bytes:
    return array("I", hashes).tobytes()
