"""Which documents answer a request, and in which order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pydantic import ValidationError

from wikicrawler.reports.models import MAX_TEXT, PDF, SourceRef
from wikicrawler.reports.providers.company_ir.assessing import DISTANT
from wikicrawler.reports.providers.company_ir.kinds import ANNUAL_FORMS, Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from wikicrawler.reports.providers.company_ir.assessing import Document

PDF_SCORE, HTML_SCORE = 50, 60
WORSE = 10
"""Cost from which a document has a worse score than its format's."""
STRONG = 5
"""Cost up to which a PDF is good enough to end the search."""
MAX_CANDIDATES = 20
_MAX_UNDATED = 2
_WORST = 100
_FORMS = {"10-Q": "quarterly", "DEF 14A": "proxy"}
_SEC_FORMS = frozenset({"10-K", "20-F", "40-F"})


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked for."""

    year: int
    forms: tuple[str, ...]
    languages: tuple[str, ...]

    def includes(self, kind: Kind) -> bool:
        """Return True if documents of *kind* answer the request."""
        if kind.form in ANNUAL_FORMS:
            return any(form in ANNUAL_FORMS for form in self.forms)
        return kind.form in {_FORMS.get(form, form) for form in self.forms}


@dataclass(frozen=True, slots=True)
class Choice:
    """A document that answers the request, with what speaks against it."""

    document: Document
    kind: Kind
    cost: int
    reasons: tuple[str, ...]

    @property
    def score(self) -> int:
        base = PDF_SCORE if self.document.content_type == PDF else HTML_SCORE
        return min(_WORST, base + (self.cost if self.cost >= WORSE else 0))

    @property
    def is_strong(self) -> bool:
        """True if no other document can be expected to be better."""
        return self.cost <= STRONG and self.document.content_type == PDF


def choose(documents: Iterable[Document], wanted: Wanted) -> list[Choice]:
    """Return the documents that answer *wanted*, best first."""
    found = [choice for document in documents if (choice := _choice(document, wanted))]
    found.sort(key=lambda choice: (choice.score, choice.cost))
    undated = [choice for choice in found if choice.document.year is None][_MAX_UNDATED:]
    return [choice for choice in found if choice not in undated][:MAX_CANDIDATES]


def references(choices: Iterable[Choice], tier: int, provider: str) -> Iterator[SourceRef]:
    """Yield the references of *choices*, but those whose URL a reference cannot have."""
    for choice in choices:
        document = choice.document
        try:
            yield SourceRef.model_validate(
                {
                    "provider": provider,
                    "tier": tier,
                    "url": document.url,
                    "access": "scrape",
                    "content_type": document.content_type,
                    "priority_score": choice.score,
                    "title": document.label[:200],
                    "fiscal_year": document.year,
                    "fiscal_period": "FY" if choice.kind.is_annual else None,
                    "period_end": document.period_end,
                    "form": choice.kind.form + ("/A" if _is_amended_filing(choice.kind) else ""),
                    "filed": document.published,
                    "amendment": choice.kind.amendment,
                    "language": document.language or document.page_language or None,
                    "note": _note(choice)[:MAX_TEXT],
                }
            )
        except ValidationError:
            continue


def _choice(document: Document, wanted: Wanted) -> Choice | None:
    kind = document.kind
    if kind is None or not wanted.includes(kind):
        return None
    if not _may_be_of(document, wanted.year):
        return None
    costs = [*_costs_of_kind(document, kind, wanted), *_costs_of_year(document, wanted)]
    costs += _costs_of_file(document, wanted)
    reasons = tuple(reason for _, reason in costs if reason)
    return Choice(document, kind, sum(cost for cost, _ in costs), reasons)


def _may_be_of(document: Document, year: int) -> bool:
    """Return True if *document* is of *year*, or a file that states no year."""
    if document.year is None:
        return document.content_type == PDF
    return year in {document.year, document.other_year}


def _costs_of_kind(document: Document, kind: Kind, wanted: Wanted) -> Iterator[tuple[int, str]]:
    if kind.partial:
        yield 25, "a part or a summary of the report"
    if kind.amendment:
        yield 20, "an amendment"
    if kind.combined:
        yield 3, "one file with another document"
    if kind.form not in wanted.forms:
        yield (2, "") if kind.form in _SEC_FORMS else (1, "")
    if document.kind_from in DISTANT:
        yield 2, ""


def _costs_of_year(document: Document, wanted: Wanted) -> Iterator[tuple[int, str]]:
    if document.year is None:
        yield 40, "the fiscal year is not stated"
    elif document.year != wanted.year:
        yield 12, f"may be of fiscal {document.year} instead"
    if document.is_derived:
        yield 4, ""
    elif document.year_from in DISTANT:
        yield 2, ""


def _costs_of_file(document: Document, wanted: Wanted) -> Iterator[tuple[int, str]]:
    language = document.language or document.page_language
    if language and language not in wanted.languages:
        yield 15, f"in another language ({language})"
    if document.is_page and document.content_type == PDF:
        yield 3, "the type of the file is not known"


def _is_amended_filing(kind: Kind) -> bool:
    return kind.amendment and kind.form in _SEC_FORMS


def _note(choice: Choice) -> str:
    """Return why *choice* is offered, for a person."""
    document, kind = choice.document, choice.kind
    says = f"{kind.form} by {document.kind_from}"
    if document.year is not None:
        says += f"; fiscal {document.year} by {document.year_from}"
    for reason in choice.reasons:
        says += f"; {reason}"
    return f"{says}; linked on {document.page}" if document.page else says
