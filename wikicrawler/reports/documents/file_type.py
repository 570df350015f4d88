"""The type of a file by its bytes, and whether it is whole."""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

from wikicrawler.reports.errors import Outcome, WrongDocumentError
from wikicrawler.reports.models import HTML, JSON, PDF
from wikicrawler.tiers.verdict.file_types import non_html_type

if TYPE_CHECKING:
    from pathlib import Path

    from wikicrawler.reports.documents.floors import Floors
    from wikicrawler.reports.fetching import SavedFile

XHTML, TEXT = "application/xhtml+xml", "text/plain"
_HEAD, _TAIL = 4096, 4096
_CHUNK = 2**20
_PDF_HEADER = b"%PDF-"
_PDF_START = 1024
"""Bytes in which the header of a PDF stands; readers accept rubbish before it."""
_TAG = re.compile(rb"<(?:!doctype html|html|head|body|div|p|table|font|center|h[1-6]|span)[\s>]")
_ENDS = (b"</html", b"</body", b"</document>", b"</xbrl")
_NAMES = {PDF: "a PDF", HTML: "HTML", JSON: "JSON", TEXT: "plain text"}


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """A file whose bytes are of the declared type."""

    sha256: str
    size: int
    content_type: str


def check_file(file: SavedFile, declared: str, floors: Floors) -> CheckedFile:
    """Read the file and check its bytes. Blocks: call it in a thread.

    :param declared: the content type that was offered
    :raises WrongDocumentError: it is of another type, too small, or cut
    """
    digest, size, head, tail = _read(file.path)
    kind = HTML if declared == XHTML else declared
    if kind not in _NAMES:
        raise WrongDocumentError(Outcome.WRONG_TYPE, f"documents of type {declared} are not read")
    if size:
        _check_type(head, kind)
    floor = {PDF: floors.pdf, JSON: floors.json}.get(kind, floors.html)
    if size < floor:
        raise WrongDocumentError(
            Outcome.TOO_SMALL, f"the file has {size:,} bytes, and {_NAMES[kind]} at least {floor:,}"
        )
    if size != file.size:
        raise WrongDocumentError(
            Outcome.TRUNCATED, f"the file has {size:,} bytes, and {file.size:,} were downloaded"
        )
    _check_end(head, tail, kind)
    return CheckedFile(digest, size, kind)


def _read(path: Path) -> tuple[str, int, bytes, bytes]:
    digest, size, head, tail = sha256(), 0, b"", b""
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
            size += len(chunk)
            head = head or chunk[:_HEAD]
            tail = (tail + chunk)[-_TAIL:]
    return digest.hexdigest(), size, head, tail


def _check_type(head: bytes, declared: str) -> None:
    found = file_type(head)
    if found == HTML and declared == TEXT and b"<sec-d" in head[:200].lower():
        found = TEXT  # a filing of SEC with HTML inside
    if found != declared:
        is_ = _NAMES.get(found, found)
        raise WrongDocumentError(
            Outcome.WRONG_TYPE, f"the file is {is_}, and was offered as {_NAMES[declared]}"
        )


def file_type(head: bytes) -> str:
    """Return the content type of a file that begins with *head*, or a word for another type."""
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    place = head.find(_PDF_HEADER, 0, _PDF_START)
    if place == 0 or (place > 0 and not _is_known(head, start)):
        return PDF
    if start[:1] in {b"{", b"["}:
        return JSON
    if start[:2] in {b"\xff\xfe", b"\xfe\xff"}:
        start = start.replace(b"\0", b"")
    kind = non_html_type({}, head)
    if kind is not None:
        return f"a {kind} file" if kind != "binary" else "binary"
    return HTML if _TAG.search(start.lower()) else TEXT


def _is_known(head: bytes, start: bytes) -> bool:
    """Return whether a file is of another type although a header of PDF stands in it."""
    return start[:1] in {b"<", b"{", b"["} or non_html_type({}, head) not in {None, "binary"}


def _check_end(head: bytes, tail: bytes, kind: str) -> None:
    lower = tail.lower()
    if kind == PDF and not (b"startxref" in tail and b"%%EOF" in tail):
        raise WrongDocumentError(Outcome.TRUNCATED, "the PDF ends before its table of objects")
    if kind == JSON and tail.rstrip()[-1:] not in {b"}", b"]"}:
        raise WrongDocumentError(Outcome.TRUNCATED, "the JSON ends before its last bracket")
    is_document = re.search(rb"<(?:html|body)[\s>]", head.lower()) is not None
    if kind == HTML and is_document and not any(end in lower for end in _ENDS):
        raise WrongDocumentError(Outcome.TRUNCATED, "the HTML ends before its closing tag")
