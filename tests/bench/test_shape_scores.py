"""What is content of a page of the corpus of all shapes, and how a choice of it is scored."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from bench.shape_scores import Page, read, score, words
from bench.systems import plain, text_of, whole_page

CORPUS = Path(__file__).parents[2] / "bench" / "shapes"
PAGES = [page for folder in sorted(CORPUS.glob("*/")) for page in read(folder)]


def page(truth: str, *, title: str = "", optional: str = "") -> Page:
    return Page(
        "x/y", b"", "http://x.example/", "article", "en", *map(words, (truth, title, optional))
    )


def test_words_are_compared_without_case() -> None:
    assert words("Straße STRASSE, snake_case 3.5") == Counter(
        {"strasse": 2, "snake": 1, "case": 1, "3": 1, "5": 1}
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("العَرَبِيَّة", ["العَرَبِيَّة"]),
        ("日本語 カナ", ["日", "本", "語", "カ", "ナ"]),
        ("ที่นี่", ["ที่", "นี่"]),
        ("한국어 문장", ["한국어", "문장"]),
        ("می‌روم", ["می‌روم"]),
    ],
)
def test_vowel_signs_belong_to_words_and_unspaced_scripts_have_characters(
    text: str, expected: list[str]
) -> None:
    assert words(text) == Counter(expected)


def test_all_content_and_nothing_else_is_perfect() -> None:
    result = score(words("the cat sat"), page("The cat sat."))
    assert (result.f1, result.noise, result.loss) == (1, 0, 0)


def test_noise_is_a_share_of_what_is_found_and_loss_of_the_content() -> None:
    result = score(words("the cat menu login"), page("the cat sat on a mat there now"))
    assert (result.noise, result.loss) == (0.5, 0.75)


def test_nothing_found_is_no_noise() -> None:
    result = score(words(""), page("the cat"))
    assert (result.f1, result.noise, result.loss) == (0, 0, 1)


def test_optional_text_counts_neither_way() -> None:
    with_it = score(words("the cat by the editor"), page("the cat", optional="by the editor"))
    without = score(words("the cat"), page("the cat", optional="by the editor"))
    assert with_it == without
    assert with_it.f1 == 1


def test_optional_text_is_no_substitute_for_content() -> None:
    assert score(words("cat"), page("the cat", optional="the")).loss == 0.5


def test_a_title_may_be_missing_because_records_have_a_field_for_it() -> None:
    titled = page("Cats the cat sat", title="Cats")
    assert score(words("the cat sat"), titled).f1 == 1
    assert score(words("Cats the cat sat"), titled).f1 == 1


def test_blocks_do_not_run_into_each_other() -> None:
    assert text_of("<P>one<TD>two</TD><sup>3</sup>").split() == ["one", "two", "3"]
    assert plain("- one\n- two").split() == ["one", "two"]


def test_scripts_are_no_text_of_a_page() -> None:
    body = b"<body><script>var menu</script><style>p{}</style>one</body>"
    assert whole_page(body, "").split() == ["one"]


def test_there_are_pages_of_each_shape() -> None:
    shapes = {one.shape for one in PAGES}
    assert shapes >= {
        *("article", "forum", "qa", "documentation", "product", "listing", "wiki"),
        *("service", "short"),
    }


@pytest.mark.parametrize("one", PAGES, ids=lambda one: one.name)
def test_the_content_of_a_labelled_page_is_on_the_page(one: Page) -> None:
    missing = one.truth - words(whole_page(one.body, one.url)) - one.title
    assert missing.total() <= 0.02 * one.truth.total()
