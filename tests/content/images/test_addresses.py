"""The best address of an image."""

from __future__ import annotations

import pytest
from lxml import html as lxml_html

from wikicrawler.content.images.addresses import (
    MAX_URL,
    best_url,
    image_url,
    is_tracker,
    largest_of,
)
from wikicrawler.content.links import LinkResolver

RESOLVER = LinkResolver("https://wiki.example/wiki/T", wiki=True)
BLANK = "data:image/gif;base64,R0lGODlhAQABAAAAACw="


def image(attributes: str):
    return lxml_html.fragment_fromstring(f"<img {attributes}>")


@pytest.mark.parametrize(
    ("attributes", "url"),
    [
        ('src="/a.png"', "https://wiki.example/a.png"),
        ('src="//cdn.example/a.png"', "https://cdn.example/a.png"),
        (f'src="{BLANK}" data-src="/a.png"', "https://wiki.example/a.png"),
        (f'src="{BLANK}" data-mw-src="/a.png"', "https://wiki.example/a.png"),
        ('src="/blank.gif" data-original="/a.png"', "https://wiki.example/a.png"),
        ('src="/s.png" srcset="/m.png 1.5x, /l.png 2x"', "https://wiki.example/l.png"),
        (f'src="{BLANK}" data-srcset="/m.png 300w, /l.png 900w"', "https://wiki.example/l.png"),
        ('src="/a b(1)|.png"', "https://wiki.example/a%20b(1)|.png"),
        (f'src="{BLANK}"', ""),
        ('src="/images/spacer.gif"', ""),
        ('src="javascript:alert(1)"', ""),
        ('src="ftp://x.example/a.png"', ""),
        ('src="file:///etc/passwd"', ""),
        ('src="blob:https://wiki.example/1"', ""),
        ('src="mailto:a@b.example"', ""),
        ('src="http://[::1/a.png"', ""),
        ('src="http://127.1/a.png"', ""),
        ('src=""', ""),
        ("", ""),
        (f'src="/{"a" * MAX_URL}.png"', ""),
    ],
)
def test_the_best_source_is_absolute_http_and_no_placeholder(attributes, url):
    found = best_url(image(attributes), RESOLVER)
    assert found.replace("%7C", "|") == url


@pytest.mark.parametrize(
    ("srcset", "url"),
    [
        ("a.png", "a.png"),
        ("a.png, b.png 2x", "b.png"),
        ("a.png 2x, b.png", "a.png"),
        (" ,, a.png 100w , b.png 50w", "a.png"),
        ("/w_100,h_200/a.png 1x, /w_200,h_400/a.png 2x", "/w_200,h_400/a.png"),
        ("a.png 1x, data:image/gif;base64,AA 9x", "a.png"),
        ("a.png 99999999999999999999w, b.png 2w", "b.png"),
        ("a.png x, b.png", "a.png"),
        ("", ""),
        (" , ,", ""),
    ],
)
def test_the_largest_of_a_set_is_taken(srcset, url):
    assert largest_of(srcset) == url


@pytest.mark.parametrize(
    "attributes",
    [
        'width="1" height="1" src="/t.gif"',
        'width="1px" height="20" src="/t.gif"',
        'style="width: 1px; height:1px" src="/t.gif"',
        'src="https://www.facebook.com/tr?id=1&noscript=1"',
        'src="//wiki.example/wiki/Special:CentralAutoLogin/start?type=1x1"',
        'src="https://stats.example/pixel?u=1"',
        'src="/counter.gif"',
    ],
)
def test_tracking_pixels_and_spacers_are_no_images(attributes):
    assert is_tracker(image(attributes))


@pytest.mark.parametrize(
    "attributes", ['width="16" height="16" src="/pixel-art.png"', 'width="100%" src="/b.gifts.png"']
)
def test_small_icons_are_images(attributes):
    assert not is_tracker(image(attributes))


@pytest.mark.parametrize(
    ("href", "url"),
    [
        ("/images/Lamp.png", "https://wiki.example/images/Lamp.png"),
        (
            "https://static.example/a/Lamp.png/revision/latest?cb=2",
            "https://static.example/a/Lamp.png/revision/latest?cb=2",
        ),
        ("/wiki/File:Lamp.png", ""),
        ("/wiki/Datei%3ALamp.png", ""),
        ("/wiki/Lamp", ""),
        ("#x", ""),
    ],
)
def test_a_link_may_lead_to_the_original(href, url):
    assert image_url(href, RESOLVER) == url
