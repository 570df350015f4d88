"""Fidelity of each kind of wiki structure, on pages written by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.content.fidelity import check
from tests.content.fidelity.rendered import render
from tests.content.rendering import page
from wikicrawler.content import convert

PAGES = Path(__file__).with_name("pages")
URL = "https://wiki.example/wiki/T"


@pytest.mark.parametrize("name", sorted(path.stem for path in PAGES.glob("*.html")))
def test_all_structures_of_a_page_are_kept(name):
    html = (PAGES / f"{name}.html").read_text("utf-8")
    report = check(html, convert(html, URL).markdown, URL)
    structure = ("headings", "cells", "links", "lists", "definitions", "code", "breaks", "chrome")
    assert report.perfect(*structure), report.describe(*structure)
    # There may be extra text: list marks in cells, quotation marks, numbers.
    assert not report.missing["words"], report.describe("words")
    assert not report.missing["symbols"], report.describe("symbols")


def html_of(inner: str) -> str:
    """Return the HTML to which the Markdown of *inner* renders."""
    from lxml import html

    shown = render(convert(page(inner), URL).markdown)
    return "".join(html.tostring(child, encoding="unicode") for child in shown).replace("\n", "")


@pytest.mark.parametrize(
    ("inner", "shown"),
    [
        # Code with a link and other words is one span, without the link.
        ("<p><code>{{<a href='/w'>tl</a>|x}}</code></p>", "<p><code>{{tl|x}}</code></p>"),
        ("<p><code><a href='/v'>List</a>[<a href='/w'>str</a>]</code></p>",
         "<p><code>List[str]</code></p>"),
        # Code of one link and punctuation is linked as a whole.
        ("<p><code>{{<a href='/w'>tl</a>}}</code></p>",
         '<p><a href="https://wiki.example/w"><code>{{tl}}</code></a></p>'),
        ("<p><code><a href='/w'>a<br>b</a></code></p>",
         '<p><a href="https://wiki.example/w"><code>a b</code></a></p>'),
        # A line break inside a link, and one at its end.
        ("<p><a href='/w'>a<br>b<br></a>c</p>",
         '<p><a href="https://wiki.example/w">a<br>b</a><br>c</p>'),
        # An opening tag alone on a line would start a block of raw HTML.
        ("<p><sup><br>a <b>b</b></sup></p>", "<p><sup>a <strong>b</strong></sup></p>"),
        # Text in brackets before a colon could be read as a link reference definition.
        ("<p><a href='/w'><code>a[1]: b</code></a></p>",
         '<p><a href="https://wiki.example/w"><code>a[1]: b</code></a></p>'),
        ("<p><a href='/w'>[x]: y</a></p>", '<p><a href="https://wiki.example/w">[x]: y</a></p>'),
        ("<p><a href='/w'>a<br>[1]: b</a></p>",
         '<p><a href="https://wiki.example/w">a [1]: b</a></p>'),
        ("<p>a!<code><a href='/w'>b</a></code></p>",
         '<p>a!<a href="https://wiki.example/w"><code>b</code></a></p>'),
        # Tildes next to those of struck-through text would be read as a fence, or be too many.
        ("<p><s><b>~-- x</b></s></p>", "<p><s><strong>~-- x</strong></s></p>"),
        ("<p><s><br>~b</s></p>", "<p><s>~b</s></p>"),
        ("<p>a <s>b ~ </s>c</p>", "<p>a <s>b ~</s> c</p>"),
    ],
)  # fmt: skip
def test_inline_structures_render(inner, shown):
    assert html_of(inner) == shown


def rows(inner: str) -> list[list[str]]:
    shown = render(convert(page(inner), URL).markdown)
    return [[cell.text_content() for cell in row] for row in shown.iter("tr")]


def test_a_title_row_and_a_label_between_rows_are_written_once():
    assert rows(
        "<table class=wikitable><tr><th colspan=2>Prices<tr><th>A<th>B<tr><td>1<td>2"
        "<tr><th colspan=2>Old<tr><td>3<td>4</table>"
    ) == [["Prices", ""], ["A", "B"], ["1", "2"], ["Old", ""], ["3", "4"]]


def test_a_note_under_a_table_is_written_once():
    note = "word " * 100
    table = rows(
        "<table class=wikitable><tr><th>A<th>B<th>C<tr><td>1<td>2<td>3"
        f"<tr><td colspan=3>{note}</table>"
    )
    assert table[2] == [note.strip(), "", ""]


def test_a_cell_that_overlaps_a_rowspan_ends_it():
    assert rows(
        "<table class=wikitable><tr><th>A<th rowspan=2>B<th>C<tr><td colspan=3>over"
        "<tr><td>1<td>2<td>3</table>"
    ) == [["A", "B", "C"], ["over", "over", "over"], ["1", "2", "3"]]


def test_the_text_shown_for_a_missing_image_is_kept():
    shown = render(
        convert(
            page(
                "<p><a href='/index.php?title=Special:Upload&amp;wpDestFile=A.png' class='new'>"
                "File:A.png</a></p><ul class='gallery'><li class='gallerybox'><div class='thumb'>"
                "File:B.png</div><div class='gallerytext'>b</div></li></ul>"
            ),
            URL,
        ).markdown
    )
    assert " ".join(shown.text_content().split()) == "File:A.png File:B.png b"
    assert not shown.xpath(".//a")


def test_an_infobox_is_a_table_like_any_other():
    assert rows(
        "<table class=infobox><caption>Ada</caption><tr><td colspan=3><img src=x></td></tr>"
        "<tr><th colspan=3>Career</th></tr><tr><th>Year<th>Club<th>Games</tr>"
        "<tr><td>1990<td>Reds<td>10</tr><tr><td>1991<td>Blues<td>12</tr></table>"
    ) == [
        ["Career", "", ""],
        ["Year", "Club", "Games"],
        ["1990", "Reds", "10"],
        ["1991", "Blues", "12"],
    ]


def test_captions_in_an_infobox_are_kept_and_labels_of_images_are_dropped():
    picture = (
        '<div class="wds-tab__content"><figure class="pi-image"><img src="x">{}</figure></div>'
    )
    assert rows(
        '<aside class="portable-infobox"><h2 class="pi-title">Ada</h2>'
        '<div class="pi-image-collection wds-tabber"><div class="wds-tabs__wrapper">'
        '<ul class="wds-tabs"><li class="wds-tabs__tab">Young</li>'
        '<li class="wds-tabs__tab">Old</li></ul></div>'
        f"{picture.format('')}{picture.format('<figcaption class=pi-caption>In 1939</figcaption>')}"
        '</div><div class="pi-data"><h3 class="pi-data-label">Post</h3>'
        '<div class="pi-data-value">Keeper</div></div></aside>'
    ) == [["Ada", ""], ["Old", ""], ["In 1939", ""], ["Post", "Keeper"]]


def test_only_the_title_of_a_citation_is_in_italics():
    assert html_of(
        "<p><cite class='citation book'>Doe. <i>Title</i>.</cite> <cite>It</cite></p>"
    ) == ("<p>Doe. <em>Title</em>. <em>It</em></p>")
