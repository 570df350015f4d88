"""Text stays text, and emphasis is written only where a renderer reads it as such."""

from __future__ import annotations

from html import escape

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.content.rendering import page, render, rendered_text
from wikicrawler.content import convert
from wikicrawler.errors import ContentError

URL = "https://wiki.example/wiki/T"


def markdown(inner: str) -> str:
    return convert(page(inner), URL).markdown


tokens = [*"ab1 .-+*_#>|[]()!<&;:`~=\\\"'$^{}é字「", "](", "![", "---", "1. ", "[x]", "&lt;"]
pieces = st.lists(st.sampled_from(tokens), min_size=1, max_size=12).map("".join)
inline = st.recursive(
    pieces.map(escape),
    lambda inner: st.builds(
        lambda tag, parts: f"<{tag}>{''.join(parts)}</{tag.split()[0]}>",
        st.sampled_from(["b", "i", "s", "em", "span", "code", "a href='/w'"]),
        st.lists(inner, min_size=1, max_size=3),
    ),
    max_leaves=6,
)
blocks = st.sampled_from(
    [
        "<p>{}</p>",
        "<ul><li>{}</li></ul>",
        "<h2>{}</h2>",
        "<blockquote>{}</blockquote>",
        "<table><tr><th>h</th><th>i</th></tr><tr><td>{}</td><td>c</td></tr></table>",
    ]
)


@settings(max_examples=400, deadline=None)
@given(blocks, st.lists(inline, min_size=1, max_size=4).map("".join))
def test_the_rendered_markdown_has_the_text_of_the_page(block, inner):
    source = block.replace("{}", inner)
    try:
        result = markdown(source)
    except ContentError:
        return
    assert "".join(rendered_text(result).split()) == "".join(_text(source).split())


def _text(source: str) -> str:
    from lxml.html import fragment_fromstring

    return fragment_fromstring(source, create_parent="div").text_content()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("don't, 50% (and so on) [1], a snake_case name: yes!", None),
        ("C:\\games\\wow", None),
        ("2 * 3 < 4 & 5 | 6 ~7", None),
        ("1. one", "1\\. one"),
        ("2024. A year", "2024\\. A year"),
        ("3.5 litres", None),
        ("#hashtag", None),
        ("# one", "\\# one"),
        ("-5 degrees", None),
        ("*x*", "\\*x\\*"),
        ("[x](y)", "[x\\](y)"),
        ("<b>", "\\<b>"),
        ("&lt;", "\\&lt;"),
    ],
)
def test_only_text_that_markdown_would_interpret_is_escaped(text, expected):
    assert markdown(f"<p>{escape(text)}</p>") == (expected or text)


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<b>a</b><b>b</b>", "**ab**"),
        ("<b>a</b><i>b</i>", "**a**_b_"),
        ("<b><i>a</i></b>", "***a***"),
        ("x<b> y </b>z", "x **y** z"),
        ('foo<b>"bar"</b>baz', 'foo"bar"baz'),
        ("漢字<b>「x」</b>漢字", "漢字「x」漢字"),
        ("<b>a<b>b</b></b>", "**ab**"),
        ("<b> </b>x<i></i>", "x"),
        ("<b><p>one</p><p>two</p></b>", "one\n\ntwo"),
        ("foo<em><strong>bar</strong></em>baz", "foo***bar***baz"),
        ("foo<em>a<strong>bar</strong></em>baz", "foo*a**bar***baz"),
        ("foo<strong><em>bar</em>a</strong>baz", "foo***bar*a**baz"),
        ("foo<em><s>bar</s></em>baz", "foo~~bar~~baz"),
    ],
)
def test_emphasis_is_written_where_it_renders(html, expected):
    assert markdown(f"<div>{html}</div>") == expected


def test_an_exclamation_mark_before_a_link_does_not_make_an_image():
    result = markdown('<p>Look!<a href="/a">here</a></p>')
    assert not render(result).xpath(".//img")
    assert rendered_text(result) == "Look!here"


def test_control_characters_and_lone_surrogates_are_removed():
    result = markdown("<p>a\x00b\x07c\ud800d\x0be &#x85;f</p>")
    result.encode("utf-8")
    assert not [char for char in result if ord(char) < 32 and char not in "\n\t"]


def test_white_space_collapses_and_ideographic_space_is_kept():
    assert markdown("<p>a \n\t b&nbsp;&nbsp;c　d</p>") == "a b c　d"


def test_the_invisible_text_of_a_link_to_a_heading_is_no_text():
    assert markdown('<h2>One<a href="#one">&#8203;</a></h2>') == "## One"


def test_a_block_inside_pre_becomes_a_line():
    assert markdown("<pre>a<div>b</div>c<div><div>d</div></div></pre>") == "```\na\nb\nc\nd\n```"


@pytest.mark.parametrize(
    "rest", ["<p>b</p>c<p>d</p>", "<p>b</p></body></html>c<html><body><p>d</body></html>"]
)
@pytest.mark.parametrize("wiki", [True, False])
def test_text_after_the_end_tags_of_a_document_is_kept(rest, wiki):
    found = convert(f"<html><body><p>a</p></body></html>{rest}", URL, wiki=wiki)
    assert found.markdown.split() == list("abcd")


def test_text_after_an_empty_document_is_kept():
    assert convert("<html><body></body></html>text", URL).markdown == "text"
