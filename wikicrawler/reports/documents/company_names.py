"""The company that a document is of."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

from wikicrawler.reports.documents.text import COVER, OPENING, word_set

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wikicrawler.reports.documents.text import DocumentText
    from wikicrawler.reports.models import CompanyRef, SourceRef

_LEGAL = word_set(
    "inc incorporated corp corporation co company cos companies plc ltd limited llc llp lp ag "
    "se sa sas nv bv ab publ oyj oy asa as spa srl kgaa gmbh kg kk pjsc ojsc pao jsc tbk bhd "
    "berhad sab cv saa aktiengesellschaft aktiebolag"
)
"""Legal forms: a name is the same with and without them."""
_GROUPS = word_set(
    "group groupe gruppe gruppo grupo konzern koncernen konsernen groep holding holdings"
)
_ARTICLES = frozenset({"the"})
_ASIAN_LEGAL = re.compile(r"(?:股份有限公司|有限责任公司|有限公司|株式会社|\(株\)|주식회사)")
_ASIAN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_STATE = re.compile(r"\s*/\s*[A-Z]{2,3}\s*/?\s*$")  # SEC writes BANK OF AMERICA CORP /DE/
_POSSESSIVE = re.compile(r"['’]s\b", re.IGNORECASE)
_TOKEN = re.compile(r"[^\W_]+", re.ASCII)
_SPAN = re.compile(r"[^\s,;:!?|()\[\]{}\"“”„«»–—•·®™©*/]+|[^\s]")
_REGISTRANT = re.compile(r"name of (?:the )?registrant", re.IGNORECASE)
_NEAR_TICKER = re.compile(r"trading symbol|nasdaq|nyse|stock exchange|common stock", re.IGNORECASE)
_GENERIC = word_set(
    "a an the and of at in for by to on or as is its our we with from about this that annual "
    "report reports reporting accounts statements statement form fiscal year board results "
    "governance review overview shares share shareholders stock all page www contents table "
    "fy introduction summary geschäftsbericht jahresbericht nachhaltigkeitsbericht "
    "geschäftsjahr der die das den dem des und für im bei von zum zur rapport annuel document "
    "exercice le la les du de et informe anual el los y relazione bilancio il lo e i "
    "relatório exercício o jaarverslag het een årsredovisning årsrapport och og i raport "
    "roczny za w z dated has will was"
)
"""Words beside a name that do not belong to it."""
_BEFORE_REPORT = word_set("financial integrated sustainability environmental strategic interim")
_REPORT = word_set("report reports statements review results year accounts")
"""Words after those, which make them the title of a document and not a part of a name."""
_PART_OF = re.compile(
    r"(?:subsidiary|unit|part|division|member|brand|affiliate) of $|owned by $|tochter der $"
)
_MIN_MENTIONS, _CHARACTERS_A_MENTION = 5, 2_500
"""Where no cover names the company: mentions of it, and how dense they are. A competitor is named
less often."""


@dataclass(frozen=True, slots=True)
class CompanyProof:
    """Whether a document is of a company."""

    found: bool
    sentence: str


def find_company(document: DocumentText, company: CompanyRef, source: SourceRef) -> CompanyProof:
    """Look for *company* where a document says whose it is."""
    return (
        _by_number(document, company)
        or _by_registrant(document, company, source)
        or _by_ticker(document, company)
        or _by_mentions(document, company)
    )


def name_tokens(name: str, *, drop: frozenset[str] = _LEGAL) -> list[str]:
    """Return the words of a name in lower case, without accents, punctuation and legal forms."""
    tokens = _normal(_STATE.sub("", name)).split()
    kept = [token for token in tokens if token not in drop and token not in _ARTICLES]
    while kept and kept[-1] == "and":  # JPMorgan Chase & Co.
        kept.pop()
    return kept or tokens


def _normal(text: str) -> str:
    text = _POSSESSIVE.sub("", text.replace("&", " and "))
    plain = "".join(
        char for char in unicodedata.normalize("NFKD", text) if not unicodedata.combining(char)
    )
    plain = re.sub(r"['’.]", "", plain.casefold()).replace("a/s", "as")
    return re.sub(r"[\W_]+", " ", plain).strip()


def _by_number(document: DocumentText, company: CompanyRef) -> CompanyProof | None:
    stated = document.facts.get("EntityCentralIndexKey", "").strip()
    if not (stated.isdigit() and company.cik):
        return None
    if int(stated) == int(company.cik):
        return CompanyProof(True, f"the document states the CIK {company.cik}")
    return CompanyProof(False, f"the document states the CIK {stated[:10]}, not {company.cik}")


def _by_registrant(
    document: DocumentText, company: CompanyRef, source: SourceRef
) -> CompanyProof | None:
    names = list(_registrants(document))
    if not names or not company.name:
        return None
    lenient = _is_in_folder_of(company, source)
    for name in names:
        if _is_same_name(name, company.name, lenient=lenient):
            return CompanyProof(True, f"the registrant is “{name}”")
    return CompanyProof(False, f"the registrant is “{names[0]}”, not “{company.name}”")


def _registrants(document: DocumentText) -> Iterator[str]:
    """Yield the names that a form of SEC gives its registrants."""
    if stated := document.facts.get("EntityRegistrantName", "").strip():
        yield stated[:200]
    lines = document.cover
    for number, line in enumerate(lines):
        if (found := _REGISTRANT.search(line)) is None:
            continue
        before = line[: found.start()].rpartition("(")[0].strip()
        name = before if _normal(before) else lines[number - 1] if number else ""
        if _normal(name):
            yield name.strip(" *_|")[:200]


def _is_in_folder_of(company: CompanyRef, source: SourceRef) -> bool:
    """Return whether the document is from the folder of the company at SEC."""
    return company.cik is not None and f"/data/{int(company.cik)}/" in str(source.url or "")


def _is_same_name(one: str, other: str, *, lenient: bool) -> bool:
    drop = _LEGAL | _GROUPS if lenient else _LEGAL
    mine, yours = name_tokens(one, drop=drop), name_tokens(other, drop=drop)
    return mine == yours or "".join(mine) == "".join(yours) or sorted(mine) == sorted(yours)


def _by_ticker(document: DocumentText, company: CompanyRef) -> CompanyProof | None:
    if company.name:
        return None
    stated = document.facts.get("TradingSymbol", "").strip().upper().replace(".", "-")
    if company.ticker and (stated == company.ticker or _has_ticker(document, company.ticker)):
        return CompanyProof(True, f"the cover has the trading symbol {company.ticker}")
    return CompanyProof(False, f"the document does not name {company.label}")


def _has_ticker(document: DocumentText, ticker: str) -> bool:
    text = " ".join(document.lines)[: 4 * COVER]
    pattern = rf"(?<![\w-]){re.escape(ticker).replace('-', '[-.]')}(?![\w-])"
    return any(
        _NEAR_TICKER.search(text[max(0, found.start() - 200) : found.end() + 200])
        for found in re.finditer(pattern, text)
    )


@dataclass(slots=True)
class _Mentions:
    """How often a name stands alone, and how often as a part of a longer one."""

    alone: int = 0
    longer: int = 0
    on_cover: bool = False
    example: str = ""


def _by_mentions(document: DocumentText, company: CompanyRef) -> CompanyProof:
    if _ASIAN.search(company.name):
        return _by_asian_name(document, company.name)
    found = _count(document, name_tokens(company.name, drop=_LEGAL | _GROUPS))
    dense = found.alone >= max(
        _MIN_MENTIONS, min(len(document.opening), OPENING) // _CHARACTERS_A_MENTION
    )
    if found.longer > found.alone or (not found.on_cover and found.longer * 2 > found.alone):
        seen = f"mostly “{found.example}”" if found.example else "another name"
        return CompanyProof(False, f"the document names {seen}, not “{company.name}”")
    if (found.on_cover and found.alone >= 2) or dense:
        where = "on its cover" if found.on_cover else "throughout"
        return CompanyProof(True, f"the document names “{company.name}” {where}")
    return CompanyProof(False, f"the document does not name “{company.name}” as its own company")


def _by_asian_name(document: DocumentText, name: str) -> CompanyProof:
    core = _ASIAN_LEGAL.sub("", unicodedata.normalize("NFKC", name)).strip()
    text = unicodedata.normalize("NFKC", " ".join(document.lines))
    if len(core) >= 2 and core in text[:COVER] and text.count(core) >= 2:
        return CompanyProof(True, f"the document names “{name}” on its cover")
    return CompanyProof(False, f"the document does not name “{name}” on its cover")


def _count(document: DocumentText, core: list[str]) -> _Mentions:
    found = _Mentions()
    seen = 0
    for number, line in enumerate([document.title, *document.lines]):
        if seen > OPENING:
            break
        if core and core[0] in _normal(line).replace(" ", ""):
            for text, is_longer in _mentions(line, core):
                _add(found, text, is_longer, on_cover=number == 0 or seen <= COVER)
        seen += len(line) + 1
    return found


def _add(found: _Mentions, text: str, is_longer: bool, *, on_cover: bool) -> None:
    if is_longer:
        found.longer += 1
        found.example = found.example or text[:80]
    else:
        found.alone += 1
        found.on_cover = found.on_cover or on_cover


def _mentions(line: str, core: list[str]) -> Iterator[tuple[str, bool]]:
    """Yield the places of a name in a line, each with whether it is a part of a longer name."""
    words = [(match[0], _normal(match[0]).split()) for match in _SPAN.finditer(line[:5_000])]
    flat = [(token, number) for number, (_, tokens) in enumerate(words) for token in tokens]
    tokens = [token for token, _ in flat]
    for start in range(len(tokens) - len(core) + 1):
        if tokens[start : start + len(core)] != core:
            continue
        first, last = flat[start][1], flat[start + len(core) - 1][1]
        before = _normal(" ".join(word for word, _ in words[max(0, first - 3) : first])) + " "
        if _PART_OF.search(before):
            continue
        yield _place(words, first, last)


def _place(words: list[tuple[str, list[str]]], first: int, last: int) -> tuple[str, bool]:
    after = last + 1
    while after < len(words) and _is_form(words[after]):
        after += 1
    has_form = after > last + 1
    follows = not has_form and _continues(words, after)
    leads = first > 0 and _is_name_word(words[first - 1][0])
    ends_word = words[last][0].endswith(".") and not has_form
    longer = (follows and not ends_word) or leads
    low, high = max(0, first - int(leads)), min(len(words), after + int(follows))
    return " ".join(word for word, _ in words[low:high]), longer


def _continues(words: list[tuple[str, list[str]]], place: int) -> bool:
    """Return whether the word at *place* may be a part of the name before it."""
    if place >= len(words):
        return False
    word, tokens = words[place]
    following = words[place + 1][1] if place + 1 < len(words) else []
    if tokens and tokens[0] in _BEFORE_REPORT:  # Volkswagen Financial Services
        return word[:1].isupper() and not set(following) & _REPORT
    return _is_name_word(word)


def _is_form(word: tuple[str, list[str]]) -> bool:
    text, tokens = word
    if text == ",":
        return True
    return bool(tokens) and all(token in _LEGAL or token in _GROUPS for token in tokens)


def _is_name_word(word: str) -> bool:
    """Return whether a word beside a name may be a part of it: it has a capital letter."""
    plain = word.strip(".'’-")
    return plain[:1].isupper() and not set(_normal(plain).split()) <= _GENERIC
