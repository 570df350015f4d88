"""Names of companies, compared without what writers leave out."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wikicrawler.reports.models import CompanyRef

_MAX_NAME = 500
_WORD = re.compile(r"[^\W_]+")
_LEGAL_FORMS = """
    ab ag as asa co company corp corporation gmbh inc incorporated kgaa limited llc lp ltd nv oyj
    plc pte sa sab se spa the
"""
_LEGAL = frozenset(_LEGAL_FORMS.split())


def company_key(name: str) -> str:
    """Return *name* in lower case without accents, punctuation and legal forms.

    ``The Coca-Cola Company`` and ``COCA COLA CO.`` have the same key.
    """
    text = "".join(
        c for c in unicodedata.normalize("NFKD", name[:_MAX_NAME]) if not unicodedata.combining(c)
    )
    words = _WORD.findall(text.casefold().replace(".", ""))
    kept = [word for word in words if word not in _LEGAL]
    return " ".join(kept or words)


def keys_of(company: CompanyRef) -> Iterator[str]:
    """Yield what a table may have *company* under: its CIK, its ticker, the key of its name."""
    if company.cik:
        yield company.cik
    if company.ticker:
        yield f"ticker {company.ticker}"
    if company.name and (key := company_key(company.name)):
        yield f"name {key}"
