"""The kind of a document: an annual report, or something that mentions one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import re2

if TYPE_CHECKING:
    from wikicrawler.reports.documents.text import DocumentText
    from wikicrawler.reports.models import SourceRef

ANNUAL_TERM = re2.compile(
    r"annual (integrated |financial |sustainability |and sustainability )?"
    r"(report\b|accounts|review)"
    r"|report and accounts|integrated (annual )?report\b|form 10-k|form 20-f|form 40-f"
    r"|geschäftsbericht\b|jahresbericht\b|jahresfinanzbericht|konzernabschluss"
    r"|rapport (financier )?annuel|document d.enregistrement universel|universal registration doc"
    r"|informe (financiero )?anual|memoria anual|cuentas anuales|relazione (finanziaria )?annuale"
    r"|relazione e bilancio|bilancio (consolidato|d.esercizio|al )|relatório (e contas|anual)"
    r"|jaarverslag|årsredovisning|årsrapport|årsberetning|vuosikertomus|tilinpäätös|raport roczny"
    r"|výroční zpráva|年度报告|年度報告|年報|年报|有価証券報告書|アニュアルレポート"
    r"|統合報告書|사업보고서"
    r"|годовой отчет"
)
_SUSTAINABILITY = re2.compile(
    r"sustainability (\S+ ){0,2}report|\besg report|\bcsr report|(corporate|social) responsibility"
    r"|environmental (\S+ ){0,2}report|impact report|climate report|nachhaltigkeitsbericht"
    r"|rapport de durabilité|hållbarhetsrapport|informe de sostenibilidad|bilancio di sostenibilità"
    r"|relatório de sustentabilidade|non-financial (report|statement)|可持续发展报告|社会责任报告"
    r"|サステナビリティレポート"
)
_OTHER = re2.compile(
    r"\bform (10-q|8-k|6-k|11-k|10-d|s-[1-8]|f-[1-6])\b|quarterly report|quarterly results"
    r"|\b(first|second|third|fourth|1st|2nd|3rd|4th)[- ]quarter\b|\bq[1-4] (fy ?)?(20)?[0-9]{2}\b"
    r"|interim (financial )?(report|statement|results)|half[- ]year|six[- ]months? report"
    r"|full[- ]year (\S+ )?results|preliminary results|unaudited results|results announcement"
    r"|halbjahres|zwischenbericht|quartals|semestriel|semestral|trimest|halfjaar|delårsrapport"
    r"|kwartał|半年度|季度报告|四半期|中間報告|半期報告"
    r"|proxy statement|schedule 14a|notice of (the |our )?([0-9]{4} )?annual|investor presentation"
    r"|earnings (call|release)|conference call|transcript|capital markets day|\bprospectus\b"
    r"|fact ?sheet|remuneration report|savings plan"
)
_RELEASE = re2.compile(
    r"for immediate release|\b(press|news|media) release\b|pressemitteilung|communiqué de presse"
    r"|comunicado de prensa|comunicato stampa|persbericht|pressmeddelande|pressemeddelelse"
    r"|\btoday (announced|published|reported|filed|released)\b"
    r"|\b(publishes|published|files) (\S+ ){0,2}annual report"
    r"|veröffentlicht (\S+ )?geschäftsbericht|prnewswire|business wire"
    r"|globe ?newswire|quarter results"
)
_FISCAL_YEAR = re2.compile(
    r"geschäftsjahr|fiscal year|financial year|exercice|ejercicio|esercizio|exercício|boekjaar"
    r"|räkenskapsår|regnskabsår|事業年度|年度"
)
_ELSE = re2.compile(
    r"outlook|ausblick|guidance|©|\(c\)|copyright|published|publishes|posted|meeting|dated"
    r"|perspectives|expect|erwart|target|forecast"
)
_FORM = re.compile(
    r"(?:form |<type>)?(10-k405|10-ksb|10-kt|10-k|20-f|40-f|10-q|8-k|6-k|11-k)(/a)?\b"
    r"(?! \w+ \w+ \w+)"
)
_SEC_FORM = re.compile(r"[0-9]{2}-[A-Z][A-Z0-9]*|[0-9]-[A-Z]")
_ITEM = re.compile(r"\bitem ?(1a|1|2|3|5|7|8|9a|15|4|17|18)\b")
_MARKS = {
    "audit": r"independent (registered public accounting|auditor)|report of (the )?independent"
    r"|bestätigungsvermerk|commissaires aux comptes|auditoría|società di revisione"
    r"|auditor(es)? independente|controleverklaring|revisionsberättelse|revisionspåtegning"
    r"|revisjonsberetning|tilintarkastus|biegłego rewidenta|zpráva auditora|監査報告"
    r"|审计报告|審計報告"
    r"|감사보고서|аудиторск",
    "notes": r"notes to (the )?((consolidated|group|company|parent) ){0,3}"
    r"(financial statements|accounts)"
    r"|anhang zum|notes annexes|annexe aux comptes|memoria (consolidada|de las cuentas)"
    r"|notas (a los|a las|explicativas)|note (illustrative|esplicative)|nota integrativa"
    r"|toelichting op de|noter till|noter til\b|liitetiedot|noty (do|objaśniające)|注記"
    r"|财务报表附注"
    r"|財務報表附註|주석",
    "balance": r"balance sheet|statements? of financial position|bilanz|bilan consolidé"
    r"|balance (consolidado|general|de situación)|estado de situación|stato patrimoniale"
    r"|balanço patrimonial|geconsolideerde balans|balansräkning|\bbalance\b|sytuacji finansowej"
    r"|貸借対照表|资产负债表|資產負債表",
    "cash": r"cash flow|kapitalflussrechnung|flux de trésorerie|flujos de efectivo"
    r"|rendiconto finanziario|fluxos de caixa|kasstroom|kassaflöde|pengestrøm"
    r"|przepływów pieniężnych|キャッシュ.フロー|现金流量表|現金流量表",
    "management": r"risk factors|principal risks|management.s discussion|strategic report"
    r"|directors. report|operating and financial review|lagebericht|facteurs de risques"
    r"|informe de gestión|relazione sulla gestione|relatório da administração|bestuursverslag"
    r"|förvaltningsberättelse|ledelsesberetning|sprawozdanie zarządu|事業等のリスク"
    r"|管理层讨论与分析",
}
_MARKERS = {name: re2.compile(pattern) for name, pattern in _MARKS.items()}
_SUSTAINABLE = tuple(
    re2.compile(pattern)
    for pattern in (
        r"\bgri\b|\besrs\b|\bsasb\b|\btcfd\b|\bcsrd\b",
        r"scope [123]\b|emission|treibhausgas|gaz à effet",
        r"materiality|wesentlichkeit|matérialité|materialidad",
        r"assurance|prüfungssicherheit|vérification",
        r"water|waste|biodiversity|human rights|diversity",
    )
)
_WRAPPER = re2.compile(r"annual information form|audited annual financial statements")
_ANNUAL, _SUSTAINABLE_KIND = "annual", "sustainability"


@dataclass(frozen=True, slots=True)
class KindProof:
    """Whether a document is of the kind that was offered."""

    found: bool
    sentence: str


def has_report_term(text: str) -> bool:
    """Return whether *text* (lower case) has the name of a report for a year, or of a year."""
    patterns = (ANNUAL_TERM, _SUSTAINABILITY, _FISCAL_YEAR)
    return any(pattern.search(text) for pattern in patterns)


def is_about_something_else(line: str) -> bool:
    """Return whether the year in a line of the cover is that of an outlook, a meeting, a date."""
    return _ELSE.search(line.casefold()) is not None


def check_kind(document: DocumentText, source: SourceRef) -> KindProof:
    """Return whether *document* is a report of the kind that *source* says."""
    asked = (source.form or "").upper()
    stated = _stated_form(document)
    if stated is not None:
        return _check_form(document, stated, asked, amendment=source.amendment)
    kind, line = _title_kind(document)
    if kind is None:
        return KindProof(False, "no title says that the document is an annual report")
    wanted = _SUSTAINABLE_KIND if asked == _SUSTAINABLE_KIND.upper() else _ANNUAL
    if kind != wanted:
        return KindProof(False, f"the title is “{line[:120]}”: not the {wanted} report")
    return _check_structure(document, wanted, line)


def _stated_form(document: DocumentText) -> str | None:
    """Return the form of SEC that a document says to be; None if it is none."""
    if stated := document.facts.get("DocumentType", "").strip().upper():
        flag = document.facts.get("AmendmentFlag", "").strip().lower() == "true"
        return stated + "/A" if flag and not stated.endswith("/A") else stated
    for line in document.cover[:40]:
        found = _FORM.match(line.casefold())
        if found is not None:
            return (found[1] + (found[2] or "")).upper()
    return None


def _check_form(document: DocumentText, stated: str, asked: str, *, amendment: bool) -> KindProof:
    base = stated.removesuffix("/A")
    wanted = asked.removesuffix("/A")
    annual = base.startswith(("10-K", "20-F", "40-F"))
    if not annual or (_SEC_FORM.fullmatch(wanted) and not _is_same_form(base, wanted)):
        return KindProof(
            False, f"the document is a form {stated}, not {asked or 'an annual report'}"
        )
    if stated != base and not (amendment or asked != wanted):
        return KindProof(False, f"the document is an amendment ({stated}), which was not offered")
    if asked == _SUSTAINABLE_KIND.upper():
        return KindProof(False, f"the document is a form {stated}, not a sustainability report")
    items = {found[1] for found in _ITEM.finditer(document.whole)}
    if base == "40-F" and _WRAPPER.search(document.whole):
        return KindProof(True, f"form {stated}")
    if len(items) < 3 or not items & {"7", "8", "18", "17", "5"}:
        return _check_structure(document, _ANNUAL, f"form {stated}")
    return KindProof(True, f"form {stated} with {len(items)} of its items")


def _is_same_form(base: str, wanted: str) -> bool:
    return base == wanted or (base.startswith("10-K") and wanted.startswith("10-K"))


def _title_kind(document: DocumentText) -> tuple[str | None, str]:
    """Return the kind by the first line of the cover that says one, and the line."""
    titles = set(document.title_lines)
    lines = [document.title, *document.cover] if document.title else document.cover
    joined = " ".join(document.title_lines[:6])
    for line in (*lines, joined):
        plain = line.casefold()
        if _RELEASE.search(plain):
            return "press release", line
        if line is not joined and line not in titles:
            continue
        if _OTHER.search(plain):
            return "other", line
        if _SUSTAINABILITY.search(plain) and not ANNUAL_TERM.search(plain):
            return _SUSTAINABLE_KIND, line
        if ANNUAL_TERM.search(plain):
            return _ANNUAL, line
    return None, ""


def _check_structure(document: DocumentText, wanted: str, line: str) -> KindProof:
    """Return whether a document has the parts of a report, and not its title alone."""
    if wanted == _SUSTAINABLE_KIND:
        has = sum(mark.search(document.whole) is not None for mark in _SUSTAINABLE)
        if has >= 3:
            return KindProof(True, f"“{line[:120]}”")
        return KindProof(False, "the document has not the parts of a sustainability report")
    marks = [name for name, mark in _MARKERS.items() if mark.search(document.whole)]
    if len(marks) >= 3 and {"audit", "notes"} & set(marks):
        return KindProof(True, f"“{line[:120]}”, with {', '.join(marks)}")
    what = ", ".join(marks) or "none"
    return KindProof(False, f"the document lacks the parts of an annual report (it has: {what})")
