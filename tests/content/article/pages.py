"""Parts of pages for the tests of the choice of content."""

from __future__ import annotations

SENTENCE = "The ferry left at nine, as it had on every day of the year, and came back at noon. "
PARAGRAPH = SENTENCE * 3
MENU = (
    '<div class="top"><ul><li><a href="/">Home page</a></li><li><a href="/b">News</a></li>'
    '<li><a href="/c">About us</a></li><li><a href="/d">Contact</a></li></ul></div>'
)


def paragraphs(count: int, word: str) -> str:
    """Return *count* paragraphs that begin with *word* and their number."""
    return "".join(f"<p>{word} {number}. {PARAGRAPH}</p>" for number in range(count))


def stated(kind: str) -> str:
    """Return JSON-LD that states a page of *kind*."""
    return f'<script type="application/ld+json">{{"@type": "{kind}", "name": "x"}}</script>'


def comments(count: int, name: str = "comment") -> str:
    """Return *count* comments, each an element of the class *name*."""
    return "".join(
        f'<div class="{name}" id="c{number}"><div class="who"><a href="/u/{number}">Reader</a> '
        f"<time>3 h</time></div><p>REPLY{number} {PARAGRAPH}</p></div>"
        for number in range(count)
    )


def cards(count: int) -> str:
    """Return *count* cards of goods, each with a heading in a link, a line and a price."""
    return "".join(
        f'<article class="card"><a href="/p{number}"><h3>CARD{number} Blue teapot</h3></a>'
        f'<p>Short and stout.</p><span class="price">12.{number}0 €</span></article>'
        for number in range(count)
    )
