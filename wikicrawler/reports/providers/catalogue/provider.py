"""The provider of reports that a catalogue lists."""

from __future__ import annotations

import asyncio
import logging
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import ValidationError

from wikicrawler.errors import ConfigError, ContentError
from wikicrawler.reports.errors import DocumentNotFoundError, FetchError, ReportError
from wikicrawler.reports.fetching import SavedFile
from wikicrawler.reports.models import PDF, SourceRef
from wikicrawler.reports.providers.base import ReportProvider
from wikicrawler.reports.providers.catalogue.entries import Catalogue, read_catalogue
from wikicrawler.reports.providers.catalogue.rows import COLUMNS, MAX_BYTES
from wikicrawler.reports.providers.company_names import keys_of
from wikicrawler.text.names import nearest
from wikicrawler.text.safe import one_line, quoted
from wikicrawler.urls.addresses import parse_url, redact

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wikicrawler.reports.fetching import Fetcher
    from wikicrawler.reports.models import CompanyRef
    from wikicrawler.reports.providers.catalogue.entries import Entry

logger = logging.getLogger(__name__)

PDF_SCORE, OTHER_SCORE = 30, 40
MAX_CANDIDATES = 50
_NAMES = ("source", "columns")
_ANNUAL = frozenset({"10-K", "20-F", "40-F", "annual", "integrated"})


class CatalogueProvider(ReportProvider):
    """Finds reports in a catalogue: a table of reports with a URL or a file each.

    The catalogue is CSV with a header, or a JSON list of objects. Columns are ``company``, ``cik``
    and ``ticker`` (one of them is needed), ``year``, ``url`` or ``path``, ``content_type`` (needed
    where the extension does not tell it), ``title``, ``form``, ``language`` and ``period_end``. It
    is read once. A row that cannot be used is left out, with a warning. PDF files have the score
    30, others 40.

    Options:

    - ``source``: URL or path of the catalogue; a path is relative to the configuration file.
      Relative paths in the catalogue are relative to its own folder, and must not lead out of it;
      a catalogue on the web cannot name files.
    - ``columns``: names of its columns where they differ from those above, like
      ``{company: issuer_name}``
    """

    name: ClassVar[str] = "catalogue"
    folder: Path | None = None
    """Of the configuration file, which a relative ``source`` refers to."""

    def __init__(self, tier: int, options: Mapping[str, Any], *, user_agent: str) -> None:
        super().__init__(tier, options, user_agent=user_agent)
        for name in options:
            if name not in _NAMES:
                hint = nearest(str(name), _NAMES) or " or ".join(_NAMES)
                raise ConfigError(f"catalogue: {quoted(str(name))} is not an option (write {hint})")
        self._url, self._named = _source(options.get("source"))
        self._columns = _columns(options.get("columns") or {})
        self._lock = asyncio.Lock()
        self._catalogue: Catalogue | None = None
        self._failure: ReportError | ConfigError | None = None

    async def find(
        self, company: CompanyRef, year: int, forms: tuple[str, ...], fetch: Fetcher
    ) -> list[SourceRef]:
        """Return the reports that the catalogue lists for *company* and *year*.

        A report without a form answers any request; annual reports of all kinds answer a request
        for one of them.
        """
        catalogue = await self._read(fetch)
        entries: dict[int, Entry] = {}
        for key in keys_of(company):
            for entry in catalogue.by_company.get(key, ()):
                if entry.year == year and _is_wanted(entry.form, forms):
                    entries[entry.line] = entry
            if entries:
                break  # a CIK is more certain than a ticker, and a ticker than a name
        found = [self._reference(entries[line]) for line in sorted(entries)[:MAX_CANDIDATES]]
        return [source for source in found if source is not None]

    async def download(
        self, source: SourceRef, company: CompanyRef, year: int, target: Path, fetch: Fetcher
    ) -> SavedFile:
        """Copy the file of *source* to *target*, or download it.

        :raises DocumentNotFoundError: the file does not exist
        :raises FetchError: the file cannot be read, or the download failed
        """
        if source.path is None:
            return await super().download(source, company, year, target, fetch)
        try:
            await asyncio.to_thread(shutil.copyfile, source.path, target)
            size = target.stat().st_size  # noqa: ASYNC240 - of a file that was written just now
        except FileNotFoundError:
            raise DocumentNotFoundError(f"{one_line(source.path)}: no such file") from None
        except OSError as exc:
            raise FetchError(f"{one_line(source.path)}: {exc.strerror}") from None
        return SavedFile(target, source.path.as_uri(), source.content_type, size)

    async def _read(self, fetch: Fetcher) -> Catalogue:
        """Return the catalogue, which is read once.

        :raises ReportError: it could not be read, now or earlier
        :raises ConfigError: the file of the operator is no catalogue
        """
        async with self._lock:
            if self._failure is not None:
                raise self._failure
            if self._catalogue is None:
                try:
                    self._catalogue = await self._load(fetch)
                except (ReportError, ConfigError) as exc:
                    self._failure = exc
                    raise
                self._report(self._catalogue)
            return self._catalogue

    async def _load(self, fetch: Fetcher) -> Catalogue:
        if self._url:
            answer = await fetch.get(self._url, max_bytes=MAX_BYTES)
            if answer.status != 200:
                raise FetchError(f"the catalogue {self._url} was answered with {answer.status}")
            body, folder = answer.body, ""
        else:
            body, folder = await asyncio.to_thread(_file_body, self._path)
        try:
            found = await fetch.run(read_catalogue, body, self._columns, folder)
        except ContentError as exc:
            raise FetchError(f"the catalogue {self._label} cannot be read: {exc}") from None
        if not found.is_catalogue:
            raise self._wrong(found.problems[0])
        return found

    def _wrong(self, why: str) -> Exception:
        """Return the error for a file that is no catalogue: the operator's, or a server's."""
        message = f"the catalogue {self._label} {why}"
        return FetchError(message) if self._url else ConfigError(f"catalogue: source: {message}")

    @property
    def _path(self) -> Path:
        return (self.folder or Path.cwd()) / self._named

    def _report(self, catalogue: Catalogue) -> None:
        logger.info("The catalogue %s lists %d reports", self._label, catalogue.size)
        for problem in catalogue.problems:
            logger.warning("%s: %s: the row is left out", self._label, one_line(problem))
        if catalogue.bad > len(catalogue.problems):
            logger.warning("%s: %d bad rows in all", self._label, catalogue.bad)

    @property
    def _label(self) -> str:
        return self._url or one_line(self._path)

    def _reference(self, entry: Entry) -> SourceRef | None:
        try:
            return SourceRef.model_validate(
                {
                    "provider": self.name,
                    "tier": self.tier,
                    "url": entry.url or None,
                    "path": entry.path or None,
                    "access": "file" if entry.path else "api",
                    "content_type": entry.content_type,
                    "priority_score": PDF_SCORE if entry.content_type == PDF else OTHER_SCORE,
                    "title": entry.title,
                    "fiscal_year": entry.year,
                    "fiscal_period": "FY",
                    "period_end": entry.period_end,
                    "form": entry.form or None,
                    "amendment": entry.form.endswith("/A"),
                    "language": entry.language or None,
                    "note": f"line {entry.line} of the catalogue {self._label}",
                }
            )
        except ValidationError as exc:
            problem = exc.errors()[0]["msg"]
            logger.warning("%s: line %d: %s", self._label, entry.line, one_line(problem))
            return None


def _is_wanted(form: str, forms: tuple[str, ...]) -> bool:
    plain = form.removesuffix("/A")
    if not plain or form in forms:
        return True
    if plain.lower() in {"annual", "annual report"} or plain in _ANNUAL:
        return bool(_ANNUAL & set(forms))
    return plain in forms


def _source(stated: object) -> tuple[str, str]:
    """Return the URL of the catalogue, or its path; the other one is empty."""
    if not isinstance(stated, str) or not stated.strip():
        raise ConfigError(
            "catalogue: source: is missing (the URL or path of a CSV or JSON file: reports.csv)"
        )
    text = stated.strip()
    if "://" not in text:
        return "", text
    try:
        return parse_url(text), ""
    except ValueError as exc:
        raise ConfigError(f"catalogue: source: {quoted(redact(text))} {exc}") from None


def _columns(stated: object) -> dict[str, str]:
    if not isinstance(stated, dict):
        raise ConfigError("catalogue: columns: is not a mapping (like {company: issuer_name})")
    for name, column in stated.items():
        if name not in COLUMNS:
            hint = nearest(str(name), COLUMNS) or f"one of {', '.join(COLUMNS)}"
            raise ConfigError(f"catalogue: columns: {quoted(str(name))} is unknown (write {hint})")
        if not isinstance(column, str) or not column.strip():
            raise ConfigError(f"catalogue: columns: {name}: is not the name of a column")
    return {str(name): column.strip() for name, column in stated.items()}


def _file_body(path: Path) -> tuple[bytes, str]:
    """Return the catalogue at *path*, and its folder.

    :raises ConfigError: it cannot be read, or is too large
    """
    try:
        with path.open("rb") as file:
            body = file.read(MAX_BYTES + 1)
        folder = path.resolve().parent
    except (OSError, ValueError) as exc:
        why = getattr(exc, "strerror", None) or "not a file name"
        raise ConfigError(f"catalogue: source: {one_line(path)}: cannot be read: {why}") from None
    if len(body) > MAX_BYTES:
        raise ConfigError(
            f"catalogue: source: {one_line(path)}: has more than {MAX_BYTES:,} bytes (split it)"
        )
    return body, str(folder)
