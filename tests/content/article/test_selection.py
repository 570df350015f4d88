"""Which blocks of a page are its content."""

from __future__ import annotations

import pytest

from tests.content.article.pages import MENU, PARAGRAPH, SENTENCE, cards, paragraphs, stated
from wikicrawler.content import convert

URL = "https://page.example/a/b"


def markdown(body: str, head: str = "") -> str:
    return convert(f"<head>{head}</head><body>{body}</body>", URL, wiki=False).markdown


def test_all_sections_of_main_are_kept_though_one_is_much_longer():
    sections = "".join(
        f'<section class="s{number}"><div><h2>Part {number}</h2><p>PART{number}. '
        f"{PARAGRAPH * (12 if number == 4 else 1)}</p></div></section>"
        for number in range(12)
    )
    text = markdown(f"{MENU}<main>{sections}</main>")
    assert [number for number in range(12) if f"PART{number}." not in text] == []
    assert "About us" not in text


def test_a_short_question_is_kept_beside_long_answers():
    answers = "".join(
        f'<div class="answer" id="a{number}"><div class="votes">{number}</div><div class="text">'
        f"{paragraphs(4, f'ANSWER{number}')}</div></div>"
        for number in range(4)
    )
    text = markdown(
        f'{MENU}<div id="content"><div itemscope itemtype="https://schema.org/Question">'
        '<div class="header"><h1>How do I sharpen a ceramic knife?</h1></div><div class="left">'
        '<div class="question"><p>QUESTION: my ceramic knife is blunt, and all I have is a '
        f'whetstone.</p></div><div id="answers">{answers}</div></div><div class="right"><ul>'
        '<li><a href="/1">How do I sharpen a saw?</a></li><li><a href="/2">Is a whetstone a '
        'stone?</a></li><li><a href="/3">What is a knife?</a></li></ul></div></div></div>'
    )
    assert "# How do I sharpen a ceramic knife?" in text
    assert "QUESTION" in text
    assert all(f"ANSWER{number} 3" in text for number in range(4))
    assert "What is a knife" not in text


def test_a_product_has_its_name_and_data_and_no_related_products():
    text = markdown(
        f'{MENU}<main><div class="goods"><div class="summary"><h1>Teapot</h1><p>SHORT a fine '
        f'pot.</p></div><div class="tabs"><div><h2>Description</h2><p>LONG {PARAGRAPH}</p></div>'
        "<div><table><tr><th>Weight</th><td>3 kg</td></tr><tr><th>Colour</th><td>blue</td></tr>"
        f'</table></div></div></div><section class="others"><h2>You may want</h2>{cards(8)}'
        "</section></main>",
        stated("Product"),
    )
    assert all(part in text for part in ("# Teapot", "SHORT", "LONG", "| Weight | 3 kg |"))
    assert "CARD" not in text
    assert "You may want" not in text


def test_a_listing_has_all_its_items():
    text = markdown(f'{MENU}<main><h1>Teapots</h1><div class="grid">{cards(12)}</div></main>')
    assert all(f"CARD{number} Blue teapot" in text for number in range(12))
    assert "12.90 €" in text
    assert "About us" not in text


def test_the_index_of_a_blog_has_all_its_posts():
    posts = "".join(
        f'<div class="post-{number} post"><h2><a href="/p{number}">POST{number} on the ferry</a>'
        f"</h2><div><p>{SENTENCE * 2}</p></div></div>"
        for number in range(8)
    )
    text = markdown(f'{MENU}<div id="wrap"><div id="content">{posts}</div></div>')
    assert all(f"POST{number} on" in text for number in range(8))
    assert "About us" not in text


def test_the_text_below_the_page_title_wins_over_a_longer_list_of_news():
    news = "".join(
        f'<li><a href="/n{number}">Headline number {number} of today</a><p>NEWS {SENTENCE}</p></li>'
        for number in range(12)
    )
    text = markdown(
        f'<div class="latest"><ul>{news}</ul></div><div class="left"><h2>Storm closes the port of '
        f'Exampleton</h2><div class="text">{paragraphs(3, "STORM")}</div></div>',
        "<title>Storm closes the port of Exampleton | The Example</title>",
    )
    assert "STORM 2" in text
    assert "NEWS" not in text


@pytest.mark.parametrize("tag", ["main", 'div role="main"'])
def test_a_short_page_is_its_main_element(tag):
    end = tag.partition(" ")[0]
    text = markdown(
        f'{MENU}<{tag}><h1>Closed</h1><p>CLOSED today.</p></{end}><div><a href="/in">Log in</a> '
        '<a href="/up">Sign up</a></div>'
    )
    assert text == "# Closed\n\nCLOSED today."


def test_sections_with_headings_of_the_first_level_are_all_kept():
    text = markdown(
        f"{MENU}<div><p>INTRO: we are a small company on the coast.</p></div><h1>Services</h1>"
        "<p>We repair ferries.</p><h1>Contact</h1><p>Call us.</p>"
    )
    assert all(part in text for part in ("INTRO", "# Services", "repair", "# Contact", "Call us"))


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("zh", "渡轮每天早上九点离开码头，中午之前回到港口，全年都是这样。"),
        ("ja", "フェリーは毎朝九時に港を出て、正午前に戻ってきます。一年中そうです。"),
        ("ko", "연락선은 매일 아침 아홉 시에 항구를 떠나 정오 전에 돌아온다. 일 년 내내 그렇다."),
    ],
)
def test_a_text_in_a_dense_script_is_chosen_though_it_has_few_characters(language, sentence):
    links = "".join(f'<li><a href="/{n}">{sentence[:9]}</a></li>' for n in range(40))
    text = markdown(
        f'<div class="a"><ul>{links}</ul></div><div class="b"><h1>{sentence[:8]}</h1>'
        f"<p>{sentence}</p><p>{sentence * 2}</p><p>{sentence}</p></div>",
    )
    assert text.count(sentence) == 4
    assert "[" not in text


def test_a_product_is_told_by_its_form_to_buy_and_found_around_its_title():
    text = markdown(
        f'{MENU}<main><div class="view"><section><h1>Splitting maul</h1><dl><dt>Weight</dt>'
        "<dd>3 kg</dd>"
        '</dl><form action="/add"><input name="quantity" type="text"></form></section><article>'
        f"<p>LONG {PARAGRAPH}</p><p>{PARAGRAPH}</p></article></div></main>",
        "<title>Splitting maul - Tools</title>",
    )
    assert "# Splitting maul" in text
    assert "**Weight**: 3 kg" in text
    assert "LONG" in text


def test_results_in_the_form_of_the_search_are_the_content():
    results = "".join(
        f'<li><a href="/r{n}">RESULT{n} Burning garden waste</a><p>{SENTENCE}</p></li>'
        for n in range(5)
    )
    text = markdown(
        f'{MENU}<main><form role="search"><h1>Search all content</h1><input type="search" name="q">'
        f"<ul>{results}</ul></form></main>"
    )
    assert all(f"RESULT{n} Burning" in text for n in range(5))


def test_what_is_around_the_items_of_a_list_is_dropped():
    tools = '<div class="bar">View as <b>Grid</b> Items 1-12 of 12 Sort by</div>'
    text = markdown(
        f'{MENU}<main><h1>Teapots</h1>{tools}<div class="grid">{cards(12)}</div>{tools}'
        '<div class="side"><b>Compare products</b><p>Nothing to compare.</p></div></main>'
    )
    assert "CARD11" in text
    assert "# Teapots" in text
    for tool in ("Sort by", "Compare", "Items 1-12"):
        assert tool not in text
