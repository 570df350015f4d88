"""The judgement on the text of a document. Pure: a crawl calls it in a worker process."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from wikicrawler.reports.documents.company_names import find_company
from wikicrawler.reports.documents.error_pages import error_text
from wikicrawler.reports.documents.fiscal_years import fiscal_year_of
from wikicrawler.reports.documents.kinds import check_kind
from wikicrawler.reports.documents.text import DocumentText, letters
from wikicrawler.reports.errors import Outcome
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from wikicrawler.reports.models import CompanyRef, SourceRef

_MAX_EVIDENCE = 400


@dataclass(frozen=True, slots=True)
class Judgement:
    """Whether a document is the one that was offered; picklable, unlike the exceptions."""

    outcome: Outcome
    sentence: str = ""
    evidence: tuple[str, ...] = ()


def judge(
    document: DocumentText, source: SourceRef, company: CompanyRef, year: int, floor: int
) -> Judgement:
    """Judge the text of a PDF, HTML or text document.

    :param floor: minimum number of letters and digits
    """
    error = error_text(document.title, document.text, document.heading)
    if error is not None:
        return refused(Outcome.ERROR_PAGE, f"the document is an error or a login: “{error}”")
    length = letters(document.text)
    if length < floor:
        return refused(
            Outcome.TOO_SMALL, f"the text has {length:,} letters and digits, at least {floor:,}"
        )
    kind = check_kind(document, source)
    if not kind.found:
        return refused(Outcome.WRONG_KIND, kind.sentence)
    owner = find_company(document, company, source)
    if not owner.found:
        return refused(Outcome.WRONG_COMPANY, owner.sentence)
    about = fiscal_year_of(document, source, year)
    if about.year != year:
        said = f"is about {about.year}" if about.year else "does not say its fiscal year"
        quote = f" ({about.quote})" if about.quote else ""
        return refused(Outcome.WRONG_YEAR, f"the document {said}{quote}, and {year} was asked for")
    evidence = (
        f"kind: {kind.sentence}",
        f"company: {owner.sentence}",
        f"fiscal year {year}: {about.quote}",
    )
    return Judgement(Outcome.OK, "", tuple(one_line(line, _MAX_EVIDENCE) for line in evidence))


def refused(outcome: Outcome, sentence: str) -> Judgement:
    """Return the judgement that refuses a document for this reason."""
    return Judgement(outcome, one_line(sentence, _MAX_EVIDENCE))
