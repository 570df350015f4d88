"""Text as a JSON string for readers of lines, in a third of the time that :mod:`json` takes."""

from __future__ import annotations

import json

from wikicrawler.text.safe import without_surrogates

JSON_LINES = frozenset({"jsonlines", "jsonl", "jl"})
"""Names of the format of feeds of JSON lines."""
LINE_ENDS = {"\x85": "\\u0085", "\u2028": "\\u2028", "\u2029": "\\u2029"}
"""Characters at which a reader may part lines and that JSON leaves as they are, and their
escapes."""
_RARE = tuple(bytes([code]) for code in range(0x20) if code != ord("\n"))


def json_text(text: str) -> bytes:
    """Return *text* as a JSON string in UTF-8.

    Half of a surrogate pair is written as U+FFFD, a character of :data:`LINE_ENDS` as its escape.
    """
    try:
        written = text.encode()
    except UnicodeEncodeError:
        written = without_surrogates(text).encode()
    if any(character in written for character in _RARE):
        written = json.dumps(written.decode(), ensure_ascii=False).encode()
    else:  # searches for bytes are many times faster than the loop of json
        written = written.replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b"\\n")
        written = b'"%b"' % written
    for end, escape in LINE_ENDS.items():
        if end in text:  # faster than a search in the bytes
            written = written.replace(end.encode(), escape.encode())
    return written
