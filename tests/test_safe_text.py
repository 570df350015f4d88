"""Text of others in log lines and messages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikicrawler.safe_text import one_line, quoted, safe_lines, without_logins


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
def test_a_text_becomes_one_line_that_nothing_obeys(text, line):
    assert one_line(text, 10) == line


@given(st.text())
def test_every_text_can_be_printed_and_encoded(text):
    for safe in (one_line(text), quoted(text)):
        assert safe.isprintable()
        safe.encode()


def test_a_long_text_is_cut_before_it_is_escaped():
    assert quoted("\n" * 10, 3) == r"'\n\n\n'…"
    assert one_line("\n" * 10, 3) == r"\n\n\n…"


@given(st.text())
def test_a_message_keeps_its_line_ends_alone(text):
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
def test_the_logins_of_urls_are_left_out_and_nothing_else(text, safe):
    assert without_logins(text) == one_line(text) == safe_lines(text) == safe
