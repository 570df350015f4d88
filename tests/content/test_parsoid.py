"""Markup of MediaWiki's parser Parsoid and of its DiscussionTools."""

from __future__ import annotations

import pytest

from tests.content.rendering import page
from wikicrawler.content import convert

URL = "https://wiki.example/wiki/Lamp"
DOCUMENT = """<!DOCTYPE html>
<html prefix="dc: http://purl.org/dc/terms/ mw: http://mediawiki.org/rdf/"
about="https://wiki.example/wiki/Special:Redirect/revision/77"><head>
<meta charset="utf-8"/><meta property="mw:pageNamespace" content="4"/>
<link rel="dc:isVersionOf" href="//wiki.example/wiki/Lamp"/><title>Lamp - Oil</title>
<base href="//wiki.example/wiki/"/></head>
<body lang="en" class="mw-content-ltr parsoid-body mediawiki mw-parser-output">{}</body></html>"""


def markdown(inner: str) -> str:
    return convert(page(inner), URL).markdown


def test_a_document_states_its_title_page_revision_and_categories():
    content = convert(
        DOCUMENT.format(
            '<section data-mw-section-id="0"><p>A <a rel="mw:WikiLink" href="./Wick">wick</a> and '
            '<a href="./Lamp#Use">its use</a>.</p><link rel="mw:PageProp/Category" '
            'href="./Category:Old_things#lamp"/></section>'
        ),
        "https://wiki.example/api/rest_v1/page/html/Lamp",
    )
    assert content.title == "Lamp - Oil"
    assert content.markdown == "A [wick](https://wiki.example/wiki/Wick) and its use."
    assert content.categories == ("Old things",)
    assert content.metadata["revid"] == 77
    assert content.metadata["namespace"] == 4


def test_the_body_is_the_content_though_the_output_of_a_special_page_is_in_it():
    inner = '<p>The text.</p><div class="mw-parser-output"><p>A list of changes to pages.</p></div>'
    assert convert(DOCUMENT.format(inner), URL).markdown.startswith("The text.")


def test_a_fragment_of_sections_is_a_page_of_a_wiki():
    content = convert('<section data-mw-section-id="0"><p>x</p></section>', URL)
    assert content.metadata["wiki"] is True


def test_links_that_a_style_sheet_numbers_are_numbered():
    link = '<a rel="mw:ExtLink" href="https://{}.example/" class="external autonumber"></a>'
    assert markdown(f"<p>x {link.format('a')} y {link.format('b')}</p>") == (
        "x [[1]](https://a.example/) y [[2]](https://b.example/)"
    )


@pytest.mark.parametrize(
    ("kind", "shown"),
    [("mw:File", ""), ("mw:Error mw:File/Frameless", ""), ("mw:File/Thumb", "A lamp"),
     ("mw:File/Frame", "A lamp")],
)  # fmt: skip
def test_captions_are_kept_where_a_browser_shows_them(kind, shown):
    figure = f'<figure typeof="{kind}"><a href="./File:X.png"></a><figcaption>A lamp</figcaption>'
    assert markdown(f"<p>Text.</p>{figure}</figure>").removeprefix("Text.").strip() == shown


def test_an_icon_without_alt_text_is_the_page_that_it_leads_to():
    icon = '<a href="/wiki/Oil" title="Oil"><img resource="./File:O.png" src="/o.png"></a>'
    assert markdown(f'<p>3 <span typeof="mw:File">{icon}</span></p>') == (
        "3 [Oil](https://wiki.example/wiki/Oil)"
    )


def test_marks_that_lead_back_from_a_footnote_are_dropped():
    back = '<a href="./Lamp#r" rel="mw:referencedBy"><span class="mw-linkback-text">↑ </span></a>'
    assert markdown(f"<ol><li>{back} <span>The note.</span></li></ol>") == "1. The note."


def test_buttons_and_counts_of_a_discussion_are_dropped():
    heading = (
        '<div class="mw-heading mw-heading2 {0}section"><span class="{0}section-subscribeButton">'
        '<a role="button">Subscribe</a></span><h2 id="T" data-mw-thread-id="h-T">'
        '<span data-mw-comment-start="" id="h-T"></span>Topic</h2><div class="{0}section-bar">'
        '<div class="{0}section-metadata">2 comments</div></div></div>'
    )
    comment = (
        '<p>I say so. Ann<span class="{0}replylink-buttons"><a href="" role="button">Reply</a>'
        "</span></p>"
    )
    inner = (heading + comment).format("ext-discussiontools-init-")
    assert markdown(inner) == "## Topic\n\nI say so. Ann"
