"""Encodings: a page is decoded as browsers do, but for what is stated here."""

from __future__ import annotations

from collections import Counter

from w3lib.encoding import resolve_encoding

from tests.suites.data import suite
from wikicrawler.content.parse import utf8

# No UTF-8, and other characters in each of the suite's encodings.
MARK = b"\xb1\xe6"

DIFFERENCES = {
    # a <meta> that is not well-formed, or quoted in an attribute: better than a guess
    "believed": 11,
    # behind the first 4 KB, written by a script, or behind another that is unknown
    "not seen": 5,
    # UTF-8 of which not one character is valid: Windows-1252 is read instead
    "not true": 6,
}


def test_pages_are_decoded_as_browsers_decode_them() -> None:
    cases = suite("encodings")
    differ = Counter(why for case in cases if (why := difference(case)))
    assert differ == DIFFERENCES
    assert len(cases) > 70


def difference(case: dict[str, str]) -> str:
    page = case["data"].encode("latin-1") + MARK
    as_browsers, as_guessed = (
        page.decode(resolve_encoding(name), "replace")[-1] for name in (case["encoding"], "cp1252")
    )
    ours = utf8(page).decode()[-1]
    if ours == as_browsers:
        return ""
    if ours != as_guessed:
        return "believed"
    return "not true" if case["encoding"].lower() == "utf-8" else "not seen"
