"""Machine-readable metadata of pages."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.content.rendering import page
from wikicrawler.content import convert
from wikicrawler.content.dates import iso_date

URL = "https://news.example/a/b"


def stated(head: str = "", body: str = "", *, wiki: bool = False) -> dict:
    html = f"<html><head>{head}</head><body>{body}<p>text</p></body></html>"
    facts = convert(html, URL, wiki=wiki).metadata
    facts.pop("wiki")
    return facts


def linked(*nodes: object) -> str:
    return f'<script type="application/ld+json">{json.dumps(nodes)}</script>'


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2024-05-31", "2024-05-31"),
        (" 2024-05-31T08:30:00Z ", "2024-05-31T08:30:00+00:00"),
        ("2024-05-31T08:30:00.123456789+0200", "2024-05-31T08:30:00+02:00"),
        ("2024-05-31 08:30", "2024-05-31T08:30:00"),
        ("2024-05-31 08:30:00 -0500", "2024-05-31T08:30:00-05:00"),
        ("2024-05-31 08:30:00 UTC", "2024-05-31T08:30:00+00:00"),
        ("Fri, 31 May 2024 08:30:00 GMT", "2024-05-31T08:30:00+00:00"),
        ("2024-02-30", None),
        ("2024-05", None),
        ("31.05.2024", None),
        ("05/31/2024", None),
        ("May 31, 2024", None),
        ("1717144200", None),
        ("yesterday", None),
        ("", None),
        (None, None),
        (20240531, None),
        ("2024-05-31T08:30:00+99:99", None),
        ("2024-05-31" * 50, None),
    ],
)
def test_only_complete_machine_readable_dates_are_accepted(
    text: object, expected: str | None
) -> None:
    assert iso_date(text) == expected


@given(st.text(alphabet="0123456789-:T .+ZMondayJun,", max_size=40) | st.text())
def test_normalised_dates_stay_the_same(text: str) -> None:
    found = iso_date(text)
    assert found is None or iso_date(found) == found


def test_metadata_from_meta_and_link_elements() -> None:
    head = (
        '<meta name="Description" content=" Of\n ferries. "><meta property="og:site_name" '
        'content="The Paper"><meta name="author" content="A. Writer">'
        '<meta property="article:published_time" content="2024-05-31T08:30:00+02:00">'
        '<meta property="article:modified_time" content="2024-06-01T00:00:00Z">'
        '<link rel="license" href="//cc.example/by/4.0/"><link rel=canonical href="/a">'
    )
    assert stated(head) == {
        "description": "Of ferries.",
        "site_name": "The Paper",
        "author": "A. Writer",
        "published": "2024-05-31T08:30:00+02:00",
        "modified": "2024-06-01T00:00:00+00:00",
        "license": "https://cc.example/by/4.0/",
        "canonical": "https://news.example/a",
    }


def test_linked_data_of_the_page_but_not_of_parts_of_it() -> None:
    article = {
        "@type": ["NewsArticle"],
        "datePublished": "2024-05-31",
        "dateModified": "2024-06-01T10:00:00Z",
        "author": [{"@type": "Person", "name": " A.  Writer "}, {"name": "B. Other"}],
        "license": {"@id": "https://cc.example/by/4.0/"},
    }
    graph = {
        "@context": "https://schema.org",
        "@graph": [
            {"@type": "VideoObject", "datePublished": "1999-01-01"},
            {"@type": "WebPage", "datePublished": "1998-01-01"},
            article,
        ],
    }
    assert stated(linked(graph)) == {
        "published": "2024-05-31",
        "modified": "2024-06-01T10:00:00+00:00",
        "author": "A. Writer, B. Other",
        "license": "https://cc.example/by/4.0/",
    }
    assert stated(linked({"@type": "Comment", "datePublished": "2024-05-31"})) == {}
    assert stated(body=linked(article))["published"] == "2024-05-31"


def test_dates_from_microdata_and_from_the_header_of_the_only_article() -> None:
    itemprop = '<time itemprop="datePublished" datetime="2024-05-31">31 May</time>'
    assert stated(body=itemprop) == {"published": "2024-05-31"}
    header = (
        '<header><time datetime="2024-05-31">31 May</time>'
        '<time class="updated" datetime="2024-06-01">1 June</time></header>'
    )
    article = f"<article>{header}<p>text</p></article>"
    assert stated(body=article) == {"published": "2024-05-31", "modified": "2024-06-01"}
    assert stated(body=article * 2) == {}
    assert stated(body='<p>On <time datetime="2024-05-31">31 May</time></p>') == {}


@pytest.mark.parametrize(
    "html",
    [
        '<a rel="license noopener" href="/by">CC</a>',
        '<ul><li id="footer-info-copyright">Text is under <a href="/by">CC</a>.</li></ul>',
        "<li id=copyright>Text is under <a href=/by>CC</a>.</li>",
    ],
)
def test_a_licence_link_in_the_text_or_the_footer(html: str) -> None:
    assert stated(body=f"<footer>{html}</footer>") == {"license": "https://news.example/by"}
    assert convert(page("<p>x</p>") + html, URL).metadata["license"] == "https://news.example/by"


def test_invalid_metadata_is_ignored() -> None:
    head = (
        '<meta name="date" content="today"><meta name="description" content=" ">'
        '<meta name="author" content="https://social.example/writer"><link rel=license href="//[">'
        '<script type="application/ld+json">{"@type": "Article", </script>'
        '<script type="application/ld+json">' + "[" * 100_000 + "</script>"
    )
    assert stated(head) == {}


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["@type", "@graph", "@id", "author", "license", "name", "datePublished", "url"]
            ),
            inner | st.just("Article"),
            max_size=5,
        )
    ),
    max_leaves=12,
)


@given(VALUES)
def test_any_linked_data_is_read_without_errors(value: object) -> None:
    facts = stated(linked({"@type": "Article", "author": value, "license": value}, value))
    assert all(isinstance(fact, str) for fact in facts.values())


UNFIT = "a&#0;b&#27;[31m&#8232;c&#65534;d&#x85;"


def test_metadata_has_no_control_characters() -> None:
    head = f'<title>{UNFIT}</title><meta name=description content="{UNFIT}">'
    head += linked({"@type": "Article", "author": {"name": "x\0\x1b[31m\ud800\u2028y"}})
    box = f"<table class=infobox><tr><th>{UNFIT}<td>{UNFIT}</table>"
    cats = f"<div id=mw-normal-catlinks><ul><li><a href=/c>{UNFIT}</a></ul></div>"
    body = f"<div class=mw-parser-output>{box}<p>text {UNFIT}<pre>{UNFIT}</pre></div>{cats}"
    content = convert(f"<html><head>{head}</head><body>{body}</body></html>", URL)
    facts = content.metadata
    (box_found,) = facts["infobox"]
    stated_texts = [content.title, *content.categories, facts["description"], facts["author"]]
    for text in (*stated_texts, *box_found["fields"], *box_found["fields"].values()):
        assert text.isprintable(), text
        assert text.encode()
    assert facts["author"] == "x [31m y"
    assert content.markdown.replace("\n", "").isprintable()
    assert "c" in content.title
