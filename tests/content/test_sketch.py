"""Sketches of pages: the same in every process, bounded, and computed only on request."""

from __future__ import annotations

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.content.rendering import page
from wikicrawler.content.form import Form
from wikicrawler.content.sketch import MAX_TEXT, sketch_of, text_key
from wikicrawler.content.workers.pool import ConversionPool
from wikicrawler.content.workers.worker import PageInput, convert_page

URL = "https://wiki.example/wiki/T"
TEXT = (
    "Seven lamps of 1987 and\n[twelve chairs](https://wiki.example/wiki/Chairs) of 東京都, no. 12."
)
HTML = page("<p>Seven <b>lamps</b> of 1987 and a <a href='/wiki/C'>chair</a>, no. 12.</p>")
WITH_NAMESPACE = HTML.replace(
    "<p>", '<script>RLCONF={"wgNamespaceNumber":0,"wgRevisionId":7}</script><p>'
)


async def converted(html: str, *, sketch: bool, workers: int = 1):
    pool = ConversionPool(workers, cpu_seconds=10, wall_seconds=60, memory_mb=512)
    try:
        return await pool.convert(html, URL, sketch=sketch)
    finally:
        await pool.close()


def hashes(packed: bytes) -> set[int]:
    return set(memoryview(packed).cast("I"))


def counts(text: str) -> tuple[int, int, int]:
    """Return the numbers of words, words with a digit, and phrases."""
    words, numbers, phrases = map(len, map(hashes, sketch_of(text)))
    return words, numbers, phrases


@deferred_f_from_coro_f
async def test_workers_with_different_hash_seeds_make_the_same_sketch(monkeypatch):
    found = []
    for seed in ("1", "2"):
        monkeypatch.setenv("PYTHONHASHSEED", seed)
        found.append(await converted(HTML, sketch=True))
    first, second = (content.sketch for content in found)
    assert all(first)
    ours = sketch_of(found[0].markdown)
    for part in ("words", "numbers", "phrases"):
        assert hashes(getattr(first, part)) == hashes(getattr(second, part))
        assert hashes(getattr(first, part)) == hashes(getattr(ours, part))


@pytest.mark.parametrize("links", ["references", "relative", "text"])
def test_the_form_of_links_does_not_change_what_is_compared(links):
    inline, other = (
        convert_page(PageInput(HTML, URL, None, None, Form(links=form), True, False))
        for form in ("inline", links)
    )
    assert inline.markdown != other.markdown
    assert (inline.sketch, inline.text_key) == (other.sketch, other.text_key)


def test_a_target_with_parentheses_is_no_text():
    plain, other = (f"a [chair](https://w.example/{name}) of wood" for name in ("C", "C_(x_y)"))
    assert sketch_of(plain) == sketch_of(other)
    words = " and nothing but words that are long enough to be told apart from others"
    assert text_key("T", plain + words) == text_key("T", other + words) != b""


@pytest.mark.parametrize("workers", [0, 1])
@pytest.mark.parametrize(("html", "wanted"), [(HTML, False), (WITH_NAMESPACE, True)])
@deferred_f_from_coro_f
async def test_a_page_that_is_not_compared_has_no_sketch(html, wanted, workers):
    content = await converted(html, sketch=wanted, workers=workers)
    assert "lamps" in content.markdown
    assert content.sketch is None


@deferred_f_from_coro_f
async def test_a_page_converted_without_workers_has_a_sketch():
    assert (await converted(HTML, sketch=True, workers=0)).sketch


def test_a_sketch_has_words_words_with_a_digit_and_phrases():
    assert counts("one two three four one") == (4, 0, 3)
    assert counts("one 2 three\nfour five\nsix") == (5, 1, 3)
    assert counts("") == (0, 0, 0)
    assert counts(TEXT) == (8, 2, 7)


def test_all_years_count_as_one_word():
    assert hashes(sketch_of("in 1987").numbers) == hashes(sketch_of("of 2031").numbers)
    for number in ("1787", "11987", "19870", "2287"):
        assert not hashes(sketch_of(number).numbers) & hashes(sketch_of("1987").numbers)
    assert hashes(sketch_of("a1987b").numbers) == hashes(sketch_of("a2031b").numbers)


def test_links_change_the_hashes_of_words_but_not_of_phrases():
    link, plain = sketch_of("[a lamp 7](https://x.example/) is"), sketch_of("a lamp 7 is")
    assert len(hashes(link.words) & hashes(plain.words)) == 1
    assert not hashes(link.numbers) & hashes(plain.numbers)
    assert hashes(link.phrases) == hashes(plain.phrases)


def test_a_lone_surrogate_is_not_an_error():
    assert counts("one \ud800 two\udfff") == (2, 0, 1)


def test_the_size_is_bounded_and_the_middle_of_a_long_text_is_ignored():
    text = " ".join(chr(0x4E00 + n) for n in range(20_000))
    sketch = sketch_of(text)
    assert len(text) > MAX_TEXT
    assert 70_000 < sum(map(len, sketch)) <= 80_000
    ends = f"{text[: MAX_TEXT // 2]}\n{text[-MAX_TEXT // 2 :]}"
    assert [hashes(part) for part in sketch] == [hashes(part) for part in sketch_of(ends)]


def test_hashes_of_many_phrases_differ():
    words = [f"{a}{b}{c}" for a in "bcdfghkl" for b in "aeiou" for c in "mnrst"]
    lines = [f"{a} {b} {c}" for a in words[:20] for b in words[20:40] for c in words[40:50]]
    found = [sketch_of("\n".join(lines[start : start + 200])) for start in range(0, 4000, 200)]
    phrases = set().union(*(hashes(sketch.phrases) for sketch in found))
    assert len(phrases) == 4000


def test_the_text_of_an_image_is_text_of_the_page_and_its_address_is_none():
    image = "![the lamp](https://wiki.example/i/a1.png)"
    assert sketch_of(f"Seven {image} here") == sketch_of("Seven the lamp here")
    linked = f"[{image}](https://wiki.example/wiki/Lamp)"
    assert sketch_of(f"Seven {linked} here") == sketch_of(
        "Seven [the lamp](https://wiki.example/wiki/Lamp) here"
    )
    link = "here\\![the lamp](https://wiki.example/wiki/Lamp)"
    assert sketch_of(link) == sketch_of(link.replace("\\!", " "))
    text = "Seven lamps of the old harbour burn at night, and eleven chairs stand around them. "
    assert text_key("T", text + image) == text_key("T", text + image.replace("a1", "b2"))
