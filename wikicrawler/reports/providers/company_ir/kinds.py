"""Kinds of documents, by the words that name them."""

from __future__ import annotations

from typing import NamedTuple

from wikicrawler.reports.providers.company_ir import vocabulary

ANNUAL_FORMS = frozenset({"10-K", "20-F", "40-F", "annual", "integrated"})
"""Kinds that answer a request for an annual report."""


class Kind(NamedTuple):
    """What a text says that a document is."""

    form: str
    """A form of SEC, or ``annual``, ``integrated``, ``sustainability``, ``quarterly``, ``proxy``,
    ``presentation``, ``results``, ``news`` or ``other``."""
    amendment: bool = False
    partial: bool = False
    """A chapter, a summary or the data of the document only."""
    combined: bool = False
    """In one file with another document."""

    @property
    def is_annual(self) -> bool:
        return self.form in ANNUAL_FORMS


_BEFORE_ANNUAL = (
    ("other", vocabulary.OTHER),
    ("quarterly", vocabulary.INTERIM),
    ("proxy", vocabulary.PROXY),
    ("sustainability", vocabulary.SUSTAINABILITY),
    ("presentation", vocabulary.PRESENTATION),
    ("results", vocabulary.RESULTS),
)
_SEC_FORMS = (
    ("10-K", vocabulary.FORM_10K),
    ("20-F", vocabulary.FORM_20F),
    ("40-F", vocabulary.FORM_40F),
)


def kind_of(text: str, *, file_name: bool = False) -> Kind | None:
    """Return the kind that the plain words *text* name; None if they name none.

    :param file_name: whether it is a file's name, in which ``ar22`` is an annual report
    """
    form = _annual_form(text, file_name)
    if vocabulary.NEWS.search(text) and (
        form or vocabulary.RESULTS.search(text) or vocabulary.INTERIM.search(text)
    ):
        return Kind("news")
    other = next((name for name, words in _BEFORE_ANNUAL if words.search(text)), None)
    if form is None:
        if vocabulary.REVIEW.search(text):
            return Kind("annual", partial=True)
        return Kind(other) if other else None
    return _with_annual_words(form, other, text)


def annual_span(text: str, *, file_name: bool = False) -> tuple[int, int] | None:
    """Return where *text* names an annual report, as positions of its first and last character."""
    patterns = [
        vocabulary.FORM_10K,
        vocabulary.FORM_20F,
        vocabulary.FORM_40F,
        vocabulary.INTEGRATED,
        vocabulary.ANNUAL,
    ]
    if file_name:
        patterns.append(vocabulary.SHORT_NAME)
    for pattern in patterns:
        if found := pattern.search(text):
            return found.span()
    return None


def _annual_form(text: str, file_name: bool) -> str | None:
    for form, words in _SEC_FORMS:
        if words.search(text):
            return form
    if vocabulary.INTEGRATED.search(text) or vocabulary.INTEGRATED_ELSEWHERE.search(text):
        return "integrated"
    if (
        vocabulary.ANNUAL.search(text)
        or vocabulary.ANNUAL_ELSEWHERE.search(text)
        or vocabulary.AND_SUSTAINABILITY.search(text)
    ):
        return "annual"
    return "annual" if file_name and vocabulary.SHORT_NAME.search(text) else None


def _with_annual_words(form: str, other: str | None, text: str) -> Kind:
    """Return the kind of a *text* that names an annual report, and perhaps *other* documents."""
    if other == "quarterly" and form not in {"10-K", "20-F", "40-F"}:
        return Kind("quarterly")
    if other == "sustainability" and vocabulary.AND_SUSTAINABILITY.search(text):
        other = None
    if other in {"presentation", "results"}:
        return Kind(other)
    partial = bool(vocabulary.PARTIAL.search(text)) and not vocabulary.WHOLE.search(text)
    return Kind(
        form,
        bool(vocabulary.AMENDMENT.search(text)),
        partial or other == "other",
        other is not None,
    )
