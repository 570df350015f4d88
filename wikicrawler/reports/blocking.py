"""The providers of the package for programs without an event loop.

Each call is a crawl in a child process, so that it works beside a reactor and in a notebook, and
obeys robots.txt, the pace of the sites and the guard as any crawl does.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from wikicrawler import options
from wikicrawler.reports.companies import DEFAULT_FORMS
from wikicrawler.reports.errors import ReportError
from wikicrawler.reports.process_messages import Job, Result, read_result
from wikicrawler.reports.providers.base import BaseDataProvider
from wikicrawler.text.safe import safe_lines

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wikicrawler.reports.models import CompanyRef, CompanyReport, SourceRef

_TAIL_LINES = 20
# Not with -m: that would import modules from the working directory, and might not find this
# package, which a notebook or a test may have put on its own path.
_START = (
    "import sys; root = sys.argv.pop(1); root in sys.path or sys.path.insert(0, root); "
    "from importlib import import_module; import_module(sys.argv.pop(1)).main()"
)
_MODULE = "wikicrawler.reports.provider_process"


class _CrawledProvider(BaseDataProvider):
    """A provider whose calls are crawls.

    :param folder: where documents are kept
    :param forms: forms of SEC that are asked for
    :param settings: Scrapy settings of the crawls, by name
    :param seconds: time for a call
    :param provider_options: of the provider, as in ``config/providers.yml``
    """

    name: ClassVar[str]

    def __init__(
        self,
        *,
        folder: str | Path = "reports",
        forms: Sequence[str] = DEFAULT_FORMS,
        settings: Mapping[str, Any] | None = None,
        seconds: float = 1_800.0,
        **provider_options: Any,
    ) -> None:
        self._folder = Path(folder).absolute()
        self._forms = tuple(forms)
        self._settings = dict(settings or {})
        self._seconds = seconds
        self._options = provider_options

    def search(self, company: CompanyRef, year: int, tier: int) -> list[SourceRef]:
        """Return the documents about the fiscal *year* of *company*.

        :raises ReportError: the provider could not be asked
        """
        return list(self._call(company, year, tier, None).sources)

    def download(self, source_ref: SourceRef, company: CompanyRef, year: int) -> CompanyReport:
        """Download a document of :meth:`search`, and verify it.

        :raises DocumentNotFoundError: there is none
        :raises RateLimitExceededError: the provider asks to wait
        :raises RequestTimeoutError: the provider did not answer in time
        :raises WrongDocumentError: it is not the report
        """
        report = self._call(company, year, source_ref.tier, source_ref).report
        if report is None:
            raise ReportError("the crawl ended without a report")
        return report

    def _call(self, company: CompanyRef, year: int, tier: int, source: SourceRef | None) -> Result:
        job = Job(
            provider=self.name,
            tier=tier,
            options=self._options,
            settings=self._settings,
            folder=self._folder,
            forms=self._forms,
            company=company,
            year=year,
            source=source,
        )
        root = str(Path(__file__).resolve().parents[2])
        with tempfile.TemporaryDirectory(prefix="reports-") as folder:
            answer = Path(folder, "answer.json")
            try:
                done = subprocess.run(  # noqa: S603 - our own program
                    [sys.executable, "-c", _START, root, _MODULE, answer],
                    input=job.model_dump_json().encode(),
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.PIPE,
                    timeout=self._seconds,
                    check=False,
                )
            except subprocess.TimeoutExpired:
                raise ReportError(f"no answer in {self._seconds:g} s") from None
            if not answer.exists():
                log = safe_lines(done.stderr.decode(errors="replace")).splitlines()
                tail = "\n".join(log[-_TAIL_LINES:])
                raise ReportError(f"the crawl failed with exit code {done.returncode}:\n{tail}")
            result = read_result(answer.read_bytes())
        result.raise_if_failed()
        return result


class SECEdgarProvider(_CrawledProvider):
    """SEC's EDGAR.

    :param contact_email: for the User-Agent, which SEC asks for
    """

    name: ClassVar[str] = "sec_edgar"

    def __init__(self, contact_email: str, **arguments: Any) -> None:
        settings = {**(arguments.pop("settings", None) or {}), options.CONTACT.name: contact_email}
        super().__init__(settings=settings, **arguments)


class CompanyIRProvider(_CrawledProvider):
    """The companies' own sites."""

    name: ClassVar[str] = "company_ir"


class CatalogueProvider(_CrawledProvider):
    """An index of reports.

    :param source: its URL, or the path of its file
    """

    name: ClassVar[str] = "catalogue"

    def __init__(self, source: str, **arguments: Any) -> None:
        super().__init__(source=source, **arguments)


class GRIProvider(_CrawledProvider):
    """GRI's database, which is closed: the provider is disabled."""

    name: ClassVar[str] = "gri"
    enabled = False
