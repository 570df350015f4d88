"""Images that were made to break the Markdown or to take long."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.content.rendering import page, render
from tests.growth import LIMIT, growth
from wikicrawler.content import convert

URL = "https://wiki.example/wiki/T"
FORMS = ("alt", "markdown")


def attribute(text: str) -> str:
    return "".join(f"&#{ord(char)};" for char in text)


ALTS = st.text(alphabet="a b[]()!\\`*_<>|#&;~\n\"'\u202e\u0007x:/")


@given(st.sampled_from(FORMS), st.sampled_from(["a", "", "! ", "!", "[", "](x) "]), ALTS)
def test_an_alt_text_is_nothing_but_text(images, start, alt):
    html = page(f'<p>{start}<img src="/i.png" alt="q{attribute(alt)}q"> end</p>')
    shown = render(convert(html, URL, images=images).markdown)
    assert {el.tag for el in shown.iter()} <= {"div", "p", "img"}
    assert [el.get("src") for el in shown.iter("img")] == (
        ["https://wiki.example/i.png"] if images == "markdown" else []
    )
    assert shown.text_content().rstrip().endswith("end")


@pytest.mark.parametrize("images", FORMS)
def test_an_alt_text_of_a_megabyte_is_cut(images):
    html = page(f'<p>x <img src="/i.png" alt="{"word " * 200_000}"></p>')
    content = convert(html, URL, images=images)
    assert len(content.markdown) < 600
    assert "word" in content.markdown


@pytest.mark.parametrize("images", FORMS)
@pytest.mark.parametrize(
    "piece",
    [
        '<img alt="Fuel" src="/i.png">',
        '<img alt="Fuel" src="/i.png"> y ',
        '<img alt="word{i}" src="/i{i}.png">z',
        '<tr><td><img alt="Fuel" src="/i.png"><td>Fuel</tr>',
        '<noscript><img alt="Fuel" src="/i.png"></noscript>',
        '<a href="/wiki/A"><img alt="A.png" src="/i.png"></a>',
        '<figure><img alt="Fuel" src="/i.png"></figure>',
    ],
)
def test_the_time_is_linear_in_the_number_of_images(piece, images):
    def text(count: int) -> str:
        body = "".join(piece.replace("{i}", str(i)) for i in range(count))
        table = f"<table>{body}</table>" if piece.startswith("<tr") else f"<div>x {body}</div>"
        return page(f"<p>x</p>{table}")

    assert growth(lambda html: convert(html, URL, images=images), text, 300) < LIMIT


@pytest.mark.parametrize("images", FORMS)
def test_a_hundred_thousand_images_are_all_written(images):
    body = '<img alt="Fuel" src="/i.png"> y ' * 100_000
    content = convert(page(f"<p>x {body}</p>"), URL, images=images)
    assert content.markdown.count("Fuel") == 100_000


@pytest.mark.parametrize("images", FORMS)
def test_links_in_links_around_images_convert(images):
    nested = '<a href="/wiki/A">' * 500 + '<img alt="Fuel" src="/i.png">' + "</a>" * 500
    assert "Fuel" in convert(page(f"<p>x {nested} y</p>"), URL, images=images).markdown
