"""The fiscal year that a document is about, by what it says of itself."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING

import re2

from wikicrawler.reports.documents.dates import date_at, read_date
from wikicrawler.reports.documents.kinds import has_report_term, is_about_something_else

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wikicrawler.reports.documents.text import DocumentText
    from wikicrawler.reports.models import SourceRef

_ENDED = re2.compile(
    r"\b(?:fiscal |financial )?years? ended:?|\b5[23](?: |-)weeks?(?: fiscal)?(?: year| period)?"
    r" ended"
    r"|\btwelve months ended|\btransition period from [^.]{0,40} to "
    r"|\bgeschäftsjahr\w{0,2} .{0,40}?\bbis(?: zum)?"
    r"|\b(?:geschäftsjahr|jahresabschluss|konzernabschluss) zum"
    r"|\bexercice (?:clos|clôturé|terminé|arrêté)(?: le| au)?"
    r"|\b(?:ejercicio|año)(?: anual)? (?:terminado|finalizado|cerrado)(?: el| al)?"
    r"|\b(?:bilancio|esercizio)(?: consolidato)?(?: chiuso)?(?: al| il)"
    r"|\bexerc[íi]cio(?: social)? (?:findo|encerrado|terminado) (?:em|a)"
    r"|\bboekjaar (?:geëindigd|eindigend)(?: op| per)?"
    r"|\brok\w* obrotow\w+ zakończon\w+(?: dnia)?|自 ?[^至]{0,30}至"
)
_NEAR = 40
_JOINED = re.compile(r" ?(?:,|and|&|und|et|y|e|og|och|,? and) ?")
_YEAR_ONLY = re.compile(r"([12][0-9]{3})\b")
_YEARS = re.compile(
    r"(?<![0-9.,/-])((?:19|20)[0-9]{2})(?: ?[/–-] ?((?:20)?[0-9]{2}))?(?![0-9]|,[0-9]{3})"
)
_FISCAL = re2.compile(
    r"\b(?:fiscal(?: year)?|financial year|fy|geschäftsjahr\w{0,2}|exercice|ejercicio|esercizio"
    r"|exercício|boekjaar|räkenskapsåret|regnskabsåret) ?((?:19|20)[0-9]{2})\b"
    r"|((?:19|20)[0-9]{2}) ?年度"
)
_OWN_SHARE, _OUTLOOK_SHARE = 0.6, 0.4
"""Of a name of a year, as a share of the name before: from the first on it is the report's own,
and up to the second that of an outlook."""
_COVER_END = 4_000
_TOLERANCE = timedelta(days=7)
"""Between the end of a year as a provider knows it and as the document states it."""


@dataclass(frozen=True, slots=True)
class YearProof:
    """The fiscal year of a document."""

    year: int | None
    """None if it does not say."""
    quote: str
    """What it says."""


@dataclass(frozen=True, slots=True)
class _Ends:
    """The ends of years that a document states."""

    last: date | None = None
    """The latest one in the opening."""
    on_cover: date | None = None
    quote: str = ""


def fiscal_year_of(document: DocumentText, source: SourceRef, asked: int) -> YearProof:
    """Return the fiscal year that *document* is about.

    :param asked: the year that is wanted; it decides only where the document allows two years and
        *source* knows the one
    """
    ends = _ends(document)
    focus = _focus(document)
    label = _label(document)
    if source.period_end is not None and ends.on_cover is not None:
        return _by_period(ends, focus, source, asked)
    if ends.last is None:
        return _by_label(document, focus or label)
    return _by_end(document, ends, focus or label, source, asked)


def possible_years(end: date) -> tuple[int, ...]:
    """Return the names that a fiscal year with this end can have, the usual one first.

    A year of 52 or 53 weeks that ends in the first week of January is the year before. Years that
    end from then until May are named after the year of their end or the one before.
    """
    if end.month == 1 and end.day <= 7:
        return (end.year - 1,)
    return (end.year, end.year - 1) if end.month <= 5 else (end.year,)


def _by_period(ends: _Ends, focus: int | None, source: SourceRef, asked: int) -> YearProof:
    """Compare the end of the year that the provider knows with the one on the cover."""
    assert ends.on_cover is not None  # noqa: S101 - checked by the caller
    assert source.period_end is not None  # noqa: S101
    years = possible_years(ends.on_cover)
    known = source.fiscal_year or asked
    if abs(ends.on_cover - source.period_end) > _TOLERANCE or known not in years:
        return YearProof(None, f"{ends.quote}, and the one offered ends {source.period_end}")
    if focus in years:
        return YearProof(focus, f"{ends.quote}, fiscal {focus}")
    return YearProof(known, ends.quote)


def _by_label(document: DocumentText, label: int | None) -> YearProof:
    """Take the year of the title, if the text is about it."""
    if label is None:
        return YearProof(None, "")
    counts = Counter(found[1] for found in _YEARS.finditer(document.whole))
    own, before, after = (counts[str(label + shift)] for shift in (0, -1, 1))
    if own < 3 or own * 2 < before or own < after:
        return YearProof(None, f"the title has {label}, and the text is about other years")
    return YearProof(label, _quote_of_label(document, label))


def _by_end(
    document: DocumentText, ends: _Ends, label: int | None, source: SourceRef, asked: int
) -> YearProof:
    assert ends.last is not None  # noqa: S101 - checked by the caller
    years = possible_years(ends.last)
    if label in years:
        return YearProof(label, f"{ends.quote}, {_quote_of_label(document, label or 0)}")
    if label is not None and ends.on_cover is None and label > max(years):
        return _by_label(document, label)  # the end is that of a year for comparison
    if len(years) == 1:
        return YearProof(years[0], ends.quote)
    if source.fiscal_year == asked and asked in years and label is None:
        return YearProof(asked, ends.quote)
    return _by_names(document, ends, *years)


def _by_names(document: DocumentText, ends: _Ends, later: int, earlier: int) -> YearProof:
    """Choose between two names of a year by how often the text uses them.

    A report compares its own year with the one before, so it names both about as often; the next
    year is that of an outlook, and rare.
    """
    fiscal = Counter(int(found[1] or found[2]) for found in _FISCAL.finditer(document.whole))
    counts = f"“fiscal {later}” {fiscal[later]} times, “fiscal {earlier}” {fiscal[earlier]} times"
    if fiscal[later] >= _OWN_SHARE * fiscal[earlier]:
        return YearProof(later, f"{ends.quote}, {counts}")
    if fiscal[later] <= _OUTLOOK_SHARE * fiscal[earlier]:
        return YearProof(earlier, f"{ends.quote}, {counts}")
    return YearProof(None, f"{ends.quote}, {counts}")


def _focus(document: DocumentText) -> int | None:
    stated = document.facts.get("DocumentFiscalYearFocus", "").strip()
    return int(stated) if re.fullmatch(r"[12][0-9]{3}", stated) else None


def _ends(document: DocumentText) -> _Ends:
    """Return the ends of fiscal years that the opening states."""
    stated = read_date(document.facts.get("DocumentPeriodEndDate", ""))
    found = list(_stated_ends(document.opening))
    on_cover = next((end for end, place, _ in found if place < _COVER_END), None)
    if stated is not None and on_cover is None:
        on_cover = stated
        found.append((stated, 0, f"DocumentPeriodEndDate {stated}"))
    if not found:
        return _Ends()
    last, _, quote = max(found, key=lambda one: one[0])
    if on_cover is not None and on_cover != last:
        return _Ends(last, on_cover, next(q for end, _, q in found if end == on_cover))
    return _Ends(last, on_cover, quote)


def _stated_ends(text: str) -> Iterator[tuple[date, int, str]]:
    """Yield the ends of years, each with its place and the words."""
    for found in _ENDED.finditer(text):
        first = date_at(text, found.end(), found.end() + _NEAR)
        if first is None:
            continue
        listed = [first, *_joined(text, first[1], first[0])]
        words = text[found.start() : listed[-1][1]]
        yield max(end for end, _ in listed), found.start(), f"“{words[:120]}”"


def _joined(text: str, place: int, end: date) -> Iterator[tuple[date, int]]:
    """Yield the dates that follow one in a list: *December 31, 2023, 2022 and 2021*."""
    for _ in range(4):
        joint = _JOINED.match(text, place)
        if joint is None or not joint[0].strip():
            return
        if (found := date_at(text, joint.end(), joint.end() + 1)) is not None:
            place = found[1]
            yield found
        elif (year := _YEAR_ONLY.match(text, joint.end())) is not None:
            place = year.end()
            yield _moved(end, int(year[1])), place
        else:
            return


def _moved(end: date, year: int) -> date:
    """Return *end* in another year; February 29 becomes 28."""
    return end.replace(year=year, day=min(end.day, 28) if end.month == 2 else end.day)


def _label(document: DocumentText) -> int | None:
    """Return the year of the title; None if no title has one."""
    lines = document.title_lines
    for number, line in enumerate(lines):
        if not has_report_term(_around(lines, number)) or is_about_something_else(line):
            continue
        if (year := _year_in(line)) is not None:
            return year
    return None


def _around(lines: list[str], number: int) -> str:
    """Return a line, with those beside it if it is little more than a year."""
    line = lines[number].casefold()
    if len(line) > 12:
        return line
    return " ".join(lines[max(0, number - 3) : number + 4]).casefold()


def _year_in(line: str) -> int | None:
    found = _YEARS.search(line)
    if found is None or date_at(line.casefold(), found.start(), found.end()) is not None:
        return None  # the year of a date is not that of a title
    first, second = int(found[1]), found[2]
    if second is None:
        return first
    last = int(second) if len(second) == 4 else first // 100 * 100 + int(second)
    return last if last == first + 1 else first


def _quote_of_label(document: DocumentText, year: int) -> str:
    lines = (line for line in document.title_lines if _year_in(line) == year)
    line = next(lines, "")
    return f"“{line[:120]}”" if line else f"fiscal {year}"
