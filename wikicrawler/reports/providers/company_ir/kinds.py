"""Kinds of documents, by the words that name them."""

from __future__ import annotations

import re
from typing import NamedTuple

from wikicrawler.reports.providers.company_ir.words import plain

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


def _words(*alternatives: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(alternatives)})\b")


def _texts(*alternatives: str) -> re.Pattern[str]:
    return re.compile("|".join(map(plain, alternatives)))


_MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
FORM_10K = re.compile(r"\b10 k(?: 405|sb| sb|t| t)?\b")
FORM_20F = re.compile(r"\b20 f\b")
FORM_40F = re.compile(r"\b40 f\b")
INTEGRATED = _words("integrated (?:annual |management )?reports?", "integrierter bericht")
INTEGRATED_ELSEWHERE = _texts("統合報告書", "統合レポート", "통합보고서")
ANNUAL = _words(
    "annual (?:financial |securities |group |company |stakeholders? |shareholders? )?reports?",
    "annual (?:and|incl|including) (?:sustainability|esg|csr|corporate responsibility) reports?",
    "annual reporting",
    "annuals",
    "annual accounts",
    "reports? and accounts",
    "yearly report",
    "(?:universal )?registration document",
    "urd",
    "geschaftsberichte?",
    "jahresberichte?",
    "jahresfinanzberichte?",
    "rapports? annuels?",
    "rapport financier annuel",
    "document d enregistrement(?: universel)?",
    "informes? (?:financiero )?anual(?:es)?",
    "memorias? anual(?:es)?",
    "relatorios? anual",
    "relatorios? anuais",
    "relazion[ei] (?:finanziari[ae] )?annual[ei]",
    "jaarverslag(?:en)?",
    "arsredovisning(?:ar)?",
    "ars og barekraftsrapport",
    "arsrapport(?:er)?",
    "vuosikertomu(?:s|kset)",
    "tilinpaatos",
    "raport roczny",
    "faaliyet raporu",
)
ANNUAL_ELSEWHERE = _texts(
    *("年报", "年報", "年度报告", "年度報告", "有価証券報告書", "アニュアルレポート"),
    *("연차보고서", "사업보고서", "годовой отчет"),
)
_SHORT_NAME = re.compile(r"\b(?:ar|gb) (?=(?:19|20)?\d\d\b)|\b(?:19|20)?\d\d ar\b")
"""In file names: ``ar22``."""
_INTERIM = _words(
    "q [1-4]",
    "[1-4] q",
    "h [12]",
    "[12] h",
    "9 m",
    "10 q",
    "(?:first|second|third|fourth|1 st|2 nd|3 rd|4 th) (?:fiscal )?quarter",
    "quarters?",
    "quarterl(?:y|ies)",
    "half ?year(?:ly)?",
    "(?:six|nine|three) months?",
    "(?:6|9|3) months?",
    "interim",
    "interims",
    "(?:semi|bi) ?annual(?:ly)?",
    "halbjahres\\w*",
    "quartals\\w*",
    "zwischenbericht\\w*",
    "semestr\\w*",
    "semestr(?:e|iel)",
    "trimestr\\w*",
    "delarsrapport\\w*",
    "monthly",
)
_PROXY = _words(
    "proxy(?: statements?)?",
    "proxies",
    "def 14 a",
    "(?:information|management) circular",
    "notice of (?:\\w+ ){0,3}(?:meeting|agm)",
    "annual (?:general )?meeting",
    "agm",
    "hauptversammlung",
    "assemblee generale",
)
_SUSTAINABILITY = _words(
    "sustainab\\w+",
    "esg",
    "csr",
    "corporate (?:social )?responsibility",
    "(?:global )?citizenship",
    "climate",
    "tcfd",
    "gri",
    "environment\\w*",
    "diversity",
    "inclusion",
    "impact report",
    "nachhaltig\\w+",
    "(?:developpement )?durable",
    "durabilite",
    "sostenib\\w+",
    "sustentab\\w+",
    "hallbarhet\\w*",
    "baerekraft\\w*",
    "modern slavery",
    "human rights",
    "gender pay",
    "tax (?:transparency|strategy|report)",
)
_AND_SUSTAINABILITY = _words(
    "annual (?:reports? )?(?:and|incl|including) (?:sustainability|esg|csr|corporate\\w*)",
    "(?:sustainability|esg|csr) (?:reports? )?and annual reports?",
    "arsredovisning och hallbarhet\\w*",
)
_PRESENTATION = _words(
    "presentations?",
    "slides?",
    "slide deck",
    "webcasts?",
    "transcripts?",
    "roadshow",
    "conference call",
    "earnings call",
    "videos?",
    "prasentation\\w*",
)
_RESULTS = _words(
    "(?:annual|full year|financial|preliminary|final|consolidated(?: financial)?|yearly) results?",
    "results? for the (?:fiscal |full )?year",
    "results",
    "earnings",
    "prelims",
    "trading (?:update|statement)",
    "year end report",
    "full year report",
    "bokslutskommunike",
    "kessan tanshin",
)
_NEWS = _words(
    "announc\\w+",
    "(?:press|news|media) releases?",
    "pressemitteilung\\w*",
    f"publish(?:es|ed)(?! (?:on |in )?(?:[0-9]|{_MONTHS}))",
    "publication of",
    "(?:now )?available",
    "availability",
    "(?:files|filed|filing of|to file|releases|issues)(?= .{0,40}(?:annual|report|10 k|20 f|form))",
    "reports (?:first|second|third|fourth|full|record|strong|q [1-4]|fiscal|results)",
)
_OTHER = _words(
    "11 k",
    "8 k",
    "6 k",
    "annual information form",
    "aif",
    "(?:corporate )?governance (?:report|statement|guidelines)",
    "remuneration (?:report|policy|statement)",
    "compensation report",
    "fact ?(?:book|sheet)s?",
    "pillar 3",
    "solvency",
    "prospectus",
    "code of conduct",
    "foundation",
    "pension\\w*",
    "dividends?",
    "glossary",
    "errata",
)
_PARTIAL = _words(
    "summary",
    "highlights?",
    "overview",
    "at a glance",
    "in brief",
    "review",
    "extracts?",
    "excerpts?",
    "chapters?",
    "sections?",
    "part [1-9]",
    "letter",
    "(?<!and )(?<!including )financial statements",
    "financial tables",
    "(?:strategic|directors|governance|auditors?|risk|management|remuneration) report",
    "strategy",
    "(?:ceo|chair\\w*|president) \\w+",
    "governance",
    "remuneration",
    "financials",
    "appendix",
    "annex(?:es)?",
    "supplement\\w*",
    "infographic",
    "index",
    "esef",
    "xbrl",
    "xhtml",
    "zip",
    "xlsx?",
    "excel",
    "spreadsheet",
    "data ?book",
    "cover",
    "wrap",
    "order form",
    "archives?",
    "accessible",
    "text (?:only )?version",
    "exhibits?",
    "ex \\d+",
)
_WHOLE = _words("full", "complete", "entire", "whole", "cover of the")
_AMENDMENT = _words("10 k t? ?a", "20 f a", "40 f a", "amendments?", "amended")
_REVIEW = _words("annual review", "year in review", "jahresruckblick")

_BEFORE_ANNUAL = (
    ("other", _OTHER),
    ("quarterly", _INTERIM),
    ("proxy", _PROXY),
    ("sustainability", _SUSTAINABILITY),
    ("presentation", _PRESENTATION),
    ("results", _RESULTS),
)
_SEC_FORMS = (("10-K", FORM_10K), ("20-F", FORM_20F), ("40-F", FORM_40F))


def kind_of(text: str, *, file_name: bool = False) -> Kind | None:
    """Return the kind that the plain words *text* name; None if they name none.

    :param file_name: whether it is a file's name, in which ``ar22`` is an annual report
    """
    form = _annual_form(text, file_name)
    if _NEWS.search(text) and (form or _RESULTS.search(text) or _INTERIM.search(text)):
        return Kind("news")
    other = next((name for name, words in _BEFORE_ANNUAL if words.search(text)), None)
    if form is None:
        if _REVIEW.search(text):
            return Kind("annual", partial=True)
        return Kind(other) if other else None
    return _with_annual_words(form, other, text)


def annual_span(text: str, *, file_name: bool = False) -> tuple[int, int] | None:
    """Return where *text* names an annual report, as positions of its first and last character."""
    patterns = [FORM_10K, FORM_20F, FORM_40F, INTEGRATED, ANNUAL]
    if file_name:
        patterns.append(_SHORT_NAME)
    for pattern in patterns:
        if found := pattern.search(text):
            return found.span()
    return None


def _annual_form(text: str, file_name: bool) -> str | None:
    for form, words in _SEC_FORMS:
        if words.search(text):
            return form
    if INTEGRATED.search(text) or INTEGRATED_ELSEWHERE.search(text):
        return "integrated"
    if ANNUAL.search(text) or ANNUAL_ELSEWHERE.search(text) or _AND_SUSTAINABILITY.search(text):
        return "annual"
    return "annual" if file_name and _SHORT_NAME.search(text) else None


def _with_annual_words(form: str, other: str | None, text: str) -> Kind:
    """Return the kind of a *text* that names an annual report, and perhaps *other* documents."""
    if other == "quarterly" and form not in {"10-K", "20-F", "40-F"}:
        return Kind("quarterly")
    if other == "sustainability" and _AND_SUSTAINABILITY.search(text):
        other = None
    if other in {"presentation", "results"}:
        return Kind(other)
    partial = bool(_PARTIAL.search(text)) and not _WHOLE.search(text)
    return Kind(form, bool(_AMENDMENT.search(text)), partial or other == "other", other is not None)
