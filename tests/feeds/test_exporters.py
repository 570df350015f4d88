"""Feeds in JSON, CSV and XML: any text, and nothing but text."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from scrapy.exporters import CsvItemExporter
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.crawling import project_settings, run
from tests.feeds.test_line_feeds import Items
from tests.servers.scripted import ScriptedServer
from wikicrawler.feeds.exporters import (
    _PLACE,
    CsvExporter,
    JsonExporter,
    PlainCsvExporter,
    RecordEncoder,
    XmlExporter,
)
from wikicrawler.feeds.line_feeds import LineExporter
from wikicrawler.items import CrawlResult
from wikicrawler.text.json_text import json_text

if TYPE_CHECKING:
    from pathlib import Path

BOX = {"title": "B", "fields": {"Born in": "Köln", "a><script>": "x", "Age": "5"}}
PAGE = CrawlResult(
    url="https://x.org/a,b",
    title="=1+1",
    content="- a\n- b",
    links=["https://x.org/c,d", "https://x.org/e"],
    categories=["A, B"],
    status=200,
    infobox=[BOX],  # type: ignore[list-item]
)


def export(kind: Any, *items: Any, **options: Any) -> bytes:
    file = io.BytesIO()
    exporter = kind(file, **options)
    exporter.start_exporting()
    for item in items:
        exporter.export_item(item)
    exporter.finish_exporting()
    return file.getvalue()


def rows(data: bytes, encoding: str = "utf-8") -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(data.decode(encoding), newline="")))


# JSON


ENCODINGS = ["utf-8", "UTF8", "latin-1", "cp1252", "shift-jis", "gb18030", "ascii", None]


@given(encoding=st.sampled_from(ENCODINGS), text=st.text(st.characters()))
def test_a_record_is_one_line_for_every_reader(encoding: str | None, text: str) -> None:
    line = export(LineExporter, {"t": text}, encoding=encoding).decode(encoding or "utf-8")
    assert len(line.splitlines()) == 1
    surrogates = str.maketrans(dict.fromkeys(range(0xD800, 0xE000), "\ufffd"))
    assert json.loads(line) == {"t": text.translate(surrogates)}
    array = export(JsonExporter, {"t": text}, encoding=encoding).decode(encoding or "utf-8")
    assert json.loads(array) == [json.loads(line)]


def test_text_in_utf_8_is_not_escaped() -> None:
    assert export(LineExporter, {"t": "日本 ü"}, encoding="utf-8") == '{"t": "日本 ü"}\n'.encode()


@pytest.mark.parametrize(
    ("encoding", "written"),
    [
        ("latin-1", '{"t": "é¥ \\u20ac \\u0085"}'),
        ("cp1252", '{"t": "é¥ € \\u0085"}'),
        ("shift-jis", '{"t": "\\u00e9\\u00a5 \\u20ac \\u0085"}'),  # whose yen is a backslash
        ("ascii", '{"t": "\\u00e9\\u00a5 \\u20ac \\u0085"}'),
    ],
)
def test_what_the_encoding_has_is_not_escaped(encoding: str, written: str) -> None:
    line = export(LineExporter, {"t": "é¥ € \x85"}, encoding=encoding)
    assert line.decode(encoding) == f"{written}\n"
    array = export(JsonExporter, {"t": "é¥ € \x85"}, encoding=encoding)
    assert array.decode(encoding) == f"[{written}]"


def test_what_a_feed_says_of_its_json_stands() -> None:
    assert export(JsonExporter, {"t": "ü"}, encoding="utf-8", ensure_ascii=True) == (
        b'[{"t": "\\u00fc"}]'
    )
    assert RecordEncoder.of({"sort_keys": True}, "utf-8").encode({"b": 1, "a": 2}) == (
        '{"a": 2, "b": 1}'
    )


# CSV


@pytest.mark.parametrize(
    "text",
    [
        "=cmd|'/C calc'!A0",
        "+1+cmd",
        "-2+3",
        "@SUM(A1)",
        "\t=1",
        "\r=1",
        "\n=1",
        "＝1+1",
        "＠x",
        "-",
    ],
)
def test_a_text_that_a_spreadsheet_would_compute_stays_text(text: str) -> None:
    (row,) = rows(export(CsvExporter, {"t": text}))
    assert row["t"] == "'" + text


@pytest.mark.parametrize("value", ["a=b", "5", "-5", "+4.5", "-1e-5", "'x", "", -5, 2.5, True])
def test_all_else_stays_as_it_is(value: object) -> None:
    (row,) = rows(export(CsvExporter, {"t": value}))
    assert row["t"] == str(value)


def test_the_names_of_columns_are_text_too() -> None:
    assert export(CsvExporter, {"=x": 1}) == b"'=x\r\n1\r\n"


def test_another_projects_lists_are_written_as_scrapy_writes_them() -> None:
    item = {"tags": ["a", "b"], "sizes": [4, 8], "author": {"name": "Ann"}, "sum": "=1+1"}
    (row,) = rows(export(PlainCsvExporter, item))
    (scrapys,) = rows(export(CsvItemExporter, item))
    assert row == scrapys | {"sum": "'=1+1"}


def test_a_list_of_strings_is_joined_as_the_project_says() -> None:
    item = {"tags": ["=a", "b"], "sizes": [4, 8], "author": {"name": "Ann"}}
    (joined,) = rows(export(CsvExporter, item, join_multivalued="|"))
    assert joined == {"tags": "'=a|b", "sizes": "[4, 8]", "author": '{"name": "Ann"}'}
    (row,) = rows(export(CsvExporter, item))
    assert row["tags"] == '["=a", "b"]'


def test_a_page_in_a_row_of_csv_can_be_read_back() -> None:
    (row,) = rows(export(CsvExporter, PAGE))
    assert row["url"] == PAGE.url
    assert row["title"] == "'=1+1"
    assert row["content"] == "'- a\n- b"
    assert row["status"] == "200"
    assert row["redirected_from"] == ""
    for name in ("links", "categories", "attempts", "infobox"):
        assert json.loads(row[name]) == getattr(PAGE, name)


# XML


@given(text=st.text(st.characters()), name=st.text(st.characters(), max_size=5))
def test_xml_is_well_formed_whatever_an_item_holds(text: str, name: str) -> None:
    data = export(XmlExporter, {"t": text, "d": {name: text}})
    root = etree.fromstring(data)
    assert [len(item) for item in root] == [2]


def test_a_name_that_xml_has_not_is_an_attribute() -> None:
    root = etree.fromstring(export(XmlExporter, PAGE))
    fields = root.find("item/infobox/value/fields")
    assert [(el.tag, el.get("name"), el.text) for el in fields] == [
        ("field", "Born in", "Köln"),
        ("field", "a><script>", "x"),
        ("Age", None, "5"),
    ]


# In a crawl


@pytest.mark.parametrize("kind", ["json", "csv", "xml", "jsonlines"])
@deferred_f_from_coro_f
async def test_no_format_loses_an_item_for_a_character(
    tmp_path: Path, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "feed"
    with ScriptedServer() as server:
        settings = project_settings(FEEDS={str(path): {"format": kind}})
        url, items = server.on("/").url("/"), [{"t": "a\ud800\0\u2028ü"}, {"t": "second"}]
        await run(Items, settings, url=url, items=items)
    written = path.read_text("utf-8")
    assert "ü" in written
    assert "second" in written
    assert "Traceback" not in caplog.text


def test_a_value_that_was_written_before_is_put_in_its_place() -> None:
    text = 'a "long" text\n\u2028水'
    record = {"url": "https://w.example/", "content": text, "links": [text], "title": "T"}
    known = text, json_text(text)
    assert RecordEncoder().encode_with(record, known) == RecordEncoder().encode(record).encode()
    assert RecordEncoder().encode_with({**record, "content": text + "."}, known) is None
    assert RecordEncoder(encoding="latin-1").encode_with(record, known) is None


def test_a_page_cannot_name_the_place_of_a_value_that_was_written_before() -> None:
    text = "the text"
    for place in (_PLACE, f'{_PLACE}"', f'"{_PLACE}', f'", "content": "{_PLACE}"'):
        record = {"title": place, "content": text, "author": place, place: place}
        written = RecordEncoder().encode_with(record, (text, json_text(text)))
        assert written in {None, RecordEncoder().encode(record).encode()}
