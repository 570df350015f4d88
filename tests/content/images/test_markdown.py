"""Images kept as Markdown images, by ``images="markdown"``."""

from __future__ import annotations

import pytest

from tests.content.images.test_words import icon
from tests.content.rendering import page, render
from wikicrawler.content import convert

URL = "https://wiki.example/wiki/T"


def markdown(inner: str) -> str:
    return convert(page(inner), URL, images="markdown").markdown


def test_images_have_an_absolute_address_and_their_alt_text():
    text = markdown(f"<p>3 {icon('Fuel')} and <img src='s.png' alt='Steel.png'></p>")
    assert (
        text == "3 ![Fuel](https://wiki.example/i/x.png) and ![](https://wiki.example/wiki/s.png)"
    )


def test_an_image_in_a_table_is_on_one_line_and_its_bars_are_escaped():
    cell = '<img alt="a|b\n c" src="/p|q (1).png">'
    text = markdown(f"<table class=wikitable><tr><th>x<th>y<tr><td>1<td>{cell}<br>z</table>")
    assert text.splitlines()[2] == "| 1 | ![a\\|b c](https://wiki.example/p%7Cq%20(1).png)<br>z |"
    image = render(text).find(".//td/img")
    assert (image.get("alt"), image.get("src")) == (
        "a|b c",
        "https://wiki.example/p%7Cq%20(1).png",
    )


def test_captions_and_galleries_keep_their_images():
    gallery = (
        '<ul class="gallery"><li class="gallerybox"><div class="thumb"><a class="image" '
        f'href="/wiki/File:L.png">{icon("L.png")}</a></div><div class="gallerytext">'
        "<p>One</p></div>"
    )
    assert markdown(f"<p>x</p>{gallery}</li></ul>") == (
        "x\n\n- ![](https://wiki.example/i/x.png)\n\n  One"
    )


def test_a_linked_image_is_an_image_in_a_link_unless_it_leads_to_the_image():
    linked = markdown(f'<p>x <a href="/wiki/Fuel">{icon("Fuel")}</a></p>')
    image = "![Fuel](https://wiki.example/i/x.png)"
    assert linked == f"x [{image}](https://wiki.example/wiki/Fuel)"
    assert render(linked).find(".//a/img").get("alt") == "Fuel"
    assert markdown(f'<p>x <a class="image" href="/wiki/File:F.png">{icon("Fuel")}</a></p>') == (
        f"x {image}"
    )
    original = markdown(f'<p>x <a href="/i/F.png">{icon("Fuel")}</a></p>')
    assert original == "x ![Fuel](https://wiki.example/i/F.png)"


def test_the_addresses_of_images_are_no_links():
    content = convert(page(f"<p>x {icon('Fuel')}</p>"), URL, images="markdown")
    assert content.links == content.elsewhere == ()


@pytest.mark.parametrize(
    "image",
    [
        '<img alt="Visits" src="/t.gif" width="1" height="1">',
        '<img alt="" src="data:image/png;base64,AAAA">',
        '<img alt="" src="javascript:x">',
        icon("Fuel", "hidden"),
    ],
)
def test_pixels_placeholders_and_hidden_images_are_left_out(image):
    assert markdown(f"<p>a {image} b</p>") == "a b"


def test_an_image_without_an_address_is_its_alt_text():
    assert markdown('<p>a <img alt="Fuel" src="data:,x"> b</p>') == "a Fuel b"
    assert markdown('<p>a <img class="emoji" alt="😀" src="/e.png"> b</p>') == "a 😀 b"
    assert markdown(f"<pre>a {icon('Fuel')}</pre>") == "```\na Fuel\n```"


def test_the_images_of_an_article_are_kept_without_their_captions():
    figure = "<figure><img src='/l.jpg' alt='A lamp'><figcaption>Cap</figcaption></figure>"
    inner = f"<p>Text one.</p>{figure}"
    html = f"<body><main>{inner}<p>Text two.</p><aside><img src='/ad.jpg'>Ad</aside></main>"
    content = convert(html, URL, wiki=False, images="markdown")
    assert content.markdown == "Text one.\n\n![A lamp](https://wiki.example/l.jpg)\n\nText two."
    assert convert(html, URL, wiki=False).markdown == "Text one.\n\nText two."


def test_the_image_of_a_portable_infobox_is_kept():
    box = (
        '<aside class="portable-infobox"><figure class="pi-item pi-image"><a class="image" '
        f'href="/i/L.png">{icon("")}</a></figure><div class="pi-data"><h3 class="pi-data-label">'
        'Post</h3><div class="pi-data-value">1</div></div></aside><p>x</p>'
    )
    assert "![](https://wiki.example/i/L.png)" in markdown(box)
    assert markdown(box).count("| Post | 1 |") == 1
    assert "![" not in convert(page(box), URL).markdown


def test_another_form_is_an_error():
    with pytest.raises(ValueError, match=r"images is 'html', not 'alt' or 'markdown'"):
        convert(page("x"), URL, images="html")
