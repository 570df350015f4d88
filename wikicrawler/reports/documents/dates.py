"""Dates in the languages of reports."""

from __future__ import annotations

import re
from datetime import date

_MONTHS = {
    "en": "january february march april may june july august september october november december",
    "short": "jan feb mar apr may jun jul aug sep oct nov dec",
    "de": "januar februar märz april mai juni juli august september oktober november dezember",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre "
    "diciembre",
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre "
    "dicembre",
    "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro "
    "dezembro",
    "nl": "januari februari maart april mei juni juli augustus september oktober november december",
    "sv": "januari februari mars april maj juni juli augusti september oktober november december",
    "pl": "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października "
    "listopada grudnia",
}
MONTHS = {
    name: number for names in _MONTHS.values() for number, name in enumerate(names.split(), 1)
} | {"sept": 9}
_NAME = "|".join(sorted(MONTHS, key=len, reverse=True))
_DATE = re.compile(
    rf"(?P<d1>[0-9]{{1,2}})(?:st|nd|rd|th|er|º|°|\.)? ?(?:de |of )?(?P<m1>{_NAME})\.?"
    r"(?: de| del)? ?,? ?(?P<y1>[12][0-9]{3})\b"
    rf"|(?P<m2>{_NAME})\.? ?(?P<d2>[0-9]{{1,2}})(?:st|nd|rd|th)? ?,? ?(?P<y2>[12][0-9]{{3}})\b"
    r"|(?P<y3>[12][0-9]{3})-(?P<m3>[0-9]{2})-(?P<d3>[0-9]{2})\b"
    r"|(?P<d4>[0-9]{1,2})\.(?P<m4>[0-9]{1,2})\.(?P<y4>[12][0-9]{3})\b"
    r"|(?P<y5>[12][0-9]{3}) ?年 ?(?P<m5>[0-9]{1,2}) ?月 ?(?P<d5>[0-9]{1,2}) ?日"
    r"|(?P<a6>[0-9]{1,2})/(?P<b6>[0-9]{1,2})/(?P<y6>[12][0-9]{3})\b"
)
_FORMS = ("1", "2", "3", "4", "5")


def date_at(text: str, start: int, end: int) -> tuple[date, int] | None:
    """Return the first date of *text* (lower case) that begins in this range, and its end; None
    without one."""
    for found in _DATE.finditer(text, start, min(len(text), end + 40)):
        if found.start() >= end:
            break
        read = _read(found)
        if read is not None:
            return read, found.end()
    return None


def read_date(text: str) -> date | None:
    """Return the date that *text* begins with; None without one."""
    found = date_at(" ".join(text.split()).casefold(), 0, 1)
    return None if found is None else found[0]


def _read(found: re.Match[str]) -> date | None:
    for form in _FORMS:
        if (year := found["y" + form]) is not None:
            month = found["m" + form]
            return _date(year, MONTHS.get(month) or int(month), found["d" + form])
    first, second = int(found["a6"]), int(found["b6"])
    month, day = (second, first) if first > 12 else (first, second)
    return _date(found["y6"], month, str(day))


def _date(year: str, month: int, day: str) -> date | None:
    try:
        return date(int(year), month, int(day))
    except ValueError:
        return None
