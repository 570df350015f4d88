"""Verification of a downloaded file: it proves to be the document that was offered."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from wikicrawler.documents.pdf import read_pdf
from wikicrawler.errors import ContentError, Reason
from wikicrawler.reports.documents.company_facts import judge_facts
from wikicrawler.reports.documents.file_type import TEXT, check_file
from wikicrawler.reports.documents.floors import Floors
from wikicrawler.reports.documents.html_document import html_markdown, judge_html
from wikicrawler.reports.documents.judgement import judge
from wikicrawler.reports.documents.text import MAX_TEXT, DocumentText
from wikicrawler.reports.errors import Outcome, WrongDocumentError
from wikicrawler.reports.models import HTML, JSON, PDF
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from wikicrawler.reports.documents.judgement import Judgement
    from wikicrawler.reports.fetching import SavedFile
    from wikicrawler.reports.models import CompanyRef, SourceRef

    Run = Callable[..., Awaitable[Any]]

MAX_BYTES = {PDF: 256 * 2**20, HTML: 64 * 2**20, JSON: 64 * 2**20, TEXT: 64 * 2**20}
"""Maximum size in bytes of a document that is read, by its content type."""
_DEFAULT = Floors()


@dataclass(frozen=True, slots=True)
class Verified:
    """A file that is the document it was offered as."""

    sha256: str
    size: int
    """Bytes."""
    content_type: str
    """By its bytes: that of the reference, XHTML as HTML."""
    evidence: tuple[str, ...]
    """One line each: what of the text shows the kind, the company and the fiscal year."""
    markdown: str
    """The text of the document; empty for JSON."""


async def verify(
    file: SavedFile,
    source: SourceRef,
    company: CompanyRef,
    year: int,
    run: Run,
    *,
    floors: Floors = _DEFAULT,
) -> Verified:
    """Return the proof that *file* is the document of *source*: the report of *company* for the
    fiscal *year*.

    The file is read in a thread, and its content in processes with limits.

    :param run: calls a function in a worker process: :meth:`Fetcher.run`
    :param floors: minimum sizes
    :raises WrongDocumentError: it is not; the outcome is the kind of failure
    """
    try:
        checked = await asyncio.to_thread(check_file, file, source.content_type, floors)
    except OSError as error:
        raise WrongDocumentError(Outcome.UNREADABLE, one_line(error, 200)) from error
    limit = MAX_BYTES[checked.content_type]
    if checked.size > limit:
        raise WrongDocumentError(
            Outcome.TOO_LARGE, f"the file has {checked.size:,} bytes, and {limit:,} are read"
        )
    read = _READERS[checked.content_type]
    try:
        judgement, text = await read(_Task(file, source, company, year, run, floors.text))
    except ContentError as error:
        raise WrongDocumentError(Outcome.UNREADABLE, _unreadable(error)) from error
    if judgement.outcome is not Outcome.OK:
        raise WrongDocumentError(judgement.outcome, judgement.sentence)
    return Verified(checked.sha256, checked.size, checked.content_type, judgement.evidence, text)


@dataclass(frozen=True, slots=True)
class _Task:
    file: SavedFile
    source: SourceRef
    company: CompanyRef
    year: int
    run: Run
    floor: int

    @property
    def path(self) -> str:
        return str(self.file.path)


async def _read_pdf(task: _Task) -> tuple[Judgement, str]:
    pdf = await read_pdf(await asyncio.to_thread(task.file.path.read_bytes))
    # The title of a PDF is often that of a template: only its pages count.
    return await _judge_text(task, pdf.text), pdf.text


async def _read_html(task: _Task) -> tuple[Judgement, str]:
    judgement, text = await task.run(
        judge_html, task.path, task.source, task.company, task.year, task.floor
    )
    if judgement.outcome is not Outcome.OK:
        return judgement, ""
    try:
        return judgement, await task.run(html_markdown, task.path, task.file.url)
    except ContentError:  # a filing may be too large for the conversion: its text is not
        return judgement, text


async def _read_json(task: _Task) -> tuple[Judgement, str]:
    found = await task.run(judge_facts, task.path, task.source, task.company, task.year)
    return found, ""


async def _read_text(task: _Task) -> tuple[Judgement, str]:
    text = await asyncio.to_thread(_plain_text, task.file.path)
    return await _judge_text(task, text), text


def _plain_text(path: Path) -> str:
    return path.read_bytes().decode("utf-8", "replace").replace("\r\n", "\n")


async def _judge_text(task: _Task, text: str) -> Judgement:
    document = DocumentText(text[:MAX_TEXT])
    found: Judgement = await task.run(
        judge, document, task.source, task.company, task.year, task.floor
    )
    return found


def _unreadable(error: ContentError) -> str:
    why = one_line(error.detail, 200) or str(error.reason)
    if error.reason in {Reason.CPU_LIMIT, Reason.MEMORY_LIMIT}:
        return f"the document is too costly to read: {why}"
    return f"the document cannot be read: {why}"


_READERS = {PDF: _read_pdf, HTML: _read_html, JSON: _read_json, TEXT: _read_text}
