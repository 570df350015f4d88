"""Names of the files that documents are saved to."""

from __future__ import annotations

import re
import unicodedata
from hashlib import sha256
from typing import TYPE_CHECKING

from wikicrawler.reports.models import HTML, JSON, PDF

if TYPE_CHECKING:
    from wikicrawler.reports.models import CompanyRef, SourceRef

MAX_NAME = 120
"""Maximum length of a name in bytes."""
_SUFFIXES = {
    PDF: "pdf",
    HTML: "html",
    "application/xhtml+xml": "html",
    JSON: "json",
    "text/plain": "txt",
}
_UNSAFE = re.compile(r"[^a-z0-9]+")
_MAX_COMPANY, _MAX_FORM = 60, 20


def file_name(company: CompanyRef, year: int, source: SourceRef) -> str:
    """Return the name of the file for the document of *source*, with its extension.

    It is the same in every run: company, fiscal year, form, and ten digits of a hash that tells
    documents of other URLs and companies apart. It has ASCII letters in lower case, digits, hyphens
    and one full stop, so that every file system takes it and none takes two for one.
    """
    origin = str(source.url or source.path or source.accession or "")
    identity = "\n".join((company.name, company.cik or "", company.ticker or "", origin))
    digest = sha256(identity.encode("utf-8", "surrogatepass")).hexdigest()[:10]
    who = _slug(company.name, _MAX_COMPANY) or _slug(company.ticker or "", _MAX_COMPANY)
    who = who or (f"cik{company.cik}" if company.cik else "company")
    parts = (who, str(year), _slug(source.form or "", _MAX_FORM), digest)
    return "-".join(filter(None, parts)) + "." + _SUFFIXES.get(source.content_type, "bin")


def _slug(text: str, length: int) -> str:
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return _UNSAFE.sub("-", plain)[:length].strip("-")
