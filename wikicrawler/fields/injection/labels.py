"""What a page states beside a label: ``Price: 20 EUR``, a row of a table, a term of a list."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakKeyDictionary

from wikicrawler.fields.evidence.carriers import NumberCarrier, carrier_of
from wikicrawler.fields.evidence.folding import fold
from wikicrawler.fields.evidence.spellings import number_spans
from wikicrawler.fields.injection.unrendered import is_html

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wikicrawler.fields.evidence.alignment import Content
    from wikicrawler.fields.models import FieldDefinition

MAX_STATED = 20
"""Texts of one label that are kept."""
_MAX_LABELS = 20_000
_MAX_LABEL, _MAX_TEXT = 60, 200
"""Characters of a label, and of what stands beside it."""
_MAX_WORDS = 12
"""Words beside a label; more are a sentence."""
_LINE = re.compile(
    r"[ \t>*_#+|-]{0,20}+(?P<label>[^\W\d_][^\n:：|]{0,58}?)[*_ \t]{0,9}[:：|][*_ \t|]{0,20}"
    r"(?P<text>[^\s|][^\n|]{0,400})"
)
_CELLS = re.compile(r"</(?:th|dt)\s{0,9}>\s{0,99}<(?:td|dd)(?:\s[^<>]{0,300}+)?>", re.IGNORECASE)
_INLINE = re.compile(
    r"</?(?:a|abbr|b|bdi|code|em|font|i|mark|q|s|small|span|strong|sub|sup|time|u)(?:\s[^<>]{0,500}+)?>",
    re.IGNORECASE,
)
_TAG = re.compile(r"<[/!A-Za-z][^<>]{0,1000}+>")
_REMARK = re.compile(r"\([^()]{0,40}\)")
_WORD = re.compile(r"[^\W_]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")

_labels: WeakKeyDictionary[Content, dict[str, list[str]]] = WeakKeyDictionary()


def stated_beside(content: Content, field: FieldDefinition) -> Sequence[str]:
    """Return the texts beside the name of *field*, in order."""
    if content not in _labels:
        _labels[content] = _read(content.text)
    return _labels[content].get(_key(_CAMEL.sub(" ", field.name)), ())


class Stated(NamedTuple):
    """What a page states beside the name of a field."""

    same: bool
    """The value."""
    other: bool
    """Another value of the same kind."""


def compare(value: Any, content: Content, field: FieldDefinition) -> Stated:
    """Return what *content* states beside the name of *field*, compared with *value*: nothing for a
    field of several values, of one of several, or whose value may be concluded."""
    if field.is_list or field.derived or field.enum or isinstance(value, bool | dict | list):
        return Stated(same=False, other=False)
    carrier = carrier_of(value, numeric=field.element_type in {"number", "integer"})
    if carrier is None:
        return Stated(same=False, other=False)
    numeric = isinstance(carrier, NumberCarrier)
    texts = stated_beside(content, field)
    same = [
        text
        for text in texts
        if carrier.is_in(text) or (not numeric and _is_part(carrier.text, text))
    ]
    other = any(text not in same and _is_alike(carrier.text, text, numeric) for text in texts)
    return Stated(bool(same), other)


def _read(text: str) -> dict[str, list[str]]:
    if is_html(text):
        text = _TAG.sub("\n", _INLINE.sub("", _CELLS.sub(": ", text)))
        text = html.unescape(text)
    found: dict[str, list[str]] = {}
    for line in _lines(text):
        label, beside = _key(line["label"]), line["text"].strip()
        if label and len(found) < _MAX_LABELS and len(beside.split(None, _MAX_WORDS)) <= _MAX_WORDS:
            texts = found.setdefault(label, [])
            if len(texts) < MAX_STATED:
                texts.append(beside[:_MAX_TEXT])
    return found


def _lines(text: str) -> Iterator[re.Match[str]]:
    for line in text.splitlines():
        if found := _LINE.match(line):
            yield found


def _key(label: str) -> str:
    return " ".join(_WORD.findall(fold(_REMARK.sub(" ", label[:_MAX_LABEL]))))


def _is_alike(value: str, text: str, numeric: bool) -> bool:
    """Return True if *text* may be another value of the kind of *value*."""
    if numeric:
        return bool(number_spans(text))
    if ("@" in value) != ("@" in text) or ("//" in value and "//" not in text):
        return False
    digits, others = (sum(map(str.isdecimal, one)) for one in (value, text))
    return 2 * min(digits, others) >= max(digits, others) and bool(_squeezed(text))


def _is_part(value: str, text: str) -> bool:
    """Return True if one is a part of the other, whatever stands between their characters."""
    one, other = _squeezed(value), _squeezed(text)
    return one in other or other in one


def _squeezed(text: str) -> str:
    return "".join(_WORD.findall(fold(text)))
