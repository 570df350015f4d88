"""Tests for text as a JSON string."""

import json

import pytest

from wikicrawler.text.json_text import LINE_ENDS, json_text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "plain",
        'a "word"\nand \\ a line',
        "\\n is no line end",
        "".join(map(chr, range(0x100))),
        "tab\tand\rreturn",
        "Ä, 水, \U0001f600",
        '水 "word"\n',
    ],
)
def test_json_reads_back_what_was_written(text: str) -> None:
    written = json_text(text)
    assert json.loads(written) == text
    assert b"\n" not in written


@pytest.mark.parametrize("text", ['a\\b"c\nd', "\x00\x1f\x7f\t\r\b\f/", "é水\U0001f600"])
def test_it_is_written_as_json_does(text: str) -> None:
    assert json_text(text).decode() == json.dumps(text, ensure_ascii=False)


@pytest.mark.parametrize("end", LINE_ENDS)
@pytest.mark.parametrize("beside", ["", "\t", '"'])
def test_no_reader_of_lines_finds_a_line_end(end: str, beside: str) -> None:
    written = json_text(f"a{end}{beside}b").decode()
    assert len(written.splitlines()) == 1
    assert json.loads(written) == f"a{end}{beside}b"


@pytest.mark.parametrize("beside", ["", "\t", '"'])
def test_half_of_a_surrogate_pair_is_replaced(beside: str) -> None:
    assert json.loads(json_text(f"a\ud800{beside}")) == f"a\ufffd{beside}"
