"""What Scrapy's item exporters write with.

Private name: ``BaseItemExporter._kwargs``, the options that an exporter of JSON hands to its
encoder. Undocumented: the exporters' ``encoder``, ``csv_writer``, ``xg`` and ``stream``. Parameters
of the exporters for the class of their encoder or writer would replace this module.
"""

from __future__ import annotations

from typing import IO, TYPE_CHECKING, Any

from wikicrawler.process.internals.presence import require

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from json import JSONEncoder
    from xml.sax.saxutils import XMLGenerator

    from scrapy.exporters import (
        CsvItemExporter,
        JsonItemExporter,
        JsonLinesItemExporter,
        XmlItemExporter,
    )

_PURPOSE = "The export of items"


def replace_encoder(
    exporter: JsonItemExporter | JsonLinesItemExporter,
    make: Callable[[Mapping[str, Any], str | None], JSONEncoder],
) -> None:
    """Have *exporter* encode items by what *make* returns for its options of
    :class:`json.JSONEncoder` and its encoding."""
    for name in ("_kwargs", "encoder"):
        require(exporter, name, library="scrapy", purpose=_PURPOSE)
    exporter.encoder = make(exporter._kwargs, exporter.encoding)


def replace_csv_writer(exporter: CsvItemExporter, make: Callable[[Any], Any]) -> None:
    """Have *exporter* write rows by what *make* returns for its :func:`csv.writer`."""
    require(exporter, "csv_writer", library="scrapy", purpose=_PURPOSE)
    exporter.csv_writer = make(exporter.csv_writer)


def replace_xml_writer(
    exporter: XmlItemExporter, make: Callable[[IO[str], str], XMLGenerator]
) -> None:
    """Have *exporter* write elements by what *make* returns for its stream and encoding."""
    for name in ("stream", "xg"):
        require(exporter, name, library="scrapy", purpose=_PURPOSE)
    exporter.xg = make(exporter.stream, exporter.encoding or "utf-8")
