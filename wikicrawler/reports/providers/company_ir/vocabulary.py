"""The words that name kinds of documents, as patterns for plain words."""

from __future__ import annotations

import re

from wikicrawler.reports.providers.company_ir.words import plain


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
    "reference document",
    "document de reference",
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
SHORT_NAME = re.compile(r"\b(?:ar|gb) (?=(?:19|20)?\d\d\b)|\b(?:19|20)?\d\d ar\b")
"""In file names: ``ar22``."""
INTERIM = _words(
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
PROXY = _words(
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
SUSTAINABILITY = _words(
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
AND_SUSTAINABILITY = _words(
    "annual (?:reports? )?(?:and|incl|including) (?:sustainability|esg|csr|corporate\\w*)",
    "(?:sustainability|esg|csr) (?:reports? )?and annual reports?",
    "arsredovisning och hallbarhet\\w*",
)
PRESENTATION = _words(
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
RESULTS = _words(
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
NEWS = _words(
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
OTHER = _words(
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
PARTIAL = _words(
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
    "order form",
    "archives?",
    "text (?:only )?version",
    "exhibits?",
    "ex \\d+",
)
WHOLE = _words("full", "complete", "entire", "whole", "cover of the")
AMENDMENT = _words("10 k t? ?a", "20 f a", "40 f a", "amendments?", "amended")
REVIEW = _words("annual review", "year in review", "jahresruckblick")
