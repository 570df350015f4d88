"""Which alt texts carry meaning."""

from __future__ import annotations

import pytest

from wikicrawler.content.images.alts import (
    MAX_ALT,
    clean,
    is_file_name,
    is_meaningful,
    without_kind,
)


@pytest.mark.parametrize(
    "alt",
    [
        *("Fuel", "Iron Ingot", "Yes", "3", "A", "Flag of France", "Image of the old harbour"),
        *("★", "→", "✓", "😀", "鉄", "Ёж", "map of the photo shops"),
    ],
)
def test_what_an_image_shows_is_meaningful(alt):
    assert is_meaningful(alt)
    assert not is_file_name(alt, "/images/Fuel.png")


@pytest.mark.parametrize(
    "alt",
    [
        *("", "image", "Image 1", "PHOTO", "logo", "Icon", "thumbnail", "refer to caption"),
        *("placeholder", "Bild", "Foto 3", "画像", "изображение", "alt text", "[image]"),
        *("|", "-", "*", "•", "»", "...", ":-)", "★" * 17),
    ],
)
def test_words_for_any_image_and_marks_are_noise(alt):
    assert not is_meaningful(alt)


def test_an_emoji_may_be_written_with_punctuation():
    assert is_meaningful(":-)", emoji=True)


@pytest.mark.parametrize(
    ("alt", "src"),
    [
        ("Foo.png", ""),
        ("Icon-fuel.svg", ""),
        ("File:Iron golem.JPG", ""),
        ("Screenshot 2020-01-01 at 10.00.webp", ""),
        ("Foo.png?width=20", ""),
        ("https://cdn.example/x/y", ""),
        ("IMG_1234", ""),
        ("DSC00042", ""),
        ("20190812_134455", ""),
        ("screenshot 2019-08-12 13.44", ""),
        ("icon_fuel", "/i/icon_fuel.png"),
        ("hero-banner-2x", "https://x.example/a/hero-banner-2x.jpg?v=1"),
    ],
)
def test_names_of_files_are_noise(alt, src):
    assert is_file_name(alt, src)


@pytest.mark.parametrize(
    "alt", ["T-34", "blue-green", "X2001", "9/11", "Version 2.0", "2-8-0", "1984", "1,000,000"]
)
def test_names_with_digits_and_hyphens_are_no_names_of_files(alt):
    assert not is_file_name(alt, "/images/Other.png")


@pytest.mark.parametrize(
    ("alt", "cleaned"),
    [
        (None, ""),
        (" a\n\t b\u2028c\u00a0", "a b c"),
        ("a\x00\x07b\x9bc", "a b c"),
        ("\u202eabc\u202c \u2066d\u2069", "abc d"),
        ("\u200f שלום", "\u200f שלום"),
    ],
)
def test_an_alt_text_is_one_line_without_control_characters_and_directions(alt, cleaned):
    assert clean(alt) == cleaned


def test_a_long_alt_text_is_cut_between_words():
    cut = clean("word " * 200_000)
    assert len(cut) <= MAX_ALT + 1
    assert cut.endswith("word…")
    assert clean("x" * 10**6) == "x" * MAX_ALT + "…"


def test_the_word_icon_at_the_end_is_not_what_an_icon_shows():
    assert without_kind("Fuel icon") == without_kind("Fuel_Icon") == "Fuel"
    assert without_kind("Silicon") == "Silicon"
