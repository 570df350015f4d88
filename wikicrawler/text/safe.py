"""Escaping of untrusted text (pages, servers, operators' files) for log lines and records."""

from __future__ import annotations

import re

# In a URL, in one with escaped slashes (JSON), and in one that is percent-encoded (a parameter).
_URL_LOGIN = re.compile(r"(://|:\\+/\\+/)[^/?#\s\\<>]*@")
_ENCODED_LOGIN = re.compile(
    r"(%3A(?:%2F){2})(?:(?!%(?:2F|3F|23|5C))[^/?#\s\\<>&])*(?=%40)", re.IGNORECASE
)
# Error messages may contain a host without its scheme: "invalid hostname: user:password@host". A
# login is searched only in the text before an @. These texts do not overlap, so the time is linear
# in the length of the text.
_BEFORE_HOST = re.compile(r"""(?<![^\s/@'"])[^\s/@'"]++@(?=[\w\[])""")
_LOGIN = re.compile(r"""(?<![^\s'"(])(?!mailto:)[^:(]++:.""")
_MAX_LOGIN = 8_000
"""Characters beyond the limit in which :func:`one_line` looks for the end of a login."""
_HOST = "@x"
_SURROGATES = re.compile("[\ud800-\udfff]")


def one_line(text: object, limit: int = 500) -> str:
    """Return *text* as one printable line, truncated to *limit* characters before it is escaped.

    Characters that control a terminal or a log viewer (line ends, escapes, bidirectional marks) are
    escaped, and logins of URLs hidden. A long text is truncated before it is searched; a login that
    may go on behind the truncation is hidden as well.
    """
    whole = str(text)
    searched = whole[: limit + _MAX_LOGIN]
    if len(searched) < len(whole):
        shown = hide_logins(searched + _HOST).removesuffix(_HOST)[:limit] + "…"
    else:
        shown = hide_logins(whole)
        if len(shown) > limit:
            shown = shown[:limit] + "…"
    return escaped(shown)


def safe_lines(text: object) -> str:
    """Return *text*, a message of one or more lines, with each line as in :func:`one_line`."""
    return "\n".join(map(escaped, hide_logins(str(text)).split("\n")))


def escaped(text: str) -> str:
    """Return *text* with each non-printable character as an escape sequence."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def hide_logins(text: str) -> str:
    """Return *text* with ``***`` for the user and password of each URL in it, in linear time."""
    if "%40" in text:
        text = _ENCODED_LOGIN.sub(r"\1***", text)
    if "@" not in text:
        return text
    return _BEFORE_HOST.sub(_hidden, _URL_LOGIN.sub(r"\1***@", text))


def _hidden(found: re.Match[str]) -> str:
    login = _LOGIN.search(found.string, found.start(), found.end() - 1)
    return f"{found.string[found.start() : login.start()]}***@" if login else found[0]


def without_surrogates(text: str) -> str:
    """Return *text* with U+FFFD for each lone surrogate, which UTF-8 cannot encode."""
    try:
        text.encode()  # many times faster than a search
    except UnicodeEncodeError:
        return _SURROGATES.sub("\ufffd", text)
    return text


def quoted(text: str, limit: int = 120) -> str:
    """Return the first *limit* characters of *text* in quotes, escaped as by :func:`repr`."""
    return repr(text) if len(text) <= limit else repr(text[:limit]) + "…"
