"""Furniture by tag, class and id."""

from __future__ import annotations

import pytest

from tests.content.article.pages import MENU, PARAGRAPH, paragraphs
from wikicrawler.content import convert

URL = "https://page.example/a/b"


def markdown(body: str) -> str:
    return convert(f"<body>{body}</body>", URL, wiki=False).markdown


@pytest.mark.parametrize("name", ["elementor-widget-text-editor", "canvas-widget-list", "promo"])
def test_a_name_that_half_of_the_page_has_does_not_name_furniture(name):
    blocks = "".join(
        f'<section><div class="{name}"><h2>Head {number}</h2></div><div class="{name}">'
        f"<p>TEXT{number} {PARAGRAPH}</p></div></section>"
        for number in range(8)
    )
    text = markdown(f"{MENU}<main><article><p>{PARAGRAPH * 4}</p>{blocks}</article></main>")
    assert all(f"TEXT{number} " in text for number in range(8))
    assert "## Head 7" in text


def test_a_named_block_with_most_of_the_text_is_kept():
    text = markdown(f'{MENU}<div class="jump-link">{paragraphs(6, "TEXT")}</div><div>x</div>')
    assert "TEXT 0" in text
    assert "TEXT 5" in text


@pytest.mark.parametrize(
    "aside",
    [
        '<aside class="footnote brackets" role="doc-footnote"><p>KEPT</p></aside>',
        '<aside class="footnote-list brackets"><aside class="footnote"><p>KEPT</p></aside></aside>',
        '<aside aria-label="Tip" class="starlight-aside starlight-aside--tip"><p>KEPT</p></aside>',
        '<aside class="admonition warning"><p>KEPT</p></aside>',
        '<aside role="note"><p>KEPT</p></aside>',
        '<aside class="quote no-group"><div>ottokar:</div><blockquote>KEPT</blockquote></aside>',
    ],
)
def test_an_aside_that_is_a_note_or_a_quotation_is_kept(aside):
    text = markdown(f"<main><h1>T</h1>{paragraphs(3, 'TEXT')}{aside}</main>")
    assert "KEPT" in text


def test_any_other_aside_is_dropped():
    text = markdown(f"<main><h1>T</h1>{paragraphs(3, 'TEXT')}<aside><p>Offers</p></aside></main>")
    assert "Offers" not in text


@pytest.mark.parametrize("name", ["browserupgrade", "browsehappy"])
def test_a_warning_to_readers_with_old_browsers_is_dropped(name):
    text = markdown(
        f'<div class="{name}">You use an old browser. Please upgrade it.</div>{paragraphs(2, "T")}'
    )
    assert "old browser" not in text
