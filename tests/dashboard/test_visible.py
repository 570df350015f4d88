"""Text of strangers can be seen as it is."""

from __future__ import annotations

from wikicrawler.dashboard.visible import cut, visible


def test_markup_is_escaped() -> None:
    assert visible("<a b='\"&") == "&lt;a b=&#39;&#34;&amp;"


def test_what_controls_text_is_escaped() -> None:
    assert visible("<a>\u202e\x1b\ufeff") == "&lt;a&gt;\\u202e\\x1b\\ufeff"


def test_what_text_needs_stays() -> None:
    assert visible("a\n\t\xa0\u3000\u200c\u200d") == "a\n\t\xa0\u3000\u200c\u200d"
    assert visible("a\n\xa0", strict=True) == "a\\n\\xa0"


def test_a_long_text_is_cut() -> None:
    assert cut("abcdef", 3) == "abc…"
    assert cut("abc", 3) == "abc"
