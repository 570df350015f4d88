"""Boxes of links and forms, by their shape."""

from __future__ import annotations

import pytest

from tests.content.article.pages import MENU, PARAGRAPH, paragraphs, stated
from wikicrawler.content import convert

URL = "https://page.example/a/b"


def markdown(body: str, head: str = "") -> str:
    return convert(f"<head>{head}</head><body>{body}</body>", URL, wiki=False).markdown


def test_a_form_goes_with_the_text_around_it():
    text = markdown(
        f'<article><h1>T</h1>{paragraphs(2, "TEXT")}<div class="box"><h4>Best of the morning</h4>'
        "<p>Each day the best of our stories, right in your inbox, before you get up.</p>"
        '<form action="/s"><input type="email"><p>I agree to the terms.</p></form></div>'
        f"{paragraphs(3, 'MORE')}</article>"
    )
    assert "TEXT 1" in text
    assert "MORE 2" in text
    assert "inbox" not in text
    assert "I agree" not in text
    assert "Best of the morning" not in text


def test_a_form_around_the_page_and_a_form_of_buttons_are_kept():
    text = markdown(
        f'<form id="page"><input type="text"><main>{paragraphs(4, "TEXT")}<form action="/v">'
        '<input type="radio"><p>The answer that the text asks for.</p></form></main></form>'
    )
    assert "TEXT 3" in text
    assert "The answer that" in text


@pytest.mark.parametrize(
    "jump",
    [
        '<a href="#content">Skip to content</a>',
        '<p><a href="#top">Back to top</a></p>',
        '<div class="x"><span><a href="#recipe">Jump to recipe</a></span></div>',
        '<a href="#">Zum Seitenanfang</a>',
    ],
)
def test_a_link_within_the_page_that_stands_alone_is_dropped(jump):
    word = jump.partition("</a>")[0].rpartition(">")[2]
    text = markdown(f"<main>{jump}<h1>T</h1>{paragraphs(3, 'TEXT')}{jump}</main>")
    assert word not in text


@pytest.mark.parametrize(
    "kept",
    [
        '<p>See <a href="#b">chapter two</a>.</p>',
        '<p>as said above</p><ul><li>One thing <a href="#b">chapter two</a></li></ul>',
        '<table><tr><td><a href="#b">chapter two</a></td><td>x</td></tr></table>',
        '<h2><a href="#b">chapter two</a></h2><p>x</p>',
    ],
)
def test_a_link_within_the_page_in_a_text_is_kept(kept):
    assert "chapter two" in markdown(f"<main><h1>T</h1>{paragraphs(3, 'TEXT')}{kept}</main>")


def test_a_table_of_contents_is_dropped():
    text = markdown(
        '<main><h1>T</h1><h2>On this page</h2><ul><li><a href="#a">History</a></li><li>'
        '<a href="#b">Geography</a></li></ul>'
        f'<h2 id="a">History</h2>{paragraphs(2, "A")}<h2 id="b">Geography</h2>{paragraphs(2, "B")}'
        "</main>"
    )
    assert "- History" not in text
    assert "On this page" not in text
    assert "## Geography" in text


def more(count: int) -> str:
    items = "".join(
        f'<div class="item"><a href="/t{number}"><h5>TEASER{number} of another story</h5></a>'
        "<p>Short text on it.</p></div>"
        for number in range(count)
    )
    return f'<div class="more"><h4>Mehr zum Thema</h4>{items}</div>'


@pytest.mark.parametrize("count", [2, 3, 6])
def test_teasers_in_a_text_are_dropped_in_any_language(count):
    text = markdown(
        f"<article><h1>T</h1>{paragraphs(4, 'TEXT')}{more(count)}{paragraphs(4, 'MORE')}</article>"
    )
    assert "TEXT 3" in text
    assert "MORE 3" in text
    assert "TEASER" not in text
    assert "Mehr zum Thema" not in text


@pytest.mark.parametrize(
    "line",
    [
        '<p><a href="/y">TEASER two, a whole line that is a link</a></p>',
        '<p><strong>Lesen Sie auch: <a href="/x">TEASER of another story today</a></strong></p>',
        '<p>関連記事：<a href="/x">TEASER港は嵐のため閉鎖されました</a></p>',
    ],
)
def test_a_line_that_leads_to_another_story_is_dropped_from_an_article(line):
    body = f"<article><h1>T</h1>{paragraphs(3, 'TEXT')}{line}{paragraphs(3, 'MORE')}</article>"
    assert "TEASER" not in markdown(body, stated("NewsArticle"))
    assert "TEASER" in markdown(body)


@pytest.mark.parametrize(
    "line",
    [
        '<p><a href="/report.pdf">KEPT the report of the harbour board</a></p>',
        '<p>Source: <a href="/x">KEPT-archive</a></p>',
        '<p>The harbour board said so in <a href="/x">KEPT the report of the past year</a>.</p>',
    ],
)
def test_a_line_with_a_source_or_a_file_is_kept_in_an_article(line):
    body = f"<article><h1>T</h1>{paragraphs(3, 'TEXT')}{line}{paragraphs(3, 'MORE')}</article>"
    assert "KEPT" in markdown(body, stated("NewsArticle"))


def test_links_below_each_item_that_always_say_the_same_are_dropped():
    items = "".join(
        f'<div class="item"><h2>Item {number}</h2><p>{PARAGRAPH}</p><div class="menu">'
        f'<a href="/s/{number}">Share</a> <a href="/e/{number}">Improve this answer</a></div></div>'
        for number in range(3)
    )
    text = markdown(f"{MENU}<main>{items}</main>")
    assert "## Item 2" in text
    assert "Improve" not in text


def test_separators_and_headings_without_content_are_dropped():
    text = markdown(
        f"<main><h1>T</h1>{paragraphs(3, 'TEXT')}<div><span>|</span></div>{paragraphs(3, 'MORE')}"
        "<h2>Not what you want?</h2></main>"
    )
    assert "\n|\n" not in text
    assert text.endswith("noon.")
