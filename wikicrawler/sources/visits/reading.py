"""What a response holds: a document, or why there is none."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

import yaml
from lxml import etree
from scrapy.http import TextResponse

from wikicrawler.content.encodings import guess_encoding
from wikicrawler.documents.pdf import read_pdf
from wikicrawler.errors import ContentError, Reason
from wikicrawler.operations import CREDITS_KEY
from wikicrawler.pages import Failure
from wikicrawler.politeness.retry_policy import RETRY_COUNT
from wikicrawler.sources.document import Document
from wikicrawler.sources.visits.retries import with_retry_after
from wikicrawler.tiers import state as st
from wikicrawler.tiers.http.tier import HttpTier
from wikicrawler.tiers.response_headers import headers_of
from wikicrawler.tiers.result import result_of
from wikicrawler.tiers.verdict.file_types import non_html_type
from wikicrawler.version import PRODUCT

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from wikicrawler.pages import Page
    from wikicrawler.tiers.result import PageResult

NOT_MODIFIED = 304
GONE = frozenset({404, 410})
_MAX_YAML_DEPTH = 100
"""Nesting of a YAML document. libyaml takes quadratic time for deep nesting."""
_TEXT_TYPES = {"xml": "xml", "json": "json", "yaml": "yaml"}


class Answer(NamedTuple):
    """What a server answered."""

    document: Document | None = None
    problem: Failure | None = None
    """Why there is no document."""
    gone: bool = False
    """True if the server reports that there is none (404, 410); *document* has its headers."""
    unchanged: bool = False
    """True if the server reports that the document did not change (304)."""
    links: tuple[str, ...] = ()
    """Absolute URLs to follow."""


async def read_answer(response: Response, crawler: Crawler, url: str, depth: int) -> Answer:
    """Return what *response* holds, an answer to the request for *url*."""
    if response.status == NOT_MODIFIED:
        return Answer(unchanged=True)
    if response.status in GONE:
        return Answer(_document(response, url, depth, format="raw", body=""), gone=True)
    if st.PAGE in response.meta or response.meta.get(st.REASON) is None:
        return await _read_page(response, crawler, url, depth)
    reason = Reason(response.meta[st.REASON])
    if reason is not Reason.NOT_HTML or response.status != 200:
        problem = Failure(reason, f"HTTP {response.status}", status=response.status)
        return Answer(problem=with_retry_after(problem, response))
    return await _read_file(response, url, depth)


async def _read_page(response: Response, crawler: Crawler, url: str, depth: int) -> Answer:
    try:
        result = await result_of(response, crawler)
    except ContentError as error:
        return Answer(problem=Failure(error.reason, error.detail))
    if isinstance(result, Failure):
        if result.reason is Reason.NOT_HTML and response.status == 200:
            return await _read_file(response, url, depth)
        return Answer(problem=result)
    page: Page = response.meta[st.PAGE]
    record, content = result.record, response.meta[st.CONTENT]
    outward = tuple(link.url for link in result.outward)
    links = tuple(link.url for link in result.links)
    html = await asyncio.to_thread(page.body.decode, page.encoding, "replace")
    document = _document(
        response,
        url,
        depth,
        format="markdown",
        body=content.inline_markdown,
        final_url=record.url,
        html=html,
        encoding=page.encoding,
        title=record.title or None,
        language=record.lang,
        metadata=content.metadata,
        links=tuple(dict.fromkeys((*links, *outward))),
        revid=record.revid,
    )
    return Answer(document, links=_of_page(result))


def _of_page(result: PageResult) -> tuple[str, ...]:
    """Return the links that lead on; those to other hosts may be of the source's domain, too."""
    return tuple(link.url for link in (*result.links, *result.outward))


async def _read_file(response: Response, url: str, depth: int) -> Answer:
    body = response.body
    kind = non_html_type(headers_of(response), body) or ""
    if kind in {"PDF", "application/pdf"}:
        if not body.startswith(b"%PDF-"):
            return Answer(problem=Failure(Reason.NOT_HTML, "application/pdf without a PDF in it"))
        return await _read_pdf(response, url, depth)
    name = next((word for word in _TEXT_TYPES if kind.endswith(word)), None)
    if kind == "sitemap":
        name = "xml"
    if name is None and kind not in {"text/plain", "text/csv", "text/markdown"}:
        return Answer(problem=Failure(Reason.NOT_HTML, kind))
    encoding = response.encoding if isinstance(response, TextResponse) else guess_encoding(body)
    if encoding == "cp1252" and body.isascii():  # what Scrapy names ASCII
        encoding = "utf-8"
    if name is not None and (why := await asyncio.to_thread(_CHECKS[name], body)):
        return Answer(problem=Failure(Reason.NOT_HTML, f"{name}: {why}"))
    text = await asyncio.to_thread(body.decode, encoding, "replace")
    document = _document(
        response, url, depth, format="raw", body=text, data=body, encoding=encoding
    )
    return Answer(document)


async def _read_pdf(response: Response, url: str, depth: int) -> Answer:
    try:
        pdf = await read_pdf(response.body)
    except ContentError as error:
        return Answer(problem=Failure(error.reason, error.detail))
    document = _document(
        response,
        url,
        depth,
        format="pdf_text",
        body=pdf.text,
        data=response.body,
        title=pdf.title or None,
    )
    return Answer(document)


def _document(response: Response, url: str, depth: int, **values: Any) -> Document:
    meta, headers = response.meta, headers_of(response)
    page: Page | None = meta.get(st.PAGE)
    at = page.fetched_at if page is not None and page.fetched_at else datetime.now(UTC)
    tier = meta.get(st.TIER) or HttpTier.name
    known: dict[str, Any] = {
        "url": url,
        "final_url": response.url,
        "status": response.status,
        "fetched_at": at,
        "engine": tier,
        "engine_version": PRODUCT.replace("/", " "),
        "response_time": meta.get("download_latency"),
        "retry_count": meta.get(RETRY_COUNT, meta.get("retry_times", 0)),
        "credits": meta.get(CREDITS_KEY),
        "etag": headers.get("etag", "")[:500] or None,
        "last_modified": headers.get("last-modified", "")[:100] or None,
        "depth": depth,
    }
    return Document(**(known | values))


def _fault_of_json(body: bytes) -> str:
    try:
        json.loads(body)
    except (ValueError, RecursionError) as error:
        return f"not JSON ({type(error).__name__})"
    return ""


def _fault_of_xml(body: bytes) -> str:
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False)
    try:
        etree.fromstring(body, parser)
    except etree.XMLSyntaxError:
        return "not well-formed"
    return ""


def _fault_of_yaml(body: bytes) -> str:
    depth = 0
    try:
        for event in yaml.parse(body, Loader=yaml.CSafeLoader):
            depth += isinstance(event, yaml.CollectionStartEvent)
            depth -= isinstance(event, yaml.CollectionEndEvent)
            if depth > _MAX_YAML_DEPTH:
                return f"nested more than {_MAX_YAML_DEPTH} deep"
    except (yaml.YAMLError, RecursionError, ValueError):
        return "not YAML"
    return ""


_CHECKS: dict[str, Callable[[bytes], str]] = {
    "xml": _fault_of_xml,
    "json": _fault_of_json,
    "yaml": _fault_of_yaml,
}
