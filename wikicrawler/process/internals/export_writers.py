"""The encoders and writers of Scrapy's item exporters.

Private name: ``BaseItemExporter._kwargs``, the options that a JSON exporter passes to its encoder.
Undocumented: ``encoder``, ``csv_writer``, ``xg`` and ``stream`` of the exporters. Parameters of the
exporters for the class of their encoder or writer would replace this module.
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
    """Replace the encoder of *exporter* by the one that *make* returns.

    *make* is called with the options for :class:`json.JSONEncoder` and the encoding.
    """
    for name in ("_kwargs", "encoder"):
        require(exporter, name, library="scrapy", purpose=_PURPOSE)
    exporter.encoder = make(exporter._kwargs, exporter.encoding)


def replace_csv_writer(exporter: CsvItemExporter, make: Callable[[Any], Any]) -> None:
    """Replace the :func:`csv.writer` of *exporter* by the result of *make*, called with it."""
    require(exporter, "csv_writer", library="scrapy", purpose=_PURPOSE)
    exporter.csv_writer = make(exporter.csv_writer)


def replace_xml_writer(
    exporter: XmlItemExporter, make: Callable[[IO[str], str], XMLGenerator]
) -> None:
    """Replace the XML generator of *exporter* by the result of *make*, called with its stream and
    encoding."""
    for name in ("stream", "xg"):
        require(exporter, name, library="scrapy", purpose=_PURPOSE)
    exporter.xg = make(exporter.stream, exporter.encoding or "utf-8")
