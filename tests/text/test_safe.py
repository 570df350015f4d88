"""Escaping of untrusted text in log lines and messages."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.growth import FACTOR, LIMIT, growth
from wikicrawler.text.safe import hide_logins, one_line, quoted, safe_lines


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Größe 例え", "Größe 例え"),
        ("a\nb\r\tc", r"a\nb\r\tc"),
        ("\x1b[2J\x9b", r"\x1b[2J\x9b"),
        ("\u2028\u202e\udcff\0", r"\u2028\u202e\udcff\x00"),
        ("x" * 20, "xxxxxxxxxx…"),
        (ValueError("a\nb"), r"a\nb"),
    ],
)
def test_control_characters_are_escaped_on_one_line(text, line):
    assert one_line(text, 10) == line


@given(st.text())
def test_any_text_becomes_printable_and_encodable(text):
    for safe in (one_line(text), quoted(text)):
        assert safe.isprintable()
        safe.encode()


def test_a_long_text_is_truncated_before_it_is_escaped():
    assert quoted("\n" * 10, 3) == r"'\n\n\n'…"
    assert one_line("\n" * 10, 3) == r"\n\n\n…"


@given(st.text())
def test_safe_lines_keeps_line_ends_only(text):
    assert safe_lines(text).replace("\n", "").isprintable()
    assert safe_lines(text).count("\n") == text.count("\n")


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("no https://a:b@x.org/c or ftp://d@y.org", "no https://***@x.org/c or ftp://***@y.org"),
        ("s3://key:p@ss@bucket/@a", "s3://***@bucket/@a"),
        ("invalid hostname: a:b@x.org", "invalid hostname: ***@x.org"),
        ("robots.txt of 'a:b@[::1]:80'", "robots.txt of '***@[::1]:80'"),
        *[(text, text) for text in ("mailto:a@x.org", "a@x.org", "a: b@x.org", "10:30 @x")],
        ("https://x.org/@a?b=c@d#e@f mail@x.org", "https://x.org/@a?b=c@d#e@f mail@x.org"),
    ],
)
def test_only_the_logins_of_urls_are_hidden(text, safe):
    assert hide_logins(text) == one_line(text) == safe_lines(text) == safe


# The definition of a login; its search takes quadratic time.
_URL_LOGIN = re.compile(r"(://|:\\+/\\+/)[^/?#\s\\<>]*@")
_HOST_LOGIN = re.compile(r"""(?<![^\s'"(])(?!mailto:)[^\s:/@'"(]+:[^\s/@'"]+@(?=[\w\[])""")

NEAR_LOGINS = st.lists(
    st.sampled_from([*"ab:@(/'[?#\\ \n<", "://", "mailto:", "a:b@x", "ü"]), max_size=25
).map("".join)


@given(NEAR_LOGINS)
def test_the_linear_search_finds_the_same_logins_as_the_definition(text: str) -> None:
    defined = _HOST_LOGIN.sub("***@", _URL_LOGIN.sub(r"\1***@", text))
    assert hide_logins(text) == defined


@pytest.mark.parametrize(
    "piece", ["(a:", "a:", "(", "://", "://a:", "a:b@", "a:b@x ", "@ ", "(a:b@@", "mailto:a:", "'@"]
)
@pytest.mark.parametrize("start", ["@ ", "://@ "])
def test_the_time_to_find_logins_is_linear(piece: str, start: str) -> None:
    assert growth(hide_logins, lambda size: start + piece * size, 2_000) < LIMIT


@pytest.mark.parametrize("length", [500, 9_000, 100_000])
@pytest.mark.parametrize("before", ["see ", "https://", "x (", "Fetching https://"])
def test_no_truncation_reveals_a_password(before: str, length: int) -> None:
    word = "s3cr3t"
    text = f"{before}me:{word * length}@host/ and more"
    for limit in (*range(1, 40), 500, 8_000):
        assert word not in one_line(text, limit)


@given(NEAR_LOGINS, st.integers(7_980, 8_020), st.integers(0, 30), NEAR_LOGINS)
def test_a_truncated_text_hides_the_same_logins_as_the_whole(
    start: str, gap: int, limit: int, end: str
) -> None:
    text = f"{start} {' ' * gap}me:s3cr3t@host {end}" + " " * 9_000
    assert "s3cr3t" not in one_line(text, limit)
    whole = hide_logins(text)[:limit]
    assert one_line(text, limit) == one_line(whole, limit) + "…"


def test_the_rest_of_a_long_text_is_not_searched() -> None:
    assert growth(one_line, lambda size: "@ " + "(a:" * size, 20_000) < FACTOR / 2
