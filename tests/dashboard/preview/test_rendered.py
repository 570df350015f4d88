"""Rendered Markdown is readable and cannot do anything."""

from __future__ import annotations

import pytest

from wikicrawler.dashboard.preview import preview_document, rendered


def test_markdown_is_rendered() -> None:
    html = rendered("# Title\n\n*One* and **two**.\n\n|a|b|\n|-|-|\n|1|2|\n\n- ~~x~~\n")
    for part in (
        "<h1>Title</h1>",
        "<em>One</em>",
        "<strong>two</strong>",
        "<td>1</td>",
        "<s>x</s>",
    ):
        assert part in html


def test_html_is_shown_as_text() -> None:
    assert rendered("<b onclick=x>a</b>") == "<p>&lt;b onclick=x&gt;a&lt;/b&gt;</p>\n"


def test_a_link_is_its_text_with_the_address_as_title() -> None:
    html = rendered('[text](http://a.example/?a=1&b=2 "title")')
    expected = '<span class="preview-link" title="http://a.example/?a=1&amp;b=2">text</span>'
    assert html == f"<p>{expected}</p>\n"


@pytest.mark.parametrize("scheme", ["javascript:x", "data:text/html,x", "vbscript:x", "file:///x"])
def test_a_link_that_may_run_something_is_text_as_written(scheme: str) -> None:
    assert rendered(f"[text]({scheme})") == f"<p>[text]({scheme})</p>\n"


def test_an_image_is_its_alternative_text() -> None:
    html = rendered('![a "cat"](http://a.example/x.png)')
    assert html == '<p><span class="preview-image">Image: a &quot;cat&quot;</span></p>\n'.replace(
        "&quot;", "&#34;"
    )


def test_what_cannot_be_seen_is_escaped() -> None:
    assert rendered("a\u202eb\x00c\ud800") == "<p>a\\u202eb\\x00c\\ud800</p>\n"


def test_a_long_text_is_cut_with_a_notice() -> None:
    document = preview_document("word " * 50_000, "Title")
    assert "Cut at 200000 of 250000 characters." in document
    lines = preview_document("a\n\n" * 20_000, "Title")
    assert "Cut at 9999 of" not in lines
    assert lines.count("<p>a</p>") == 5_000
    assert "Cut at 14999 of 60000 characters." in lines


@pytest.mark.parametrize(
    "text",
    ["[" * 2_000, "*a_" * 2_000, "word " * 4_001, "[a](b) " * 4_000],
    ids=["brackets", "emphasis", "long", "links"],
)
def test_a_paragraph_that_would_take_long_is_shown_as_text(text: str) -> None:
    assert rendered(text) == f"<p>{text.strip()}</p>\n".replace("<p>*a_*", "<p>*a_*")


def test_the_marks_of_a_whole_document_are_bounded() -> None:
    html = rendered("*a* *b*\n\n" * 6_000)
    assert html.count("<em>") == 10_000  # 5,000 paragraphs with four marks each


def test_the_title_is_escaped_and_cut() -> None:
    document = preview_document("x", "</title><script>" + "x" * 500)
    assert "<title>&lt;/title&gt;&lt;script&gt;" in document
    assert "<script" not in document
    assert "x" * 300 not in document
