"""Text of others (pages, servers, operators' files) made fit for a log line or a message."""

from __future__ import annotations


def one_line(text: object, limit: int = 500) -> str:
    """*text* on one line of at most *limit* characters of it, with everything that a terminal or
    a reader of logs would obey (line ends, escapes, bidirectional marks) written as an escape."""
    cut = str(text)
    if len(cut) > limit:
        cut = cut[:limit] + "…"
    if cut.isprintable():
        return cut
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in cut)


def quoted(text: str, limit: int = 120) -> str:
    """The first *limit* characters of *text* in quotes, escaped as Python does."""
    return repr(text) if len(text) <= limit else repr(text[:limit]) + "…"
