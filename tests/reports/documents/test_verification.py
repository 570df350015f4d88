"""The proof that a file is the document that was offered."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.reports.documents.genuine import APPLE, APPLE_10K, company_facts
from tests.reports.documents.making import cover, html, paragraphs, pdf, sec_source, source
from tests.reports.documents.test_corpus import _called
from tests.reports.documents.texts import prose, report, statements
from wikicrawler.content.workers.pool import ConversionPool
from wikicrawler.errors import ContentError, Reason
from wikicrawler.reports.documents.error_pages import error_text, is_rate_limit_page
from wikicrawler.reports.documents.floors import Floors
from wikicrawler.reports.documents.html_document import html_markdown, read_html
from wikicrawler.reports.documents.verification import MAX_BYTES, Verified, verify
from wikicrawler.reports.errors import Outcome, WrongDocumentError
from wikicrawler.reports.fetching import SavedFile
from wikicrawler.reports.models import HTML, JSON, PDF, CompanyRef

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from wikicrawler.reports.models import SourceRef

SHELL = CompanyRef(name="Shell plc")
SHELL_PDF = pdf("Shell plc\nAnnual Report 2023\n", report("Shell", 2023))
ODD_CONCEPTS = {"b": {"units": 5}, "c": {"units": {"USD": [1] * 30}}}
REFERENCE = sec_source(fiscal_year=2023)


async def verified(
    path: Path,
    data: bytes,
    reference: SourceRef = REFERENCE,
    company: CompanyRef = APPLE,
    run: Callable[..., Any] = _called,
    **arguments: Any,
) -> Verified:
    path.write_bytes(data)  # noqa: ASYNC240 - a test
    file = SavedFile(path, "https://x.example/d", reference.content_type, len(data))
    return await verify(file, reference, company, 2023, run, **arguments)


@deferred_f_from_coro_f
async def test_an_html_document_is_proved_in_a_worker_and_converted(tmp_path: Path) -> None:
    pool = ConversionPool(1, 20.0, 60.0, 512)

    async def run(function: Callable[..., Any], *arguments: Any) -> Any:
        return await pool.run("https://x.example/d", function, *arguments)

    try:
        found = await verified(tmp_path / "d.htm", APPLE_10K, run=run)
    finally:
        await pool.close()
    assert found.sha256 == sha256(APPLE_10K).hexdigest()
    assert (found.size, found.content_type) == (len(APPLE_10K), HTML)
    assert found.evidence == (
        "kind: form 10-K with 9 of its items",
        "company: the document states the CIK 0000320193",
        "fiscal year 2023: “fiscal year ended september 30, 2023”, fiscal 2023",
    )
    assert "Item 7. Management's Discussion" in found.markdown
    assert "ix:" not in found.markdown


@deferred_f_from_coro_f
async def test_the_text_of_a_pdf_has_the_marks_of_its_pages(tmp_path: Path) -> None:
    found = await verified(tmp_path / "a.pdf", SHELL_PDF, source(), SHELL)
    assert found.markdown.startswith("[page 1]\nShell plc\nAnnual Report 2023")
    assert found.content_type == PDF


@deferred_f_from_coro_f
async def test_json_has_no_text(tmp_path: Path) -> None:
    facts = company_facts(320193, "Apple Inc.", "0000000042-23-000106", 2023)
    found = await verified(tmp_path / "a.json", facts, sec_source(JSON))
    assert found.markdown == ""
    assert found.evidence[1] == "fiscal year 2023: 1 facts of the filing 0000000042-23-000106"


@pytest.mark.parametrize(
    ("facts", "company", "outcome"),
    [
        (company_facts(1, "Apple Inc.", "x", 2023), CompanyRef(name="Apple"), None),
        (company_facts(1, "Other Inc.", "x", 2023), CompanyRef(name="Apple"), "wrong_company"),
        (company_facts(1, "Apple Inc.", "x", 2022), CompanyRef(name="Apple"), "wrong_year"),
        (company_facts(1, "Apple Inc.", "x", 2023), CompanyRef(cik="2"), "wrong_company"),
        (b'{"cik": "one", "facts": {}}' + b" " * 99 + b"}", CompanyRef(cik="2"), "unreadable"),
        (b"[" * 100_000 + b"]" * 100_000, APPLE, "unreadable"),
        (b"[1, 2, 3]" + b" " * 100, APPLE, "wrong_kind"),
        (json.dumps({"cik": 320193, "facts": {"a": [1] * 50}}).encode(), APPLE, "wrong_year"),
        (
            json.dumps(
                {
                    "cik": 320193,
                    "facts": {"a": {"b": {"units": 5}, "c": {"units": {"USD": [1] * 30}}}},
                }
            ).encode(),
            APPLE,
            "wrong_year",
        ),
    ],
)
@deferred_f_from_coro_f
async def test_facts_without_an_accession_are_of_the_company_and_the_year(
    facts: bytes, company: CompanyRef, outcome: str | None, tmp_path: Path
) -> None:
    reference = sec_source(JSON, accession=None)
    if outcome is None:
        assert await verified(tmp_path / "a", facts, reference, company)
        return
    with pytest.raises(WrongDocumentError) as caught:
        await verified(tmp_path / "a", facts, reference, company)
    assert caught.value.outcome == outcome


@deferred_f_from_coro_f
async def test_a_filing_that_is_too_large_to_convert_has_its_plain_text(tmp_path: Path) -> None:
    async def run(function: Callable[..., Any], *arguments: Any) -> Any:
        if function is html_markdown:
            raise ContentError(Reason.CPU_LIMIT)
        return function(*arguments)

    found = await verified(tmp_path / "d.htm", APPLE_10K, run=run)
    assert "Item 7. Management's Discussion" in found.markdown
    assert "<" not in found.markdown


@deferred_f_from_coro_f
async def test_a_document_that_is_too_costly_is_unreadable(tmp_path: Path) -> None:
    async def run(function: Callable[..., Any], *arguments: Any) -> Any:
        raise ContentError(Reason.MEMORY_LIMIT)

    with pytest.raises(WrongDocumentError, match="too costly") as caught:
        await verified(tmp_path / "d.htm", APPLE_10K, run=run)
    assert caught.value.outcome is Outcome.UNREADABLE


@deferred_f_from_coro_f
async def test_plain_text_is_its_own_markdown(tmp_path: Path) -> None:
    text = cover("10-K", "Apple Inc.", "September 30, 2023", spans=False) + statements(
        "Apple Inc.", ("September 30, 2023", "September 24, 2022", "September 25, 2021"), 2023
    )
    found = await verified(tmp_path / "d.txt", text.encode(), sec_source("text/plain"))
    assert found.markdown == text


@deferred_f_from_coro_f
async def test_a_file_that_is_gone_is_unreadable(tmp_path: Path) -> None:
    file = SavedFile(tmp_path / "gone", "https://x.example/", PDF, 5)
    with pytest.raises(WrongDocumentError) as caught:
        await verify(file, source(), SHELL, 2023, _called)
    assert caught.value.outcome is Outcome.UNREADABLE


@deferred_f_from_coro_f
async def test_a_file_beyond_the_bound_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(MAX_BYTES, PDF, 3_000)
    with pytest.raises(WrongDocumentError) as caught:
        await verified(tmp_path / "a.pdf", SHELL_PDF, source(), SHELL)
    assert caught.value.outcome is Outcome.TOO_LARGE


@pytest.mark.parametrize(
    "floors", [Floors(pdf=10**6), Floors(text=10**6)], ids=["of the file", "of the text"]
)
@deferred_f_from_coro_f
async def test_the_floors_can_be_raised(floors: Floors, tmp_path: Path) -> None:
    with pytest.raises(WrongDocumentError) as caught:
        await verified(tmp_path / "a.pdf", SHELL_PDF, source(), SHELL, floors=floors)
    assert caught.value.outcome is Outcome.TOO_SMALL


@pytest.mark.parametrize(
    ("form", "amendment", "asked", "outcome"),
    [
        ("10-K/A", True, "10-K/A", None),
        ("10-K/A", False, "10-K", Outcome.WRONG_KIND),
        ("10-K405", False, "10-K", None),
        ("20-F", False, "40-F", Outcome.WRONG_KIND),
        ("20-F", False, "annual", None),
        ("10-K", False, "sustainability", Outcome.WRONG_KIND),
    ],
)
@deferred_f_from_coro_f
async def test_the_form_is_the_one_that_was_offered(
    form: str, amendment: bool, asked: str, outcome: Outcome | None, tmp_path: Path
) -> None:
    ends = ("September 30, 2023", "September 24, 2022", "September 25, 2021")
    data = html(
        cover(form, "Apple Inc.", ends[0]), paragraphs(statements("Apple Inc.", ends, 2023))
    )
    reference = sec_source(form=asked, amendment=amendment)
    if outcome is None:
        assert await verified(tmp_path / "d", data, reference)
        return
    with pytest.raises(WrongDocumentError) as caught:
        await verified(tmp_path / "d", data, reference)
    assert caught.value.outcome is outcome


@deferred_f_from_coro_f
async def test_a_title_without_the_parts_is_no_report(tmp_path: Path) -> None:
    for title, form in (("Annual Report 2023", "annual"), ("Impact Report 2023", "sustainability")):
        data = pdf(f"Shell plc\n{title}\n", prose("Shell", 2023, times=8))
        with pytest.raises(WrongDocumentError, match="parts") as caught:
            await verified(tmp_path / "d", data, source(form=form), SHELL)
        assert caught.value.outcome is Outcome.WRONG_KIND


@deferred_f_from_coro_f
async def test_what_a_document_says_does_not_break_a_message(tmp_path: Path) -> None:
    name = "Evil\x1b[31m\u202e Corp\u2028" * 3
    ends = ("September 30, 2023", "September 24, 2022", "September 25, 2021")
    data = html(cover("10-K", name, ends[0]), paragraphs(statements("Evil", ends, 2023)))
    with pytest.raises(WrongDocumentError) as caught:
        await verified(tmp_path / "d", data)
    assert str(caught.value).isprintable()


def test_html_is_read_as_a_person_sees_it() -> None:
    found = read_html(
        html(
            "<nav>menu</nav><div style='display: none'>hidden</div><h1>The <b>first</b></h1>"
            "<p>For the year<br>ended</p><table><tr><td>a</td><td>b</td></tr></table>"
            "<script>x</script><footer>foot</footer>",
            title="A  title",
        )
    )
    assert (found.title, found.heading) == ("A title", "The first")
    assert [line.split() for line in found.lines] == [
        ["The", "first"],
        ["For", "the", "year"],
        ["ended"],
        ["a", "b"],
    ]


def test_html_without_an_element_cannot_be_read() -> None:
    with pytest.raises(ContentError):
        read_html(b"<!-- nothing -->")


def test_the_text_of_a_document_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wikicrawler.reports.documents.html_document.MAX_TEXT", 1000)
    assert len(read_html(html("<p>word</p>" * 10_000)).text) < 1_100


@pytest.mark.parametrize(
    ("title", "text", "found"),
    [
        ("404", "x", True),
        ("", "The page you requested could not be found", True),
        ("", "HTTP 503", True),
        ("SEC.gov | Request Rate Threshold Exceeded", "", True),
        ("", "Please sign in to view this document", True),
        ("Annual Report 2023", "Our results for 404 stores", False),
        ("404", "x" * 30_000, False),  # an error page is short
    ],
)
def test_an_error_is_told_by_its_title_or_first_words(title: str, text: str, found: bool) -> None:
    assert (error_text(title, text) is not None) is found


def test_a_rate_limit_page_is_known_by_its_words() -> None:
    assert is_rate_limit_page(b"<h1>Your Request Originates from an Undeclared Automated Tool</h1>")
    assert is_rate_limit_page("You’ve Exceeded the SEC’s Traffic Limit".encode())
    assert not is_rate_limit_page(b"<Error><Code>AccessDenied</Code></Error>")
