"""A raw text is numbered, escaped and cut."""

from __future__ import annotations

from wikicrawler.dashboard.preview import raw


def test_each_line_is_an_item() -> None:
    assert raw("a <b>\r\n\tc\n") == (
        '<ol class="preview-raw"><li class="preview-line"><code>a &lt;b&gt;</code></li>'
        '<li class="preview-line"><code>\tc</code></li></ol>'
    )


def test_what_cannot_be_seen_is_escaped() -> None:
    shown = raw("a\u202e\x1b\u2028\u200b\r\ud800\u3000b\u200dc")
    assert "<code>a\\u202e\\x1b\\u2028\\u200b\\r\\ud800\u3000b\u200dc</code>" in shown


def test_a_notice_says_where_a_text_is_cut() -> None:
    assert "The <b> is cut at 10 of 20 characters.".replace("<b>", "&lt;b&gt;") in raw(
        "x" * 20, what="<b>", limit=10
    )
    long = raw("a\n" * 6_000)
    assert long.count("<li") == 5_000
    assert "cut at 10000 of 12000 characters" in long


def test_an_empty_text_is_a_sentence() -> None:
    assert raw("", what="body") == '<p class="preview-empty">The body is empty.</p>'
