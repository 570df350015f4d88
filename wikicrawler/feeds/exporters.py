"""Feeds in JSON, CSV and XML that hold any text of a page, and in which it is no more than text.

Scrapy's exporters lose an item over half of a surrogate pair, write the characters that XML cannot
hold and names that are no XML names as they are, and leave a spreadsheet its formulas.
"""

from __future__ import annotations

import codecs
import json
import re
from functools import lru_cache
from typing import IO, TYPE_CHECKING, Any
from xml.sax.saxutils import XMLGenerator
from xml.sax.xmlreader import AttributesImpl

from itemadapter import ItemAdapter, is_item
from scrapy.exporters import CsvItemExporter, JsonItemExporter, XmlItemExporter
from scrapy.utils.serialize import ScrapyJSONEncoder

from wikicrawler.process.internals.export_writers import (
    replace_csv_writer,
    replace_encoder,
    replace_xml_writer,
)
from wikicrawler.text.json_text import LINE_ENDS
from wikicrawler.text.safe import without_surrogates
from wikicrawler.text.spreadsheet import is_formula

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_NUMBER = re.compile(r"[+-]?\d+(?:[.,]\d+)?(?:[eE][+-]?\d+)?")
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_XML_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")


class RecordEncoder(ScrapyJSONEncoder):
    """Scrapy's encoder, whose text any reader of lines takes as it was meant.

    Half of a surrogate pair is written as U+FFFD. A character that ends a line for some readers
    (``str.splitlines()``, JavaScript) is written as an escape, as is one that *encoding* lacks.
    """

    def __init__(self, *, encoding: str = "utf-8", **options: Any) -> None:
        super().__init__(**options | {"ensure_ascii": False})
        self._encoding = codecs.lookup(encoding).name

    @classmethod
    def of(cls, options: Mapping[str, Any], encoding: str | None) -> RecordEncoder:
        """For an exporter with these *options* of :class:`json.JSONEncoder`, that writes
        *encoding*."""
        kept = {name: value for name, value in options.items() if name != "ensure_ascii"}
        return cls(encoding="ascii" if options.get("ensure_ascii") else encoding or "utf-8", **kept)

    def encode(self, o: Any) -> str:
        text = without_surrogates(super().encode(o))
        if self._encoding == "utf-8":
            for end, escape in LINE_ENDS.items():
                text = text.replace(end, escape)
            return text
        return _NOT_ASCII.sub(lambda found: _in_json(found[0], self._encoding), text)

    def encode_with(self, record: dict[str, Any], known: tuple[str, bytes]) -> bytes | None:
        """Return *record* in UTF-8; None if the encoding is another or the record lacks *known*.

        :param known: a value of the record, and what
            :func:`~wikicrawler.text.json_text.json_text` returned for it
        """
        value, written = known
        name = next((name for name, one in record.items() if one is value), None)
        if name is None or self._encoding != "utf-8":
            return None
        before, _, after = self.encode({**record, name: _PLACE}).partition(_PLACE_IN_JSON)
        if _PLACE_IN_JSON in after:
            return None
        return b"".join((before.encode(), written, after.encode()))


_PLACE = "\ue000 the known value \ue001"
_PLACE_IN_JSON = f'"{_PLACE}"'


@lru_cache(65_536)
def _in_json(character: str, encoding: str) -> str:
    """Return *character*, or its escape if *encoding* lacks it or it ends a line."""
    try:
        # Shift-JIS writes the yen sign as a backslash.
        is_kept = character.encode(encoding).decode(encoding) == character
    except UnicodeError:
        is_kept = False
    return character if is_kept and character not in LINE_ENDS else json.dumps(character)[1:-1]


class JsonExporter(JsonItemExporter):
    """Scrapy's exporter of one JSON array, with :class:`RecordEncoder`."""

    def __init__(self, file: Any, **options: Any) -> None:
        super().__init__(file, **options)
        replace_encoder(self, RecordEncoder.of)


class PlainCsvExporter(CsvItemExporter):
    """Scrapy's exporter of CSV, where a text that a spreadsheet would compute has an apostrophe
    before it. Numbers stay numbers.

    What the encoding cannot say is written as ``?``.
    """

    def __init__(self, file: Any, **options: Any) -> None:
        super().__init__(file, **{"errors": "replace"} | options)
        replace_csv_writer(self, _Cells)


class CsvExporter(PlainCsvExporter):
    """The same, with lists and objects as JSON, which can be read back.

    Where the project sets ``join_multivalued`` (in ``item_export_kwargs`` of its feed), lists of
    strings are joined by it, as in Scrapy.
    """

    def __init__(self, file: Any, **options: Any) -> None:
        super().__init__(file, **options)
        self._joins = "join_multivalued" in options
        self._encoder = RecordEncoder()

    def serialize_field(self, field: Any, name: str, value: Any) -> Any:
        if self._joins and _are_strings(value):
            return super().serialize_field(field, name, value)
        if "serializer" not in field and (isinstance(value, list | tuple | dict) or is_item(value)):
            value = ItemAdapter(value).asdict() if is_item(value) else value
            return self._encoder.encode(value)
        return super().serialize_field(field, name, value)


def _are_strings(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(one, str) for one in value)


class _Cells:
    """A writer of CSV rows that puts text alone into its cells."""

    def __init__(self, writer: Any) -> None:
        self._writer = writer

    def writerow(self, row: Iterable[Any]) -> None:
        self._writer.writerow([_cell(value) for value in row])


def _cell(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    text = without_surrogates(value)
    if is_formula(text) and not _NUMBER.fullmatch(text):
        return "'" + text
    return text


class XmlExporter(XmlItemExporter):
    """Scrapy's exporter of XML that is well-formed whatever the items hold.

    A name that is none in XML (the label of an infobox, say) is written as ``<field name="…">``,
    and what XML cannot say as U+FFFD.
    """

    def __init__(self, file: Any, **options: Any) -> None:
        super().__init__(file, **options)
        replace_xml_writer(self, _XML)


class _XML(XMLGenerator):
    def __init__(self, out: IO[str], encoding: str) -> None:
        super().__init__(out, encoding=encoding)  # type: ignore[arg-type]

    def startElement(self, name: str, attrs: Any) -> None:  # noqa: N802 - SAX's
        if _XML_NAME.fullmatch(name):
            super().startElement(name, attrs)
        else:
            super().startElement(_FIELD, AttributesImpl({"name": _xml_text(name)}))

    def endElement(self, name: str) -> None:  # noqa: N802
        super().endElement(name if _XML_NAME.fullmatch(name) else _FIELD)

    def characters(self, content: str) -> None:
        super().characters(_xml_text(content))


_FIELD = "field"


def _xml_text(text: str) -> str:
    return _NOT_XML.sub("\ufffd", text)
