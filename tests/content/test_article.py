"""Pages that are no wiki's."""

from __future__ import annotations

import pytest

from wikicrawler.content import convert

URL = "https://news.example/a/b"
SENTENCE = "The ferry left at nine, as it had on every day of the year, and came back at noon. "
PARAGRAPH = SENTENCE * 3


@pytest.mark.parametrize(
    ("head", "body", "title"),
    [
        ('<meta property="og:title" content="Og"><title>T</title>', "<h1>H</h1>", "Og"),
        ("<title>T | Site</title>", "<h1>H</h1>", "H"),
        ("<title>T | Site</title>", "<h1>H</h1><h1>I</h1>", "T | Site"),
        ("", "<h1>H</h1><h1>I</h1>", "H"),
        ("", "", ""),
    ],
)
def test_title_is_og_title_then_the_only_h1_then_title(head, body, title):
    html = f"<html><head>{head}</head><body>{body}<p>{PARAGRAPH}</p></body></html>"
    assert convert(html, URL).title == title


def test_data_that_readability_drops_is_kept_and_teasers_are_not():
    rows = "".join(f"<tr><td>{n}</td><td>{n * n}</td></tr>" for n in range(4))
    html = (
        f"<body><div id=story><p>{PARAGRAPH}</p><p>{PARAGRAPH}</p><table><tr><th>n</th><th>n²</th>"
        f"</tr>{rows}</table><pre>x = 1</pre><ul class=related-links><li><a href=/1>One</a><li>"
        f"<a href=/2>Two</a><li><a href=/3>Three</a></ul><p>{PARAGRAPH}</p></div>"
        "<div id=sidebar><ul><li><a href=/x>Elsewhere</a></ul></div></body>"
    )
    markdown = convert(html, URL).markdown
    assert "| 3 | 9 |" in markdown
    assert "x = 1" in markdown
    assert "Three" not in markdown
    assert "Elsewhere" not in markdown


def test_a_short_page_is_kept_without_its_navigation():
    content = convert("<nav><a href=/>Home</a></nav><p>Closed today.</p><footer>©</footer>", URL)
    assert content.markdown == "Closed today."
    assert content.links == ()


def test_one_of_many_teasers_is_not_taken_for_the_article():
    teasers = "".join(f"<article><p>{PARAGRAPH}{name}.</p></article>" for name in "ABC")
    markdown = convert(f"<main><h1>All news</h1>{teasers}</main>", URL).markdown
    assert all(f"{name}." in markdown for name in "ABC")


def test_links_resolve_against_base():
    text = f'<p>{PARAGRAPH}</p><p>{PARAGRAPH}<a href="d e">x</a></p>'
    html = f'<base href="/c/"><article>{text}</article>'
    assert convert(html, URL).links == ("https://news.example/c/d%20e",)


def test_form_around_the_whole_page_is_no_furniture():
    html = f"<body><form><div><p>{PARAGRAPH}</p><p>{PARAGRAPH}</p></div></form></body>"
    assert "The ferry left" in convert(html, URL).markdown
