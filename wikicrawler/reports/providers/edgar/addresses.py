"""URLs of EDGAR. What an answer names is a part of one only if it has the form of such names."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode


@dataclass(frozen=True, slots=True)
class Addresses:
    """*www*, *data* and *efts* are base URLs without a trailing slash."""

    www: str
    data: str
    efts: str

    @property
    def tickers(self) -> str:
        return f"{self.www}/files/company_tickers.json"

    def submissions(self, cik: int) -> str:
        return f"{self.data}/submissions/CIK{cik:010}.json"

    def older_page(self, name: str) -> str:
        return f"{self.data}/submissions/{name}"

    def facts(self, cik: int) -> str:
        return f"{self.data}/api/xbrl/companyfacts/CIK{cik:010}.json"

    def search(self, phrase: str, forms: tuple[str, ...]) -> str:
        """Return the URL of a full-text search for *phrase*."""
        query = urlencode({"q": '"{}"'.format(phrase.replace('"', " ")), "forms": ",".join(forms)})
        return f"{self.efts}/LATEST/search-index?{query}"

    def index(self, cik: int, accession: str) -> str:
        """Return the URL of the page that lists the documents of a filing."""
        return f"{self._folder(cik, accession)}/{accession}-index.htm"

    def document(self, cik: int, accession: str, name: str) -> str:
        """Return the URL of a document of a filing.

        :param name: empty: the complete submission, as filings before 2001 have it only
        """
        return f"{self._folder(cik, accession)}/{name or f'{accession}.txt'}"

    def _folder(self, cik: int, accession: str) -> str:
        # The number of the company that the filing is about: that in the accession is often the
        # number of an agent.
        return f"{self.www}/Archives/edgar/data/{cik}/{accession.replace('-', '')}"
