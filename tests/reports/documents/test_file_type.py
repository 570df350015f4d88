"""The type of a file by its first bytes."""

from __future__ import annotations

import gzip
from hashlib import sha256
from typing import TYPE_CHECKING

import pytest

from tests.reports.documents.making import html, pdf
from wikicrawler.reports.documents.file_type import check_file, file_type
from wikicrawler.reports.documents.floors import Floors
from wikicrawler.reports.errors import Outcome, WrongDocumentError
from wikicrawler.reports.fetching import SavedFile
from wikicrawler.reports.models import HTML, JSON, PDF

if TYPE_CHECKING:
    from pathlib import Path

NO_FLOORS = Floors(0, 0, 0, 0)
TEXT = "text/plain"


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        (b"%PDF-1.7\n", PDF),
        (b"\r\n\r\n%PDF-1.4", PDF),
        (b"\x00\x01rubbish" * 20 + b"%PDF-1.4", PDF),
        (b" " * 1030 + b"%PDF-1.4", TEXT),
        (b"<html>%PDF-1.4", HTML),
        (b'{"a": "%PDF-1.4"}', JSON),
        (b"\xef\xbb\xbf  [1]", JSON),
        (b"\xef\xbb\xbf<!DOCTYPE html>", HTML),
        (b'<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">', HTML),
        ("<html>".encode("utf-16"), HTML),
        (b"<DOCUMENT>\n<TYPE>10-K\n<TEXT>\n<HTML>\n<HEAD>", HTML),
        (b"UNITED STATES SECURITIES", TEXT),
        (b"a < b and c > d", TEXT),
        (gzip.compress(b"x" * 100, mtime=0), "a gzip file"),
        (bytes(range(256)), "binary"),
    ],
)
def test_the_first_bytes_tell_the_type(head: bytes, kind: str) -> None:
    assert file_type(head) == kind


def checked(path: Path, data: bytes, declared: str, size: int | None = None) -> object:
    path.write_bytes(data)
    saved = SavedFile(path, "https://x.example/", declared, len(data) if size is None else size)
    return check_file(saved, declared, NO_FLOORS)


def test_a_whole_file_has_its_hash_and_its_size(tmp_path: Path) -> None:
    data = b'{"facts": {}}\n'
    found = check_file(
        SavedFile(_written(tmp_path / "a", data), "https://x.example/", JSON, len(data)),
        JSON,
        NO_FLOORS,
    )
    assert found.size == len(data)
    assert found.sha256 == sha256(data).hexdigest()


def _written(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


@pytest.mark.parametrize(
    ("data", "declared", "outcome"),
    [
        (pdf("x")[:-300], PDF, Outcome.TRUNCATED),
        (html("x")[:-20], HTML, Outcome.TRUNCATED),
        (b'{"a": 1', JSON, Outcome.TRUNCATED),
        (b"PK\x03\x04" + bytes(100), PDF, Outcome.WRONG_TYPE),
        (b"a,b,c\n", "text/csv", Outcome.WRONG_TYPE),
        (html("x"), TEXT, Outcome.WRONG_TYPE),
    ],
)
def test_what_is_cut_or_of_another_type_is_refused(
    data: bytes, declared: str, outcome: Outcome, tmp_path: Path
) -> None:
    with pytest.raises(WrongDocumentError) as caught:
        checked(tmp_path / "a", data, declared)
    assert caught.value.outcome is outcome


@pytest.mark.parametrize(
    ("data", "declared"),
    [
        (pdf("x") + b"\n\n", PDF),
        (html("x"), "application/xhtml+xml"),
        (b"<p>a fragment without a document</p>", HTML),
        (b"<HTML><BODY>x</BODY></HTML>", HTML),
        (b"<SEC-DOCUMENT>\n<TYPE>10-K\n<TEXT>\n<HTML><P>x</P></HTML>", TEXT),
    ],
)
def test_whole_files_pass(data: bytes, declared: str, tmp_path: Path) -> None:
    checked(tmp_path / "a", data, declared)


def test_a_file_of_another_size_than_downloaded_is_cut(tmp_path: Path) -> None:
    with pytest.raises(WrongDocumentError) as caught:
        checked(tmp_path / "a", pdf("x"), PDF, size=10**6)
    assert caught.value.outcome is Outcome.TRUNCATED
