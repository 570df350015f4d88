"""What the scripted model understands: the fields it is asked for, and the Markdown of the page.

It reads by rules: ``Label: value``, rows of two cells, columns under a header, bullets or a table
under a heading of the field's name, the first heading as a title, the first e-mail address and the
first price. It never guesses.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, NamedTuple

_PAGE = re.compile(r"^<(page-[0-9a-f]{16})>\n(.*?)^</\1>$", re.MULTILINE | re.DOTALL)
_FIELD = re.compile(r"^- ([A-Za-z_][\w-]*) \(([a-z\[\]]+)\)", re.MULTILINE)
_LABELLED = re.compile(
    r"^[-*+>\s]{0,6}(?:\*\*|__)?([^:|*_#\n]{1,60}?)(?:\*\*|__)?:(?:\*\*|__)?[ \t]+(\S.*)$"
)
_HEADING = re.compile(r"^(#{1,6})[ \t]+(.*?)[ \t#]*$")
_BULLET = re.compile(r"^[ \t]*(?:[-*+]|\d+[.)])[ \t]+(\S.*)$")
_EMAIL = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}")
_PRICE = re.compile(r"[$€£][ ]?\d[\d.,]*|\d[\d.,]*[ ]?(?:EUR|USD|GBP|€|\$|£)")
_NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?")
_TRUE, _FALSE = {"yes", "true", "ja"}, {"no", "false", "nein"}
_TITLES = {"title", "name", "heading"}


@dataclass(frozen=True)
class Wanted:
    """A field, as the schema or the prompt tells it."""

    type: str = "string"
    is_list: bool = False
    quoted: bool = False
    nullable: bool = True
    """Whether null is allowed; else the value and the quote are null, or the list is empty."""
    properties: tuple[tuple[str, Wanted], ...] | None = None


class Asked(NamedTuple):
    """What a request asks for."""

    fields: dict[str, Wanted]
    page: str
    """The Markdown between the delimiters, or the last message if there are none."""


class Found(NamedTuple):
    """A text of the page, and the line or cell that has it."""

    text: str
    quote: str


def read_request(body: dict[str, Any]) -> Asked:
    """Return what the body of a request asks for."""
    messages = [m for m in body.get("messages") or [] if isinstance(m, dict)]
    users = [str(m.get("content") or "") for m in messages if m.get("role") == "user"]
    first = next(iter(users), "")
    page = _PAGE.search(first)
    prompt = first[: page.start()] if page else first
    text = page[2] if page else first
    text = text.partition("Text:\n")[2] or text
    schema = _schema_of(body, prompt)
    if schema:
        fields = {name: _wanted(one) for name, one in schema.get("properties", {}).items()}
    else:
        quoted = '"quote"' in prompt
        fields = {m[1]: _typed(m[2], quoted=quoted) for m in _FIELD.finditer(prompt)}
    return Asked(fields, text)


def answer_to(asked: Asked) -> dict[str, Any]:
    """Return the value of each field, in the form that is asked for; null for what is not there."""
    found = {name: _value(name, wanted, asked.page) for name, wanted in asked.fields.items()}
    return {
        name: _nothing(asked.fields[name]) if value is None else value
        for name, value in found.items()
    }


def _nothing(wanted: Wanted) -> Any:
    if wanted.nullable:
        return None
    if wanted.is_list:
        return []
    return {"value": None, "quote": None} if wanted.quoted else None


def _schema_of(body: dict[str, Any], prompt: str) -> dict[str, Any] | None:
    form = body.get("response_format") or {}
    if form.get("type") == "json_schema":
        found = form["json_schema"]["schema"]
        return found if isinstance(found, dict) else None
    _, marked, after = prompt.partition("JSON Schema:\n")
    if not marked:
        return None
    found, _ = json.JSONDecoder().raw_decode(after)
    return found if isinstance(found, dict) else None


def _wanted(given: dict[str, Any]) -> Wanted:
    schema = _without_null(given)
    nullable = schema is not given
    if schema.get("type") == "array":
        item = _wanted(schema.get("items") or {})
        return Wanted(item.type, True, item.quoted, nullable, item.properties)
    properties = schema.get("properties") or {}
    if {"value", "quote"} <= properties.keys():
        inner = _wanted(properties["value"])
        return Wanted(inner.type, inner.is_list, True, nullable, inner.properties)
    known = tuple((name, _wanted(one)) for name, one in properties.items()) or None
    return Wanted(str(schema.get("type") or "string"), properties=known)


def _without_null(schema: dict[str, Any]) -> dict[str, Any]:
    for option in schema.get("anyOf") or ():
        if option.get("type") != "null":
            return _without_null(option)
    named = schema.get("type")
    if isinstance(named, list):
        return schema | {"type": next((one for one in named if one != "null"), "null")}
    return schema


def _typed(name: str, *, quoted: bool) -> Wanted:
    if name.startswith("list["):
        return Wanted(name[5:-1], is_list=True, quoted=quoted, nullable=not quoted)
    return Wanted(name, quoted=quoted, nullable=not quoted)


def _value(name: str, wanted: Wanted, page: str) -> Any:
    if wanted.type == "object":
        return _objects(name, wanted, page)
    found = _texts(name, page, many=wanted.is_list)
    values = [
        {"value": value, "quote": one.quote} if wanted.quoted else value
        for one in found
        if (value := _typed_value(one.text, wanted.type)) is not None
    ]
    if wanted.is_list:
        return values or None
    return values[0] if values else None


def _objects(name: str, wanted: Wanted, page: str) -> Any:
    """Objects are the rows of a table under a heading of the field's name, or with its columns."""
    properties = dict(wanted.properties or ())
    section = _under_heading(name, page)
    values = []
    for header, row, line in _rows(section or page):
        cells = {_words(label): cell for label, cell in zip(header, row, strict=False)}
        known = properties or {label.replace(" ", "_"): Wanted() for label in cells}
        item = {
            key: _typed_value(cells[_words(key)], one.type) if _words(key) in cells else None
            for key, one in known.items()
        }
        if any(value is not None for value in item.values()):
            values.append({"value": item, "quote": line} if wanted.quoted else item)
    if wanted.is_list:
        return values or None
    return values[0] if values else None


def _texts(name: str, page: str, *, many: bool) -> list[Found]:
    words = _words(name)
    labelled = [found for found in _labelled(page) if _words(found[0]) == words]
    if labelled:
        if not many:
            return [Found(value, quote) for _, value, quote in labelled]
        texts = [one.strip() for _, value, _ in labelled for one in value.split(",")]
        return [Found(text, text) for text in texts]
    columns = [
        row[at]
        for header, row, _ in _rows(page)
        for at, label in enumerate(header)
        if _words(label) in {words, words.removesuffix("s")} and at < len(row)
    ]
    if columns:
        return [Found(text, text) for text in columns if text]
    section = _under_heading(name, page)
    if many and section:
        bullets = [m[1].strip() for line in section.split("\n") if (m := _BULLET.match(line))]
        return [Found(text, text) for text in bullets]
    return [Found(text, text) for text in _special(words, page)]


def _special(words: str, page: str) -> list[str]:
    if words in _TITLES:
        titles = (_HEADING.match(line) for line in page.split("\n"))
        return [found[2] for found in titles if found][:1]
    if "email" in words or "e mail" in words:
        return list(dict.fromkeys(_EMAIL.findall(page)))
    return _PRICE.findall(page) if "price" in words else []


def _labelled(page: str) -> list[tuple[str, str, str]]:
    """Labels, values and quotes of lines, and of rows with two cells, in order."""
    found = []
    lines = page.split("\n")
    for line, behind in zip(lines, [*lines[1:], ""], strict=True):
        cells = _cells(line)
        is_header = _is_delimiter(_cells(behind))
        if len(cells) == 2 and cells[1] and not is_header and not _is_delimiter(cells):
            found.append((cells[0], cells[1], cells[1]))
        elif not cells and (labelled := _LABELLED.match(line)):
            found.append((labelled[1], labelled[2].strip(), line.strip()))
    return found


def _rows(page: str) -> list[tuple[list[str], list[str], str]]:
    """Each row of the tables: the cells of the header, its own, and its line."""
    found = []
    header: list[str] = []
    before: list[str] = []
    for line in page.split("\n"):
        cells = _cells(line)
        if not cells:
            header = []
        elif _is_delimiter(cells):
            header = before
        elif header:
            found.append((header, cells, line.strip()))
        before = cells
    return found


def _cells(line: str) -> list[str]:
    line = line.strip()
    if not line.startswith("|"):
        return []
    return [cell.strip() for cell in line.strip("|").split("|")]


def _is_delimiter(cells: list[str]) -> bool:
    return bool(cells) and all(cell and set(cell) <= set(":- ") for cell in cells)


def _under_heading(name: str, page: str) -> str:
    lines = page.split("\n")
    level = 0
    found: list[str] = []
    for line in lines:
        heading = _HEADING.match(line)
        if heading and level and len(heading[1]) <= level:
            break
        if level:
            found.append(line)
        elif heading and _words(heading[2]) == _words(name):
            level = len(heading[1])
    return "\n".join(found)


def _typed_value(text: str, kind: str) -> Any:
    if kind == "boolean":
        word = text.strip(" .*").lower()
        return True if word in _TRUE else False if word in _FALSE else None
    if kind in {"number", "integer"}:
        number = _NUMBER.search(text)
        value = float(number[0].replace(",", "")) if number else None
        return value if value is None or (kind == "number" and value % 1) else int(value)
    return text


def _words(name: str) -> str:
    """A name or a label as lowercase words."""
    return " ".join(re.findall(r"[^\W_]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()))
