"""Forms of annual reports: ``10-K``, ``20-F`` and ``40-F``, and their variants over the years."""

from __future__ import annotations

import re
from functools import lru_cache

ANNUAL = ("10-K", "20-F", "40-F")
SHAREHOLDERS = "ARS"
"""The annual report to shareholders, a PDF since 2023 and a stub for paper before."""
AMENDED = "/A"
# 10-K405, 10-KSB, 10-KSB40, 10-KT, 10-KT405, 10-KSBT; before 2000 also without the hyphen.
_VARIANT = re.compile(r"10-?K(?:SB)?T?(?:40|405)?")
_TRANSITION = re.compile(r"10-?K(?:SB)?T(?:40|405)?")


def is_amendment(form: str) -> bool:
    """Return True for ``10-K/A`` and the like."""
    return form.endswith(AMENDED)


def is_transition(form: str) -> bool:
    """Return True for reports about the months between two fiscal years that do not adjoin."""
    return _TRANSITION.fullmatch(form.removesuffix(AMENDED)) is not None


@lru_cache(maxsize=1000)
def base_form(form: str) -> str | None:
    """Return which of :data:`ANNUAL`, or ARS, *form* is a variant of; None if it is none."""
    plain = form.removesuffix(AMENDED)
    if _VARIANT.fullmatch(plain):
        return "10-K"
    return plain if plain in (*ANNUAL, SHAREHOLDERS) else None


def is_asked(form: str, asked: tuple[str, ...]) -> bool:
    """Return True if *asked* has the form, its form without amendment, or what it is a variant
    of."""
    wanted = {name.strip().upper() for name in asked}
    return bool(wanted & {form, form.removesuffix(AMENDED), base_form(form)})
