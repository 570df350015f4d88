"""Sketches: hashes of a page's words and phrases, to compare pages without their text.

Worker processes compute the sketches, and :mod:`wikicrawler.scope.families` compares those of a
crawl. The hashes must be the same in every process, so none is Python's hash of a string, which is
randomised for each process.
"""

from __future__ import annotations

import re
from array import array
from hashlib import blake2b
from zlib import crc32

from wikicrawler.items import Sketch

MAX_TEXT = 20_000
"""Maximum characters of a text that are hashed: half from its start, half from its end."""

_LEAST_TEXT = 60
_TARGET = r"\([^()\s]*+(?:\([^()\s]*+\)[^()\s]*+)*+\)"
_DESTINATION = re.compile(rf"\]{_TARGET}|<https?://[^\s<>]*>")
_IMAGE = re.compile(rf"(?<!\\)!\[((?:[^\[\]\\]|\\.)*+)\]{_TARGET}")
_LINK = re.compile(rf"\[([^\[\]]*)\]{_TARGET}")
_WORD = re.compile(r"\w+")
_DIGIT = re.compile(r"\d")
# The lookbehind for a preceding digit follows the first digit: a pattern that starts with a
# lookbehind is tried at every character.
_YEAR = re.compile(r"(?:1(?<![0-9]1)[89]|2(?<![0-9]2)[01])[0-9]{2}(?![0-9])")
_LINKED = 0x9E3779B9
_BITS = 2**32 - 1


def sketch_of(text: str) -> Sketch:
    """Return the sketch of *text* (Markdown): words, and phrases of up to three words in a line.

    All years count as one word. A word in a link counts as different from the same word outside,
    because the text of a link describes another page.

    The hashes have 32 bits and take at most 80 KB in total. Two of them collide with a probability
    of one in four billion. A collision makes a page look less new by a word or phrase, never newer.
    """
    if len(text) > MAX_TEXT:
        text = f"{text[: MAX_TEXT // 2]}\n{text[-MAX_TEXT // 2 :]}"
    if "![" in text:
        text = _IMAGE.sub(r"\1", text)  # what an image shows is text of this page
    parts = _LINK.split(_YEAR.sub("0000", text))  # text and links alternate
    plain = set(_WORD.findall(" ".join(parts[::2])))
    linked = set(_WORD.findall(" ".join(parts[1::2])))
    lines = [_WORD.findall(line) for line in "".join(parts).splitlines()]
    # encode() cannot fail: a surrogate is not a letter, so no word contains one.
    codes = {word: crc32(word.encode()) for word in plain.union(linked, *lines)}
    numbers = {word for word in codes if not word.isalpha() and _DIGIT.search(word)}
    return Sketch(
        _packed(_words(plain - numbers, linked - numbers, codes)),
        _packed(_words(plain & numbers, linked & numbers, codes)),
        _packed(_phrases(lines, codes)),
    )


def text_key(title: str, text: str) -> bytes:
    """Return a hash of the set of words in *title* and *text* (Markdown), numbers included.

    URLs do not count: those of links differ between two addresses of a page. Neither does the
    order: a list may be sorted in several ways. Empty if the text is too short to tell pages apart
    (less than 60 characters), like that of a gallery.
    """
    # A pattern takes ten times as long as split(), and most words stand between spaces.
    parts = set(_DESTINATION.sub("] ", text).split())
    words = {part for part in parts if part.isalnum()}
    words.update(_WORD.findall(" ".join(parts - words)))
    if sum(map(len, words)) < _LEAST_TEXT:
        return b""
    words.update(f"title {word}" for word in _WORD.findall(title))
    return blake2b("\n".join(sorted(words)).encode(), digest_size=8).digest()


def _words(plain: set[str], linked: set[str], codes: dict[str, int]) -> set[int]:
    return {codes[word] for word in plain} | {codes[word] ^ _LINKED for word in linked}


def _phrases(lines: list[list[str]], codes: dict[str, int]) -> set[int]:
    phrases: set[int] = set()
    for line in lines:
        found = [codes[word] for word in line]
        # The hash of a tuple of integers, unlike that of a string, is not randomised.
        if len(found) > 2:
            phrases.update(map(hash, zip(found, found[1:], found[2:], strict=False)))
        elif found:
            phrases.add(hash(tuple(found)))
    return {phrase & _BITS for phrase in phrases}


def _packed(hashes: set[int]) -> bytes:
    return array("I", hashes).tobytes()
