"""Names of months."""

from __future__ import annotations

from functools import cache

_STEMS = (
    "jan ene gen янв",
    "feb fev fév fevr févr febr febbr фев",
    "mar mär maerz märz mars marz març maa мар",
    "apr avr abr апр",
    "may mai mag maio мая май mei",
    "jun juin giu июн",
    "jul juil lug июл",
    "aug aoû aou ago авг",
    "sep set сен",
    "oct okt out ott окт",
    "nov ноя",
    "dec dez déc dic дек",
)
"""Beginnings of the names in English, German, French, Spanish, Portuguese, Italian, Russian, and
Dutch."""
_MAX = 12


@cache
def _months() -> dict[str, int]:
    return {stem: month for month, stems in enumerate(_STEMS, 1) for stem in stems.split()}


def month_of(word: str) -> int | None:
    """Return the month that *word* names, or begins to name, from 1 to 12; None if it is none."""
    word = word.lower()
    if not 3 <= len(word) <= _MAX:
        return None
    return next((_months()[word[:size]] for size in (6, 5, 4, 3) if word[:size] in _months()), None)
