"""Reads the page ``{accession}-index.htm``, the documents of a filing."""

from __future__ import annotations

from typing import NamedTuple

from lxml import etree, html

from wikicrawler.reports.providers.edgar import values
from wikicrawler.reports.providers.edgar.filings import file_name
from wikicrawler.reports.providers.edgar.values import AnswerError

MAX_DOCUMENTS = 500
_VIEWER = "/ix?doc="
_COLUMNS = ("description", "document", "type")


class Document(NamedTuple):
    """A row of the page."""

    name: str
    type: str
    """``10-K``, ``EX-13``, ``GRAPHIC`` …"""
    description: str


def read_index(body: bytes) -> tuple[Document, ...]:
    """Return the documents of a filing in the order of the page, without its files of data.

    :raises AnswerError: it has not the table of EDGAR's pages
    """
    try:
        tree = html.document_fromstring(body, parser=html.HTMLParser(encoding="utf-8"))
    except (etree.LxmlError, ValueError) as error:
        raise AnswerError(f"is not HTML: {values.text(str(error))}") from None
    table = next(
        (one for one in tree.iter("table") if "tableFile" in one.get("class", "").split()), None
    )
    if table is None:
        raise AnswerError("has no table of documents")
    rows = list(table.iter("tr"))
    if not rows:
        return ()
    places = _places(rows[0])
    documents = (_document(row, places) for row in rows[1 : MAX_DOCUMENTS + 1])
    return tuple(document for document in documents if document)


def _places(header: html.HtmlElement) -> dict[str, int]:
    titles = [_text(cell).casefold() for cell in header]
    return {
        name: titles.index(name) if name in titles else default
        for default, name in enumerate(_COLUMNS, 1)
    }


def _document(row: html.HtmlElement, places: dict[str, int]) -> Document | None:
    cells = list(row)
    if len(cells) <= max(places.values()):
        return None
    links = [link.get("href", "") for link in cells[places["document"]].iter("a")]
    # The link may lead to the viewer of Inline XBRL; links of filings before 2001 end in "/".
    target = links[0] if links else ""
    name = file_name(target.partition(_VIEWER)[2].rpartition("/")[2]) or file_name(
        target.rpartition("/")[2]
    )
    kind = _text(cells[places["type"]]).upper()
    return Document(name, kind, _text(cells[places["description"]])) if name and kind else None


def _text(cell: html.HtmlElement) -> str:
    return values.text(cell.text_content())
