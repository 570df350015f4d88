"""Texts that make a function slow whose time is not linear in the length of its text."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Text = Callable[[int], str]
    """Returns a text of about so many characters."""

PIECES = (
    *("a", "A", "0", "9", "1,", " ", "\t", "\n", " \n", ".", "a.", "1.", "-", "_", "a_", "a-"),
    *(
        "<",
        ">",
        "<a",
        "<a ",
        "</a",
        "<!--",
        "-->",
        "<!",
        "<?",
        "</",
        "<a b=",
        '="',
        "='",
        "='\"",
        "/>",
    ),
    *('"', "'", "'\n'", "\\", '\\"', "`", "(", ")", "[", "](", "[](", "{", "|", "*", "$", "^"),
    *(
        "=",
        ";",
        "; ",
        "a=b; ",
        "=;",
        ",",
        ", ",
        ":",
        "::",
        "@",
        "a@",
        "://",
        "://a@",
        "a:b@",
        "#",
        "?",
    ),
    *(
        "?a",
        "&",
        "&a",
        "&a=",
        "&&",
        "?sid=",
        ";sid=",
        "&amp;",
        "&nbsp;",
        "&#160;",
        "&#9",
        "&#x",
        "&lt",
    ),
    *(
        "/",
        "//",
        "../",
        "/..",
        "/./",
        "/a/..",
        "%2e%2e/",
        "%",
        "%2",
        "%e4",
        "%25",
        "%cc%a3%cc%81",
        "/1/2",
    ),
    *("xn--", "xn--a.", "xn--a-", "xn--zz", "é", "ß", "İ", "ﷺ", "\u0301", "\u0323\u0301", "\u1100"),
    *("\ud800", "\0", "\x1b", "\u202e", "\u3000", "０", "。"),
    *("charset=", 'charset="', "text/html;", "refresh", "http-equiv", "content=", "url=", "0;url="),
    *(
        "<meta ",
        "<meta http-equiv=refresh content=",
        "<script",
        "<script>",
        "<title>",
        "<noscript>",
    ),
    *("<div ", '<div class="', 'class="', " mw-parser-output", ' class="mw-parser-output'),
    *(
        '<div class="mw-parser-output">',
        '<div class="redirectMsg">',
        '"wgPageName":"',
        '"wgPageName":',
    ),
    *(
        "net::ERR_",
        "Timeout ",
        "Timeout 1",
        "TOKEN=",
        "TOKEN='",
        "_KEY",
        "a_KEY:'",
        "s3cret",
        "hunter",
    ),
    *("$1", "/$1", "2026/", "/2026-01", "year=2", "=2026", "/(S(", "/(S(aaaaaaaaaaaaaaaaaaaaaaaa)"),
)


def texts(*starts: str, ends: tuple[str, ...] = ("", "!")) -> Iterator[tuple[str, Text]]:
    """Yield texts of each piece again and again, behind each of *starts*, with their names."""
    for start in starts or ("",):
        for piece in PIECES:
            for end in ends:
                yield f"{start!r} {piece!r} {end!r}", _repeated(start, piece, end)


def _repeated(start: str, piece: str, end: str) -> Text:
    return lambda size: start + piece * (size // len(piece)) + end
