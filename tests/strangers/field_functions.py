"""The functions of field extraction that meet the texts of pages, models and their servers."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tests.strangers.case import Case
from wikicrawler.content.chunks import Chunk, split_markdown
from wikicrawler.fields.answers import prompts, reading
from wikicrawler.fields.answers.raw_values import RawValue, values_of
from wikicrawler.fields.definitions.define import define_fields
from wikicrawler.fields.evidence.alignment import Content
from wikicrawler.fields.evidence.folding import Span
from wikicrawler.fields.evidence.number_words import word_number_spans
from wikicrawler.fields.findings import findings_of, stated_findings
from wikicrawler.fields.injection import hidden, labels, marks, readings, signs, unrendered
from wikicrawler.fields.inputs import plain_html, plain_text
from wikicrawler.fields.llm import failures, responses
from wikicrawler.fields.llm.requests import HttpResponse
from wikicrawler.fields.merging import FindingMerger
from wikicrawler.fields.models import Evidence, Finding, ScrapeResult
from wikicrawler.fields.promise import LinkPromise
from wikicrawler.fields.report import escaping
from wikicrawler.fields.report.highlights import Highlight, excerpt
from wikicrawler.fields.report.rendering import render_report
from wikicrawler.fields.scraper import protocol
from wikicrawler.fields.scraper.arguments import address_of
from wikicrawler.fields.structured.properties import normalised
from wikicrawler.fields.values.types import coerce, validation_errors

if TYPE_CHECKING:
    from collections.abc import Iterable

_URL = "http://a.example/"
_URLS = ("", "http://", "http://a.example/", "http://a.example/?")
_FIELDS = define_fields(
    {
        "name": "string",
        "price": "number",
        "count": "integer",
        "new": "boolean",
        "tags": "list[string]",
        "people": "list[object]",
        "since": {"type": "string", "format": "date"},
        "mail": {"type": "string", "format": "email"},
        "link": {"type": "string", "format": "uri"},
        "code": {"type": "string", "pattern": "(a|a)*b"},
        "kind": {"type": "string", "enum": ["one", "two"]},
    }
)
_NAMES = [field.name for field in _FIELDS]
_QUOTED = ("", "1987", "name: ", "12. May 1987", "$ 1,234.50")


def _answer(text: str) -> object:
    return reading.read_answer(text, finish_reason="stop", refusal=None, names=_NAMES)


def _cut_answer(text: str) -> object:
    return reading.read_answer(text, finish_reason="length", refusal=None, names=_NAMES)


def _data(text: str) -> dict[str, Any]:
    """An answer with *text* wherever one may be."""
    parts = [{"value": part, "quote": text[:500]} for part in text.split("a")]
    return {name: {"value": text, "quote": text} for name in _NAMES} | {
        "tags": parts,
        "people": [{"name": text, text: text}],
    }


def _messages(text: str) -> object:
    chunk = Chunk(text, 0, len(text))
    asked = prompts.messages(_FIELDS, chunk, title=text, url=text)
    return prompts.count_tokens(asked), prompts.repair_messages(asked, text, [text])


def _found(page: str, *values: RawValue, html: str | None = None) -> object:
    return findings_of(page, _URL, html, values, _FIELDS)


def _values(value: object, quote: str | None = None) -> tuple[RawValue, ...]:
    return tuple(RawValue(name, value, quote) for name in _NAMES)


_SOME = (*_values("Ada Smith 1,234.5", "Ada Smith"), *_values("1987-05-12", "12 May 1987"))
_PAGE = "# Acme\n\nFounded: 12 May 1987 by Ada Smith and Bob Jones. Price: $ 1,234.50\n\n" * 20


def _stated(html: str) -> object:
    return stated_findings(_PAGE, _URL, html, (), _FIELDS)


def _infobox(text: str) -> object:
    box = {"title": text, "fields": dict.fromkeys(text[:200].split("a"), text)}
    box["fields"] |= dict.fromkeys(_NAMES, text)
    return stated_findings(_PAGE, _URL, None, [box], _FIELDS)  # type: ignore[list-item]


def _findings(text: str) -> list[Finding]:
    parts = [part for part in text.split("a") if part][:2_000]
    return [
        Finding(field=name, value=value, url=_URL)
        for name, value in (
            *(("tags", part) for part in parts),
            *(("people", {part: text[:100]}) for part in parts),
            *(("name", part) for part in parts),
        )
    ]


def _merged(text: str) -> object:
    merger = FindingMerger(_FIELDS)
    merger.add(_findings(text))
    return merger.data


def _page_of(text: str) -> ScrapeResult:
    end = min(len(text), 10)
    evidence = Evidence(url=_URL, start=0, end=end, text=text[:end])
    found = Finding(field="name", value=text, url=_URL, evidence=evidence, reason=text)
    data = dict.fromkeys(_NAMES, None)
    return ScrapeResult(url=_URL, success=True, data=data, findings=(found,), content=text)


def _report(text: str) -> object:
    return render_report([_page_of(text)], {_URL: text}, _FIELDS)


def _done(text: str) -> object:
    text = text.encode("utf-8", "replace").decode()
    done = protocol.Done(page=1, result=_page_of(text), links=tuple(text.split("a")))
    return protocol.read_report(protocol.encode(done))


def _response(status: int, body: bytes, **headers: str) -> object:
    return responses.read_response(HttpResponse(status, headers, body))


def _chat(text: str) -> object:
    message = {"content": [{"text": text}, text], "refusal": text, "reasoning_content": text}
    usage = {"prompt_tokens": text, "prompt_tokens_details": {"cached_tokens": text}}
    choice = {"finish_reason": text, "message": message}
    return _response(200, json.dumps({"choices": [choice], "usage": usage, "model": text}).encode())


def _meaning(text: str) -> object:
    error = {"message": text, "type": text, "code": text, "param": text}
    found = responses.parse_error({"error": error})
    return [failures.meaning_of(status, found) for status in (400, 403, 422, 429, 500)]


def _wait(text: str) -> object:
    headers = dict.fromkeys(("retry-after-ms", "retry-after"), text)
    headers |= {f"x-ratelimit-reset-{kind}": text for kind in ("requests", "tokens")}
    return failures.wait_of(headers, 0.0), failures.parse_duration(text)


_PROMISE = LinkPromise(_FIELDS)

FIELD_CASES: dict[str, Iterable[Case]] = {
    "fields.answers.prompts": [Case(_messages), Case(prompts.inert)],
    "fields.answers.reading": [
        Case(_answer, ("", "{", '{"name": ', '{"name": "', "[", "```json\n{", "<think>")),
        Case(_cut_answer, ("", '{"name": "', '{"tags": [')),
    ],
    "fields.answers.raw_values": [Case(lambda text: values_of(_data(text), _FIELDS, quotes=True))],
    "fields.evidence.alignment": [
        Case(lambda text: _found(text, *_SOME), _QUOTED),
        Case(lambda text: _found(_PAGE, *_values(text, text)), _QUOTED),
        # The slowest: a test for each start.
        *(Case(lambda text: _found(text, *_values(text[:400], text)), (one,)) for one in _QUOTED),
    ],
    "fields.injection.addressing": [
        Case(
            lambda text: marks.addressed_spans(Content(text, _URL)),
            ("", "ignore all previous ", "you are an AI ", "system: ", "dear machine ", "ig-nore "),
        )
    ],
    "fields.injection.labels": [
        Case(
            lambda text: labels.stated_beside(Content(text, _URL), _FIELDS[0]),
            ("", "name: ", "| name | ", "<table><tr><th>name</th><td>", "<p>name: "),
        ),
        Case(lambda text: _found(f"name: {text}", *_SOME), ("", "a\nname: ")),
    ],
    "fields.injection.signs": [
        Case(
            lambda text: signs.is_about_extraction(
                Content(text, _URL), Span(len(text) // 2, len(text)), _FIELDS[0], doubted=False
            ),
            ("", "name = ", "the name field ", "a b ", "0a"),
        )
    ],
    "fields.injection.readings": [
        Case(
            lambda text: list(readings.readings(text)), ("", "gur ", "eht ", "ig-nore ", "1gn0re ")
        )
    ],
    "fields.injection.hidden": [
        Case(
            lambda text: hidden.hidden_spans(text, Content(_PAGE, _URL)),
            (
                "",
                "<p hidden>",
                "<style>",
                "<style>.a{",
                "<style>.a .b{display:none}",
                '<p style="',
                "<p class=a>",
                "<!--",
            ),
        ),
        Case(hidden.shown_text, ("", "<p>")),
    ],
    "fields.injection.unrendered": [
        Case(lambda text: list(unrendered.unrendered_spans(text)), ("", "<p ", "<script>"))
    ],
    "fields.inputs": [
        Case(plain_text, ("", "<p>", "<table><tr><td>")),
        Case(plain_html, ("", "<p>", "<a ")),
    ],
    "fields.llm.failures": [
        Case(_meaning, ("", "model ", "exceeded your ")),
        Case(_wait, ("", "1", "1m", "Tue, 14 Nov 2023 22:13:40")),
    ],
    "fields.llm.responses": [
        Case(_chat),
        Case(
            lambda text: _response(200, text.encode("utf-8", "replace")), ("", "{", '{"choices":')
        ),
        Case(lambda text: _response(500, text.encode("utf-8", "replace")), ("", "{", '{"error":')),
    ],
    "fields.merging": [Case(_merged)],
    "fields.promise": [Case(lambda text: _PROMISE.of(text, _NAMES), _URLS)],
    "fields.report.escaping": [
        Case(escaping.html_of),
        Case(escaping.page_link, _URLS),
        Case(lambda text: escaping.text_of({text: text})),
        Case(_report),
        Case(
            lambda text: excerpt(
                text,
                [Highlight(at, at + 1, f"p{at}", "name") for at in range(0, len(text) - 1, 40)],
            )
        ),
    ],
    "fields.scraper.arguments": [Case(address_of, _URLS)],
    "fields.scraper.protocol": [Case(_done)],
    "fields.structured.facts": [
        Case(
            _stated,
            (
                "",
                "<script type=application/ld+json>",
                '<script type=application/ld+json>{"@type": "Product", "name": "',
                "<div itemscope itemtype=http://schema.org/Product><p itemprop=name>",
                "<meta property=og:title content=",
            ),
        ),
        Case(_infobox),
    ],
    "fields.structured.properties": [Case(normalised)],
    "fields.evidence.number_words": [
        Case(
            lambda text: list(word_number_spans(text)),
            ("", "twenty-", "one hundred and ", "ten ", "one million "),
        )
    ],
    "fields.values.scalars": [
        Case(
            lambda text: [coerce(text, field) for field in _FIELDS], ("", "1", "1987-", "a@", "$")
        ),
        Case(lambda text: validation_errors(dict.fromkeys(_NAMES, text), _FIELDS)),
        Case(lambda text: validation_errors({"people": [{text: text}] * 20}, _FIELDS)),
    ],
    "fields.estimate": [Case(lambda text: split_markdown(text, max_tokens=500), ("", "# ", "| "))],
}
"""By module, relative to ``wikicrawler``."""

_FOUND = "called by fields.findings.findings_of, which is measured with fields.evidence.alignment"
_VALUES = "called by fields.values.types.coerce, which is measured with fields.values.scalars"
NOT_MEASURED_FIELDS = {
    "fields.answers.json_reading": "called by fields.answers.reading, which is measured",
    "fields.cache": "reads what the crawl has written",
    "fields.definitions.building": "the operator's definitions",
    "fields.definitions.files": "the operator's files",
    "fields.definitions.pydantic_models": "the operator's models",
    "fields.definitions.schema": "the operator's definitions",
    "fields.evidence.carriers": _FOUND,
    "fields.evidence.folding": _FOUND,
    "fields.evidence.search": _FOUND,
    "fields.evidence.spellings": _FOUND,
    "fields.injection.marks": _FOUND,
    "fields.injection.languages": "tables of words",
    "fields.injection.paragraphs": _FOUND,
    "fields.injection.styles": "called by fields.injection.hidden, which is measured",
    "fields.litellm_extra": "reads a file of litellm",
    "fields.llm.litellm_child": "a process of its own, with a deadline",
    "fields.llm.litellm_process": "what that process has written, of at most 64 MB",
    "fields.llm.prices": "the operator's prices, and a shipped file",
    "fields.llm.requests": "the operator's address",
    "fields.llm.transport": "the operator's address",
    "fields.providers": "the operator's address",
    "fields.report.money": "names of keys, within a limit",
    "fields.structured.values": "reads values of fields.structured.facts, which is measured",
    "fields.values.formats": _VALUES,
    "fields.values.numerals": _VALUES,
}
"""Modules that parse text and are not measured themselves, and why."""
