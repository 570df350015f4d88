"""Extraction of the content of non-wiki pages."""

from __future__ import annotations

import os
import subprocess
import sys

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


def test_data_that_readability_drops_is_kept_and_teasers_are_dropped():
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


def test_a_short_page_loses_only_its_navigation():
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


def test_a_form_around_the_whole_page_is_not_furniture():
    html = f"<body><form><div><p>{PARAGRAPH}</p><p>{PARAGRAPH}</p></div></form></body>"
    assert "The ferry left" in convert(html, URL).markdown


def doubtful(first: str, second: str, description: str) -> str:
    """Return a page with two separate texts and no marked content."""
    return (
        f'<meta name="description" content="{description}"><body><div class="remark"><div>{first}'
        f'</div><a href="/">{SENTENCE * 60}</a></div><div class="entry-content">{second}</div>'
    )


def test_the_description_decides_between_two_texts():
    other = "".join(f"<p>Elsewhere, {SENTENCE}{n}</p>" for n in range(9))
    story = "".join(f"<p>The lighthouse of Exampleton burned, and {n}, down.</p>" for n in range(8))
    html = doubtful(other, story, "The lighthouse of Exampleton burned down")
    markdown = convert(html, URL, wiki=False).markdown
    assert "lighthouse" in markdown
    assert "Elsewhere" not in markdown


def test_trafilatura_decides_if_installed(trafilatura_folder, tmp_path):
    alpha, beta = (
        "".join(f"<p>{word}, {SENTENCE}{n}</p>" for n in range(7)) for word in ("Alpha", "Beta")
    )
    html = f'<div class="remark">{alpha}</div><div class="entry-content">{beta}</div>'
    page = tmp_path / "page.html"
    page.write_text(html)
    alone = convert(html, URL, wiki=False).markdown
    assert "Alpha" in alone
    assert "Beta" in alone
    command = [sys.executable, "-m", "wikicrawler.content", str(page), "--url", URL, "--page"]
    folders = [*filter(None, sys.path), str(trafilatura_folder)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(folders)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert "Alpha" not in done.stdout
    assert "Beta" in done.stdout


def test_captions_of_code_are_kept_and_captions_of_images_are_dropped():
    html = (
        f"<article><p>{PARAGRAPH}</p><figure><img src=a><figcaption>picture-x</figcaption></figure>"
        "<figure><pre>x = 1</pre><figcaption>Listing 1</figcaption></figure>"
        "<div class=code-block-caption>main.py</div><pre>y = 2</pre>"
        f"<p>{PARAGRAPH}</p></article>"
    )
    markdown = convert(html, URL).markdown
    assert "Listing 1" in markdown
    assert "main.py" in markdown
    assert "picture-x" not in markdown


def test_a_heading_left_without_content_is_dropped():
    html = (
        f"<article><h2>Story</h2><p>{PARAGRAPH}</p><h2>Related</h2><div class=related>r</div>"
        f"<div class=share>s</div><h2>Rest</h2><p>{PARAGRAPH}</p></article>"
    )
    markdown = convert(html, URL).markdown
    assert "Related" not in markdown
    assert [x for x in markdown.split("\n") if x.startswith("#")] == ["## Story", "## Rest"]
