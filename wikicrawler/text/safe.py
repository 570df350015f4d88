"""Text of others (pages, servers, operators' files) made fit for a log line or a record."""

from __future__ import annotations

import re

_URL_LOGIN = re.compile(r"://[^/?#\s\\<>]*@")
# Errors name a host without the rest of its URL: "invalid hostname: user:password@host". A login is
# looked for only within the text before an @, and each such text starts where another ends, so that
# the time is linear in the length of the text.
_BEFORE_HOST = re.compile(r"""(?<![^\s/@'"])[^\s/@'"]++@(?=[\w\[])""")
_LOGIN = re.compile(r"""(?<![^\s'"(])(?!mailto:)[^:(]++:.""")
_LONGEST_LOGIN = 8_000
"""Characters. A longer one is replaced with all that follows it."""
_HOST = "@x"
_SURROGATES = re.compile("[\ud800-\udfff]")


def one_line(text: object, limit: int = 500) -> str:
    """*text* on one line of at most *limit* characters of it, with everything that a terminal or
    a reader of logs would obey (line ends, escapes, bidirectional marks) written as an escape, and
    without the logins of URLs."""
    cut = without_logins(str(text))
    if len(cut) > limit:
        cut = cut[:limit] + "…"
    return escaped(cut)


def safe_lines(text: object) -> str:
    """*text*, a message of ours on one line or several, made fit as :func:`one_line` makes one."""
    return "\n".join(map(escaped, without_logins(str(text)).split("\n")))


def escaped(text: str) -> str:
    """*text* with each character that does not print written as an escape."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def without_logins(text: str) -> str:
    """Return *text* with ``***`` for the user and password of each URL in it, in linear time."""
    if "@" not in text:
        return text
    return _BEFORE_HOST.sub(_hidden, _URL_LOGIN.sub("://***@", text))


def _hidden(found: re.Match[str]) -> str:
    login = _LOGIN.search(found.string, found.start(), found.end() - 1)
    return f"{found.string[found.start() : login.start()]}***@" if login else found[0]


def without_surrogates(text: str) -> str:
    """*text* with U+FFFD for each half of a surrogate pair, which UTF-8 cannot say."""
    try:
        text.encode()  # many times as fast as a search
    except UnicodeEncodeError:
        return _SURROGATES.sub("\ufffd", text)
    return text


def quoted(text: str, limit: int = 120) -> str:
    """The first *limit* characters of *text* in quotes, escaped as Python does."""
    return repr(text) if len(text) <= limit else repr(text[:limit]) + "…"
