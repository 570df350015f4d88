"""The documents of a filing, as candidates."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from wikicrawler.reports.models import HTML, JSON, PDF, SourceRef

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wikicrawler.reports.providers.edgar.addresses import Addresses
    from wikicrawler.reports.providers.edgar.filings import Filing
    from wikicrawler.reports.providers.edgar.index_page import Document
    from wikicrawler.reports.providers.edgar.selection import Chosen
    from wikicrawler.reports.providers.edgar.submissions import Submissions

FACTS_SCORE, PDF_SCORE, PRIMARY_SCORE, EXHIBIT_SCORE = 5, 10, 20, 30
SECOND = 35
"""Added to the scores of a filing that another one comes before, so that all its documents come
after those of the other."""
AMENDED = 50
TEXT = "text/plain"
MAX_EXHIBITS = 3
_TYPES = {"htm": HTML, "html": HTML, "txt": TEXT, "pdf": PDF}
# 10-Ks refer to the annual report to shareholders in EX-13; 40-Fs to statements in EX-2 or EX-99.
_STATEMENTS = re.compile(r"EX-13(?:\.[0-9A-Z]+)?")
_POSSIBLE = re.compile(r"EX-(?:1|2|99)(?:\.[0-9A-Z]+)?")
_WORDS = re.compile(
    r"annual report|annual information form|financial statements|management.s discussion",
    re.IGNORECASE,
)


def candidates_of(
    chosen: Chosen,
    company: Submissions,
    documents: Sequence[Document],
    addresses: Addresses,
    *,
    tier: int,
    provider: str,
    has_facts: bool,
) -> list[SourceRef]:
    """Return the documents of a filing that may be its report.

    :param documents: those that the index page of the filing lists
    :param has_facts: whether companyfacts has facts of the filing
    """
    filing, year = chosen.filing, chosen.year
    name = company.name_on(filing.filed) or f"CIK {company.cik}"
    period = f" for the period ended {year.end}" if year.end else ""
    added = AMENDED if filing.is_amendment else SECOND if chosen.is_second else 0
    common: dict[str, Any] = {
        "provider": provider,
        "tier": tier,
        "access": "api",
        "fiscal_year": year.year,
        "fiscal_period": "FY",
        "period_end": year.end,
        "form": filing.form,
        "accession": filing.accession,
        "filed": filing.filed,
        "amendment": filing.is_amendment,
        "note": note_of(chosen),
    }

    def reference(url: str, content_type: str, score: int, what: str) -> SourceRef:
        return SourceRef(
            **common,
            url=url,
            content_type=content_type,
            priority_score=min(100, score + added),
            title=f"{name}: {filing.form}{period}{what}"[:500],
        )

    found = []
    if has_facts:
        found.append(reference(addresses.facts(company.cik), JSON, FACTS_SCORE, ", facts in XBRL"))
    for file, score, what in _files(chosen, documents):
        content_type = _TYPES.get(file.rpartition(".")[2].casefold() if file else "txt")
        if content_type:
            url = addresses.document(company.cik, filing.accession, file)
            found.append(reference(url, content_type, score, what))
    return found


def note_of(chosen: Chosen) -> str:
    """Return in words how the fiscal year of a filing is known, and what is special about it."""
    filing, year = chosen.filing, chosen.year
    notes = [f"fiscal {year.year}: {year.reason}"]
    if filing.is_amendment:
        notes.append("an amendment, which may be of a part only")
    if filing.is_transition:
        notes.append("about the months of a transition to another year end")
    if filing.is_shareholders:
        notes.append("the annual report to shareholders")
    return "; ".join(notes)[:500]


def _files(chosen: Chosen, documents: Sequence[Document]) -> list[tuple[str, int, str]]:
    """Return name, score and description of the files of a filing, each once."""
    filing = chosen.filing
    own = _own_names(filing, documents)
    pdfs = [name for name in own if _is_pdf(name)]
    primary = next((name for name in own if not _is_pdf(name)), "")
    files = [(name, PDF_SCORE, ", PDF") for name in pdfs]
    # Without a document of its own a filing is a single text, and a report on paper not even that.
    if primary or not (pdfs or filing.is_shareholders):
        files.append((primary, PRIMARY_SCORE, ""))
    files += _exhibits(filing.form, documents)
    first: dict[str, tuple[str, int, str]] = {}
    for file in files:
        first.setdefault(file[0], file)
    return list(first.values())


def _own_names(filing: Filing, documents: Sequence[Document]) -> list[str]:
    """Return the names of the report itself: that in the submissions, then those of the page."""
    named = [filing.document] if filing.document else []
    return named + [document.name for document in documents if document.type == filing.form]


def _exhibits(form: str, documents: Sequence[Document]) -> list[tuple[str, int, str]]:
    found = [document for document in documents if _is_statement(document, form)]
    return [(one.name, EXHIBIT_SCORE, _described(one)) for one in found[:MAX_EXHIBITS]]


def _described(document: Document) -> str:
    return f", {document.type} {document.description}".rstrip()


def _is_pdf(name: str) -> bool:
    return name.casefold().endswith(".pdf")


def _is_statement(document: Document, form: str) -> bool:
    if _STATEMENTS.fullmatch(document.type):
        return True
    return (
        form.startswith("40-F")
        and _POSSIBLE.fullmatch(document.type) is not None
        and _WORDS.search(document.description) is not None
    )
