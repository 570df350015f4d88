"""The functions of watched sources, documents and the audit log that meet the text of strangers."""

from __future__ import annotations

import json
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from scrapy import Request
from scrapy.http import TextResponse

from tests.strangers.case import Case
from wikicrawler.audit import proof, redaction
from wikicrawler.content import encodings
from wikicrawler.documents import pdf
from wikicrawler.errors import ContentError
from wikicrawler.sources import changes, citations
from wikicrawler.sources.citations.page import page_context
from wikicrawler.sources.document import Document
from wikicrawler.sources.envelopes import build, hints, names, schema
from wikicrawler.sources.manifest import answer, reader
from wikicrawler.sources.staging import live
from wikicrawler.sources.visits import reading

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_AT = datetime(2026, 2, 13, tzinfo=UTC)
_URLS = ("", "http://", "http://a.example/", "http://a.example/?")


def _bytes(function: Callable[[bytes], object]) -> Callable[[str], object]:
    return lambda text: function(text.encode("utf-8", "surrogatepass"))


def _quiet(function: Callable[[str], object], *errors: type[Exception]) -> Callable[[str], object]:
    def call(text: str) -> None:
        with suppress(*errors):
            function(text)

    return call


def _document(text: str) -> Document:
    return Document(
        url="http://a.example/",
        final_url="http://a.example/",
        status=200,
        format="markdown",
        body=text,
        fetched_at=_AT,
        engine="http",
        links=tuple(f"http://a.example/{part}" for part in text.split("a")),
        metadata={"meta": {"keywords": text}},
    )


def _metadata(text: str) -> object:
    document = _document(text)
    internal, external = build._split_links(document)
    return build._page_metadata(document, internal, external)


def _faults(text: str) -> list[str]:
    return schema.faults_of({"envelope_id": text, "content": {"body": text, text: text}})


def _pdf_result(text: str) -> bytes:
    found = {"pages": [text, *text.split("a")], "title": text, "truncated": False}
    return json.dumps(found).encode()


def _reading(text: str) -> object:
    headers = {"Content-Type": text.encode("utf-8", "replace"), "ETag": "a", "Last-Modified": "b"}
    request = Request("http://a.example/")
    response = TextResponse(request.url, body=b"a", headers=headers, request=request)
    return reading._document(response, response.url, 0, format="raw", body="")


SOURCE_CASES: dict[str, Iterable[Case]] = {
    "audit.proof": [
        Case(_quiet(_bytes(proof.check_proof), proof.ProofError), ("", '{"format": "'))
    ],
    "audit.redaction": [
        Case(redaction.redact_url, _URLS),
        Case(redaction.redact_error, ("", "key=", "a?u=%3Fkey%3D")),
        Case(redaction.is_secret_name, ("", "x-")),
        Case(lambda text: redaction.redact_headers([(text, text), ("location", text)])),
    ],
    "documents.pdf": [
        Case(_quiet(lambda text: pdf._result(_pdf_result(text), 0), ContentError)),
    ],
    "sources.changes.document": [
        Case(
            changes.normalise,
            (
                *("", "[", '{"a": ', "<a>", "a: b\n", "# ", "- [a](", "| a |\n", "[page 1]\n"),
                *("Visits today: 1 ", "12:30 ", "We use cookies. ", "Next page → ", "4.5 ★ "),
                *("Today is ", "Poll: a? yes 5%, ", "Wait at a: ", "Tip: ", "Now serving "),
            ),
        )
    ],
    "sources.changes.ignored": [
        Case(
            lambda text: changes.normalise(text, (r"(\w+ )*now\\.", "[a-z ]+[.]")),
            ("", "| a |\n", "a · ", "A. "),
        )
    ],
    "sources.staging.live": [
        Case(
            lambda text: live.live_lines(
                "http://a.example/",
                [live.parts_in(body, ()) for body in (text, text.replace("a", "b"), text[1:])],
            ),
            ("", "1 a.\n\n", "A 1. "),
        )
    ],
    "sources.citations.finder": [
        Case(
            lambda text: citations.cross_references(text, part="1024", title="12"),
            ("", "12 CFR 1024.2", "§ 1024.", "comment 1", "[a]("),
        )
    ],
    "sources.citations.page": [
        Case(page_context, ("", "http://", "http://ecfr.gov/current/")),
        Case(lambda text: page_context(None, text, None)),
    ],
    "sources.citations.sections": [
        Case(lambda text: citations.section_citation(["§ 1024.5", text, *text.split("a")]))
    ],
    "sources.envelopes.build": [Case(_metadata)],
    "sources.envelopes.hints": [
        Case(
            lambda text: hints.processing_hints(text, "markdown", text.split("a"), []),
            ("", "```", "| ", "# ", "1"),
        )
    ],
    "sources.envelopes.names": [
        Case(names.slug_of, _URLS),
        Case(lambda text: names.folder_of(text, _AT)),
    ],
    "sources.envelopes.schema": [Case(_faults)],
    "sources.manifest.answer": [Case(answer.find_part, ("", "```", "version:", " {"))],
    "sources.manifest.json_text": [
        Case(_bytes(reader.read_manifest), ("{", '{"sources": [', '{"version": "'))
    ],
    "sources.manifest.yaml_text": [
        Case(_bytes(reader.read_manifest), ("version: ", "sources:\n- ", "version: '"))
    ],
    "sources.visits.reading": [
        Case(_reading),
        Case(_bytes(reading._fault_of_json), ("", "[", '{"a":')),
        Case(_bytes(reading._fault_of_xml), ("", "<a>", "<a ", "<!DOCTYPE a [")),
        Case(_bytes(reading._fault_of_yaml), ("", "a: ", "- ", "a: &a [", "{")),
        Case(_bytes(encodings.guess_encoding)),
    ],
}
"""By module, relative to ``wikicrawler``."""

_CHANGES = "called by sources.changes.document, which is measured"
_CITATIONS = "called by sources.citations.finder, which is measured"
NOT_MEASURED_SOURCES = {
    "sources.scheduler.scrapyd": "the operator's address, and answers of Scrapyd of at most 10 MB",
    "sources.staging.location": "reads a setting",
    "sources.staging.protocol": "reads what we have written",
    "sources.staging.webhook": "the operator's address; answers are not read",
    "text.url_secrets": "the operator's addresses, and messages of at most 300 characters",
    **{
        f"sources.changes.{name}": _CHANGES
        for name in (
            *("addresses", "characters", "data", "frame", "inline", "markdown", "noise", "xml"),
            *("edges", "aside_words", "asides", "furniture", "notices", "visit", "visit_words"),
            *("headings", "live", "live_languages", "pages", "phrases", "sections", "tools"),
            "words",
        )
    },
    **{
        f"sources.citations.{name}": _CITATIONS
        for name in (
            *("attachments", "comments", "display", "guides", "known", "letters", "paragraphs"),
            *("plain", "regulations", "statutes"),
        )
    },
    "audit.anchor": "reads the operator's anchors",
    "audit.browsing": "reads the log, in a thread of the dashboard",
    "audit.record_view": "reads the log, in a thread of the dashboard",
    "sources.overview.error_rows": "reads the log, in a thread of the dashboard",
    "sources.overview.versions": "reads envelopes and lists, in a thread of the dashboard",
    "text.spreadsheet": "matches one character",
    "audit.verification": "reads the log, by command",
    "sources.manifest.lines": "called by sources.manifest.json_text, which is measured",
    "sources.manifest.patterns": "the operator's patterns, of RE2",
    "sources.manifest.prompt": "the operator's seed data, by command",
    "sources.manifest.robots_check": "splits the operator's urls",
    "sources.manifest.schema": "reads the shipped schema",
    "sources.manifest.tree": "called by sources.manifest.json_text, which is measured",
    "sources.staging.folder": "reads envelopes and lists that the crawl wrote",
    "sources.staging.lists": "reads lists that the crawl wrote, and times of the operator",
    "sources.staging.verification": "reads envelopes that the crawl wrote, by command",
}
"""Modules that parse text and are not measured themselves, and why."""
