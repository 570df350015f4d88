"""JSON and YAML documents as blocks: a line each, keys in alphabetical order.

YAML that cannot be read is taken line by line.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import yaml as pyyaml
from yaml import (
    AliasEvent,
    DocumentEndEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from wikicrawler.sources.changes import visit_words as words
from wikicrawler.sources.changes.addresses import is_random
from wikicrawler.sources.changes.block import Block
from wikicrawler.sources.changes.characters import fold, one_space
from wikicrawler.sources.changes.inline import bare_addresses

if TYPE_CHECKING:
    from collections.abc import Iterator

_LOADER: Any = getattr(pyyaml, "CSafeLoader", pyyaml.SafeLoader)
_MAX_DEPTH = 100
NOISE_KEY = re.compile(
    r"(?:x[_-])?(?:(?:request|trace|correlation|session|transaction|span)[_-]?id|(?:csrf|xsrf)?[_-]?(?:token|nonce)|etag"
    r"|csrf|(?:last[_-]?)?(?:generated|retrieved|fetched|accessed|rendered|cached)(?:[_-]?(?:at|on|date|time))?"
    r"|(?:generation|query|request|response|server|current|build|last[_-]?build)[_-]?(?:time|timestamp|date)"
    r"|timestamp|(?:last[_-]?)?updated(?:[_-]?(?:at|on))?|last[_-]?(?:updated?|modified|refreshed|reviewed|checked)"
    r"(?:[_-]?(?:at|on|date|time))?|up_to_date_as_of|import_in_progress|processing_in_progress"
    r"|took(?:[_-]?ms)?|elapsed(?:[_-]?ms)?|duration_ms|(?:page[_-]?)?view(?:s|[_-]?count)|hits[_-]?count|download[_-]?count"
    r"|cache[_-]?(?:key|buster|hit|status|age)|(?:x[_-])?served[_-]?by|popularity(?:[_-]?score)?|trending[_-]?score"
    r"|page[_-]?visits|(?:online|concurrent)[_-]?(?:users|visitors)|(?:rate[_-]?limit|requests?|calls|queries)[_-]?remaining|remaining[_-]?(?:requests|calls|queries)|uptime[_-]?(?:seconds|ms)|expires[_-]?in|_ts)",
    re.IGNORECASE,
)
"""Names of fields that say when or for whom an answer was made."""
_USE = re.compile(
    r"tracking[_-]?summary|page[_-]?(?:views?|hits|stats|statistics|analytics|metrics)|analytics",
    re.IGNORECASE,
)
"""Names of objects that count the use of a record."""
_OF_REQUEST = re.compile(r"realtime_(?:start|end)")
"""Names of fields of an answer, but not of its records, that have the day of the request."""
_MAX_VALUE = 80
_YAML_LINE = re.compile(
    r"\s*(?:- +)*(?:[\w.$/@-]+|\"[^\"]*\"|'[^']*')\s*:(?:\s.*)?$|\s*-(?: .*)?$|\s*#.*$|---$|\.\.\.$"
)
_YAML_KEY = re.compile(r"(\s*(?:- +)*)([\w.$/@-]+|\"[^\"]*\"|'[^']*')\s*:(?:\s+(.*))?$")
_GENERATED = re.compile(r"\s*#.*\b(?:generated|retrieved|exported|last updated)\b", re.IGNORECASE)
_UNQUOTED_TEXT = re.compile(
    r"(?!(?:null|true|false|yes|no|on|off|y|n)$)[A-Za-z/][^\n]*", re.IGNORECASE
)
"""A plain scalar that is a string, so that quotation marks would change nothing."""
_PROSE = re.compile(r"[^\W\d_]\S*+\s")
_MAX_PLAIN = 2_000
_MOST = 0.9
_SAMPLE = 400


class _Number(str):
    """A number as it is written: 5.0 and 5.00 differ."""


class _Pairs(list[tuple[str, Any]]):
    """The members of an object; a name may be there twice."""


def is_noise(name: str, value: object) -> bool:
    """Return True for a field that says when or for whom an answer was made: by its name, or by
    the words of its name and a value that is a time or random."""
    if NOISE_KEY.fullmatch(name):
        return True
    if not isinstance(value, str) or len(value) > _MAX_VALUE or len(name) > _MAX_VALUE:
        return False
    parts = {part.lower() for part in words.NAME_PARTS.findall(name)}
    if not parts & words.MADE or parts - words.MADE - words.BESIDE_MADE:
        return False
    return bool(words.MOMENT.fullmatch(value)) or is_random(value)


def read_json(text: str) -> list[Block] | None:
    """Return the blocks of *text*, or None if it is no JSON (or nested too deeply)."""
    try:
        value = json.loads(
            text,
            object_pairs_hook=_Pairs,
            parse_int=_Number,
            parse_float=_Number,
            parse_constant=_Number,
        )
        if not isinstance(value, list):
            return None
        return list(_json(value, "", 0))
    except (ValueError, RecursionError):
        return None


def _json(value: Any, name: str, depth: int) -> Iterator[Block]:
    if depth > _MAX_DEPTH:
        raise RecursionError
    if isinstance(value, list):
        is_object = isinstance(value, _Pairs)
        yield Block("tag", name + ("{" if is_object else "["))
        members = sorted(value, key=lambda pair: pair[0]) if is_object else [("", v) for v in value]
        for key, member in members:
            if is_object and _is_left_out(key, member, depth):
                continue
            if is_object and not depth:
                yield Block("heading", one_space(fold(key)), "#", one_space(key))
            shown = f"{one_space(fold(key))}: " if is_object else ""
            yield from _json(member, shown, depth + 1)
        if depth or not is_object:  # the last brace would belong to the section of the last key
            yield Block("tag", "}" if is_object else "]")
    else:
        is_prose = isinstance(value, str) and _is_prose(value)
        yield Block("data" if is_prose else "code", name + _scalar(value))


def _is_left_out(key: str, member: Any, depth: int) -> bool:
    if isinstance(member, list):
        return bool(_USE.fullmatch(key)) and _are_numbers(member)
    return is_noise(key, member) or (not depth and bool(_OF_REQUEST.fullmatch(key)))


def _are_numbers(member: list[Any]) -> bool:
    """Return True for an object of nothing but numbers and times of an update."""
    return isinstance(member, _Pairs) and all(
        isinstance(value, _Number) or is_noise(name, value) for name, value in member
    )


def _is_prose(value: str) -> bool:
    """Return True for text, in contrast to a number or a code such as ``ACTIVE``."""
    return not isinstance(value, _Number) and bool(_PROSE.search(value))


def _scalar(value: Any) -> str:
    if isinstance(value, _Number):
        return str(value)
    if isinstance(value, str):
        text = one_space(fold(value))
        if "://" in text:
            text = bare_addresses(text)
        return json.dumps(text, ensure_ascii=False)
    return json.dumps(value)


def read_yaml(text: str) -> list[Block] | None:
    """Return the blocks of the YAML document *text*, or None if it cannot be read.

    Comments, the order of keys and the style of writing have no meaning. A scalar stands as it is
    written, with quotation marks if it is a string: 5.0, 5.00 and "5.0" differ.
    """
    try:
        values = list(_yaml_values(text))
    except (pyyaml.YAMLError, RecursionError, ValueError):
        return None
    if not values or not all(isinstance(value, _Pairs) for value in values):
        return None
    return [block for value in values for block in _json(value, "", 0)]


def _yaml_values(text: str) -> Iterator[Any]:
    # Events, because the composer follows the nesting by recursion, and expands aliases.
    open_values: list[list[Any]] = [[]]
    for event in pyyaml.parse(text, Loader=_LOADER):
        if isinstance(event, DocumentStartEvent):
            open_values = [[]]
        elif isinstance(event, MappingStartEvent | SequenceStartEvent):
            if len(open_values) > _MAX_DEPTH:
                raise RecursionError
            open_values.append([])
        elif isinstance(event, ScalarEvent):
            open_values[-1].append(_yaml_scalar(event))
        elif isinstance(event, AliasEvent):
            open_values[-1].append(_Number(f"*{event.anchor}"))
        elif isinstance(event, SequenceEndEvent):
            open_values[-2].append(open_values.pop())
        elif isinstance(event, MappingEndEvent):
            members = open_values.pop()
            keys = [key if isinstance(key, str) else json.dumps(key) for key in members[::2]]
            open_values[-1].append(_Pairs(zip(keys, members[1::2], strict=True)))
        elif isinstance(event, DocumentEndEvent):
            yield from open_values[0]


def _yaml_scalar(event: ScalarEvent) -> str:
    is_plain = event.implicit[0] and not event.tag
    if is_plain and not (len(event.value) <= _MAX_PLAIN and _UNQUOTED_TEXT.fullmatch(event.value)):
        return _Number(one_space(fold(event.value)))
    return str(event.value)


def looks_like_yaml(text: str) -> bool:
    """Return True if nearly all of the first lines are keys, entries and comments of YAML."""
    lines = [line for line in text.split("\n", _SAMPLE)[:_SAMPLE] if line.strip()]
    if len(lines) < 2 or not any(_YAML_KEY.match(line) for line in lines):
        return False
    first = next((line for line in lines if not line.lstrip().startswith("#")), "")
    if not (_YAML_KEY.match(first) or first.startswith(("---", "%YAML"))):
        return False
    fits = sum(bool(_YAML_LINE.match(line[:2_000])) or line.startswith("  ") for line in lines)
    keys = sum(bool(_YAML_KEY.match(line[:2_000])) for line in lines)
    # Prose such as "Note: see below" has such lines too, but not nearly all of them.
    return fits >= _MOST * len(lines) and 2 * keys >= len(lines)


def yaml(text: str) -> Iterator[Block]:
    """Yield the lines of the YAML document *text*. The depth of a line has a meaning and stands,
    the number of spaces for it does not."""
    depths = [0]
    for raw in text.split("\n"):
        line = raw.strip()
        if not line or _GENERATED.match(line):
            continue
        indent = len(raw) - len(raw.lstrip())
        while indent < depths[-1]:
            depths.pop()
        if indent > depths[-1] and len(depths) < _MAX_DEPTH:
            depths.append(indent)
        found = _YAML_KEY.match(line)
        if found and found[3] and is_noise(found[2].strip("\"'"), found[3].strip("\"'")):
            continue
        if "://" in line:
            line = bare_addresses(line)
        if found and not indent and not found[1]:
            yield Block("heading", found[2], "#")
            if not found[3]:
                continue
        yield Block("data", "  " * (len(depths) - 1) + one_space(line))
