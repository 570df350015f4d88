"""The tokenizer separates tags, scripts and visible text."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wikicrawler.tiers.verdict.markup import MAX_BYTES, read_markup

MARK = b'<div id="px-captcha">'


def test_the_parts_of_a_document() -> None:
    found = read_markup(
        b"<!DOCTYPE html><html lang=en><title>A &amp; B</title><!-- <b>no</b> -->"
        b"<script>var a = '<i>';</script><script type='application/json'>{}</script>"
        b"<noscript><p>Turn it\n on</p></noscript><p>One\n <b>two</b> &lt;p&gt;</p>"
    )
    assert found.title == b"A & B"
    assert (found.text, found.length) == (b"One two <p>", 11)
    assert found.tags.decode().splitlines() == [
        '<html lang="en">',
        "<title>",
        "<script>",
        '<script type="application/json">',
        "<noscript>",
        "<p>",
        "<b>",
    ]
    assert found.scripts == b"var a = '<i>';"
    assert found.noscript == b"Turn it on"


@pytest.mark.parametrize(
    ("raw", "written"),
    [
        (b"<A Href = '/x?a=1&amp;b'>", b"<A Href = '/x?a=1&amp;b'>"),
        (b"<a\nid=&#99;aptcha>", b'<a id="captcha">'),
        (b"<a id='cap&fjlig;'>", b'<a id="capfj">'),
    ],
)
def test_raw_tags_have_the_words_of_tags(raw: bytes, written: bytes) -> None:
    assert read_markup(b"<P>text</P>" + raw).raw_tags == b"<P>\n" + written


@pytest.mark.parametrize(
    ("raw", "tag"),
    [
        (b"<DIV ID=px-captcha>", b'<div id="px-captcha">'),
        (b"<div  id = 'px-captcha'\n class>x", b'<div id="px-captcha" class="">'),
        (b'<div id="px-captcha" title="a > b">', b'<div id="px-captcha" title="a &gt; b">'),
        (b"<a href=x\" id='b'>x", b'<a href="x&quot;" id="b">'),
        (b'<a href="https:&#47;&#47;x">x', b'<a href="https://x">'),
        (b"<div id=root></div>", b'<div id="root" />'),
        (b"<div id=root> <!-- x --> </DIV>", b'<div id="root" />'),
        (b"<div id=root>x</div>", b'<div id="root">'),
    ],
)
def test_tags_are_normalised(raw: bytes, tag: bytes) -> None:
    assert read_markup(raw).tags.split(b"\n")[0] == tag


@pytest.mark.parametrize(
    "body",
    [
        b"<p>&lt;div id=&quot;px-captcha&quot;&gt;",
        b"<!-- " + MARK + b" -->",
        b"<textarea>" + MARK + b"</textarea>",
        b"<script>x = '" + MARK + b"'</script>",
        b"<title>" + MARK + b"</title>",
        b"<xmp>" + MARK + b"</xmp>",
        b"<p data-code='" + MARK + b"'>x</p>",
        b"<!-- never closed " + MARK,
        b"<script>never closed " + MARK,
    ],
)
def test_quoted_markup_is_not_markup(body: bytes) -> None:
    assert b'<div id="px-captcha"' not in read_markup(body).tags


def test_reading_stops_at_the_limit() -> None:
    body = b"<p>word</p>" * 1000 + MARK
    found = read_markup(body, enough=100)
    assert b"px-captcha" not in found.tags
    assert found.length > 100
    assert read_markup("<p>ééééé".encode(), enough=5).length == 5
    assert b"px-captcha" in read_markup(body).tags
    assert b"px-captcha" not in read_markup(b" " * MAX_BYTES + MARK).tags


def test_utf_16_is_read() -> None:
    assert read_markup("<title>Façade</title>".encode("utf-16")).title.decode() == "Façade"


@pytest.mark.parametrize(
    "piece",
    rb"""< <a <a_ <a_b=" <a_b='"> <!-- <! </ <script> <a_= & <p>&# <a_b=c <textarea =_= <a_b="c">
    <!--_- <p><!---></q> <a_b='c"> <title <p>x&amp; <div></ </p> <b>""".split(),
)
def test_every_document_is_read_quickly(piece: bytes) -> None:
    start = time.thread_time()
    piece = piece.replace(b"_", b" ")
    found = read_markup(piece * (MAX_BYTES // len(piece)))
    assert found.tags + found.scripts + found.title + found.noscript is not None
    assert time.thread_time() - start < 5


PIECES = b"< > a \" ' = / !-- --> _ script </script> title &lt; \xff \x00".split(b" ")


@settings(deadline=None)
@given(st.lists(st.sampled_from(PIECES)))
def test_any_bytes_can_be_read(pieces: list[bytes]) -> None:
    found = read_markup(b"".join(pieces).replace(b"_", b" "))
    assert found.length == len(found.text.decode())


def test_tags_beyond_any_page_are_left_out_and_their_text_is_read() -> None:
    found = read_markup(b"<b>1</b>" * 20_000 + b"<i>end</i>")
    assert b"<i>" not in found.tags
    assert found.text.endswith(b"1 end")
