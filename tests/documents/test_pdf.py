"""PDFs are read in a process of their own, page by page."""

from __future__ import annotations

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.pdfs import pdf_of
from wikicrawler.documents.pdf import read_pdf
from wikicrawler.errors import ContentError, Reason

TWO = pdf_of("Section 1024.5 (Coverage)", "Section 1024.6")


@deferred_f_from_coro_f
async def test_pages_are_marked() -> None:
    pdf = await read_pdf(TWO)
    assert pdf.text == "[page 1]\nSection 1024.5 (Coverage)\n\n[page 2]\nSection 1024.6"
    assert pdf.pages == 2
    assert not pdf.truncated


@deferred_f_from_coro_f
async def test_a_page_without_text_keeps_its_number() -> None:
    assert (
        await read_pdf(pdf_of("One", "", "Three"))
    ).text == "[page 1]\nOne\n\n[page 2]\n\n[page 3]\nThree"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", Reason.CONVERSION),
        (b"<html><body>Not found", Reason.CONVERSION),
        (b"%PDF-1.7\n" + bytes(1000), Reason.CONVERSION),
        (pdf_of("", ""), Reason.EMPTY),
    ],
)
@deferred_f_from_coro_f
async def test_what_cannot_be_read_is_refused_with_the_reason(data: bytes, reason: Reason) -> None:
    with pytest.raises(ContentError) as caught:
        await read_pdf(data)
    assert caught.value.reason is reason


@pytest.mark.parametrize("cut", range(100, len(TWO) - 100, 150))
@deferred_f_from_coro_f
async def test_a_pdf_that_ends_too_early_is_refused_or_read(cut: int) -> None:
    try:
        pdf = await read_pdf(TWO[:cut])
    except ContentError:
        return
    assert pdf.pages <= 2


@deferred_f_from_coro_f
async def test_a_pdf_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wikicrawler.documents.pdf.WALL_SECONDS", 0.0)
    with pytest.raises(ContentError) as caught:
        await read_pdf(TWO)
    assert caught.value.reason is Reason.CPU_LIMIT
