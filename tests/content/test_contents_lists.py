"""Lists of contents, which repeat the headings of a page."""

from __future__ import annotations

import pytest

from tests.content.rendering import page
from wikicrawler.content import convert

URL = "https://wiki.example/wiki/T"
SECTIONS = (
    '<h2 id="A">A tale</h2><p>One.</p><h3><span id="B">By night?</span></h3><p>Two.</p>'
    '<a name="C"></a><h2>The end [edit]</h2><p>Three.</p>'
)
ENTRIES = [
    ('<a href="#A">1 A tale</a>'),
    ('<a href="#B">By night?</a>'),
    ('<a href="#C">The end</a>'),
]


def shown(before: str) -> str:
    return convert(page(before + SECTIONS), URL).markdown.partition("## A tale")[0].strip()


@pytest.mark.parametrize(
    "contents",
    [
        "<ul><li>{}<ul><li>{}</li></ul></li><li>2. {}</li></ul>",
        "<div><div>Contents</div><ol><li>{}</li><li>{}</li><li>{}</li></ol></div>",
        # Wikidot's.
        '<table><tr><td><div id="contents"><a href="javascript:;">Fold</a>'
        "<div>Table of Contents</div>"
        "<div><div>{}</div><div>{}</div><div>{}</div></div></div></td></tr></table>",
        "<p>{} | {} | {}</p>",
    ],
)
def test_a_list_of_links_to_headings_is_dropped(contents):
    assert shown("<p>Lead.</p>" + contents.format(*ENTRIES)) == "Lead."


@pytest.mark.parametrize(
    "contents",
    [
        # It says more than the headings.
        "<ul><li>{} of old</li><li>{}</li><li>{}</li></ul>",
        "<ul><li>In a wood: {}</li><li>{} with a great many owls in all of the trees</li>"
        "<li>{}</li></ul>",
        "<p>Read {}, or else {} and {}.</p>",
        # It leads to other pages, too.
        "<ul><li>{}</li><li>{}</li><li>{}</li><li><a href='/wiki/Z'>Z</a></li></ul>",
    ],
)
def test_a_list_that_says_more_is_kept(contents):
    assert "A tale" in convert(page(contents.format(*ENTRIES) + SECTIONS), URL).markdown[:60]
    assert "A tale" in shown("<p>Lead.</p>" + contents.format(*ENTRIES))


def test_links_to_other_places_of_the_page_are_kept():
    links = "".join(f'<li><a href="#n{number}">Note {number}</a></li>' for number in range(5))
    assert "Note 3" in shown(f"<ul>{links}</ul>")


def test_it_is_dropped_on_pages_of_other_sites_too():
    text = f"<p>{'A long tale of the woods and of the owls in them. ' * 9}</p>"
    contents = f"<ul><li>{'</li><li>'.join(ENTRIES)}</li></ul>"
    html = f"<title>Tales</title><main><h1>Tales</h1>{text}{contents}{SECTIONS}{text}</main>"
    markdown = convert(html, "https://a.example/", wiki=False).markdown
    assert markdown.count("By night?") == 1
