"""Patterns of follow and exclude: their syntax, errors and running time."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikicrawler.errors import ConfigError
from wikicrawler.urls.patterns import MAX_PATTERN, Patterns

URL = "https://wiki.example.org/wiki/Rome"


@pytest.mark.parametrize("argument", [None, "", "  \n"])
def test_an_empty_list_of_patterns_matches_no_url(argument):
    patterns = Patterns.parse(argument)
    assert not patterns
    assert not patterns.search(URL)


@pytest.mark.parametrize(
    ("argument", "found"),
    [
        ("/wiki/", True),
        ("^https://wiki", True),
        ("Rome$", True),
        ("rome$", False),
        ("(?i)rome$", True),
        ("Paris", False),
        ("Paris Rome", True),
        ("Paris\n\tRome\n", True),
        (r"/wiki/[A-Z]\w{3}$", True),
        ("a,b", False),
        (r"wiki/\pL+$", True),
    ],
)
def test_a_url_matches_if_one_of_the_patterns_matches_anywhere(argument, found):
    patterns = Patterns.parse(argument)
    assert patterns
    assert patterns.search(URL) is found


def test_patterns_and_urls_may_contain_any_character():
    assert Patterns.parse("/Größe$").search("https://a.example/Größe")
    assert not Patterns.parse("y").search("https://a.example/\udcff\0")


def test_a_file_of_patterns_is_read(tmp_path):
    (tmp_path / "exclude.txt").write_bytes(
        b"\xef\xbb\xbf# talk pages\r\n/Talk:\r\n\r\n  /User:  /Special:\r\n"
    )
    patterns = Patterns.parse("/File: @exclude.txt", base=tmp_path)
    assert len(patterns) == 4
    for name in ("File", "Talk", "User", "Special"):
        assert patterns.search(f"https://a.example/wiki/{name}:X")
    assert not patterns.search(URL)


def test_no_pattern_backtracks():
    assert not Patterns.parse(r"(a+)+$ (a|aa)+$ (.*a){25}$").search(
        "https://a.example/" + "a" * 100_000 + "!"
    )


@pytest.mark.parametrize(
    ("pattern", "column", "why"),
    [
        ("(?<=x)y", 1, "look-around is not supported: use follow"),
        ("a(?<!x)y", 2, "look-around is not supported"),
        ("/wiki/(?!Talk:)", 7, "look-around is not supported"),
        ("a(?=b)", 2, "look-around is not supported"),
        (r"(a)\1", 4, "back-references are not supported: write the alternatives out"),
        ("(?P<n>a)(?P=n)", 9, "back-references are not supported"),
        ("(?>a)", 1, "possessive and repeated quantifiers are not supported"),
        ("a++", 2, "possessive and repeated quantifiers"),
        ("*.html", 1, r"write \* or \+ for the character, .* for any text"),
        ("(ab", 3, r"missing ): (ab (write \ before"),
        ("ab)", 3, "unexpected )"),
        ("a[bc", 2, "missing ]"),
        ("[z-a]", 2, "invalid character class range: z-a"),
        ("a{2000}", 2, "at most 1000 repetitions"),
        ("ab\\", 3, "trailing \\"),
        (r"ab\Z", 3, "https://github.com/google/re2/wiki/Syntax"),
    ],
)
def test_an_invalid_pattern_is_reported_with_column_and_reason(pattern, column, why):
    with pytest.raises(ConfigError) as caught:
        Patterns.parse(pattern, name="follow")
    assert str(caught.value).startswith(f"follow: {pattern!r} column {column}: ")
    assert why in str(caught.value)


def test_all_invalid_patterns_are_reported_at_once(tmp_path):
    (tmp_path / "bad").write_text("ok\n# (\n(\n")
    with pytest.raises(ConfigError) as caught:
        Patterns.parse("[ fine @bad", name="exclude", base=tmp_path)
    first, second = str(caught.value).split("\n")
    assert first.startswith("exclude: '[' column 1: ")
    assert second.startswith(f"{tmp_path / 'bad'}:3: '(' column 1: ")


def test_an_unreadable_file_is_reported_with_its_path(tmp_path):
    with pytest.raises(ConfigError, match=f"{tmp_path / 'missing'}: cannot be read: No such file"):
        Patterns.parse("@missing", base=tmp_path)
    (tmp_path / "latin1").write_bytes(b"a\nGr\xf6\xdfe\n")
    with pytest.raises(ConfigError, match="latin1:2: is not UTF-8"):
        Patterns.parse("@latin1", base=tmp_path)
    with pytest.raises(ConfigError, match="is not a file name"):
        Patterns.parse("@a\0b", base=tmp_path)


def test_a_huge_or_undecodable_pattern_is_rejected():
    with pytest.raises(ConfigError, match="has 8,001 characters") as caught:
        Patterns.parse("x" * (MAX_PATTERN + 1))
    assert len(str(caught.value)) < 400
    with pytest.raises(ConfigError, match="is not Unicode text"):
        Patterns.parse("\udcff")


def test_re2_writes_nothing_to_stderr(capfd):
    with pytest.raises(ConfigError):
        Patterns.parse("(")
    assert capfd.readouterr().err == ""


@given(st.one_of(st.text(), st.text(st.sampled_from(r"()[]{}*+?\|^$.a1<P=!>:-,"))))
def test_any_argument_raises_only_config_errors(argument):
    try:
        Patterns.parse(argument).search(URL)
    except ConfigError as exc:
        assert str(exc).replace("\n", "").isprintable()  # noqa: PT017 - one outcome of two
