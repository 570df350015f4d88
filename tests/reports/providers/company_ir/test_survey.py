"""What is known of a site stays bounded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikicrawler.reports.models import PDF
from wikicrawler.reports.providers.company_ir import survey as surveys
from wikicrawler.reports.providers.company_ir.assessing import Document
from wikicrawler.reports.providers.company_ir.choosing import Choice, references
from wikicrawler.reports.providers.company_ir.kinds import Kind
from wikicrawler.reports.providers.company_ir.navigation import PageLink
from wikicrawler.reports.providers.company_ir.survey import Survey

if TYPE_CHECKING:
    import pytest

HOME = "https://www.example.com/"


def document(number: int, label: str = "") -> Document:
    return Document(f"{HOME}{number}.pdf", PDF, label)


def test_documents_pages_and_notes_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(surveys, "MAX_DOCUMENTS", 10)
    monkeypatch.setattr(surveys, "_MAX_WAITING", 10)
    survey = Survey(HOME)
    survey.add_documents(document(number) for number in range(50))
    survey.add_pages(PageLink(f"{HOME}{number}", "", 50) for number in range(50))
    for number in range(50):
        survey.note(f"{HOME}{number}", ValueError("\x1b[31m" + "x" * 10_000))
    assert len(survey.documents) == 10
    assert len(survey.waiting) == 10
    assert len(survey.notes) == 8
    assert all(note.isprintable() and len(note) < 300 for note in survey.notes)


def test_the_link_that_says_more_is_kept() -> None:
    survey = Survey(HOME)
    for label in ("annual", "annual report", "report"):
        survey.add_documents([document(1, label)])
    assert survey.documents[f"{HOME}1.pdf"].label == "annual report"


def test_the_more_promising_link_to_a_page_is_kept() -> None:
    survey = Survey(HOME)
    for promise in (10, 30, 20):
        survey.add_pages([PageLink(f"{HOME}a", "", promise)])
    assert survey.waiting[f"{HOME}a"].promise == 30
    survey.take(survey.waiting[f"{HOME}a"])
    survey.add_pages([PageLink(f"{HOME}a", "", 90)])
    assert f"{HOME}a" not in survey.waiting


def test_a_url_that_no_reference_can_have_is_left_out() -> None:
    too_long = Document(
        HOME + "x" * 2_100 + ".pdf", PDF, "annual report", Kind("annual"), year=2023
    )
    good = Document(HOME + "x.pdf", PDF, "annual report", Kind("annual"), year=2023)
    choices = [Choice(one, Kind("annual"), 0, ()) for one in (too_long, good)]
    assert [str(one.url) for one in references(choices, 3, "company_ir")] == [HOME + "x.pdf"]
